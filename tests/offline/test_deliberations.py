"""Without a model nobody argues: what is known is laid side by side, and nothing is made up."""

from typing import Any, Final

import pytest

from engine.deliberation.answers import Plan
from engine.deliberation.closing.decision_record import decision_record
from engine.deliberation.commands import AskCritic
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.state import Deliberation, Status
from engine.deliberation.terms import Brief, Reason
from engine.kernel import FactKind, HandedFact, HandedPerson, HandedTask
from engine.offline import OfflineModel
from engine.offline.deliberation.telling import ANSWERERS
from tests.deliberation.encoders import no_encoder
from tests.deliberation.prompts import PROMPTS
from tests.deliberation.sessions import session

MODEL: Final = OfflineModel({"deliberation": ANSWERERS})
PEOPLE: Final = (
    HandedPerson(person_id="ana", user_id="U_ANA", name="Ana", brings="warm food for forty"),
    HandedPerson(person_id="ben", name="Ben"),
)
FACTS: Final = (
    HandedFact(fact_id="fact-1", kind=FactKind.CONSTRAINT, text="Lisbon floods in spring."),
    HandedFact(fact_id="fact-2", kind=FactKind.LIMIT, text="I cannot travel in May.", by="U_ANA"),
)
AGREED: Final = (
    HandedTask(task_id="seat-1", title="Cook", owner="ana", starts="2027-03-01", deadline="2027-03-02", hours=6),
    HandedTask(task_id="seat-2", title="Music"),
)


def brief(goal: str = "Which town do we evacuate to?", **fields: Any) -> Brief:
    told: dict[str, Any] = {"title": goal, "goal": goal, "today": "2026-11-23", "facts": FACTS, "people": PEOPLE}
    return Brief(**told | fields)


async def played(of: Brief) -> Deliberation:
    return (await session(MODEL, no_encoder(), brief=of)).state


def plan_of(state: Deliberation) -> Plan:
    final = final_plan(state)
    assert final is not None
    return final.plan


def test_every_prompt_is_answered_without_a_model() -> None:
    assert {f"deliberation/{each}" for each in ANSWERERS} == {*PROMPTS}


async def test_a_question_of_judgement_is_not_answered_and_it_ends_at_once() -> None:
    state = await played(brief(options=("Lisbon", "Vienna")))
    assert (state.status, state.reason, len(state.rounds)) == (Status.TERMINATED, Reason.NOT_ARGUED, 1)
    assert state.report is not None
    assert not state.report.is_divergent
    assert not any(each.position.choice for each in state.rounds[0].outputs.values())
    assert (decision_record(state).how, decision_record(state).by) == ("not_argued", "nobody")
    assert not state.errors


async def test_options_facts_and_who_brings_what_stand_side_by_side() -> None:
    state = await played(brief(options=("Lisbon", "Vienna")))
    assert state.report is not None
    for said in ("Lisbon", "Vienna", "Lisbon floods in spring.", "Ana: I cannot travel in May.", "Ana: warm food"):
        assert said in state.report.content
    assert not state.report.summary.key_agreements
    assert "None of the options is chosen." in state.report.summary.remaining_uncertainties


async def test_what_was_agreed_is_its_tasks_with_their_days_and_nothing_else() -> None:
    state = await played(brief(tasks=AGREED, origin="ch-1"))
    cook, music = plan_of(state).tasks
    assert (cook.title, cook.owner, cook.starts, cook.deadline, cook.estimated_hours) == (
        "Cook", "ana", "2027-03-01", "2027-03-02", 6,
    )  # fmt: skip
    assert (music.owner, music.deadline, music.estimated_hours, music.tags) == ("", "", 0, ())
    assert state.report is not None
    assert {"Nobody has “Music” yet.", "“Music” has no day."} <= {*state.report.summary.remaining_uncertainties}


async def test_a_goal_alone_gets_no_invented_plan() -> None:
    state = await played(brief(people=(), facts=()))
    assert plan_of(state).tasks == ()
    assert state.report is not None
    assert not state.report.summary.todo


@pytest.mark.parametrize(
    ("goal", "options"),
    [
        ("Which venue should we take: the library hall or the canteen?", ("the library hall", "the canteen")),
        ("Should we take the team to the Loft, the Hall, or the Garden? The Loft holds 60.", (
            "the Loft", "the Hall", "the Garden",
        )),
        ("Should we meet in Lisbon or Vienna?", ("Lisbon", "Vienna")),
        ("场地选图书馆还是食堂好？", ("图书馆", "食堂")),
        ("团建：爬山、露营还是桌游？", ("爬山", "露营", "桌游")),
        ("Which town do we evacuate to?", ()),
        ("Is it true or not?", ()),
        ("An evening in Berlin or near it", ()),
    ],
)  # fmt: skip
async def test_the_options_that_a_goal_names_are_read_in_its_words(goal: str, options: tuple[str, ...]) -> None:
    state = await played(brief(goal, people=(), facts=()))
    assert state.options == options
    assert state.report is not None
    assert all(f"- {each}" in state.report.content for each in options)


async def test_what_stands_behind_the_question_is_what_was_said() -> None:
    state = await played(brief("The hall or the canteen? The hall has no lift.", people=(), facts=()))
    assert state.report is not None
    assert "## What people said\n\n- The hall has no lift." in state.report.content


@pytest.mark.parametrize(
    ("goal", "said"),
    [("应该去哪里？", "没有模型"), ("Wohin fahren wir?", "Nobody argued"), ("どこへ行きますか", "Nobody argued")],
    ids=["Chinese", "German", "Japanese"],
)
async def test_it_speaks_chinese_or_english(goal: str, said: str) -> None:
    state = await played(brief(goal, people=(), facts=()))
    assert state.report is not None
    assert said in state.report.content


@pytest.mark.parametrize("question", ["Why Lisbon?"])
async def test_the_critic_says_that_it_takes_a_model(question: str) -> None:

    asks = AskCritic(command_id="q", at=1_800_000_000_001, by="U_ASKS", text=question)
    state = (await session(MODEL, no_encoder(), brief=brief(), afterwards=(asks,))).state
    assert [each.reply for each in state.questions] == ["Weighing this takes a model; there is none here."]
