"""Alarms are rows: they ring once, in time or late, but never early and never for nothing."""

import asyncio

from engine.kernel import StreamKey
from engine.runtime.clock import WallClock

from .conftest import KEY, NOON, Harness
from .toy_protocol import CloseAt

HOUR = 3_600_000


async def test_an_alarm_rings_when_its_time_has_come_and_not_before(harness: Harness) -> None:
    await harness.does(CloseAt, due=NOON + HOUR)
    await harness.jump(3599)
    assert not (await harness.kitchen()).closed
    await harness.jump(1)

    assert (await harness.kitchen()).closed
    assert (await harness.store.counts())["alarms"] == 0


async def test_an_alarm_whose_time_passed_while_the_process_was_down_rings_at_start(harness: Harness) -> None:
    await harness.does(CloseAt, due=NOON + HOUR)
    await harness.runtime.close()
    harness.clock.jump(NOON + 10 * HOUR)
    await harness.restart()

    assert (await harness.rest()).closed


async def test_an_alarm_that_was_moved_rings_only_at_its_new_time(harness: Harness) -> None:
    await harness.does(CloseAt, due=NOON + HOUR)
    await harness.does(CloseAt, due=NOON + 2 * HOUR)
    await harness.jump(3600)
    assert not (await harness.kitchen()).closed
    await harness.jump(3600)

    assert (await harness.kitchen()).closed


async def test_an_alarm_rings_once_over_sweeps_and_restarts(harness: Harness) -> None:
    await harness.does(CloseAt, due=NOON + 1000)
    await harness.jump(1)
    version = (await harness.runtime.read(KEY))[1]
    await harness.jump(10)
    await harness.restart()
    await harness.jump(10)

    assert (await harness.runtime.read(KEY))[1] == version


async def test_an_alarm_that_the_store_could_not_record_rings_at_the_next_sweep(harness: Harness) -> None:
    await harness.does(CloseAt, due=NOON + HOUR)
    harness.store.refusing = True
    await harness.jump(3600)
    assert not (await harness.kitchen()).closed
    harness.store.refusing = False
    await harness.runtime.sweep()

    assert (await harness.rest()).closed


async def test_a_thousand_overdue_alarms_all_ring(harness: Harness) -> None:
    keys = [StreamKey(KEY.tenant, f"bistro {number}") for number in range(1_000)]
    await asyncio.gather(*(harness.does(CloseAt, key=key, due=NOON + HOUR) for key in keys))
    await harness.jump(3600)

    assert all([(await harness.kitchen(key)).closed for key in keys])


async def test_a_near_alarm_wakes_by_itself(harness: Harness) -> None:
    """With the wall's clock nobody sweeps for us: the scheduler wakes."""
    wall = WallClock()
    harness.clock.jump(wall.now())
    await harness.does(CloseAt, due=harness.clock.now() + 50)
    rung = asyncio.Event()
    harness.runtime.observers.watch(lambda _: rung.set())
    harness.clock.jump(harness.clock.now() + 50)
    async with asyncio.timeout(5):
        await rung.wait()

    assert (await harness.kitchen()).closed
