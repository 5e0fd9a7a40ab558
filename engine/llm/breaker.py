"""Keeps calls from an API that does not answer: after some failures in a row nobody calls for a while, then one does.

Source: Nygard, "Release It!", 2nd edition, 2018, "Circuit Breaker"; the numbers are seed 000's, section 6.2.1.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from engine.kernel import Millis
from engine.runtime.clock import Clock

THRESHOLD: Final = 3
"""Failures in a row."""
RECOVERY: Final = 30.0
"""Seconds."""


class Suspended(Exception):
    """Nobody may call just now."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"calls are suspended for another {seconds:.0f} s")


class Breaker:
    def __init__(self, clock: Clock, threshold: int = THRESHOLD, recovery: float = RECOVERY) -> None:
        self._clock = clock
        self._threshold = threshold
        self._recovery: Millis = round(1000 * recovery)
        self._failures = 0
        self._open_until: Millis | None = None
        """When it may be tried again; None while everybody may call."""
        self._probe: object | None = None
        """Who tries, once it is time."""
        self.times_opened = 0

    @property
    def is_open(self) -> bool:
        return self._open_until is not None

    @contextmanager
    def call(self) -> Iterator["Verdict"]:
        """Around one call; whoever makes it says what became of it.

        A call of which nobody said anything, because it was cancelled, proves nothing: the next one may try.

        Raises:
            Suspended: it is not made.
        """
        verdict = Verdict()
        if self._open_until is not None:
            left = self._open_until - self._clock.now()
            if left > 0 or self._probe is not None:
                raise Suspended(max(left, 0) / 1000)
            self._probe = verdict
        try:
            yield verdict
        finally:
            self._settle(verdict)

    def _settle(self, verdict: "Verdict") -> None:
        is_probe = self._probe is verdict
        if is_probe:
            self._probe = None
        if verdict.failed is None or (self.is_open and not is_probe):
            return  # what began before it opened says nothing about now
        if not verdict.failed:
            self._failures, self._open_until = 0, None
            return
        self._failures += 1
        if is_probe or self._failures >= self._threshold:
            self.times_opened += not is_probe
            self._open_until = self._clock.now() + self._recovery


class Verdict:
    """What became of one call."""

    def __init__(self) -> None:
        self.failed: bool | None = None
        """None while nobody knows."""
