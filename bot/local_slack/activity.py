"""Counts what is running in the workspace, and keeps calls that are carried out after whoever made them has gone."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any


class Activity:
    """Counts running API calls and unacknowledged envelopes."""

    def __init__(self) -> None:
        self._running = 0
        self._changed = asyncio.Event()

    @contextmanager
    def busy(self) -> Iterator[None]:
        self._running += 1
        self._changed.set()
        try:
            yield
        finally:
            self._running -= 1
            self._changed.set()

    async def idle(self, quiet: float) -> None:
        """Returns once nothing ran for `quiet` seconds on end (an app acks first and posts a moment later)."""
        while True:
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), quiet)
            except TimeoutError:
                if self._running == 0:
                    return


class LateCalls:
    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def put_off(self, call: Coroutine[Any, Any, None]) -> None:
        """Run it in the background. It does not count as activity: nobody knows of it yet."""
        task = asyncio.create_task(call)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def __len__(self) -> int:
        """How many were not carried out yet."""
        return len(self._tasks)

    async def close(self) -> None:
        """Forget those that were not carried out yet."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
