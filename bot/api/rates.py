"""Rate limits: a token bucket for each token."""

from dataclasses import dataclass
from typing import Final

from engine.kernel import Millis
from engine.runtime.clock import Clock, Monotonic

MINUTE: Final[Millis] = 60_000


@dataclass(slots=True)
class _Bucket:
    calls: float
    """How many calls may still be made."""
    at: Monotonic


class Rates:
    """
    Args:
        per_minute: for each token, on average; so many may come at once, too.
    """

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}

    def wait(self, token: str) -> float:
        """Take one call from a token's bucket.

        Returns:
            0 where there was one; else the seconds until there is.
        """
        now = self._clock.monotonic()
        bucket = self._buckets.setdefault(token, _Bucket(self._per_minute, now))
        fresh = (now - bucket.at) * self._per_minute / MINUTE
        bucket.calls, bucket.at = min(self._per_minute, bucket.calls + fresh), now
        if bucket.calls < 1:
            return (1 - bucket.calls) * 60 / self._per_minute
        bucket.calls -= 1
        return 0.0
