"""What time it is, and how long to wait. A clock that jumps stands in where nobody should have to wait.

People's deadlines are moments of the wall clock, and the rules decide by it. Every wait inside this process is a moment
of the monotonic clock: whoever sets the machine's time, by hand or by NTP, neither prolongs nor shortens it.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Final, NewType, Protocol

from engine.kernel import Millis, StreamKey
from engine.runtime.streams import Loaded
from engine.store.port import Alarm

Monotonic = NewType("Monotonic", int)
"""Milliseconds since a moment that nobody knows: it never goes back, and means nothing in another process."""


class Clock(Protocol):
    def now(self) -> Millis:
        """The wall clock's time, which may be set back or forward."""

    def monotonic(self) -> Monotonic: ...

    def after(self, millis: float) -> Monotonic:
        """The moment that comes so many milliseconds from now; from now on where they are negative."""

    def seconds_until(self, due: Millis) -> float:
        """Real seconds to a moment of the wall clock; 0 when it has passed."""

    async def until(self, due: Monotonic) -> None: ...


class WallClock:
    """The machine's."""

    def now(self) -> Millis:
        return time.time_ns() // 1_000_000

    def monotonic(self) -> Monotonic:
        return Monotonic(time.monotonic_ns() // 1_000_000)

    def after(self, millis: float) -> Monotonic:
        return Monotonic(self.monotonic() + max(0, round(millis)))

    def seconds_until(self, due: Millis) -> float:
        return max(0.0, (due - self.now()) / 1000)

    async def until(self, due: Monotonic) -> None:
        await asyncio.sleep(max(0.0, (due - self.monotonic()) / 1000))


class JumpingClock:
    """Runs like the machine's, or stands still from ``start`` on, and jumps when told to."""

    def __init__(self, start: Millis | None = None) -> None:
        self._machine = WallClock()
        self._frozen = start
        self._set_by: Millis = 0
        """By how much the wall clock was set, against what has passed."""
        self._jumped_over: Millis = 0
        self._jumped = asyncio.Event()
        self._waiting: list[Monotonic] = []

    @classmethod
    def running_from(cls, start: Millis) -> "JumpingClock":
        """Return a clock that shows ``start`` now and runs like the machine's."""
        clock = cls()
        clock.set_wall(start)
        return clock

    def now(self) -> Millis:
        return (self._machine.now() if self._frozen is None else self._frozen) + self._set_by + self._jumped_over

    def monotonic(self) -> Monotonic:
        return Monotonic((self._machine.monotonic() if self._frozen is None else 0) + self._jumped_over)

    def after(self, millis: float) -> Monotonic:
        return Monotonic(self.monotonic() + max(0, round(millis)))

    def seconds_until(self, due: Millis) -> float:
        return max(0.0, (due - self.now()) / 1000)

    async def until(self, due: Monotonic) -> None:
        self._waiting.append(due)
        try:
            while (left := due - self.monotonic()) > 0:
                patience = left / 1000 if self._frozen is None else None
                with contextlib.suppress(TimeoutError):
                    # `wait_for` of Python 3.11 swallows it where this is cancelled as the clock jumps.
                    async with asyncio.timeout(patience):
                        await self._jumped.wait()
        finally:
            self._waiting.remove(due)

    @property
    def waiting(self) -> int:
        """How many wait for it."""
        return len(self._waiting)

    @property
    def next_wake(self) -> Millis | None:
        """The soonest time that somebody waits for, as the wall clock will show it."""
        return wall_time(self, min(self._waiting)) if self._waiting else None

    def jump(self, to: Millis) -> None:
        """Let the time until then pass at once; never backwards."""
        self._jumped_over += max(0, to - self.now())
        self._jumped.set()
        self._jumped = asyncio.Event()

    def set_wall(self, to: Millis) -> None:
        """Set the wall clock, back or forward, as a person or NTP sets it: no time passes."""
        self._set_by += to - self.now()


def wall_time(clock: Clock, due: Monotonic) -> Millis:
    """What the wall clock will show then, unless somebody sets it."""
    return clock.now() + due - clock.monotonic()


async def until_or_event(clock: Clock, due: Monotonic, sooner: asyncio.Event) -> None:
    """Return at a moment, or once an event is set, whichever comes first."""
    waits = (asyncio.create_task(clock.until(due)), asyncio.create_task(sooner.wait()))
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in waits:
            each.cancel()
        await asyncio.gather(*waits, return_exceptions=True)


HeldUp = Callable[[StreamKey], Millis]
"""For how long a stream's machines have waited for their turn, altogether."""

LONGEST: Final[Millis] = 1_800_000
"""Of what is given on top."""


def not_at_all(_: StreamKey) -> Millis:
    return 0


def over_at(key: StreamKey, due: Millis, held_up: HeldUp) -> Millis:
    """Return when the time of a stream's machines is over that was to end at ``due``."""
    return due + min(held_up(key), LONGEST)


def held_until(alarm: Alarm, loaded: Loaded, held_up: HeldUp) -> Millis:
    """Return when an alarm rings: when it is due, or later where it ends the time of machines alone."""
    ends_theirs = loaded.rulebook.ends_machines_time(loaded.state, alarm.name)
    return over_at(alarm.key, alarm.due, held_up) if ends_theirs else alarm.due
