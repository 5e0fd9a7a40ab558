"""What waits for something that never comes is found, moved once, and left alone while somebody works on it."""

import asyncio
import logging
from dataclasses import replace

import pytest

from engine.errors import NotAllowed
from engine.kernel import StreamKey
from engine.store.port import PendingEffect

from .conftest import KEY, House
from .toy_protocol import Serve


async def lose(house: House, key: StreamKey = KEY) -> None:
    """As if everything that was owed had been given up: nobody comes back to it."""
    await house.runtime.close()
    stream = await house.store.load(key)
    assert stream is not None
    for owed in stream.owed:
        await house.store.reschedule(_parked(owed))
    await house.restart()


def _parked(owed: PendingEffect) -> PendingEffect:
    return replace(owed, parked=True)


async def test_what_nobody_works_on_any_more_is_taken_up_again(house: House) -> None:
    house.cookery.gates["stew"] = asyncio.Event()
    await house.order("stew")
    await lose(house)
    house.cookery.gates["stew"].set()
    await house.jump(59)
    assert (await house.kitchen()).served == ()
    await house.jump(1)

    assert (await house.kitchen()).served == ("stew",)
    assert await house.store.stuck(2**62, 10) == []


async def test_what_was_given_up_as_parked_is_taken_up_again(house: House, caplog: pytest.LogCaptureFixture) -> None:
    house.cookery.fails["stone"] = 5
    await house.order("stone")
    with caplog.at_level(logging.ERROR):
        for pause in (0, 1, 2, 4, 8, 16):
            await house.jump(pause)
    assert (await house.store.counts())["parked"] == 1
    await house.jump(60)

    assert (await house.kitchen()).served == ("stone",)
    assert (await house.store.counts())["parked"] == 0


async def test_what_is_being_cooked_is_left_alone(house: House) -> None:
    house.cookery.gates["stew"] = asyncio.Event()
    await house.order("stew")
    for _ in range(3):
        house.clock.jump(house.clock.now() + 60_000)
        await house.runtime.sweep()

    assert (await house.kitchen()).taken_up == 0
    house.cookery.gates["stew"].set()
    assert (await house.rest()).served == ("stew",)
    assert house.cookery.cooked == ["stew"]


async def test_found_twice_at_once_it_is_moved_once(house: House) -> None:
    house.cookery.gates["stew"] = asyncio.Event()
    await house.order("stew")
    await lose(house)
    house.clock.jump(house.clock.now() + 60_000)
    await asyncio.gather(*(house.runtime.sweep() for _ in range(3)))
    house.cookery.gates["stew"].set()
    await house.rest()

    assert (await house.kitchen()).taken_up == 1
    assert house.cookery.cooked == ["stew", "stew"]


async def test_it_is_found_at_the_start_and_not_again_after_the_next(house: House) -> None:
    house.cookery.gates["stew"] = asyncio.Event()
    await house.order("stew")
    await lose(house)
    house.clock.jump(house.clock.now() + 60_000)
    for _ in range(3):
        await house.restart()

    assert (await house.kitchen()).taken_up == 1
    house.cookery.gates["stew"].set()
    assert (await house.rest()).served == ("stew",)


async def test_whatever_happens_is_progress_and_what_is_refused_is_none(house: House) -> None:
    house.cookery.gates["stew"] = asyncio.Event()
    await house.order("stew")
    await lose(house)
    await house.jump(20)
    with pytest.raises(NotAllowed):
        await house.order("soup", guest="thief")
    [stuck] = await house.store.stuck(2**62, 10)
    assert stuck.since == house.clock.now() + 40_000
    await house.order("soup")
    await house.rest()
    [stuck] = await house.store.stuck(2**62, 10)
    assert stuck.since == house.clock.now() + 60_000

    await house.does(Serve, dish="stew")
    assert await house.store.stuck(2**62, 10) == []


async def test_while_the_store_refuses_it_stays_stuck_until_the_next_sweep(house: House) -> None:
    house.cookery.gates["stew"] = asyncio.Event()
    await house.order("stew")
    await lose(house)
    house.store.refusing = True
    await house.jump(60)
    assert (await house.kitchen()).taken_up == 0
    house.store.refusing = False
    await house.runtime.sweep()

    assert (await house.kitchen()).taken_up == 1


async def test_a_thousand_are_moved_in_one_sweep(house: House) -> None:
    house.cookery.gates["stew"] = asyncio.Event()
    keys = [StreamKey(KEY.tenant, f"bistro {number}") for number in range(1_000)]
    await asyncio.gather(*(house.order("stew", key=key) for key in keys))
    await house.runtime.close()
    rows, _ = await house.store.owed(0, 1_000)
    await asyncio.gather(*(house.store.reschedule(_parked(each)) for each in rows))
    await house.restart()
    house.clock.jump(house.clock.now() + 60_000)
    await house.runtime.sweep()

    assert all([(await house.kitchen(key)).taken_up for key in keys])
