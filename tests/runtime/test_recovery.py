"""A negotiation on every store that loses what it waits for: it is moved once, and ends, whatever is lost."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from benchmarks.stub import crowd
from bot.models import needed_prompts
from bot.registry import PROTOCOLS
from engine.kernel import Ask, Event
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.port import Question
from engine.negotiation.answers import Need, OfferDecision, Understanding
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.events import RecoveryAttempted
from engine.negotiation.policy import Policy
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Outcome, RecoveryAction
from engine.negotiation.voting.kinds import FeedbackType
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.runtime.runtime import Runtime
from engine.runtime.streams import opened
from engine.store.port import Commit, Store
from tests.store.conftest import STORES

from .test_any_order import KEY, NOON, SEATS, HeldModel, said

FINALIZED = (Status.FINALIZED, Outcome.CONSENSUS)
QUICK = Policy(human_window=0, override_window=0)


@dataclass
class Process:
    """One that can be ended at any moment, and begun again on what it has left."""

    store: Store
    clock: JumpingClock = field(default_factory=lambda: JumpingClock(NOON))
    model: HeldModel = field(default_factory=HeldModel)
    runtime: Runtime = field(init=False)

    async def begin(self) -> None:
        asks = {"negotiation": for_every_tenant(NegotiationAsks(needed_prompts(PROTOCOLS), crowd()))}
        self.runtime = in_process(
            self.store, self.clock, [RULEBOOK], {Ask.kind: Asker(self.model, asks, self.clock)}, [Ask]
        )
        self.model.activity = self.runtime.activity
        await self.runtime.start()
        await self.runtime.activity.idle()

    async def restart(self) -> None:
        await self.runtime.close()
        await self.begin()

    async def demand(self) -> None:
        command = SubmitDemand(
            command_id="mention", at=self.clock.now(), demand_id="d-stuck001", channel_id=KEY.stream,
            requester_id="U_ASKS", raw_input="an evening, please", policy=QUICK,
        )  # fmt: skip
        await self.runtime.handle(KEY, "negotiation", command)
        await self.runtime.activity.idle()

    async def answers(
        self, most: int = 100, vote: Callable[[str], FeedbackType] | None = None, needs: tuple[Need, ...] = ()
    ) -> None:
        """What is being asked now is answered. ``needs``: what the demand is understood to take."""
        for question, reply in self.model.calls[:most]:
            voted = vote(_whom(question)) if vote else FeedbackType.ACCEPT
            answer = said(question, voted, OfferDecision.PARTICIPATE)
            reply.set_result(replace(answer, needs=needs) if isinstance(answer, Understanding) else answer)
        await asyncio.sleep(0)  # the calls take up what they were told
        await self.runtime.activity.idle()

    async def loses(self) -> None:
        """The process dies; every effect and every alarm has gone from the disk when the next begins."""
        await self.runtime.close()
        stream = await self.store.load(KEY)
        assert stream is not None
        lost = Commit(
            KEY, "negotiation", stream.version,
            drop_effects=tuple(each.effect_id for each in stream.outbox),
            clear_alarms=tuple(each.name for each in stream.alarms),
            stalled_at=stream.stalled_at,
        )  # fmt: skip
        await self.store.commit(lost)
        await self.begin()

    async def time_passes(self) -> None:
        """Until it counts as stalled."""
        [found] = await self.store.stalled(2**62, 10)
        self.clock.jump(found.since)
        await self.runtime.sweep()
        await self.runtime.activity.idle()

    async def state(self) -> Negotiation:
        state: Negotiation = (await self.runtime.read(KEY))[0]
        return state

    async def ended(self) -> tuple[Status, Outcome | None]:
        state = await self.state()
        return state.status, state.outcome

    async def attempts(self) -> list[RecoveryAction]:
        stream = await self.store.load(KEY)
        events: list[Event] = [opened(each, RULEBOOK.events) for each in stream.events] if stream else []
        return [each.action for each in events if isinstance(each, RecoveryAttempted)]


def _whom(question: Question[Any]) -> str:
    profile = question.given.get("profile")
    return profile.agent_id if profile else ""


@pytest.fixture(params=STORES)
async def process(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Process]:
    async with AsyncExitStack() as stack:
        store = STORES[request.param](tmp_path)
        await store.open()
        stack.push_async_callback(store.close)
        process = Process(store)
        await process.begin()
        await process.demand()
        yield process
        await process.runtime.close()


async def _comes_to(process: Process, moment: str) -> None:
    """Up to where it waits for the answers of this prompt."""
    steps = {
        "understand": 0,
        "filter": 1,
        "respond": 2,
        "half of respond": 2,
        "aggregate": 3,
        "feedback": 4,
        "adjust": 5,
    }
    for number in range(steps[moment]):
        await process.answers(vote=_one_wish if number == 4 else lambda _: FeedbackType.ACCEPT)
    if moment == "half of respond":
        await process.answers(most=2)


def _one_wish(agent_id: str) -> FeedbackType:
    return FeedbackType.ACCEPT if agent_id in SEATS[:2] else FeedbackType.NEGOTIATE


MOMENTS = {
    "understand": RecoveryAction.ASK_AGAIN,
    "filter": RecoveryAction.ASK_AGAIN,
    "respond": RecoveryAction.ASK_AGAIN,
    "half of respond": RecoveryAction.AGGREGATE,
    "aggregate": RecoveryAction.ASK_AGAIN,
    "feedback": RecoveryAction.EVALUATE,
    "adjust": RecoveryAction.ASK_AGAIN,
}
at_every_moment = pytest.mark.parametrize("moment", MOMENTS)


@at_every_moment
async def test_what_is_lost_is_taken_up_again_and_comes_to_its_end(process: Process, moment: str) -> None:
    await _comes_to(process, moment)
    await process.loses()
    assert process.model.calls == []
    await process.time_passes()
    assert await process.attempts() == [MOMENTS[moment]]

    while process.model.calls:
        await process.answers()
    assert await process.ended() == FINALIZED
    assert await process.attempts() == [MOMENTS[moment]]
    assert (await process.store.counts())["alarms"] == 0


@at_every_moment
async def test_found_twice_and_killed_in_the_middle_it_is_moved_once(process: Process, moment: str) -> None:
    await _comes_to(process, moment)
    await process.loses()
    [found] = await process.store.stalled(2**62, 10)
    process.clock.jump(found.since)
    await asyncio.gather(*(process.runtime.sweep() for _ in range(3)))
    await process.restart()
    await process.restart()
    await process.runtime.sweep()
    assert await process.attempts() == [MOMENTS[moment]]

    asked = [question.prompt.name for question, _ in process.model.calls]
    assert len(asked) == (4 if moment in ("respond", "feedback") else 1)


@at_every_moment
async def test_what_loses_everything_again_and_again_ends(process: Process, moment: str) -> None:
    await _comes_to(process, moment)
    steps = 0
    while (await process.state()).is_open:
        await process.loses()
        await process.time_passes()
        steps += 1
        assert steps < 20

    status, outcome = await process.ended()
    assert status is Status.FAILED
    assert outcome in (Outcome.RECOVERY_EXHAUSTED, Outcome.NO_FEEDBACK)
    assert await process.store.stalled(2**62, 10) == []


async def test_whoever_is_still_thinking_is_waited_for(process: Process) -> None:
    for _ in range(5):
        await process.time_passes()
    assert await process.attempts() == []
    assert len(process.model.calls) == 1
    while process.model.calls:
        await process.answers()
    assert await process.ended() == FINALIZED


async def test_who_was_never_asked_because_the_process_was_down_is_asked_when_it_is_back(process: Process) -> None:
    """The time for offers is over at the start, and all its time: nobody had any of it."""
    await _comes_to(process, "respond")
    await process.runtime.close()
    process.clock.jump(process.clock.now() + 3_600_000)
    await process.begin()

    assert await process.attempts() == [RecoveryAction.GIVE_TIME, RecoveryAction.ASK_AGAIN]
    while process.model.calls:
        await process.answers()
    assert await process.ended() == FINALIZED


async def test_what_nobody_covers_is_no_end_where_the_process_was_down_past_the_latest_end(process: Process) -> None:
    """What was to come next begins when the process is back, and has its time from then on."""
    await process.answers(needs=(Need(need_id="need_1", what="a helicopter", tags=("helicopter",)),))
    while not (await process.state()).sought:
        await process.answers()
    await process.runtime.close()
    process.clock.jump(process.clock.now() + 24 * 3_600_000)
    await process.begin()

    while (await process.state()).is_open:
        if process.model.calls:
            await process.answers()
        else:
            await process.time_passes()
    assert (await process.state()).outcome is Outcome.PARTIAL_CONSENSUS, "it lacks a helicopter, and says so"
