"""Message timestamps: Slack's ids, unique and increasing in one workspace."""

from __future__ import annotations

from collections.abc import Callable

Now = Callable[[], float]
"""Seconds since 1970."""


class Timestamps:
    """Issues "1700000000.000100", rising even while the clock stands still or jumps back."""

    def __init__(self, now: Now) -> None:
        self._now = now
        self._last = 0  # microseconds

    def advance_past(self, ts: str) -> None:
        """Issue only timestamps after this one, which was issued before a restart."""
        self._last = max(self._last, micros(ts))

    def next(self) -> str:
        self._last = max(int(self._now() * 1_000_000), self._last + 1)
        return f"{self._last // 1_000_000}.{self._last % 1_000_000:06d}"


def micros(ts: str) -> int:
    """A timestamp as microseconds since 1970, for comparisons."""
    seconds, _, rest = ts.partition(".")
    return int(seconds) * 1_000_000 + int((rest + "000000")[:6])
