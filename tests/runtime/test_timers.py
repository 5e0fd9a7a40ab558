"""Alarms are rows: they ring once, in time or late, but never early and never for nothing."""

import asyncio

import pytest

from engine.kernel import Millis, StreamKey
from engine.runtime.clock import JumpingClock, WallClock
from engine.runtime.timers import HORIZON, PAGE, SWEEP_EVERY, InProcessTimers
from engine.store.memory import MemoryStore
from engine.store.port import Alarm, Commit, StalledStream

from .conftest import KEY, NOON, Harness, come_true
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
    async with asyncio.timeout(60):
        await rung.wait()

    assert (await harness.kitchen()).closed


async def test_an_alarm_that_a_jump_has_brought_near_wakes_by_itself() -> None:
    """Its wake-up was computed before the jump."""
    store, clock, pulse, bell = MemoryStore(), JumpingClock.running_from(NOON), JumpingClock(NOON), Bell()
    await store.open()
    timers = InProcessTimers(store, clock, pulse)
    await timers.start(bell)
    alarm = Alarm(KEY, "close", 0, clock.now() + HORIZON)
    await store.commit(Commit(KEY, "kitchen", 0, set_alarms=(alarm,)))
    timers.set(alarm)
    clock.jump(alarm.due - 200)
    await timers.sweep()
    async with asyncio.timeout(60):
        assert await bell.rung.get() == alarm
    timers.close()


class Bell:
    """Hears what is rung, and counts the looks for it."""

    def __init__(self) -> None:
        self.rung = asyncio.Queue[Alarm]()
        self.held_until: Millis = 0

    async def ring(self, alarm: Alarm) -> Millis:
        self.rung.put_nowait(alarm)
        return self.held_until

    async def recover(self, found: StalledStream) -> None: ...


@pytest.mark.parametrize("step", [-HOUR, HOUR], ids=["an hour back", "an hour forward"])
async def test_sweeps_go_on_whatever_the_wall_clock_is_set_to(step: Millis) -> None:
    store, clock, pulse, bell = MemoryStore(), JumpingClock(NOON), JumpingClock(NOON), Bell()
    await store.open()
    timers = InProcessTimers(store, clock, pulse)
    await timers.start(bell)
    clock.set_wall(clock.now() + step)
    pulse.set_wall(pulse.now() + step)
    alarm = Alarm(KEY, "close", 0, clock.now())
    await store.commit(Commit(KEY, "kitchen", 0, set_alarms=(alarm,)))
    await come_true(lambda: pulse.next_wake is not None)
    pulse.jump(pulse.now() + SWEEP_EVERY)
    async with asyncio.timeout(60):
        assert await bell.rung.get() == alarm
    timers.close()


async def test_an_alarm_keeps_to_the_wall_clock(harness: Harness) -> None:
    await harness.does(CloseAt, due=NOON + HOUR)
    harness.clock.set_wall(NOON - HOUR)
    await harness.jump(3600)
    assert not (await harness.kitchen()).closed
    await harness.jump(3600)

    assert (await harness.kitchen()).closed


async def test_an_alarm_that_is_held_rings_again_when_it_was_said_and_not_before() -> None:
    store, clock, pulse, bell = MemoryStore(), JumpingClock(NOON), JumpingClock(NOON), Bell()
    await store.open()
    timers = InProcessTimers(store, clock, pulse)
    await timers.start(bell)
    alarm = Alarm(KEY, "close", 0, NOON)
    bell.held_until = NOON + HOUR
    await store.commit(Commit(KEY, "kitchen", 0, set_alarms=(alarm,)))
    for _ in range(3):
        await timers.sweep()
    assert bell.rung.qsize() == 1
    bell.held_until = 0
    clock.jump(NOON + HOUR)
    await timers.sweep()
    assert bell.rung.qsize() == 2
    timers.close()


async def test_many_alarms_that_are_held_hold_up_nobody_else() -> None:
    """More than are read at once."""
    store, clock, bell = MemoryStore(), JumpingClock(NOON), Bell()
    await store.open()
    timers = InProcessTimers(store, clock, JumpingClock(NOON))
    bell.held_until = NOON + HOUR
    await timers.start(bell)
    for number in range(PAGE):
        key = StreamKey(KEY.tenant, f"bistro {number}")
        await store.commit(Commit(key, "kitchen", 0, set_alarms=(Alarm(key, "close", 0, NOON),)))
    await timers.sweep()
    assert bell.rung.qsize() == PAGE
    last = Alarm(KEY, "close", 0, NOON)
    await store.commit(Commit(KEY, "kitchen", 0, set_alarms=(last,)))
    await timers.sweep()
    rung = [bell.rung.get_nowait() for _ in range(PAGE + 1)]
    assert (rung[-1], bell.rung.empty()) == (last, True)
    timers.close()


class SlowBell(Bell):
    """It takes as long as it is heard."""

    async def ring(self, alarm: Alarm) -> Millis:
        until = await super().ring(alarm)
        await asyncio.Event().wait()
        return until


async def test_a_ring_that_the_end_cuts_off_is_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    store, clock, bell = MemoryStore(), WallClock(), SlowBell()
    await store.open()
    timers = InProcessTimers(store, clock)
    await timers.start(bell)
    timers.set(Alarm(KEY, "close", 0, clock.now()))
    async with asyncio.timeout(60):
        await bell.rung.get()
    ringing = asyncio.all_tasks() - {asyncio.current_task()}

    timers.close()
    await asyncio.wait(ringing)

    assert [each.message for each in caplog.records if each.levelname == "ERROR"] == []
