"""The cards say how a deliberation ended, as its data shows it, and stay open to whoever takes part."""

import json
from typing import Any

import pytest

from bot.texts import texts_in
from bot.views.deliberation import thread
from bot.views.deliberation.descriptions import DESCRIPTIONS, DeliberationNarration
from bot.views.deliberation.forms import ask_form, decide_form, point_form
from bot.views.deliberation.home import sections
from bot.views.deliberation.values import ASK, POINT, DecideButton
from bot.views.kit.fit import draw_whole
from bot.views.kit.home_part import Agenda
from bot.views.kit.mrkdwn import Fit
from bot.views.kit.story.model import Told
from engine.deliberation.answers import Move, Plan, PlanPhase
from engine.deliberation.state import Deliberation, Status
from engine.deliberation.terms import RULES
from engine.kernel import Place
from tests.deliberation.scenario import (
    CRITIC,
    PLANNER,
    QUIET,
    REQUESTER,
    STREAM,
    Scenario,
    answering,
    criticised,
    drafted,
    in_round,
    opened,
    planned,
    task,
)
from tests.deliberation.test_outcome import SAME, diverged, held_back
from tests.views.message_contents import buttons, shown, texts_of


def posts(state: Deliberation, language: str = "en") -> dict[str, str]:
    return {each.key: shown(each) for each in thread.posts(state, texts_in(language))}


def agreed() -> Scenario:
    return in_round(2).round(0.95).closes().reports().stands(Status.CONVERGED)


# ── how it ended ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("language", "root", "report"),
    [
        ("en", "No agreement on who does “Do room”:", "Planner and Critic do not agree on who does “Do room”."),
        ("zh", "没有达成一致的地方：“Do room”的负责人", "规划师和批评家意见不一的地方：“Do room”的负责人。"),
    ],
)
def test_a_disagreement_says_on_what(language: str, root: str, report: str) -> None:
    told = posts(diverged().state, language)
    assert root in told["plan"]
    assert report in told["report"]
    assert "Bo" in told["plan"]


def test_a_sentence_that_both_say_stands_once_and_beside_it_what_differs() -> None:
    told = posts(diverged().state)["plan"]
    assert told.count(SAME) == 1
    assert "who does “Do room”: Planner *Ann* · Critic *Bo*" in told


def test_whoever_decides_sees_what_differs_and_no_sentence_twice() -> None:
    state = diverged().state
    form = texts_of(decide_form(state, DecideButton(stream=STREAM, round=3), texts_in("en")))
    assert form.count(SAME) == 1
    assert "who does “Do room”: Planner *Ann* · Critic *Bo*" in form


def test_home_says_on_what_they_do_not_agree() -> None:
    state = diverged().state
    agenda = Agenda(undecided=[state], own=[], older=0)
    said = str(sections(agenda, REQUESTER, texts_in("en")).undecided)
    assert "do not agree on who does “Do room”" in said


def test_both_hold_the_same_and_something_is_open_is_not_called_a_disagreement() -> None:
    told = posts(held_back().state)
    assert "Both hold the same, and it is not settled: a high risk is open." in told["plan"]
    assert "⚖️ The plan, with what is still open" in told["report"]
    assert "it rains" in told["report"]
    assert not any("not agree" in each or "No agreement" in each for each in told.values())


@pytest.mark.parametrize(("language", "who"), [("en", "whoever asked"), ("zh", "发起人")])
def test_once_it_is_decided_nothing_says_that_they_agree(language: str, who: str) -> None:
    scenario = diverged().chooses(CRITIC)
    for state in (scenario.state, scenario.reports("Both agree after 3 rounds.").state):
        told = posts(state, language)
        assert "✅ Agreed" not in told["plan"]
        assert "there was no agreement" not in told["report"]
    assert who in told["plan"].split("\n")[2] or who in told["plan"]
    if language == "en":
        decided = told["report"].index("decided for the Critic’s position.\nPlanner and Critic had not agreed on who")
        assert decided < told["report"].index("Both agree after 3 rounds.")
        assert "After 3 rounds · whoever asked decided" in told["report"]
    happened = [Told(getattr(each, "at", 0), each) for each in scenario.history]
    words = DeliberationNarration(scenario.state, texts_in("en"), Fit())
    lines = [each.text for each in words.timeline(DESCRIPTIONS.by_type, happened)]
    assert "✅ Decided" in lines
    assert "✅ Agreed" not in lines


@pytest.mark.parametrize("by_choice", [True, False])
def test_a_report_that_is_written_anew_is_no_report_of_now(by_choice: bool) -> None:
    scenario = diverged().chooses(PLANNER) if by_choice else agreed().objects()
    told = posts(scenario.state)["report"]
    assert "of before" in told
    assert "After" not in told
    assert "✅" not in told


