"""Processes that use one key keep to its limits together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from engine.errors import StoreUnavailable
from engine.kernel import Tenant
from engine.llm.pacing import Cost, Pace, Turn
from engine.llm.sharing import MINUTE, SharedPace
from engine.runtime.clock import JumpingClock, Monotonic
from engine.store.memory_sharing import MemorySharing

NOON = 1_800_000_000_000
SMALL = Cost(100, 100)
HOUR = 3_600_000
LIMIT = 60
"""Requests a minute."""
TOKENS = 1_000_000


class Booked(MemorySharing):
    is_away = False

    async def book(self, tenant: Tenant, line: str, *, each: float, count: int, after: float = 0.0) -> float:
        if self.is_away:
            raise StoreUnavailable("The store cannot be reached.")
        return await MemorySharing.book(self, tenant, line, each=each, count=count, after=after)


class Processes:
    """Two with one key; each has heard the limits in a reply of its own."""

    def __init__(self) -> None:
        self.clock = JumpingClock(NOON)
        self.sharing = Booked(self.clock.monotonic)
        self.paces = [Pace(self.clock, 200, SharedPace(self.sharing, self.clock)) for _ in range(2)]
        self.times: list[int] = []
        self.tasks: list[asyncio.Task[None]] = []

    def asks(self, who: int, times: int = 1, *, spent: Cost = SMALL, refused: float = 0.0) -> None:
        self.tasks += [asyncio.create_task(self._call(self.paces[who], spent, refused)) for _ in range(times)]

    async def _call(self, pace: Pace, spent: Cost, refused: float) -> None:
        async with pace.turn("haiku", "a", SMALL, Monotonic(self.clock.monotonic() + HOUR)) as turn:
            self.times.append(self.clock.now() - NOON)
            _answered(turn, spent, refused)

    async def passes(self, seconds: int) -> None:
        for _ in range(seconds):
            for _ in range(20):
                await asyncio.sleep(0)
            self.clock.jump(self.clock.now() + 1_000)
        for _ in range(20):
            await asyncio.sleep(0)


def _answered(turn: Turn, spent: Cost, refused: float) -> None:
    headers = {
        "anthropic-ratelimit-requests-limit": str(LIMIT),
        "anthropic-ratelimit-requests-remaining": str(LIMIT),
        "anthropic-ratelimit-input-tokens-limit": str(TOKENS),
        "anthropic-ratelimit-input-tokens-remaining": str(TOKENS),
    }
    if refused:
        turn.refused(headers, refused)
    else:
        turn.answered(headers, spent)


@asynccontextmanager
async def running() -> AsyncIterator[Processes]:
    both = Processes()
    for who in (0, 1):
        both.asks(who)
    await both.passes(120)
    both.times.clear()
    yield both
    for task in both.tasks:
        task.cancel()
    await asyncio.gather(*both.tasks, return_exceptions=True)


async def test_both_together_keep_to_the_limit() -> None:
    async with running() as both:
        for who in (0, 1):
            both.asks(who, 100)
        await both.passes(200)

        assert len(both.times) == 200
        for start, first in enumerate(sorted(both.times)):
            for count, last in enumerate(sorted(both.times)[start:], 1):
                assert count <= LIMIT * (1 + (last - first) / MINUTE) + 1e-6


async def test_a_call_that_costs_more_than_was_thought_makes_the_other_one_wait() -> None:
    async with running() as both:
        both.asks(0, spent=Cost(2 * TOKENS, 100))
        await both.passes(1)
        both.asks(1)
        await both.passes(30)
        assert len(both.times) == 1
        await both.passes(40)
        assert len(both.times) == 2


async def test_a_call_that_costs_less_leaves_the_rest_to_the_other_one() -> None:
    async with running() as both:
        both.asks(0, spent=Cost(0, 0))
        await both.passes(1)
        both.asks(1)
        await both.passes(1)

        assert len(both.times) == 2


async def test_when_the_api_has_had_enough_the_other_one_waits_as_well() -> None:
    async with running() as both:
        both.asks(0, refused=30.0)
        await both.passes(1)
        both.asks(1)
        await both.passes(25)
        assert len(both.times) == 1
        await both.passes(10)
        assert len(both.times) == 2


async def test_without_the_store_each_goes_by_what_the_api_says() -> None:
    async with running() as both:
        both.sharing.is_away = True
        both.asks(0)
        await both.passes(1)

        assert len(both.times) == 1
