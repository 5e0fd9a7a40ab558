"""Alarms are rows; APScheduler rings the near ones.

The scheduler's memory store only wakes us: a row that it forgot, because the process was down or the clock was set, is
found by the sweep. APScheduler computes its wake-ups from the wall clock, so the sweep is a task of its own, on the
monotonic one. Whether a deadline has passed is decided by the rules, from the time the ring carries.
"""

import asyncio
import contextlib
import logging
from datetime import UTC, datetime, timedelta
from typing import Final

from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.date import DateTrigger

from engine.errors import StoreError
from engine.kernel import Millis, StreamKey
from engine.runtime.clock import Clock, WallClock
from engine.runtime.ports import AlarmHost
from engine.runtime.stalled_streams import StalledStreams
from engine.store.port import Alarm, Store

log = logging.getLogger(__name__)

HORIZON: Final[Millis] = 60_000
"""Alarms due within this are in the scheduler; 100,000 later ones cost nothing."""

SWEEP_EVERY: Final[Millis] = 5_000
LATE: Final = timedelta(milliseconds=100)
"""Who would wake this much too late is woken at another time."""
PAGE: Final = 500
MOST_HELD: Final = 10_000


class InProcessTimers:
    """
    Args:
        clock: by which alarms are due.
        pulse: by which the sweeps come; the machine's, also where the clock of alarms jumps.
    """

    def __init__(self, store: Store, clock: Clock, pulse: Clock | None = None) -> None:
        self._store = store
        self._clock = clock
        self._pulse = pulse or WallClock()
        self._sweeping: asyncio.Task[None] | None = None
        self._stalled = StalledStreams(store, clock)
        # What was due while the process was down must ring, however late (the default drops it after a second).
        self._scheduler = AsyncIOScheduler(
            timezone=UTC, job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
        )
        self._ringing: set[tuple[StreamKey, str, int]] = set()
        self._near: dict[str, datetime] = {}
        """The alarms that the scheduler will wake for, and when by the machine's clock."""
        self._held: dict[tuple[StreamKey, str, int], Millis] = {}
        """Alarms that are due, and wait until then: machines have waited for their turn."""
        self._host: AlarmHost | None = None

    async def start(self, host: AlarmHost) -> None:
        self._host = host
        self._scheduler.start()
        await self.sweep()
        self._sweeping = asyncio.create_task(self._sweep_again(), name="sweep of alarms")

    def close(self) -> None:
        self._host = None
        if self._sweeping is not None:
            self._sweeping.cancel()
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)

    async def closed(self) -> None:
        pass

    def set(self, alarm: Alarm) -> None:
        """The row is committed; wake for it, if it is near."""
        if alarm.due - self._clock.now() > HORIZON:
            self.clear(alarm.key, alarm.name)
            return
        job = _job(alarm.key, alarm.name)
        when = self._near[job] = self._machine_time(alarm.due)
        self._scheduler.add_job(
            self._wake,
            DateTrigger(when, timezone=UTC),
            args=(alarm,),
            id=job,
            replace_existing=True,
        )

    def clear(self, key: StreamKey, name: str) -> None:
        """Housekeeping: without its row, the ring would be stale anyway."""
        job = _job(key, name)
        if job in self._near:
            del self._near[job]
            with contextlib.suppress(JobLookupError):  # it has just been submitted
                self._scheduler.remove_job(job)

    def release(self) -> None:
        self._held.clear()

    async def sweep(self) -> None:
        """Ring whatever is overdue, wake for what is near, then move what is stalled."""
        if self._host is not None:
            await self._ring_overdue()
        if self._host is not None:
            await self._stalled.sweep(self._host)

    async def _sweep_again(self) -> None:
        while True:
            await self._pulse.until(self._pulse.after(SWEEP_EVERY))
            try:
                await self.sweep()
            except Exception:
                # A fault in one sweep must not end the others.
                log.exception("a sweep of the alarms failed, the next one tries again")

    async def _ring_overdue(self) -> None:
        try:
            while True:
                now = self._clock.now()
                most = PAGE + len(self._held)  # those that are held are read again, and hide nobody
                page = await self._store.due(now + HORIZON, most)
                overdue = [alarm for alarm in page if alarm.due <= now]
                for alarm in page[len(overdue) :]:
                    if not self._is_awake_for(alarm):
                        self.set(alarm)
                fresh = [alarm for alarm in overdue if self._may_ring(alarm, now)]
                await asyncio.gather(*(self._due(alarm) for alarm in fresh))
                if not fresh or len(overdue) < most:
                    return
        except StoreError as error:
            log.warning("the alarms could not be read, the next sweep tries again: %s", error)

    def _is_awake_for(self, alarm: Alarm) -> bool:
        """Return whether the scheduler will wake for it in time: after the clock has jumped, it would be late."""
        when = self._near.get(_job(alarm.key, alarm.name))
        return when is not None and when - self._machine_time(alarm.due) < LATE

    def _machine_time(self, due: Millis) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self._clock.seconds_until(due))

    def _may_ring(self, alarm: Alarm, now: Millis) -> bool:
        identity = _identity(alarm)
        return identity not in self._ringing and self._held.get(identity, 0) <= now

    def _hold(self, alarm: Alarm, until: Millis) -> None:
        """Ring later: the sweep finds the row again, and where that is sooner, the scheduler wakes."""
        if len(self._held) >= MOST_HELD:
            self._held.clear()  # those whose streams have gone on without them are of no use
        self._held[_identity(alarm)] = until
        self._scheduler.add_job(
            self._wake,
            DateTrigger(self._machine_time(until), timezone=UTC),
            args=(alarm,),
            id=_job(alarm.key, alarm.name),
            replace_existing=True,
        )

    async def _wake(self, alarm: Alarm) -> None:
        """Ring for the scheduler, which logs a job that `close` cancels as one that has failed."""
        try:
            await self._due(alarm)
        except asyncio.CancelledError:
            if self._host is not None:
                raise

    async def _due(self, alarm: Alarm) -> None:
        self._near.pop(_job(alarm.key, alarm.name), None)
        if alarm.due > self._clock.now():
            # The wall clock was set back after the scheduler had computed its wake-up: the row stays.
            self.set(alarm)
            return
        identity = _identity(alarm)
        if self._host is None or identity in self._ringing:
            return
        self._ringing.add(identity)
        try:
            held_until = await self._host.ring(alarm)
            if held_until:
                self._hold(alarm, held_until)
            else:
                self._held.pop(identity, None)
        except StoreError as error:
            log.warning(
                "alarm %s of %s was not recorded, the next sweep rings it: %s", alarm.name, alarm.key.stream, error
            )
        finally:
            self._ringing.discard(identity)


def _identity(alarm: Alarm) -> tuple[StreamKey, str, int]:
    return alarm.key, alarm.name, alarm.generation


def _job(key: StreamKey, name: str) -> str:
    return "\n".join((key.tenant.enterprise_id, key.tenant.team_id, key.stream, name))
