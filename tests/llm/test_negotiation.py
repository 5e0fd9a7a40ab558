"""A whole negotiation with Claude: from the demand to the plan, and with Claude out of reach from the middle on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from engine.kernel import Ask
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import Outcome, StoreLedger
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Status
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.store.memory import MemoryStore
from tests.anthropic_server import KEY as API_KEY
from tests.anthropic_server import LocalAnthropic, Received, Says, Step
from tests.anthropic_server import Status as Error
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import ALONE, REQUESTER

from .leaping_clock import NOON
from .ledger_rows import rows
from .prompt_cases import ASKS, CHEN, GOOD, KEY, LIN, WISH, ZHOU, candidate, plan


def prompt_of(received: Received) -> str:
    """The prompt that a request was rendered from: each begins with its own title."""
    asked = received.said()
    return next(name for name, title in TITLES.items() if asked.startswith(title))


TITLES = {name.removeprefix("negotiation/"): each.body.splitlines()[0] for name, each in PROMPTS.items()}


def lively(received: Received) -> Step:
    """Three are found; in the first round one of them wants something, and gets it."""
    prompt, asked = prompt_of(received), received.said()
    match prompt:
        case "filter":
            listed = [candidate(each) for each in (CHEN, LIN, ZHOU)]
            return Says({**GOOD["filter"], "definitely_related": listed, "possibly_related": []})
        case "aggregate":
            return Says(plan(CHEN, LIN, ZHOU))
        case "feedback" if "This is round 1 of" in asked and f'"agent_id":"{ZHOU}","user_name"' in asked:
            return Says({**GOOD["feedback"], "feedback_type": "negotiate", "adjustment_request": WISH})
        case "recurse":
            return Says({**GOOD["recurse"], "condition_3_met": False})
        case _:
            return Says(GOOD[prompt])


@dataclass(frozen=True)
class Told:
    state: Negotiation
    store: MemoryStore


async def negotiated(server: LocalAnthropic, answering: Callable[[Received], Step]) -> Told:
    server.always(answering)
    store, clock = MemoryStore(), JumpingClock(NOON)
    await store.open()
    ledger = StoreLedger(store)
    claude = ClaudeModel(API_KEY, PROMPTS.values(), ledger, clock, base_url=server.url)
    asker = Asker(claude, {"negotiation": for_every_tenant(ASKS)}, clock)
    runtime = in_process(store, clock, [RULEBOOK], {Ask.kind: asker}, [Ask])
    await runtime.start()
    demand: dict[str, Any] = {"demand_id": "d-00000001", "channel_id": KEY.stream, "requester_id": REQUESTER}
    await runtime.handle(
        KEY,
        "negotiation",
        SubmitDemand(command_id="c1", at=NOON, raw_input="An AI meetup for 50 people", policy=ALONE, **demand),
    )
    await runtime.activity.idle()
    state, _ = await runtime.read(KEY)
    await runtime.close()
    await claude.close()
    await ledger.close()
    return Told(state, store)


async def test_claude_leads_a_negotiation_to_its_plan(server: LocalAnthropic) -> None:
    told = await negotiated(server, lively)
    assert told.state.status is Status.FINALIZED
    assert told.state.round == 2
    assert told.state.proposal is not None
    assert told.state.proposal.summary == "A later evening"
    assert not told.state.degraded
    assert [each.refusal for each in server.requests if each.refusal] == []


async def test_its_calls_are_in_the_ledger_with_what_they_cost(server: LocalAnthropic) -> None:
    told = await negotiated(server, lively)
    calls = await rows(told.store)
    assert len(calls) == len(server.requests) == 1 + 1 + 3 + 1 + (3 + 1) + 1 + (3 + 1) + 1 + 1
    assert {each.outcome for each in calls} == {Outcome.ANSWERED}
    assert {each.stream for each in calls} == {KEY.stream}
    assert sum(each.cost_usd or 0 for each in calls) > 0


@pytest.mark.parametrize("gone", [each for each in TITLES if each != "read_request"])  # no person asks for anything
async def test_without_claude_for_one_step_it_goes_on_and_says_so(server: LocalAnthropic, gone: str) -> None:
    told = await negotiated(server, lambda received: Error(401) if prompt_of(received) == gone else lively(received))
    failed = told.state.status is Status.FAILED
    assert {each.prompt for each in told.state.degraded} == {gone} - ({"compromise"} if not failed else set())
    assert (told.state.compromise is not None) == (failed and gone != "respond")
    assert not told.state.is_open
    agreed = told.state.final is not None
    assert agreed == (gone not in ("respond", "feedback"))


async def test_without_claude_at_all_nobody_has_agreed_to_anything(server: LocalAnthropic) -> None:
    told = await negotiated(server, lambda _: Error(401))
    assert told.state.outcome == "model_unavailable"
    assert {each.prompt for each in told.state.degraded} == {"understand", "filter", "respond"}
