"""Knows whether anything is under way, so that a clock may jump when nothing else can happen."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any


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
