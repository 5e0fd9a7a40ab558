"""Alarms are rows: they ring once, in time or late, but never early and never for nothing."""

import asyncio

from engine.kernel import StreamKey
from engine.runtime.clock import WallClock

from .conftest import KEY, NOON, House
from .toy_protocol import CloseAt

HOUR = 3_600_000


async def test_an_alarm_rings_when_its_time_has_come_and_not_before(house: House) -> None:
    await house.does(CloseAt, due=NOON + HOUR)
    await house.jump(3599)
    assert not (await house.kitchen()).closed
    await house.jump(1)

    assert (await house.kitchen()).closed
    assert (await house.store.counts())["alarms"] == 0


async def test_an_alarm_whose_time_passed_while_the_process_was_down_rings_at_start(house: House) -> None:
    await house.does(CloseAt, due=NOON + HOUR)
    await house.runtime.close()
    house.clock.jump(NOON + 10 * HOUR)
    await house.restart()

    assert (await house.rest()).closed


async def test_an_alarm_that_was_moved_rings_only_at_its_new_time(house: House) -> None:
    await house.does(CloseAt, due=NOON + HOUR)
    await house.does(CloseAt, due=NOON + 2 * HOUR)
    await house.jump(3600)
    assert not (await house.kitchen()).closed
    await house.jump(3600)

    assert (await house.kitchen()).closed


async def test_an_alarm_rings_once_over_sweeps_and_restarts(house: House) -> None:
    await house.does(CloseAt, due=NOON + 1000)
    await house.jump(1)
    version = (await house.runtime.read(KEY))[1]
    await house.jump(10)
    await house.restart()
    await house.jump(10)

    assert (await house.runtime.read(KEY))[1] == version


async def test_an_alarm_that_the_store_could_not_record_rings_at_the_next_sweep(house: House) -> None:
    await house.does(CloseAt, due=NOON + HOUR)
    house.store.refusing = True
    await house.jump(3600)
    assert not (await house.kitchen()).closed
    house.store.refusing = False
    await house.runtime.sweep()

    assert (await house.rest()).closed


async def test_a_thousand_overdue_alarms_all_ring(house: House) -> None:
    keys = [StreamKey(KEY.tenant, f"bistro {number}") for number in range(1_000)]
    await asyncio.gather(*(house.does(CloseAt, key=key, due=NOON + HOUR) for key in keys))
    await house.jump(3600)

    assert all([(await house.kitchen(key)).closed for key in keys])


async def test_a_near_alarm_wakes_by_itself(house: House) -> None:
    """With the wall's clock nobody sweeps for us: the scheduler wakes."""
    wall = WallClock()
    house.clock.jump(wall.now())
    await house.does(CloseAt, due=house.clock.now() + 50)
    rung = asyncio.Event()
    house.runtime.watch(lambda _: rung.set())
    house.clock.jump(house.clock.now() + 50)
    async with asyncio.timeout(5):
        await rung.wait()

    assert (await house.kitchen()).closed
