"""How busy the workspace is, so that others can wait until it is not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Activity:
    """Counts running API calls and unacknowledged envelopes."""

    def __init__(self) -> None:
        self._running = 0
        self._stirred = asyncio.Event()

    @contextmanager
    def busy(self) -> Iterator[None]:
        self._running += 1
        self._stirred.set()
        try:
            yield
        finally:
            self._running -= 1
            self._stirred.set()

    async def idle(self, quiet: float) -> None:
        """Returns once nothing ran for `quiet` seconds on end (an app acks first and posts a moment later)."""
        while True:
            self._stirred.clear()
            try:
                await asyncio.wait_for(self._stirred.wait(), quiet)
            except TimeoutError:
                if self._running == 0:
                    return
