"""Whole sessions: each vector is computed once, and drafts that agree are argued about no more."""

import re
from typing import Any, Final

from engine.deliberation.policy import Policy
from engine.deliberation.rounds.meaning_comparison import told
from engine.deliberation.state import Status
from engine.deliberation.terms import Agent, Reason
from tests.anthropic_server import Received, Says, Step
from tests.anthropic_server import Status as Failure

from .encoders import counting, no_encoder
from .good_answers import GOOD, NOT_MOVED, PLAN, POSITION, task
from .sessions import asked_of_claude, prompt_of

ENDLESS: Final = Policy(converge_above=1, stall_below=0, host_speaks=False)
"""No round settles anything before the last one."""
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
    said = {told(each) for round_ in played.state.rounds for each in round_.outputs.values()}
    assert len(analyses) == 5
    assert len(said) == 10
    assert embedder.encoded == dict.fromkeys((each.casefold() for each in said), 1)
    assert sum(each.vectors_computed for each in analyses) == 10
    assert played.calls == {"brief": 1, "plan": 1, "draft": 1, "revise": 4, "criticise": 4, "close": 2, "report": 1}


async def test_two_blind_drafts_that_agree_take_one_round() -> None:
    encoder, _ = counting()
    played = await asked_of_claude(agreeing, encoder)

    assert played.state.reason is Reason.EARLY_AGREEMENT
    assert played.state.status is Status.CONVERGED
    assert len(played.state.rounds) == 1
    assert played.calls == {"brief": 1, "plan": 1, "draft": 1, "host": 1, "report": 1}
    assert not [each.refusal for each in played.requests if each.refusal]


async def test_without_an_encoder_a_session_compares_its_data_alone_and_says_so() -> None:
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
