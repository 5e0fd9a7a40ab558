"""What time it is. A clock that jumps stands in where nobody should have to wait."""

import asyncio
import contextlib
import time
from typing import Protocol

from engine.kernel import Millis


class Clock(Protocol):
    def now(self) -> Millis: ...

    def seconds_until(self, due: Millis) -> float:
        """Real seconds; 0 when it has passed."""

    async def until(self, due: Millis) -> None: ...


class WallClock:
    """The machine's."""

    def now(self) -> Millis:
        return time.time_ns() // 1_000_000

    def seconds_until(self, due: Millis) -> float:
        return max(0.0, (due - self.now()) / 1000)

    async def until(self, due: Millis) -> None:
        await asyncio.sleep(self.seconds_until(due))


class JumpingClock:
    """Runs like the machine's, or stands still from ``start`` on, and jumps when told to; never backwards."""

    def __init__(self, start: Millis | None = None) -> None:
        self._wall = WallClock()
        self._frozen = start
        self._offset: Millis = 0
        self._jumped = asyncio.Event()
        self._waiting: list[Millis] = []

    @classmethod
    def running_from(cls, start: Millis) -> "JumpingClock":
        """Return a clock that shows ``start`` now and runs like the machine's."""
        clock = cls()
        clock._offset = start - clock.now()
        return clock

    def now(self) -> Millis:
        return (self._wall.now() if self._frozen is None else self._frozen) + self._offset

    def seconds_until(self, due: Millis) -> float:
        return max(0.0, (due - self.now()) / 1000)

    async def until(self, due: Millis) -> None:
        self._waiting.append(due)
        try:
            while self.now() < due:
                patience = self.seconds_until(due) if self._frozen is None else None
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._jumped.wait(), patience)
        finally:
            self._waiting.remove(due)

    @property
    def next_wake(self) -> Millis | None:
        """The soonest time that somebody waits for."""
        return min(self._waiting, default=None)

    def jump(self, to: Millis) -> None:
        self._offset += max(0, to - self.now())
        self._jumped.set()
        self._jumped = asyncio.Event()
