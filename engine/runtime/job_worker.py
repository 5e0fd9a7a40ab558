"""Takes jobs of one queue and does each in a task, for as long as the database knows that this process is there."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from engine.errors import StoreError
from engine.kernel import Millis
from engine.runtime.activity import Activity, Pace
from engine.runtime.clock import Clock, Monotonic, until_or_event
from engine.runtime.job import Job
from engine.runtime.jobs import Jobs

log = logging.getLogger(__name__)

PAUSE: Final[Millis] = 1_000
"""Before the database is asked again that has not answered, and before a job is tried again because of it."""

BEATS: Final = 6
"""In the time for which a worker lasts."""

PAGE: Final = 100
"""Jobs taken at once."""

FORGOTTEN_AFTER: Final = 20
"""Times for which a worker lasts, until nothing is known of it any more."""


Handler = Callable[[Job], Awaitable[Millis | None]]
"""Does a job. Returns None once it is done, or after how many milliseconds somebody is to take it again."""


def _nothing() -> None: ...


class JobWorker:
    """
    Args:
        activity: counts what is under way, and the look for jobs that follows `wake`.
        pulse: by which it waits; the machine's.
        lost: called when this process was away for too long: others may do what it was doing.
    """

    def __init__(
        self,
        jobs: Jobs,
        queue: str,
        handler: Handler,
        activity: Activity,
        pulse: Clock,
        pace: Pace,
        lost: Callable[[], None] = _nothing,
    ) -> None:
        self._jobs = jobs
        self._queue = queue
        self._handler = handler
        self._activity = activity
        self._pulse = pulse
        self._pace = pace
        self._lost = lost
        self._worker = 0
        self._wanted = asyncio.Event()
        self._look: asyncio.Future[None] | None = None
        """The next look, which is under way for whoever asked for it."""
        self._doing: dict[tuple[int, int], asyncio.Task[None]] = {}
        """By worker and job: this process may take one again, as another worker, that it was away from for too long."""
        self._done: dict[int, Millis | None] = {}
        """What became of those that the database is to be told of."""
        self._own: list[asyncio.Task[None]] = []
        self._is_taking = False
        self._may_hold_more = False
        """Whether the database may believe of jobs that they are under way here, of which nothing is known here."""

    @property
    def name(self) -> int:
        return self._worker

    @property
    def room(self) -> int:
        return max(0, self._pace.most - len(self._doing)) if self._is_taking else 0

    async def start(self) -> None:
        self._worker = await self._jobs.join()
        await self._jobs.retry_stalled(self._queue, self._pace.lasts)  # a process before this one had begun it
        self._is_taking = True
        loops = [self._look_for_ever(), self._beat_for_ever()]
        if self._pace.listen:
            loops.append(self._listen_for_ever())
        self._own = [asyncio.create_task(each, name=f"worker of {self._queue}") for each in loops]
        self.wake()

    def wake(self) -> None:
        """Look for jobs now: one was deferred."""
        self._wanted.set()
        if self._look is None and self._is_taking:
            self._look = asyncio.get_running_loop().create_future()
            self._activity.spawn(_wait(self._look))

    def look_what_is_held(self) -> None:
        """Do what was deferred for this process by a commit of unknown outcome."""
        self._may_hold_more = True
        self.wake()

    def keep(self, job: Job, worker: int) -> None:
        self._doing[worker, job.id] = self._activity.spawn(self._do(job, worker))

    def release(self, job: int, worker: int) -> None:
        self._doing.pop((worker, job), None)
        if worker == self._worker:
            self._done.pop(job, None)

    def stop(self) -> None:
        """Take nothing more. What is being done is finished, and others do not take it."""
        self._is_taking = False
        self._looked()

    async def close(self) -> None:
        """Leave once running jobs have returned, and give back the others."""
        self.stop()
        await asyncio.gather(*self._doing.values(), return_exceptions=True)
        for each in self._own:
            each.cancel()
        await asyncio.gather(*self._own, return_exceptions=True)
        try:
            await self._tell()
            await self._jobs.leave(self._worker)
        except StoreError as error:
            log.warning("jobs are not given back, and others find out by themselves: %s", error)

    async def _look_for_ever(self) -> None:
        while True:
            self._wanted.clear()
            look, self._look = self._look, None
            pause = self._pace.poll
            try:
                await self._tell()
                await self._take_what_is_held()
                await self._take_all()
            except StoreError as error:
                log.warning("%s waits for the store: %s", self._queue, error)
                pause = PAUSE
            finally:
                _resolve(look)
            await until_or_event(self._pulse, self._pulse.after(pause), self._wanted)

    async def _take_all(self) -> None:
        while (most := min(self.room, PAGE)) > 0:
            worker = self._worker
            jobs = await self._jobs.fetch(self._queue, worker, most)
            for job in jobs:
                self.keep(job, worker)
            if len(jobs) < most:
                return

    async def _take_what_is_held(self) -> None:
        if self._may_hold_more and self._is_taking:
            worker = self._worker
            held = await self._jobs.held(self._queue, worker)
            self._may_hold_more = False
            for job in held:
                if worker == self._worker and (worker, job.id) not in self._doing and job.id not in self._done:
                    self.keep(job, worker)

    async def _do(self, job: Job, worker: int) -> None:
        again: Millis | None = None
        try:
            again = await self._handler(job)
        except StoreError as error:
            log.warning("a job of %s waits for the store: %s", job.key.stream, error)
            again = PAUSE
        except Exception:
            # The rows are the truth: what is left to do there is found by the sweep.
            log.exception("a job of %s failed", job.key.stream)
        finally:
            self._jobs.forget(job)
            if self._doing.get((worker, job.id)) is asyncio.current_task():  # else the database knows already
                del self._doing[worker, job.id]
                if worker == self._worker:  # else it is another's by now
                    self._done[job.id] = again
                self.wake()

    async def _tell(self) -> None:
        """Have the database know what became of jobs; what it does not take is told again."""
        told = dict(self._done)
        done = [job for job, again in told.items() if again is None]
        if done:
            await self._jobs.finish(done, self._worker)
        for after in {each for each in told.values() if each is not None}:
            ids = [job for job, again in told.items() if again == after]
            await self._jobs.put_back(ids, self._worker, after)
        for job in told:
            self._done.pop(job, None)

    async def _beat_for_ever(self) -> None:
        lasts = self._pace.lasts
        until = self._pulse.after(lasts)
        while True:
            await self._pulse.until(self._pulse.after(lasts / BEATS))
            began = self._pulse.after(0)
            if self._pulse.after(lasts / BEATS) >= until:
                self._lost()  # whether or not the database can be asked: others may, and think that we are gone
            try:
                if not await self._jobs.beat(self._worker, lasts):
                    await self._begin_anew()
                until = Monotonic(began + lasts)
                if await self._jobs.retry_stalled(self._queue, lasts):
                    log.warning("jobs of %s are done again whose worker has ended", self._queue)
                    self.wake()
                await self._jobs.forget_workers(lasts * FORGOTTEN_AFTER)
            except StoreError as error:
                log.warning("this process cannot say that it is there: %s", error)

    async def _begin_anew(self) -> None:
        log.warning("this process was away for too long; others may be doing what it did")
        self._worker = await self._jobs.join()
        self._done.clear()
        self._lost()

    async def _listen_for_ever(self) -> None:
        while True:
            try:
                await self._jobs.listen(self._queue, self._wanted.set)
            except StoreError as error:
                log.warning("%s is looked for, since nobody tells of it: %s", self._queue, error)
            await self._pulse.until(self._pulse.after(PAUSE))

    def _looked(self) -> None:
        look, self._look = self._look, None
        _resolve(look)


async def _wait(look: "asyncio.Future[None]") -> None:
    await look


def _resolve(look: "asyncio.Future[None] | None") -> None:
    if look is not None and not look.done():
        look.set_result(None)
