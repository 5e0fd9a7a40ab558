"""What nobody waits for is done in turns; a person who comes meanwhile is not held up by those who wait in line."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise

from engine.runtime.activity import Turns
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.store.memory import MemoryStore

from .conftest import KEY, NOON, Cookery, Harness, Unreliable, come_true
from .test_turns import Passes
from .toy_protocol import EFFECTS, KITCHEN

CROWD = 1_000
"""Passes of the event loop that whoever stands in line has to wait for."""
FEW = 60
"""Passes in which a command is handled and its caller told."""


class Crowd:
    """Others who take turns, one in each pass."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._tasks: list[asyncio.Task[None]] = []

    def come(self) -> None:
        self._tasks = [asyncio.create_task(self._again_and_again()) for _ in range(CROWD)]

    async def go(self) -> None:
        for each in self._tasks:
            each.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _again_and_again(self) -> None:
        while True:
            await self._turns.take()


@asynccontextmanager
async def crowded() -> AsyncIterator[tuple[Harness, Crowd]]:
    """A kitchen in whose event loop one thing is done at a time."""
    turns, clock, store = Turns(seconds=0), JumpingClock(NOON), Unreliable(MemoryStore())
    cookery, crowd = Cookery(clock), Crowd(turns)
    runners = {each.kind: cookery for each in EFFECTS}
    runtime = in_process(store, clock, [KITCHEN], runners, EFFECTS, patience=0, turns=turns)
    await store.open()
    await runtime.start()
    try:
        yield Harness(store, clock, cookery, runtime), crowd
    finally:
        await crowd.go()
        await runtime.close()
        await store.close()


async def pass_by(number: int) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


async def soup_is_cooked(harness: Harness, crowd: Crowd) -> None:
    """Its outcome waits for its turn to be decided on."""
    harness.cookery.gates["soup"] = asyncio.Event()
    await harness.order("soup")
    await come_true(lambda: harness.cookery.cooked == ["soup"])
    crowd.come()
    harness.cookery.gates["soup"].set()
    await pass_by(FEW)
    assert (await harness.kitchen()).served == ()


async def test_what_nobody_waits_for_has_its_turn() -> None:
    async with crowded() as (harness, crowd):
        await soup_is_cooked(harness, crowd)

        await harness.until(KEY, lambda kitchen: kitchen.served == ("soup",))


async def test_a_person_is_not_held_up_by_what_waits_to_be_decided_and_takes_it_along() -> None:
    async with crowded() as (harness, crowd), Passes() as passes:
        await soup_is_cooked(harness, crowd)
        began = passes.number

        await harness.order("pie")

        assert passes.number - began < FEW
        assert (await harness.kitchen()).served == ("soup",)


async def test_a_person_is_not_held_up_by_what_is_committed_and_waits_for_its_turn_to_go_on() -> None:
    async with crowded() as (harness, crowd), Passes() as passes:
        await soup_is_cooked(harness, crowd)
        while not (await harness.kitchen()).served:
            await pass_by(1)
        began = passes.number

        await harness.order("pie")

        assert passes.number - began < FEW


async def test_effects_that_begin_together_begin_one_after_the_other() -> None:
    async with crowded() as (harness, _):
        dishes = [f"dish {number}" for number in range(20)]
        begun = [0]
        orders = asyncio.gather(*(harness.order(each, guest=each) for each in dishes))
        while begun[-1] < len(dishes):
            await asyncio.sleep(0)
            begun.append(len(harness.cookery.cooked))
        await orders

    assert max(after - before for before, after in pairwise(begun)) == 1


async def test_a_runtime_that_is_closed_waits_for_those_in_line() -> None:
    async with crowded() as (harness, crowd):
        await soup_is_cooked(harness, crowd)
        await harness.runtime.close()

        assert (await harness.kitchen()).served == ("soup",)
