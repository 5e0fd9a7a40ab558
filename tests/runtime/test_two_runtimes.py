"""One runtime at a time decides, in one process or in two."""

import asyncio
import contextlib
import gc
import weakref

import pytest

from engine.errors import LeaseLost, StoreError, StoreUnusable
from engine.runtime.activity import Activity
from engine.runtime.gc_tuning import run, tidy
from engine.runtime.in_process import in_process
from engine.runtime.runtime import Runtime

from .conftest import KEY, NOON, Harness
from .toy_protocol import EFFECTS, KITCHEN, Order


class Knot:
    """Holds itself, so that only looking for garbage ends it."""

    def __init__(self) -> None:
        self.itself = self


def test_the_loop_returns_what_was_run_in_it() -> None:
    async def answer() -> int:
        await asyncio.sleep(0)
        return 42

    assert run(answer()) == 42


async def test_what_is_garbage_is_collected_when_nothing_is_under_way() -> None:
    assert await is_collected(Activity(), rest=0)


async def test_nobody_waits_for_a_look_while_something_is_under_way() -> None:
    activity = Activity()
    with activity.busy():
        assert not await is_collected(activity, rest=0)
    assert await is_collected(activity, rest=0)


async def test_a_process_that_is_always_busy_is_looked_through_in_the_end() -> None:
    activity = Activity()
    with activity.busy():
        assert await is_collected(activity, rest=0, patience=0)


async def is_collected(activity: Activity, **times: float) -> bool:
    """Whether a knot goes within fifty turns of whoever tidies."""
    tidying = asyncio.create_task(tidy(activity, pause=0, **times))
    knot = weakref.ref(Knot())
    for _ in range(50):
        await asyncio.sleep(0)
        if knot() is None:
            break
    tidying.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await tidying
    gc.unfreeze()
    return knot() is None


def beside(harness: Harness) -> Runtime:
    return in_process(
        harness.store, harness.clock, [KITCHEN], {each.kind: harness.cookery for each in EFFECTS}, EFFECTS
    )


def order(dish: str) -> Order:
    return Order(command_id=f"order {dish}", at=NOON, guest="bo", dish=dish)


async def test_a_second_runtime_does_not_start_and_runs_nothing(harness: Harness) -> None:
    harness.cookery.gates["stew"] = asyncio.Event()
    await harness.order("stew")
    await harness.cookery.started.wait()
    second = beside(harness)

    with pytest.raises(StoreUnusable, match="used by another runtime"):
        await second.start()
    with pytest.raises(StoreError, match="not started"):
        await second.handle(KEY, "kitchen", order("soup"))
    await second.close()
    harness.cookery.gates["stew"].set()

    assert (await harness.rest()).served == ("stew",)
    assert harness.cookery.cooked == ["stew"]


async def test_whoever_takes_over_goes_on_and_the_first_decides_nothing_more(harness: Harness) -> None:
    harness.cookery.gates["stew"] = asyncio.Event()
    await harness.order("stew")
    await harness.cookery.started.wait()
    second = beside(harness)
    await second.start(take_over=True)
    try:
        with pytest.raises(LeaseLost):
            await harness.runtime.handle(KEY, "kitchen", order("soup"))
        with pytest.raises(StoreError, match="taken over"):
            await harness.runtime.handle(KEY, "kitchen", order("cake"))
        harness.cookery.gates["stew"].set()
        await second.handle(KEY, "kitchen", order("pie"))
        await second.activity.idle()

        state, _ = await second.read(KEY)
        assert dict(state.orders) == {"stew": "ann", "pie": "bo"}
        assert sorted(state.served) == ["pie", "stew"]
    finally:
        await second.close()


async def test_an_outcome_that_comes_after_the_lease_was_lost_is_left_to_the_other(harness: Harness) -> None:
    harness.cookery.gates["stew"] = asyncio.Event()
    await harness.order("stew")
    await harness.cookery.started.wait()
    second = beside(harness)
    await second.start(take_over=True)
    try:
        harness.cookery.gates["stew"].set()
        await harness.runtime.activity.idle()
        await second.activity.idle()

        state, version = await second.read(KEY)
        assert (state.served, version) == (("stew",), 2)
        with pytest.raises(StoreError, match="taken over"):
            await harness.order("soup")
    finally:
        await second.close()


async def test_the_next_runtime_starts_when_the_first_is_closed(harness: Harness) -> None:
    await harness.order("stew")
    await harness.restart()

    assert (await harness.rest()).served == ("stew",)
