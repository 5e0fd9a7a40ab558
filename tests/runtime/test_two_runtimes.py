"""Two runtimes on one store never decide on stale state, and never run each other's effects."""

import asyncio

import pytest

from engine.errors import LeaseLost, StoreError, StoreUnusable
from engine.runtime.in_process import in_process
from engine.runtime.runtime import Runtime

from .conftest import KEY, NOON, Harness
from .toy_protocol import EFFECTS, KITCHEN, Order


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
