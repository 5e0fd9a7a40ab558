"""Each question of a running negotiation meets each fault of the wire: it ends well or honestly, and all is counted."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
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
from engine.negotiation.answers import FeedbackType, OfferDecision
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Outcome
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.runtime.runtime import Runtime
from engine.store.memory import MemoryStore
from tests.anthropic_server import KEY as API_KEY
from tests.anthropic_server import Drops, Garbled, LocalAnthropic, Received, Refuses, Says, Stalls, Step, Truncated
from tests.anthropic_server import Status as Error
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import ALONE, REQUESTER
from tests.views.message_contents import whole

from .leaping_clock import NOON
from .prompt_cases import ASKS, EACH, GOOD, KEY
from .test_negotiation import lively, prompt_of

HOURS: Final = 24
"""Of the clock that jumps, in which everything has to be over."""
QUIET: Final = 6
"""Looks in a row that find nothing new."""
UNREACHED, LATE, UNREAD = "E003", "E004", "E013"


@dataclass(frozen=True)
class Fault:
    step: Step
    became: Became
    """What the ledger says of such a call."""
    why: str
    """What people are told where it does not pass."""
    tries: int = 3
    """Calls of one question, at most, while nobody is refused for the pace."""
    seconds: float | None = None
    """Seconds for each call."""


FAULTS: Final[Mapping[str, Fault]] = {
    "429 for a second": Fault(Error(429, retry_after="1"), Became.REFUSED, UNREACHED, tries=1_000),
    "429 for ten minutes": Fault(Error(429, retry_after="600"), Became.REFUSED, UNREACHED, tries=1_000),
    "529": Fault(Error(529), Became.REFUSED, UNREACHED),
    "500": Fault(Error(500), Became.REFUSED, UNREACHED),
    "a wrong key": Fault(Error(401), Became.REFUSED, UNREACHED, tries=1),
    "no connection": Fault(Drops("before"), Became.UNREACHABLE, UNREACHED),
    "reset in the middle": Fault(Drops("after"), Became.UNREACHABLE, UNREACHED),
    "a stall": Fault(Stalls(), Became.TIMEOUT, LATE, seconds=0.5),
    "a stall in the middle": Fault(Stalls("after"), Became.TIMEOUT, LATE, seconds=0.5),
    "half a body": Fault(Garbled(), Became.GARBLED, UNREACHED),
    "a page": Fault(Garbled("<html>Welcome to the hotel", "text/html"), Became.GARBLED, UNREACHED),
    "an empty body": Fault(Garbled(""), Became.GARBLED, UNREACHED),
    "no JSON": Fault(Says("Let me think {about: it"), Became.INVALID, UNREAD, tries=2),
    "a wrong schema": Fault(Says({"answer": [42]}), Became.INVALID, UNREAD, tries=2),
    "an empty answer": Fault(Says(""), Became.INVALID, UNREAD, tries=2),
    "a refusal": Fault(Refuses(), Became.STOPPED, UNREAD, tries=1),
    "max_tokens": Fault(Truncated('{"surface_demand": "A mee'), Became.STOPPED, UNREAD, tries=1),
}
ALL: Final = [(prompt, name) for prompt in EACH for name in FAULTS]
SAMPLE: Final = [(EACH[number % len(EACH)], name) for number, name in enumerate(FAULTS)]
EITHER: Final = [
    pytest.param(prompt, name, id=f"{prompt}: {name}", marks=() if (prompt, name) in SAMPLE else pytest.mark.exhaustive)
    for prompt, name in ALL
]


@dataclass(frozen=True)
class Ended:
    state: Negotiation
    calls: list[Call]
    requests: list[Received]

    @property
    def card(self) -> str:
        return whole(root(self.state, texts_in("en")))


async def ends(server: LocalAnthropic, answering: Callable[[Received], Step], seconds: float | None) -> Ended:
    """Let a demand be posted, and time pass until it is over."""
    server.always(answering)
    store, clock, ledger = MemoryStore(), JumpingClock(NOON), MemoryLedger()
    await store.open()
    claude = ClaudeModel(API_KEY, PROMPTS.values(), ledger, clock, base_url=server.url, timeout=seconds)
    asker = Asker(claude, {"negotiation": for_every_tenant(ASKS)}, clock)
    runtime = in_process(store, clock, [RULEBOOK], {Ask.kind: asker}, [Ask], held_up=claude.held_up)
    await runtime.start()
    demand: dict[str, Any] = {"demand_id": "d-00000001", "channel_id": KEY.stream, "requester_id": REQUESTER}
    said = "An AI meetup for 50 people in Beijing"
    await runtime.handle(
        KEY, "negotiation", SubmitDemand(command_id="c1", at=NOON, raw_input=said, policy=ALONE, **demand)
    )
    while True:
        await rests(runtime, claude, clock)
        pending, _ = await store.pending_effects(0, 1)
        if not pending and not (await state_of(runtime)).is_open:
            break
        dues = [each.due for each in await store.due(clock.now() + HOURS * 3_600_000, 1_000) if each.due > clock.now()]
        wakes = [clock.next_wake] if clock.next_wake is not None else []
        assert dues or wakes, "nothing will ever happen"
        clock.jump(min([*dues[:1], *wakes]))
        assert clock.now() < NOON + HOURS * 3_600_000
        await runtime.sweep()
    await runtime.activity.idle()
    state = await state_of(runtime)
    await runtime.close()
    await claude.close()
    assert (claude.pace.under_way, claude.pace.waiting, claude.breaker.waiting) == (0, 0, 0)
    return Ended(state, ledger.calls, server.requests)


async def state_of(runtime: Runtime) -> Negotiation:
    state, _ = await runtime.read(KEY)
    assert isinstance(state, Negotiation)
    return state


async def rests(runtime: Runtime, claude: ClaudeModel, clock: JumpingClock) -> None:
    """Return once nothing but the clock is waited for."""
    seen, quiet = None, 0
    while quiet < QUIET:
        await asyncio.sleep(0.001)
        state = await state_of(runtime)
        is_still = state is seen and not claude.pace.under_way
        seen, quiet = state, quiet + 1 if is_still else 0


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
    ended = await ends(
        server, lambda received: fault.step if prompt_of(received) == prompt else well(received), fault.seconds
    )
    state = ended.state
    assert {each.prompt for each in state.degraded} - {"compromise"} == {prompt} - {"compromise"}
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
    assert_is_counted(ended, prompt, fault)
    assert not any(each.outcome is Became.ANSWERED for each in ended.calls if is_of(each, prompt))


@pytest.mark.parametrize(("prompt", "name"), EITHER)
async def test_a_fault_that_passes_costs_time_alone(server: LocalAnthropic, prompt: str, name: str) -> None:
    fault, well = FAULTS[name], meeting(prompt)
    met: list[Received] = []

    def answering(received: Received) -> Step:
        if prompt_of(received) == prompt and not met:
            met.append(received)
            return fault.step
        return well(received)

    ended = await ends(server, answering, fault.seconds)
    is_final = fault.tries == 1  # what another try would not mend
    assert [(each.prompt, each.why) for each in ended.state.degraded] == [(prompt, fault.why)] * is_final
    assert is_honest(ended)
    assert_is_nobodys_consent(ended)
    if prompt == "feedback" and is_final:  # a twin that could not answer has not agreed
        assert ended.state.outcome is Outcome.LOW_ACCEPTANCE
    else:
        assert (ended.state.final is not None) is (prompt != "compromise")
    assert_is_counted(ended, prompt, fault)
    assert sum(each.outcome is not Became.ANSWERED for each in ended.calls) == 1


def is_of(call: Call, prompt: str) -> bool:
    return call.prompt == f"negotiation/{prompt}"


def is_honest(ended: Ended) -> bool:
    """Whether the card says which steps no model did, why, and that it is nobody's consent; and nothing else of it."""
    card, whys = ended.card, {each.why for each in ended.state.degraded}
    told = [
        ("⚠️ The model was out of reach for: " in card) is bool(whys & {UNREACHED, LATE}),
        ("⚠️ What the model answered could not be read for: " in card) is (UNREAD in whys),
        ("nobody’s consent was assumed from it" in card) is bool(whys),
        not any(secret in card for secret in ("Traceback", "hotel", "429", "529", "401", "API", "JSON")),
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


def assert_is_counted(ended: Ended, prompt: str, fault: Fault) -> None:
    """Every call on the wire is a row, with what became of it."""
    assert Counter(each.prompt.removeprefix("negotiation/") for each in ended.calls) == Counter(
        map(prompt_of, ended.requests)
    )
    failed = [each for each in ended.calls if each.outcome is not Became.ANSWERED]
    assert failed
    assert {(each.prompt.removeprefix("negotiation/"), each.outcome) for each in failed} == {(prompt, fault.became)}
    assert all(each.stream == KEY.stream for each in ended.calls)
    if fault.tries < 3:
        assert max(each.attempt for each in failed) <= fault.tries
