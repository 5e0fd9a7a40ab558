"""A circuit breaker: after some failures in a row it suspends questions for a while, then lets one test the API.

A call is one question, with all its retries, so that a single question never suspends the others.

Source: Nygard, "Release It!", 2nd edition, 2018, "Circuit Breaker"; the numbers are seed 000's, section 6.2.1.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from engine.kernel import Millis
from engine.runtime.clock import Clock, Monotonic

THRESHOLD: Final = 3
"""Failures in a row."""
RECOVERY: Final = 30.0
"""Seconds."""


class CallsSuspended(Exception):
    """Calls are suspended at the moment."""

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
        self.times_opened = 0

    @property
    def is_open(self) -> bool:
        return self._open_until is not None

    @contextmanager
    def call(self) -> Iterator["CallResult"]:
        """Wrap one call; the caller sets ``failed`` on the result.

        A result that was never set, because the call was cancelled, changes nothing.

        Raises:
            CallsSuspended: the call must not be made.
        """
        result = CallResult()
        if self._open_until is not None:
            left = self._open_until - self._clock.monotonic()
            if left > 0 or self._probe is not None:
                raise CallsSuspended(max(left, 0) / 1000)
            self._probe = result
        try:
            yield result
        finally:
            self._settle(result)

    def _settle(self, result: "CallResult") -> None:
        is_probe = self._probe is result
        if is_probe:
            self._probe = None
        if result.failed is None or (self.is_open and not is_probe):
            return  # a call that began before the suspension says nothing about the API now
        if not result.failed:
            self._failures, self._open_until = 0, None
            return
        self._failures += 1
        if is_probe or self._failures >= self._threshold:
            self.times_opened += not is_probe
            self._open_until = self._clock.after(self._recovery)


class CallResult:
    """Whether one call failed."""

    def __init__(self) -> None:
        self.failed: bool | None = None
        """None while the call is unfinished, or if it was cancelled."""
