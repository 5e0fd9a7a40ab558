"""A circuit breaker: after some failures in a row it suspends questions for a while, then lets one test the API.

A failure is one question's, however often it was tried, so that a single question never suspends the others. Whoever
may not call waits, as long as their own time lasts, and goes on once the API answers again.

Source: Nygard, "Release It!", 2nd edition, 2018, "Circuit Breaker"; the numbers are seed 000's, section 6.2.1.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Final

from engine.kernel import Millis, StreamKey
from engine.runtime.clock import Clock, Monotonic, until_or_event

THRESHOLD: Final = 3
"""Failures in a row."""
RECOVERY: Final = 30.0
"""Seconds."""


class CallsSuspended(Exception):
    """Calls are suspended at the moment, and will be for longer than the caller may wait."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"calls are suspended for another {seconds:.0f} s")


class CircuitBreaker:
    def __init__(self, clock: Clock, threshold: int = THRESHOLD, recovery: float = RECOVERY) -> None:
        self._clock = clock
        self._threshold = threshold
        self._recovery: Millis = round(1000 * recovery)
        self._failures = 0
        self._open_until: Monotonic | None = None
        """When the next call may be made; None while the circuit is closed."""
        self._probe: object | None = None
        """The one call that tests the API after the suspension."""
        self._settled = asyncio.Event()
        """Set once the call that tests the API has ended, and replaced."""
        self._watchers: list[Callable[[], None]] = []
        self.times_opened = 0
        self.waiting = 0
        """How many callers wait until calls are made again."""

    def watch(self, opened: Callable[[], None]) -> None:
        """Let somebody know each time that calls are suspended, or stay so."""
        self._watchers.append(opened)

    @property
    def is_open(self) -> bool:
        return self._open_until is not None

    @property
    def seconds_left(self) -> float:
        """Until the next call tests the API; 0 while calls are made, or while one tests it."""
        return max(0, (self._open_until or 0) - self._clock.monotonic()) / 1000 if self.is_open else 0.0

    @property
    def again_at(self) -> Monotonic:
        """When the next call may be made; now while calls are made, or while one tests the API."""
        return max(self._open_until or Monotonic(0), self._clock.monotonic())

    @asynccontextmanager
    async def call(
        self, until: Monotonic, waiting: AbstractContextManager[None] | None = None
    ) -> AsyncIterator["CallResult"]:
        """Wrap one call, or several in a row; the caller sets ``failed`` on the result.

        A result that was never set, because the call was cancelled, changes nothing.

        Args:
            until: as long as calls are suspended, wait until then at most.
            waiting: entered for as long as it waits, if it has to.

        Raises:
            CallsSuspended: the call must not be made.
        """
        with waiting if waiting is not None and self.is_open else nullcontext():
            result = await self._admitted(until)
        try:
            yield result
        finally:
            self._settle(result)

    async def _admitted(self, until: Monotonic) -> "CallResult":
        result = CallResult()
        self.waiting += 1
        try:
            while self._open_until is not None:
                now = self._clock.monotonic()
                if self._probe is None and self._open_until <= now:
                    self._probe = result
                    result.is_probe = True
                    return result
                # A suspension ends by itself; whoever tests the API says when they know.
                due = self._open_until if self._probe is None else until
                if until <= now or due > until:
                    raise CallsSuspended(self.seconds_left)
                await until_or_event(self._clock, due, self._settled)
            return result
        finally:
            self.waiting -= 1

    def _settle(self, result: "CallResult") -> None:
        is_probe = self._probe is result
        if is_probe:
            self._probe = None
            self._settled.set()
            self._settled = asyncio.Event()
        if result.failed is None or (self.is_open and not is_probe):
            return  # a call that began before the suspension says nothing about the API now
        if not result.failed:
            self._failures, self._open_until = 0, None
            return
        self._failures += 1
        if is_probe or self._failures >= self._threshold:
            self.times_opened += not is_probe
            self._open_until = self._clock.after(self._recovery)
            for each in self._watchers:
                each()


class CallResult:
    """Whether one call failed."""

    def __init__(self) -> None:
        self.failed: bool | None = None
        """None while the call is unfinished, or if it was cancelled."""
        self.is_probe = False
        """Whether it tests the API after a suspension."""


MOST_KNOWN: Final = 10_000
"""Demands; of those that have waited the longest ago, it is forgotten."""


@dataclass(slots=True)
class _Waits:
    since: Monotonic
    """When the first of those that wait now began to."""
    waiting: int = 0
    """Questions, now."""
    before: Millis = 0
    """Altogether, without those that wait now."""


def demand_of(key: StreamKey) -> str:
    """Return what a stream is known as where demands take turns."""
    return f"{key.tenant} {key.stream}"


class HeldUp:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._demands: OrderedDict[str, _Waits] = OrderedDict()

    @contextmanager
    def waiting(self, demand: str) -> Iterator[None]:
        """Count the time within as waited. Where several wait at once, it passes once."""
        waits = self._demands.pop(demand, None) or _Waits(self._clock.monotonic())
        self._demands[demand] = waits
        if len(self._demands) > MOST_KNOWN:
            self._demands.popitem(last=False)
        if not waits.waiting:
            waits.since = self._clock.monotonic()
        waits.waiting += 1
        try:
            yield
        finally:
            waits.waiting -= 1
            if not waits.waiting:
                waits.before += self._clock.monotonic() - waits.since

    def millis(self, demand: str) -> Millis:
        """Return for how long any question of a demand has waited, up to now."""
        waits = self._demands.get(demand)
        if waits is None:
            return 0
        return waits.before + (self._clock.monotonic() - waits.since if waits.waiting else 0)
