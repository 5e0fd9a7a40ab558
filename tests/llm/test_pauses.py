"""What is told of a stream that waits for its model: why, and until about when; and nothing of short waits."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec.structs import replace

from engine.kernel import Millis, StreamKey, Tenant
from engine.llm.breaker import RECOVERY, THRESHOLD, CircuitBreaker, demand_of
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import MemoryLedger
from engine.llm.pacing import Cost, Pace
from engine.llm.pauses import MINUTE, SHORTEST, Pauses
from engine.llm.port import ModelStanding, Pause, PauseCause
from engine.runtime.clock import JumpingClock, Monotonic
from tests.anthropic_server import KEY as API_KEY
from tests.anthropic_server import LocalAnthropic, Says, Status
from tests.negotiation.prompts import PROMPTS

from .leaping_clock import NOON
from .prompt_cases import case_for

ASKED = case_for("respond")
ONE, ANOTHER, THIRD = (StreamKey(Tenant("T_ONE"), name) for name in ("one", "another", "third"))
SMALL = Cost(100, 100)
HOUR = Monotonic(3_600_000)


class Waiting:
    """Questions of streams that want a turn of one model, or to be asked at all."""

    def __init__(self) -> None:
        self.clock = JumpingClock(NOON)
        self.pace, self.breaker = Pace(self.clock), CircuitBreaker(self.clock)
        self.pauses = Pauses(self.clock, self.pace, self.breaker)
        self.told: list[tuple[StreamKey, Pause | None]] = []
        self.pauses.listen(lambda key: self.told.append((key, self.pauses.of(key))))
        self.asked_at: dict[StreamKey, Millis] = {}
        """When the last question of each stream was asked."""
        self.tasks: list[asyncio.Task[None]] = []

    async def _turn(self, key: StreamKey) -> None:
        waiting = self.pauses.waiting(key, PauseCause.BUSY)
        async with self.pace.turn("haiku", demand_of(key), SMALL, HOUR, waiting) as turn:
            self.asked_at[key] = self.clock.now()
            turn.answered({}, SMALL)

    async def _call(self, key: StreamKey) -> None:
        async with self.breaker.call(HOUR, self.pauses.waiting(key, PauseCause.SILENT)) as result:
            self.asked_at[key] = self.clock.now()
            result.failed = True

    async def wants_turns(self, key: StreamKey, count: int = 1) -> None:
        self.tasks += [asyncio.create_task(self._turn(key)) for _ in range(count)]
        await self.settle()

    async def wants_to_call(self, key: StreamKey) -> None:
        self.tasks.append(asyncio.create_task(self._call(key)))
        await self.settle()

    async def settle(self) -> None:
        for _ in range(30):
            await asyncio.sleep(0)

    async def passes(self, seconds: float) -> None:
        self.clock.jump(self.clock.now() + round(1_000 * seconds))
        await self.settle()

    async def learns(self, *, a_minute: int, left: int) -> None:
        """A reply says what the limit is."""
        said = {"anthropic-ratelimit-requests-limit": a_minute, "anthropic-ratelimit-requests-remaining": left}
        async with self.pace.turn("haiku", "learned", SMALL, HOUR) as turn:
            turn.answered({name: str(number) for name, number in said.items()}, SMALL)

    async def is_refused(self, seconds: float) -> None:
        async with self.pace.turn("haiku", "refused", SMALL, HOUR) as turn:
            turn.refused({}, seconds)

    async def fails(self) -> None:
        for _ in range(THRESHOLD):
            async with self.breaker.call(HOUR) as result:
                result.failed = True


@pytest.fixture
async def waiting() -> AsyncIterator[Waiting]:
    waiting = Waiting()
    yield waiting
    for task in waiting.tasks:
        task.cancel()
    await asyncio.gather(*waiting.tasks, return_exceptions=True)


def busy(seconds: float) -> Pause:
    """Return the pause that ends with the first full minute after so many seconds."""
    return Pause(PauseCause.BUSY, _minute(seconds))


def silent(seconds: float) -> Pause:
    return Pause(PauseCause.SILENT, _minute(seconds))


def _minute(seconds: float) -> Millis:
    return -(-(NOON + round(1_000 * seconds)) // MINUTE) * MINUTE


async def test_a_hold_of_the_api_is_told_once_and_its_end(waiting: Waiting) -> None:
    await waiting.is_refused(90)
    await waiting.wants_turns(ONE, 3)
    assert waiting.told == [(ONE, busy(90))]
    await waiting.passes(89)
    assert waiting.told == [(ONE, busy(90))]
    await waiting.passes(1)
    assert waiting.told == [(ONE, busy(90)), (ONE, None)]
    assert waiting.asked_at[ONE] == NOON + 90_000


async def test_a_short_wait_is_not_told(waiting: Waiting) -> None:
    await waiting.is_refused(SHORTEST / 1_000 - 1)
    await waiting.wants_turns(ONE, 3)
    await waiting.passes(SHORTEST / 1_000)
    assert ONE in waiting.asked_at
    assert waiting.told == []


async def test_a_hold_that_becomes_longer_is_told_anew(waiting: Waiting) -> None:
    await waiting.is_refused(30)
    await waiting.wants_turns(ONE)
    async with waiting.pace.turn("sonnet", "refused", SMALL, HOUR):
        pass  # another model's line holds nobody here
    assert waiting.told == [(ONE, busy(30))]
    waiting.pace._lanes["haiku"].slow_down(200)
    assert waiting.told == [(ONE, busy(30)), (ONE, busy(200))]


async def test_each_stream_is_told_when_its_own_last_turn_comes(waiting: Waiting) -> None:
    await waiting.learns(a_minute=10, left=0)
    await waiting.wants_turns(ONE, 2)
    await waiting.wants_turns(ANOTHER, 12)
    await waiting.wants_turns(THIRD, 30)
    await waiting.passes(1.5)
    for _ in range(50):
        await waiting.passes(6)
    told = {key: pause for key, pause in waiting.told if pause is not None}
    assert {*told} == {ONE, ANOTHER, THIRD}
    for key, pause in told.items():
        assert abs(pause.until - waiting.asked_at[key]) <= MINUTE + 2_000
    # Nobody is told again and again of what goes as it was thought to.
    assert len(waiting.told) <= 3 * 4
    assert [waiting.pauses.of(key) for key in told] == [None] * 3


async def test_while_a_model_is_silent_its_streams_are_told_when_it_is_asked_again(waiting: Waiting) -> None:
    await waiting.fails()
    await waiting.wants_to_call(ONE)
    await waiting.wants_to_call(ANOTHER)
    assert waiting.told == [(ONE, silent(RECOVERY)), (ANOTHER, silent(RECOVERY))]
    assert waiting.pauses.standing() == ModelStanding(waiting=2, is_silent=True, until=silent(RECOVERY).until)
    del waiting.told[:]
    while waiting.clock.now() < NOON + 1_000 * 4 * RECOVERY:
        await waiting.passes(RECOVERY)  # each time, one of them asks in vain
    assert (ONE, None) in waiting.told
    assert (ANOTHER, None) in waiting.told
    assert waiting.pauses.standing().waiting == 0


async def test_a_model_that_stays_silent_is_told_so_a_minute_later(waiting: Waiting) -> None:
    await waiting.fails()
    for each in (ONE, ANOTHER, THIRD, ONE):
        await waiting.wants_to_call(each)
    for _ in range(3):
        await waiting.passes(RECOVERY)
    assert (ONE, silent(4 * RECOVERY)) in waiting.told


async def test_who_is_cancelled_waits_no_more(waiting: Waiting) -> None:
    await waiting.is_refused(90)
    await waiting.wants_turns(ONE)
    waiting.tasks[0].cancel()
    await waiting.settle()
    assert waiting.told == [(ONE, busy(90)), (ONE, None)]
    assert waiting.pauses.standing() == ModelStanding(waiting=0, is_silent=False, until=0)


async def test_a_question_that_is_tried_again_later_is_told_and_what_no_stream_asks_is_not() -> None:
    clock = JumpingClock(NOON)
    told: list[Pause | None] = []
    async with LocalAnthropic() as server:
        server.then(Status(529, retry_after="25"), Status(529, retry_after="25")).always(Says(ASKED.good))
        claude = ClaudeModel(API_KEY, PROMPTS.values(), MemoryLedger(), clock, base_url=server.url)
        claude.listen(lambda key: told.append(claude.paused(key)))
        asking = asyncio.create_task(claude.answer(replace(ASKED.question, key=ONE)))
        assert await waits(asking, claude, clock)
        assert told == [silent(25)]
        while await waits(asking, claude, clock):
            clock.jump(clock.next_wake or 0)
        assert (await asking).value
        assert (told[-1], claude.paused(ONE)) == (None, None)

        del told[:]
        server.then(Status(529, retry_after="25"))
        asking = asyncio.create_task(claude.answer(ASKED.question))
        while await waits(asking, claude, clock):
            clock.jump(clock.next_wake or 0)
        await claude.close()
    assert told == []


async def waits(asking: asyncio.Task[Any], claude: ClaudeModel, clock: JumpingClock) -> bool:
    """Return once a question waits for the clock alone; False once it is answered."""
    while True:
        await asyncio.sleep(0)
        if asking.done() or (clock.next_wake is not None and not claude.pace.under_way):
            return not asking.done()
