"""Knows whether anything is under way, so that a clock may jump when nothing else can happen.

Much work that comes at once is done piece by piece, so that the event loop serves others in between.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from engine.kernel import Millis


class Activity:
    """Counts what is under way; waiting for the clock does not count."""

    def __init__(self) -> None:
        self._count = 0
        self._still = asyncio.Event()
        self._still.set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """A task that counts from now on, not only from when it gets its first turn."""
        self._begin()
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(self._end)
        return task

    @contextmanager
    def busy(self) -> Iterator[None]:
        self._begin()
        try:
            yield
        finally:
            self._end()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Inside of something that counts: what follows only waits for the clock."""
        self._end()
        try:
            yield
        finally:
            self._begin()

    @property
    def is_idle(self) -> bool:
        return not self._count

    async def idle(self) -> None:
        # Something may have begun between the wake-up and our turn.
        while self._count:
            await self._still.wait()

    def _begin(self) -> None:
        self._count += 1
        self._still.clear()

    def _end(self, _: object = None) -> None:
        self._count -= 1
        if not self._count:
            self._still.set()


SECONDS: Final = 0.001
"""For so long turns are given in one pass of the event loop. Whoever clicks waits for some ten passes."""


class Turns:
    """Who comes while a pass of the event loop has time goes on in it. The others wait in line, in the order in which
    they came, and in each of the next passes as many of them go on as there is time for; one at least.

    Args:
        seconds: for how long turns are given in one pass.
        now: seconds, from any beginning.
    """

    def __init__(self, seconds: float = SECONDS, now: Callable[[], float] = time.perf_counter) -> None:
        self._seconds = seconds
        self._now = now
        self._line: deque[asyncio.Future[None]] = deque()
        self._began: float | None = None
        """When the pass began in which turns are given; None where nobody has taken one since the last."""
        self._released = 0
        """How many of the line go on in this pass."""
        self._at_once = 1
        """How many of the line there was time for in the pass before."""

    async def take(self) -> None:
        place = self.place()
        if place is not None:
            await place

    def place(self) -> asyncio.Future[None] | None:
        """Return a place in line; None where there is time at once.

        It is done once it is its turn. Whoever cannot wait any longer sets its result, or cancels it.
        """
        if not self._line:
            if self._began is None:
                self._begin_pass(0)
                return None
            if self._now() - self._began < self._seconds:
                return None
        place = asyncio.get_running_loop().create_future()
        self._line.append(place)
        return place

    def _begin_pass(self, released: int) -> None:
        self._began, self._released = self._now(), released
        asyncio.get_running_loop().call_soon(self._end_pass)

    def _end_pass(self) -> None:
        """Called when all that have gone on in this pass are done with it."""
        if self._released:
            self._at_once = self._fitting(self._released)
        released = 0
        while self._line and released < self._at_once:
            place = self._line.popleft()
            if not place.done():
                place.set_result(None)
                released += 1
        if released:
            self._begin_pass(released)
        else:
            self._began = None

    def _fitting(self, released: int) -> int:
        """Return how many there is time for, going by how long these took; never many more than these."""
        took = self._now() - self._began if self._began is not None else 0.0
        most = 2 * released
        return most if took * 2 <= self._seconds else max(1, int(released * self._seconds / took))


class Pace(NamedTuple):
    """How jobs are taken."""

    poll: Millis = 500
    """Between two looks for jobs that others have deferred, or that have come due."""
    lasts: Millis = 30_000
    """For how long a worker counts as there after it said so: others do then what it was doing."""
    most: int = 4_000
    """Jobs done at once. A place costs nothing while its job waits, and most of them do, for a model or for their turn:
    there are more places than one tenant can take."""
    listen: bool = False
    """Whether it is told at once of jobs that others have deferred: not through every connection pooler."""


PACE = Pace()
