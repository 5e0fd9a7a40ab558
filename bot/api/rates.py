"""Rate limits: a token bucket for each token, and a line in the log now and then for tokens that nobody has."""

import logging
from dataclasses import dataclass
from typing import Final

from bot.api.metrics import Meter
from engine.kernel import Millis
from engine.runtime.clock import Clock, Monotonic

log = logging.getLogger(__name__)

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


class WrongTokens:
    """Counts calls with a token that nobody has. The log has a line at the first and then at most once a minute, with
    how many there were: whoever guesses is seen, and does not fill it.
    """

    def __init__(self, clock: Clock, meter: Meter) -> None:
        self._clock = clock
        self._meter = meter
        self._untold = 0
        self._next_line: Monotonic | None = None

    def note(self, address: str) -> None:
        """
        Args:
            address: where it came from.
        """
        self._meter.wrong_tokens.inc()
        self._untold += 1
        now = self._clock.monotonic()
        if self._next_line is None or now >= self._next_line:
            log.warning("%d calls had a token that nobody has, the last one from %s", self._untold, address)
            self._untold, self._next_line = 0, self._clock.after(MINUTE)
