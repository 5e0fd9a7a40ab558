"""What waits for something that never comes is found, moved once, and left alone while somebody works on it."""

import asyncio
import logging

import pytest

from engine.errors import NotAllowed
from engine.kernel import StreamKey
from engine.store.port import PendingEffect

from .conftest import KEY, Harness
from .toy_protocol import Serve


async def lose(harness: Harness, key: StreamKey = KEY) -> None:
    """As if everything that was owed had been given up: nobody comes back to it."""
    await harness.runtime.close()
    stream = await harness.store.load(key)
    assert stream is not None
    for owed in stream.outbox:
        await harness.store.reschedule(_parked(owed))
    await harness.restart()


def _parked(effect: PendingEffect) -> PendingEffect:
    return effect._replace(parked=True)


async def test_what_nobody_works_on_any_more_is_taken_up_again(harness: Harness) -> None:
    harness.cookery.gates["stew"] = asyncio.Event()
    await harness.order("stew")
    await lose(harness)
    harness.cookery.gates["stew"].set()
    await harness.jump(59)
    assert (await harness.kitchen()).served == ()
    await harness.jump(1)

    assert (await harness.kitchen()).served == ("stew",)
    assert await harness.store.stalled(2**62, 10) == []


async def test_what_was_parked_is_taken_up_again(harness: Harness, caplog: pytest.LogCaptureFixture) -> None:
    harness.cookery.fails["stone"] = 5
    await harness.order("stone")
    with caplog.at_level(logging.ERROR):
        for pause in (0, 1, 2, 4, 8, 16):
            await harness.jump(pause)
    assert (await harness.store.counts())["parked"] == 1
    await harness.jump(60)

    assert (await harness.kitchen()).served == ("stone",)
    assert (await harness.store.counts())["parked"] == 0


async def test_what_is_being_cooked_is_left_alone(harness: Harness) -> None:
    harness.cookery.gates["stew"] = asyncio.Event()
    await harness.order("stew")
    for _ in range(3):
        harness.clock.jump(harness.clock.now() + 60_000)
        await harness.runtime.sweep()

    assert (await harness.kitchen()).taken_up == 0
    harness.cookery.gates["stew"].set()
    assert (await harness.rest()).served == ("stew",)
    assert harness.cookery.cooked == ["stew"]


async def test_found_twice_at_once_it_is_moved_once(harness: Harness) -> None:
    harness.cookery.gates["stew"] = asyncio.Event()
    await harness.order("stew")
    await lose(harness)
    harness.clock.jump(harness.clock.now() + 60_000)
    await asyncio.gather(*(harness.runtime.sweep() for _ in range(3)))
    harness.cookery.gates["stew"].set()
    await harness.rest()

    assert (await harness.kitchen()).taken_up == 1
    assert harness.cookery.cooked == ["stew", "stew"]


async def test_it_is_found_at_the_start_and_not_again_after_the_next(harness: Harness) -> None:
    harness.cookery.gates["stew"] = asyncio.Event()
    await harness.order("stew")
    await lose(harness)
    harness.clock.jump(harness.clock.now() + 60_000)
    for _ in range(3):
        await harness.restart()

    assert (await harness.kitchen()).taken_up == 1
    harness.cookery.gates["stew"].set()
    assert (await harness.rest()).served == ("stew",)


async def test_whatever_happens_is_progress_and_what_is_refused_is_none(harness: Harness) -> None:
    harness.cookery.gates["stew"] = asyncio.Event()
    await harness.order("stew")
    await lose(harness)
    await harness.jump(20)
    with pytest.raises(NotAllowed):
        await harness.order("soup", guest="thief")
    [found] = await harness.store.stalled(2**62, 10)
    assert found.since == harness.clock.now() + 40_000
    await harness.order("soup")
    await harness.rest()
    [found] = await harness.store.stalled(2**62, 10)
    assert found.since == harness.clock.now() + 60_000

    await harness.does(Serve, dish="stew")
    assert await harness.store.stalled(2**62, 10) == []


async def test_while_the_store_refuses_it_stays_stuck_until_the_next_sweep(harness: Harness) -> None:
    harness.cookery.gates["stew"] = asyncio.Event()
    await harness.order("stew")
    await lose(harness)
    harness.store.refusing = True
    await harness.jump(60)
    assert (await harness.kitchen()).taken_up == 0
    harness.store.refusing = False
    await harness.runtime.sweep()

    assert (await harness.kitchen()).taken_up == 1


async def test_a_thousand_are_moved_in_one_sweep(harness: Harness) -> None:
    harness.cookery.gates["stew"] = asyncio.Event()
    keys = [StreamKey(KEY.tenant, f"bistro {number}") for number in range(1_000)]
    await asyncio.gather(*(harness.order("stew", key=key) for key in keys))
    await harness.runtime.close()
    rows, _ = await harness.store.pending_effects(0, 1_000)
    await asyncio.gather(*(harness.store.reschedule(_parked(each)) for each in rows))
    await harness.restart()
    harness.clock.jump(harness.clock.now() + 60_000)
    await harness.runtime.sweep()

    assert all([(await harness.kitchen(key)).taken_up for key in keys])
