"""Counts what is running in the workspace, so that others can wait until nothing is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


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
