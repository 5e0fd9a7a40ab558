"""Rings alarms where several processes share a store: each is a job with the time at which it is due, and no lock.

The rows are the truth here too. A job only says that it is time; one whose alarm was set anew or cleared since finds
nothing to ring. An alarm whose job was lost, or is late, is found by the sweep.
"""

import asyncio
import logging
from typing import Final

from engine.errors import StoreError
from engine.kernel import Millis
from engine.runtime.activity import Activity, Pace
from engine.runtime.clock import Clock, WallClock
from engine.runtime.job import ALARMS, Job, alarm_of
from engine.runtime.job_worker import JobWorker
from engine.runtime.jobs import Jobs
from engine.runtime.ports import AlarmHost
from engine.runtime.stalled_streams import StalledStreams
from engine.store.port import Alarm, Store

log = logging.getLogger(__name__)

SWEEP_EVERY: Final[Millis] = 5_000
LATE: Final[Millis] = 3_000
"""An alarm's job is given so long before the sweep rings in its place."""
PAGE: Final = 500


class JobsTimers:
    """
    Args:
        clock: by which alarms are due.
        pulse: by which the sweeps come; the machine's, also where the clock of alarms jumps.
    """

    def __init__(
        self, jobs: Jobs, store: Store, clock: Clock, activity: Activity, pace: Pace, pulse: Clock | None = None
    ) -> None:
        self._store = store
        self._clock = clock
        self._pulse = pulse or WallClock()
        self._worker = JobWorker(jobs, ALARMS, self._do, activity, self._pulse, pace)
        self._stalled = StalledStreams(store, clock)
        self._sweeping: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        self._ringing: set[Alarm] = set()
        self._held: dict[Alarm, Millis] = {}
        """Alarms that are due, and wait until then: machines have waited for their turn."""
        self._host: AlarmHost | None = None

    async def start(self, host: AlarmHost) -> None:
        self._host = host
        await self.sweep()
        await self._worker.start()
        self._sweeping = asyncio.create_task(self._sweep_again(), name="sweep of alarms")

    def close(self) -> None:
        self._host = None
        if self._sweeping is not None:
            self._sweeping.cancel()
            self._worker.stop()
            self._closing = self._closing or asyncio.create_task(self._worker.close())

    async def closed(self) -> None:
        if self._closing is not None:
            await self._closing

    def set(self, alarm: Alarm) -> None:
        """Its job was deferred with the row."""

    def clear(self, key: object, name: str) -> None:
        """Its job will find no row."""

    def release(self) -> None:
        self._held.clear()

    async def sweep(self) -> None:
        """Ring whatever is overdue, then move what is stalled."""
        await self._sweep(late=0)

    async def _sweep(self, late: Millis) -> None:
        if self._host is not None:
            await self._ring_overdue(self._host, late)
        if self._host is not None:
            await self._stalled.sweep(self._host)

    async def _sweep_again(self) -> None:
        while True:
            await self._pulse.until(self._pulse.after(SWEEP_EVERY))
            try:
                await self._sweep(LATE)
            except Exception:
                # A fault in one sweep must not end the others.
                log.exception("a sweep of the alarms failed, the next one tries again")

    async def _ring_overdue(self, host: AlarmHost, late: Millis) -> None:
        try:
            while True:
                now = self._clock.now()
                self._held = {alarm: until for alarm, until in self._held.items() if until > now}
                most = PAGE + len(self._held)  # those that are held are read again, and hide nobody
                overdue = await self._store.due(now - late, most)
                fresh = [alarm for alarm in overdue if alarm not in self._ringing and alarm not in self._held]
                await asyncio.gather(*(self._ring_logged(host, alarm) for alarm in fresh))
                if not fresh or len(overdue) < most:
                    return
        except StoreError as error:
            log.warning("the alarms could not be read, the next sweep tries again: %s", error)

    async def _ring_logged(self, host: AlarmHost, alarm: Alarm) -> None:
        try:
            await self._ring(host, alarm)
        except StoreError as error:
            log.warning(
                "alarm %s of %s was not recorded, the next sweep rings it: %s", alarm.name, alarm.key.stream, error
            )

    async def _ring(self, host: AlarmHost, alarm: Alarm) -> Millis:
        """Return the time until which it is held, or 0."""
        self._ringing.add(alarm)
        try:
            held_until = await host.ring(alarm)
        finally:
            self._ringing.discard(alarm)
        if held_until:
            self._held[alarm] = held_until
        return held_until

    async def _do(self, job: Job) -> Millis | None:
        alarm = alarm_of(job)
        early = alarm.due - self._clock.now()
        if self._host is None or early > 0:
            return max(0, early)  # the database's clock is ahead of ours
        if alarm in self._ringing:
            return None
        held_until = await self._ring(self._host, alarm)
        return max(0, held_until - self._clock.now()) if held_until else None
