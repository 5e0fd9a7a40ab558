"""Whole sessions: each vector is computed once, and drafts that agree are argued about no more."""

import re
from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.deliberation.policy import Policy
from engine.deliberation.state import Status
from engine.deliberation.terms import Agent, Brief, Reason
from engine.kernel import FactKind, HandedFact, HandedPerson
from engine.offline import OfflineModel
from engine.offline.deliberation.answerers import ANSWERERS
from tests.anthropic_server import Received, Says, Step
from tests.anthropic_server import Status as Failure

from .encoders import counting, no_encoder
from .good_answers import GOOD, NOT_MOVED, PLAN, POSITION, task
from .prompts import PROMPTS
from .scenario import BRIEF
from .sessions import asked_of_claude, prompt_of, session

ENDLESS: Final = Policy(converge_above=1, stall_below=0, host_speaks=False)
"""No round settles anything before the last one."""
ROOM: Final = task("task-1", "Find a room for 50", "ann", 3, "2026-12-07")
AGREED: Final = {
    **PLAN,
    "phases": [
        {"phase_name": "All", "duration": "", "tasks": [task("task-1", "Find a room for 50", "ann", 3, "2026-12-07")]}
    ],
}


def arguing(received: Received) -> Step:
    """Both hold what they hold, in other words each round."""
    prompt = prompt_of(received)
    number = re.search(r"This is round (\d)", received.said())
    words = f"{prompt} {number[1] if number else 1} stays with its own view of the room"
    said: dict[str, Any] = {**GOOD[prompt]}
    if "position" in said:
        said |= {"plan": AGREED} if "plan" in said else {}
        said |= {**NOT_MOVED, "position": {**POSITION, "conclusion": words, "decision": "go"}}
    return Says(said)


def agreeing(received: Received) -> Step:
    prompt = prompt_of(received)
    said: dict[str, Any] = {**GOOD[prompt]}
    if "plan" in said:
        said["plan"] = AGREED
    if "critique" in said:
        fine = dict.fromkeys(("feasible", "realistic", "complete"), True)
        said["critique"] = {"risks": [], "suggestions": [], "validity_check": fine}
    return Says(said)


async def test_five_rounds_compute_the_vector_of_each_position_once() -> None:
    encoder, embedder = counting()
    played = await asked_of_claude(arguing, encoder, policy=ENDLESS)

    analyses = [each.analysis for each in played.state.rounds if each.analysis]
    conclusions = {each.position.conclusion for round_ in played.state.rounds for each in round_.outputs.values()}
    assert len(analyses) == 5
    assert len(conclusions) == 10
    assert embedder.encoded == dict.fromkeys((each.casefold() for each in conclusions), 1)
    assert sum(each.vectors_computed for each in analyses) == 10
    assert played.calls == {"plan": 1, "draft": 1, "revise": 4, "criticise": 4, "close": 2, "report": 1}


async def test_two_blind_drafts_that_agree_take_one_round() -> None:
    encoder, _ = counting()
    played = await asked_of_claude(agreeing, encoder)

    assert played.state.reason is Reason.EARLY_AGREEMENT
    assert played.state.status is Status.CONVERGED
    assert len(played.state.rounds) == 1
    assert played.calls == {"plan": 1, "draft": 1, "host": 1, "report": 1}
    assert not [each.refusal for each in played.requests if each.refusal]


async def test_without_an_encoder_a_session_compares_words_and_says_so() -> None:
    played = await asked_of_claude(arguing, no_encoder(), policy=ENDLESS)
    assert {(each.error, each.tool) for each in played.state.errors} == {("tool_execution_failed", "compare_positions")}
    assert all(each.analysis and each.analysis.by_keywords for each in played.state.rounds)


async def test_a_planner_whose_plan_lacks_what_it_needs_is_asked_again_once() -> None:
    def careless(received: Received) -> Step:
        if prompt_of(received) != "plan":
            return agreeing(received)
        is_first = len(received.body["messages"]) == 1
        return Says({**GOOD["plan"], "plan": {**AGREED, "phases": []} if is_first else AGREED})

    encoder, _ = counting()
    played = await asked_of_claude(careless, encoder)
    assert played.calls["plan"] == 2
    output = played.state.rounds[0].outputs[Agent.PLANNER]
    assert output.plan is not None
    assert len(output.plan.tasks) == 1


async def test_a_critic_that_never_answers_is_skipped_and_that_is_said() -> None:
    def alone(received: Received) -> Step:
        return Failure(401) if prompt_of(received) in ("draft", "criticise") else arguing(received)

    encoder, _ = counting()
    played = await asked_of_claude(alone, encoder, policy=ENDLESS)
    assert ("agent_failed", "critic") in {(each.error, each.agent) for each in played.state.errors}
    assert played.state.report is not None
    assert played.state.report.is_divergent


# ── without a model ───────────────────────────────────────────────────────────────────────────────────────────────

KNOWN: Final = (
    (FactKind.NEED, "A room for 50 people"),
    (FactKind.NEED, "Two talks of 30 minutes"),
    (FactKind.OFFER, "I find the room"),
    (FactKind.LIMIT, "I cannot do anything before 10 December 2026"),
)
ZH: Final = (
    (FactKind.NEED, "一个能容纳50人的场地"),
    (FactKind.NEED, "两场各30分钟的分享"),
    (FactKind.OFFER, "我来找场地"),
    (FactKind.LIMIT, "我12月10日之前没有时间"),
)


def brief_of(goal: str, facts: tuple[tuple[FactKind, str], ...]) -> Brief:
    people = (
        HandedPerson(person_id="ann", user_id="U_ANN", name="Ann", brings=facts[2][1], hours=20),
        HandedPerson(person_id="bo", user_id="U_BO", name="Bo", brings=facts[1][1], hours=20),
    )
    said = tuple(
        HandedFact(fact_id=f"{kind.value}-{number}", kind=kind, text=text, by="U_ANN")
        for number, (kind, text) in enumerate(facts, 1)
    )
    return replace(BRIEF, title=goal, goal=goal, people=people, facts=said, today="2026-11-23", ends="2026-12-20")


@pytest.mark.parametrize(
    "brief",
    [
        pytest.param(brief_of("An evening with two talks for 50 people", KNOWN), id="en"),
        pytest.param(brief_of("办一场50人的晚间分享会", ZH), id="zh"),
    ],
)
async def test_rules_without_a_model_come_to_a_report_with_a_plan(brief: Brief) -> None:
    encoder, embedder = counting()
    played = await session(OfflineModel({"deliberation": ANSWERERS}), encoder, brief=brief)

    assert played.state.status in (Status.CONVERGED, Status.TERMINATED)
    assert played.state.report is not None
    assert played.state.report.summary.todo
    assert not [each for each in played.state.errors if each.error in ("agent_failed", "agent_timeout")]
    assert not [each for each in played.state.errors if each.error == "content_withheld"]
    assert set(embedder.encoded.values()) == {1}


def test_every_prompt_is_answered_without_a_model() -> None:
    assert {f"deliberation/{each}" for each in ANSWERERS} == {*PROMPTS}
