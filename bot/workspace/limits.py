"""Slack's rate limits: per method and workspace, and for posting per channel. Off until switched on."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .clock import Now


@dataclass(frozen=True)
class Rate:
    """`burst` calls at once, then `per_second` on average."""

    per_second: float
    burst: int


POST = Rate(1.0, 4)
TIER_3 = Rate(50 / 60, 50)
TIER_4 = Rate(100 / 60, 100)

RATES = {
    "chat.postMessage": POST,
    "chat.update": TIER_3,
    "chat.delete": TIER_3,
    "conversations.replies": TIER_3,
    "conversations.history": TIER_3,
    "conversations.open": TIER_3,
    "chat.postEphemeral": TIER_4,
    "views.open": TIER_4,
    "views.update": TIER_4,
    "views.push": TIER_4,
    "views.publish": TIER_4,
    "users.info": TIER_4,
}


class Limits:
    """Token buckets, one for each method (chat.postMessage: one for each channel too)."""

    def __init__(self, now: Now) -> None:
        self._now = now
        self.on = False
        self._buckets: dict[str, tuple[float, float]] = {}  # method and channel -> (calls left, when counted)

    def switch(self, on: bool) -> None:
        self.on = on
        self._buckets.clear()

    def wait(self, method: str, channel: str | None) -> int | None:
        """Seconds to wait if this call is one too many, else None (and it counts)."""
        rate = RATES.get(method)
        if not self.on or rate is None:
            return None
        bucket = f"{method} {channel}" if rate is POST else method
        now = self._now()
        left, since = self._buckets.get(bucket, (float(rate.burst), now))
        left = min(float(rate.burst), left + (now - since) * rate.per_second)
        if left < 1:
            self._buckets[bucket] = (left, now)
            return max(1, math.ceil((1 - left) / rate.per_second))
        self._buckets[bucket] = (left - 1, now)
        return None