# ── counts ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("sizes", [(14, 1), (15,), (7, 7, 1), (1,) * 15, (30,)])
def test_as_many_tasks_are_listed_as_are_counted(sizes: tuple[int, ...]) -> None:
    phases = tuple(
        PlanPhase(
            phase_name=f"Phase {place}",
            tasks=tuple(task(f"{place}-{each}", expected_output="A result that is told. " * 8) for each in range(size)),
        )
        for place, size in enumerate(sizes)
    )
    made = Plan(title="The evening", phases=phases)
    scenario = opened().both(planned(made), drafted(made)).compared(0.95).reports()
    told = posts(scenario.state)
    for card in ("plan", "report"):
        assert f"{sum(sizes)} tasks" in told[card]
        assert told[card].count("• Do ") == sum(sizes)


def test_what_a_list_leaves_out_is_counted() -> None:
    scenario = (
        in_round(2).round(0.95).closes().reports(resolved_concerns=tuple(f"Concern {each}" for each in range(13)))
    )
    told = posts(scenario.state)["report"]
    assert told.count("• Concern") == 10
    assert "…and 3 more" in told


def test_a_round_in_which_nobody_spoke_is_not_counted() -> None:
    assert "After 2 rounds" in posts(in_round(3).stops().reports().state)["report"]


# ── what can be pressed ───────────────────────────────────────────────────────────────────────────────────────────


def ended() -> dict[str, Scenario]:
    return {
        "arguing": in_round(2),
        "closing": in_round(2).round(0.95),
        "reporting": in_round(2).round(0.95).closes(),
        "agreed": agreed(),
        "disagreed": diverged(),
        "decided": diverged().chooses(PLANNER).reports(),
        "stopped": in_round(2).stops().reports(),
        "reopened": agreed().objects(),
    }


@pytest.mark.parametrize("name", ended())
def test_a_point_and_a_question_can_be_raised_on_the_card_at_any_time(name: str) -> None:
    card, *rest = thread.posts(ended()[name].state, texts_in("en"))
    assert {POINT, ASK} <= buttons(card).keys()
    if name in ("agreed", "disagreed", "decided", "stopped"):
        assert {POINT, ASK} <= buttons(rest[-1]).keys()


def test_where_it_would_be_refused_there_is_no_button() -> None:
    for scenario in (opened(), opened().stops()):
        assert not any(ASK in buttons(each) for each in thread.posts(scenario.state, texts_in("en")))
    assert not any(POINT in buttons(each) for each in thread.posts(opened().stops().state, texts_in("en")))


def test_the_form_says_what_comes_of_a_point() -> None:
    def said(scenario: Scenario) -> str:
        return texts_of(point_form(scenario.state, texts_in("en")))

    assert "have to answer it" in said(in_round(2))
    assert "argued about again" in said(in_round(2).round(0.95))
    assert "decided is open again" in said(diverged().chooses(PLANNER).reports())
    drafts = opened().says(PLANNER, planned(), model=RULES).says(CRITIC, drafted(), model=RULES).reports()
    assert "nobody argues about it" in said(drafts)
    assert "After" not in posts(drafts.state)["report"]
    assert "no round left" in said(in_round(5).round(0.79).closes().reports())


def test_whoever_asks_about_a_finished_plan_says_whether_it_is_argued_on() -> None:
    def fields(scenario: Scenario) -> list[Any]:
        return [each["block_id"] for each in ask_form(scenario.state, texts_in("en"))["blocks"] if "element" in each]

    assert fields(in_round(2)) == ["text"]
    assert fields(agreed()) == ["text", "then"]
    assert fields(in_round(5).round(0.79).closes().reports()) == ["text"]


# ── where another company reads along ─────────────────────────────────────────────────────────────────────────────

REASONS = ("the hall is cheap", "our client may leave", "the margin is thin", "the intern has it", "ask the landlord")


def argued_in(place: Place, *, ends: bool) -> str:
    """What everybody may see of one that is argued, or was, also behind *Show all*: with reasons, and a point."""
    scenario = Scenario(policy=QUIET).opens(place=place)
    scenario.both(planned(key_reasons=("the hall is cheap",)), drafted(key_reasons=("our client may leave",)))
    scenario.objects("Who has the key?").compared(0.5)
    [point] = scenario.state.points
    moved = planned(
        conclusion="Later.",
        key_reasons=("the hall is cheap",),
        moves=[Move(slot="conclusion", argument="", why="the margin is thin")],
        answers=answering(point.point_id, "the intern has it"),
    )
    scenario.both(moved, criticised(answers=answering(point.point_id, "ask the landlord")))
    if ends:
        scenario.compared(0.95).stops().closes().reports()
    assert scenario.state.is_open is not ends
    [card] = [each.card for each in thread.posts(scenario.state, texts_in("en")) if each.key == "plan"]
    assert card is not None
    return json.dumps([*draw_whole(card)], ensure_ascii=False)


@pytest.mark.parametrize("ends", [False, True], ids=["argued", "over"])
def test_where_another_company_reads_along_nobody_is_told_what_was_argued(ends: bool) -> None:
    here, there = (Place(channel="C_LOBBY", shared=each) for each in (False, True))

    among_us, beside_others = argued_in(here, ends=ends), argued_in(there, ends=ends)

    assert [each for each in REASONS if each in beside_others] == []
    assert "Who has the key?" in beside_others
    assert [each for each in REASONS if each in among_us] != []
