"""Runs effects where several processes share a store: what one commit owes is one job, which any of them may take.

The rows are the truth here too: a job runs those of its effects that are owed still, each as `InProcessOutbox` does,
and is done once each of them has been committed, voided or parked. A job that got lost is deferred again.
"""

import asyncio
import contextlib
import logging
import random
from collections.abc import Collection
from typing import Final

from engine.errors import StoreError
from engine.kernel import Effect, Millis, StreamKey
from engine.runtime.activity import Activity, Pace
from engine.runtime.clock import Clock
from engine.runtime.job import EFFECTS, Job, effects_of
from engine.runtime.job_worker import PAUSE, JobWorker
from engine.runtime.jobs import Jobs
from engine.runtime.outbox import InProcessOutbox
from engine.runtime.ports import AWAY, EffectHost, IsAbsent, nobody_is_absent
from engine.store.port import PendingEffect, Store

log = logging.getLogger(__name__)

LOOK_EVERY: Final[Millis] = 60_000
"""Between two looks for effects that no job is for, at the longest."""

WATCH_EVERY: Final[Millis] = 1_000
"""Between two looks whether somebody has voided what is not to be done twice."""

PAGE: Final = 500


class JobsOutbox:
    """
    Args:
        tasks: what runs effects in this process.
        is_absent: whose jobs are given back for a while.
        pulse: by which it waits; the machine's.
    """

    def __init__(
        self,
        jobs: Jobs,
        store: Store,
        tasks: InProcessOutbox,
        activity: Activity,
        pulse: Clock,
        pace: Pace,
        is_absent: IsAbsent = nobody_is_absent,
    ) -> None:
        self._is_absent = is_absent
        self._jobs = jobs
        self._store = store
        self._tasks = tasks
        self._pulse = pulse
        self._activity = activity
        self._worker = JobWorker(jobs, EFFECTS, self._do, activity, pulse, pace, self._stop_what_is_never_repeated)
        self._lasts = pace.lasts
        self._watched: dict[tuple[StreamKey, str], PendingEffect] = {}
        """What runs here and is not to be done twice."""
        self._stopped: set[tuple[StreamKey, str]] = set()
        """What was stopped of it, though it is owed still."""
        self._own: list[asyncio.Task[None]] = []
        self._host: EffectHost | None = None

    async def start(self, host: EffectHost) -> None:
        self._host = host
        self._tasks.begin(host)
        await self._find_lost()
        await self._worker.start()
        self._jobs.keep_with(self._worker, self._lasts)
        loops = (self._find_lost_for_ever(), self._watch(host))
        self._own = [asyncio.create_task(each, name="outbox") for each in loops]

    async def close(self) -> None:
        self._host = None
        self._worker.stop()
        for each in self._own:
            each.cancel()
        await asyncio.gather(*self._own, return_exceptions=True)
        await self._tasks.close()

    async def closed(self) -> None:
        await self._worker.close()

    def run(self, pending: PendingEffect, effect: Effect | None = None) -> None:
        if self._jobs.holds(pending.key, pending.effect_id):
            self._watch_over(pending)
            self._tasks.run(pending, effect)
        elif effect is None:
            self._worker.look_what_is_held()  # nobody was told whether it was committed
        else:
            self._worker.wake()

    def let_go(self) -> None:
        self._tasks.let_go()

    async def take_up(self) -> None:
        """Jobs that were given back come again by themselves."""
        self._worker.wake()

    async def running(self, key: StreamKey, among: Collection[str]) -> Collection[str]:
        return (await self._jobs.effects_of(key)).intersection(among)

    def is_expected(self, key: StreamKey, effect_id: str) -> bool:
        return self._tasks.is_expected(key, effect_id)

    def forget(self, key: StreamKey, effect_id: str) -> None:
        self._tasks.forget(key, effect_id)

    async def park(self, pending: PendingEffect) -> None:
        await self._tasks.park(pending)

    def _watch_over(self, pending: PendingEffect) -> None:
        if self._tasks.is_never_repeated(pending):
            self._watched[pending.key, pending.effect_id] = pending

    async def _do(self, job: Job) -> Millis | None:
        try:
            return await self._done_in(job)
        finally:
            for effect_id in job.args["effects"]:
                self._watched.pop((job.key, effect_id), None)

    async def _done_in(self, job: Job) -> Millis | None:
        if self._host is None:
            return 0
        if self._is_absent(job.key.tenant):
            return AWAY
        begun = await self._begun(job, self._host)
        with self._activity.waiting():  # each effect counts for itself
            for effect_id in begun:
                await self._tasks.settled(job.key, effect_id)
        if self._is_absent(job.key.tenant):
            return AWAY
        # On closing, effects stop without an outcome: what is owed still is given back.
        return 0 if self._host is None else None

    async def _begun(self, job: Job, host: EffectHost) -> Collection[str]:
        """Begin what a job is for, as far as it is owed, and return the effects' ids."""
        if job.is_own:
            await asyncio.sleep(0)  # whoever committed it begins it, and has the effects at hand
            running = await self._tasks.running(job.key, job.args["effects"])
            if len(running) == len(job.args["effects"]):
                return running
        owed = effects_of(job, await host.owed(job.key))
        for pending in owed:
            self._watch_over(pending)
            if job.is_anew:
                self._tasks.run_anew(pending)
            else:
                self._tasks.run(pending)
        return [pending.effect_id for pending in owed]

    # ── what happens elsewhere ────────────────────────────────────────────────────────────────────────────────────

    async def _watch(self, host: EffectHost) -> None:
        """Stop what another process has voided, where it does something to the world: nobody may wait for its end."""
        while True:
            await self._pulse.until(self._pulse.after(WATCH_EVERY))
            for key in {key for key, _ in self._watched}:
                with contextlib.suppress(StoreError):
                    owed = await host.owed(key)
                    for stream, effect_id in [*self._watched]:
                        if stream == key and effect_id not in owed:
                            self._tasks.forget(key, effect_id)

    def _stop_what_is_never_repeated(self) -> None:
        """Another process may have said already that it was interrupted, and somebody may begin it anew."""
        for key, effect_id in [*self._watched]:
            if self._tasks.is_undelivered(key, effect_id):
                self._stopped.add((key, effect_id))
                self._tasks.forget(key, effect_id)

    async def _find_lost_for_ever(self) -> None:
        while True:
            # Each process looks at another time.
            await self._pulse.until(self._pulse.after(LOOK_EVERY * random.uniform(0.5, 1)))  # noqa: S311 - no secret
            try:
                await self._find_lost()
                self._worker.look_what_is_held()
            except StoreError as error:
                log.warning("effects without a job are looked for later: %s", error)
                await self._pulse.until(self._pulse.after(PAUSE))

    async def _find_lost(self) -> None:
        """Defer what no job is for. The rows are read first: whatever was committed since has a job."""
        owed: dict[StreamKey, list[str]] = {}
        cursor, before = 0, -1
        while cursor != before:
            before = cursor
            page, cursor = await self._store.pending_effects(cursor, PAGE)
            for pending in page:
                owed.setdefault(pending.key, []).append(pending.effect_id)
        known = await self._jobs.effects() if owed else set()
        for key, effect_ids in owed.items():
            lost = [each for each in effect_ids if (key, each) not in known]
            if lost:
                log.warning("%s owes what no job was for: %s", key.stream, ", ".join(lost))
                await self._jobs.defer_effects(key, lost)
                self._worker.wake()
