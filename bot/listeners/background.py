"""Work that nobody waits for, such as a private sentence: it is done at most once, and a restart forgets it."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final

from engine.runtime.activity import Activity

GRACE: Final = 1.0
"""Seconds that work under way is given on closing."""


class BackgroundTasks:
    def __init__(self) -> None:
        self.activity = Activity()
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start the work, and keep its task until it has ended."""
        task = self.activity.spawn(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """Give what is under way a moment, then cancel it."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=GRACE)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
