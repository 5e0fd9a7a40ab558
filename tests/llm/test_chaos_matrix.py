"""Each question of a running negotiation meets each fault of the wire: it ends well or honestly, and all is counted."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import pytest

from bot.texts import texts_in
from bot.views.negotiation.root import root
from engine.kernel import Ask
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import Call, MemoryLedger
from engine.llm.ledger import Outcome as Became
from engine.llm.silences import LONGEST as SILENCE
from engine.negotiation.answers import OfferDecision
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Outcome
from engine.negotiation.voting.kinds import FeedbackType
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.store.memory import MemoryStore
from tests.anthropic_server import KEY as API_KEY
from tests.anthropic_server import LocalAnthropic, Received, Says, Step
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import ALONE, REQUESTER
from tests.views.message_contents import whole

from .faults import (
    FAULTS,
    LATE,
    SECRETS,
    UNREACHED,
    UNREAD,
    assert_is_counted,
    each_with_each,
    lasting,
    name_of,
    passing,
)
from .leaping_clock import NOON
from .prompt_cases import ASKS, EACH, GOOD, KEY
from .test_negotiation import lively, prompt_of
from .until_over import UnderWay, until_over

ALL, SAMPLE = each_with_each([each for each in EACH if each != "read_request"])  # no person asks for anything
EITHER: Final = [
    pytest.param(prompt, name, id=f"{prompt}: {name}", marks=() if (prompt, name) in SAMPLE else pytest.mark.exhaustive)
    for prompt, name in ALL
]


@dataclass(frozen=True)
class Ended:
    state: Negotiation
    calls: list[Call]
    took: float
    """Seconds of the clock."""

    @property
    def card(self) -> str:
        return whole(root(self.state, texts_in("en")))


async def ends(server: LocalAnthropic, answering: Callable[[Received], Step]) -> Ended:
    """Let a demand be posted, and time pass until it is over."""
    server.always(answering)
    store, clock, ledger = MemoryStore(), JumpingClock(NOON), MemoryLedger()
    await store.open()
    claude = ClaudeModel(API_KEY, PROMPTS.values(), ledger, clock, base_url=server.url)
    work = UnderWay(claude, ledger, server)
    asker = Asker(work, {"negotiation": for_every_tenant(ASKS)}, clock)
    runners = work.runners({Ask.kind: asker})
    runtime = in_process(store, clock, [RULEBOOK], runners, [Ask], held_up=claude.held_up)
    await runtime.start()
    demand: dict[str, Any] = {"demand_id": "d-00000001", "channel_id": KEY.stream, "requester_id": REQUESTER}
    said = "An AI meetup for 50 people in Beijing"
    await runtime.handle(
        KEY, "negotiation", SubmitDemand(command_id="c1", at=NOON, raw_input=said, policy=ALONE, **demand)
    )
    state = await until_over(runtime, store, work, clock, KEY)
    await runtime.close()
    await claude.close()
    return Ended(state, ledger.calls, (clock.now() - NOON) / 1_000)


def meeting(prompt: str) -> Callable[[Received], Step]:
    """A negotiation in which the prompt is asked: everybody leaves, where it is the compromise."""

    def answering(received: Received) -> Step:
        if prompt == "compromise" and prompt_of(received) == "feedback":
            return Says({**GOOD["feedback"], "feedback_type": "withdraw", "reasoning": "I have no time"})
        return lively(received)

    return answering


@pytest.mark.parametrize(("prompt", "name"), EITHER)
async def test_a_fault_that_lasts_is_told_and_is_nobodys_consent(
    server: LocalAnthropic, prompt: str, name: str
) -> None:
    fault, well = FAULTS[name], meeting(prompt)
    ended = await ends(server, lasting(fault, prompt, prompt_of, well))
    state = ended.state
    assert {each.prompt for each in state.degraded} == {prompt}
    whys = {each.why for each in state.degraded if each.prompt == prompt}
    assert fault.why in whys
    assert whys <= {fault.why, UNREACHED}, "where calls are suspended, a question may not be asked any more"
    assert is_honest(ended)
    assert_is_nobodys_consent(ended)
    match prompt:
        case "respond":
            assert (state.status, state.outcome, state.compromise) == (Status.FAILED, Outcome.MODEL_UNAVAILABLE, None)
        case "feedback":
            assert (state.status, state.outcome) == (Status.FAILED, Outcome.NO_FEEDBACK)
            assert not any(seat.vote for each in state.rounds for seat in each.seats.values())
        case "compromise":
            assert (state.status, state.compromise) == (Status.FAILED, None)
        case _:
            assert state.status in (Status.FINALIZED, Status.FORCE_FINALIZED)
    assert_is_counted(ended.calls, server.requests, prompt_of, prompt, fault)
    assert not any(each.outcome is Became.ANSWERED for each in ended.calls if name_of(each) == prompt)


@pytest.mark.parametrize(("prompt", "name"), EITHER)
async def test_a_fault_that_passes_costs_time_alone(server: LocalAnthropic, prompt: str, name: str) -> None:
    fault, well = FAULTS[name], meeting(prompt)
    ended = await ends(server, passing(fault, prompt, prompt_of, well))
    assert [(each.prompt, each.why) for each in ended.state.degraded] == [(prompt, fault.why)] * fault.is_final
    assert is_honest(ended)
    assert_is_nobodys_consent(ended)
    if prompt == "feedback" and fault.is_final:  # a twin that could not answer has not agreed
        assert ended.state.outcome is Outcome.LOW_ACCEPTANCE
    else:
        assert (ended.state.final is not None) is (prompt != "compromise")
    assert_is_counted(ended.calls, server.requests, prompt_of, prompt, fault)
    assert sum(each.outcome is not Became.ANSWERED for each in ended.calls) == 1


@pytest.mark.parametrize("name", ["no connection", "529", "reset in the middle"])
async def test_a_model_that_is_out_of_reach_throughout_costs_two_minutes_a_demand_and_not_as_much_a_step(
    server: LocalAnthropic, name: str
) -> None:
    ended = await ends(server, lambda _: FAULTS[name].step)
    assert (ended.state.status, ended.state.outcome) == (Status.FAILED, Outcome.MODEL_UNAVAILABLE)
    assert is_honest(ended)
    assert ended.took < SILENCE / 1_000 + 30
    assert ended.took > SILENCE / 2_000, "an outage that passes by itself costs time alone"


def is_honest(ended: Ended) -> bool:
    """Whether the card says which steps no model did, why, and that it is nobody's consent; and nothing else of it."""
    card, whys = ended.card, {each.why for each in ended.state.degraded}
    told = [
        ("⚠️ The model was out of reach for: " in card) is bool(whys & {UNREACHED, LATE}),
        ("⚠️ What the model answered could not be read for: " in card) is (UNREAD in whys),
        ("nobody’s consent was assumed from it" in card) is bool(whys),
        not any(secret in card for secret in SECRETS),
    ]
    return all(told)


def assert_is_nobodys_consent(ended: Ended) -> None:
    """Who takes part was asked, and their twin has answered; so has everybody who is confirmed."""
    state, answered = ended.state, Counter(each.prompt for each in ended.calls if each.outcome is Became.ANSWERED)
    offered = [each for each in state.offers.values() if each.decision is not OfferDecision.DECLINE]
    assert len(offered) <= answered["negotiation/respond"]
    voted = [seat for each in state.rounds for seat in each.seats.values() if seat.vote is not None]
    assert len(voted) <= answered["negotiation/feedback"]
    assert not any(each.twin_degraded for each in voted)
    if state.final is not None:
        seats = state.rounds[-1].seats
        for each in state.final.confirmed_participants:
            vote = seats[each].vote
            assert vote is not None
            assert vote.feedback_type is FeedbackType.ACCEPT
