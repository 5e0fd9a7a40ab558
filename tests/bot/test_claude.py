"""Claude answers for the twins: from the mention to the final proposal, through both wires."""

import re
from dataclasses import replace
from decimal import Decimal

import pytest

from bot.claude_config import ClaudeAccess
from bot.demo.demo import DemoSettings
from bot.demo.negotiation.ask import ask
from bot.registry import PROTOCOLS
from engine.llm.budget import Caps
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome
from tests.anthropic_server import KEY, LocalAnthropic, Received, Says, Step
from tests.anthropic_server import Status as Answers
from tests.profiles.people import shipped

DEMAND = "An AI meetup for 50 people in Beijing; we need a venue and speakers"
TEAM = ["user_agent_lin_xiao", "user_agent_chen_mo", "user_agent_he_jing"]

KEPT = [{"number": number, "verdict": "kept"} for number in range(1, 21)]
"""What is said of any limits in words."""


def sensible(request: Received) -> Step:
    """Return what a model would say, made from the schema that it must keep to."""
    fields = set(request.schema["properties"])
    if "surface_demand" in fields:
        return Says({"surface_demand": "an AI meetup", "capability_tags": ["venue", "speakers"], "confidence": "high"})
    if "definitely_related" in fields:
        known = set(re.findall(r"user_agent_\w+", request.said()))
        assert set(TEAM) <= known
        return Says({"definitely_related": [{"agent_id": each} for each in (*TEAM, "user_agent_nobody")]})
    if "decision" in fields:
        return Says({"decision": "participate", "contribution": "I help", "limits": KEPT})
    if "gaps" in fields and "is_complete" in fields:
        return Says({"is_complete": True, "gaps": []})
    if "assignments" in fields:
        seats = [{"agent_id": each, "role": "helper", "responsibility": "helps"} for each in TEAM]
        return Says({"summary": "An evening", "assignments": seats})
    if "claims" in fields:
        return Says({"claims": [], "limits": KEPT})
    if fields == {"limits"}:  # of a profile, read as data: none of them is
        return Says({"limits": []})
    return Says({"feedback_type": "accept", "reasoning": "Gladly", "limits": KEPT})


def setting(anthropic: LocalAnthropic) -> DemoSettings:
    return DemoSettings(shipped(), Policy(), PROTOCOLS, claude=ClaudeAccess(KEY, anthropic.url, timeout=5))


async def test_a_demand_becomes_a_final_proposal_with_claude_behind_the_twins() -> None:
    async with LocalAnthropic() as anthropic:
        anthropic.always(sensible)
        asked = await ask(DEMAND, setting(anthropic))

    assert asked.report.channel_status is Status.FINALIZED
    assert list(asked.report.confirmed_participants) == TEAM
    assert not asked.report.degraded
    assert [each.refusal for each in anthropic.requests if each.refusal] == []
    answered = [each.payload["model"] for each in asked.report.events if each.payload.get("model")]
    assert set(answered) == {"claude-haiku-5-5", "claude-sonnet-5-5"}


@pytest.mark.parametrize(
    ("prompt", "field"),
    [
        pytest.param("understand", "surface_demand", id="understand"),
        pytest.param("filter", "definitely_related", id="filter"),
        pytest.param("aggregate", "assignments", id="aggregate"),
    ],
)
async def test_where_a_model_is_required_it_ends_with_the_step_that_claude_could_not_do(
    prompt: str, field: str
) -> None:
    required = Policy(require_model=True)
    async with LocalAnthropic() as anthropic:
        anthropic.always(lambda request: Answers(401) if field in request.schema["properties"] else sensible(request))
        asked = await ask(DEMAND, replace(setting(anthropic), policy=required))

    assert (asked.report.channel_status, asked.report.outcome) == (Status.FAILED, Outcome.MODEL_UNAVAILABLE)
    assert [(each.prompt, each.error_code) for each in asked.report.degraded] == [(prompt, "E003")]
    assert asked.report.rounds == ()


async def test_once_its_budget_is_spent_no_model_is_asked_and_nobody_has_agreed_by_that() -> None:
    async with LocalAnthropic() as anthropic:
        anthropic.always(sensible)
        dear = await ask(DEMAND, setting(anthropic))
        all_calls = len(anthropic.requests)
        access = ClaudeAccess(KEY, anthropic.url, timeout=5, caps=Caps(demand=Decimal("0.04")))
        cheap = await ask(DEMAND, replace(setting(anthropic), claude=access))
        assert 0 < len(anthropic.requests) - all_calls < all_calls

    assert not dear.report.degraded
    assert {each.error_code for each in cheap.report.degraded} == {"E014"}
    agreed = {each.payload["agent_id"] for each in cheap.report.events if each.payload.get("feedback_type") == "accept"}
    assert set(cheap.report.confirmed_participants) <= agreed
    assert [each.refusal for each in anthropic.requests if each.refusal] == []


@pytest.mark.parametrize("status", [500, 529, 401], ids=["broken", "overloaded", "a wrong key"])
async def test_with_claude_down_every_step_is_degraded_and_nobody_has_agreed(status: int) -> None:
    hasty = Policy(response_timeout=3, feedback_timeout=3, max_duration=20)
    async with LocalAnthropic() as anthropic:
        anthropic.always(Answers(status))
        access = ClaudeAccess(KEY, anthropic.url, timeout=5, recovery_timeout=0.5)
        asked = await ask(DEMAND, replace(setting(anthropic), policy=hasty, claude=access))

    assert asked.report.channel_status is Status.FAILED
    assert asked.report.outcome is Outcome.MODEL_UNAVAILABLE
    assert {each.prompt for each in asked.report.degraded} == {"understand", "filter", "respond"}
    assert not asked.report.confirmed_participants
