"""Calls that are carried out after whoever made them has lost the connection."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


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
