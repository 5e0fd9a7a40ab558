"""Knows whether anything is under way, so that a clock may jump when nothing else can happen."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Activity:
    """Counts what is under way; waiting for the clock does not count."""

    def __init__(self) -> None:
        self._count = 0
        self._still = asyncio.Event()
        self._still.set()

    @contextmanager
    def busy(self) -> Iterator[None]:
        self._count += 1
        self._still.clear()
        try:
            yield
        finally:
            self._count -= 1
            if not self._count:
                self._still.set()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Inside of `busy`: what follows only waits for the clock."""
        self._count -= 1
        if not self._count:
            self._still.set()
        try:
            yield
        finally:
            self._count += 1
            self._still.clear()

    @property
    def is_idle(self) -> bool:
        return not self._count

    async def idle(self) -> None:
        await self._still.wait()
