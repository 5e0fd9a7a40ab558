"""How often we may call, so that Slack seldom has to tell us: a pace for each method and workspace."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.posts.patience import Patience
from engine.kernel import Millis, Tenant

POST: Final = "chat.postMessage"
UPDATE: Final = "chat.update"
REPLIES: Final = "conversations.replies"
HISTORY: Final = "conversations.history"


@dataclass(frozen=True, slots=True)
class Rate:
    """``burst`` calls at once, then ``per_minute`` on average."""

    per_minute: float
    burst: int


SLACK_RATES: Final[Mapping[str, Rate]] = {
    POST: Rate(60, 4),
    UPDATE: Rate(50, 10),
    REPLIES: Rate(50, 10),
    HISTORY: Rate(50, 10),
}
"""Slack's published limits; posting is limited for each channel."""

UNLIMITED: Final[Mapping[str, Rate]] = {}
"""For the local workspace. A 429 is honoured all the same."""


class Lane(NamedTuple):
    """What is paced together."""

    tenant: Tenant
    method: str
    channel: str = ""
    """Only where the limit is one for each channel."""


def lane(tenant: Tenant, method: str, channel: str) -> Lane:
    return Lane(tenant, method, channel if method == POST else "")


class Budget:
    def __init__(self, rates: Mapping[str, Rate], patience: Patience) -> None:
        self._rates = rates
        self._patience = patience
        self._booked: dict[Lane, float] = {}
        """Until when a lane is booked out, at its average pace."""
        self._held: dict[tuple[Tenant, str], Millis] = {}

    async def turn(self, lane: Lane) -> bool:
        """Returns when the call may be made: whether that took any waiting."""
        now = self._patience.clock.now()
        due = self._book(lane, now)
        if due <= now:
            return False
        while True:
            await self._patience.until(due)
            now = self._patience.clock.now()
            if self._held.get(lane[:2], 0) <= now:
                return True
            due = self._book(lane, now)

    def hold(self, lane: Lane, until: Millis) -> None:
        """Slack said "too many": nobody calls this method in this workspace before then."""
        self._held[lane[:2]] = max(until, self._held.get(lane[:2], 0))

    def _book(self, lane: Lane, now: Millis) -> Millis:
        """When the next call may be made. Whoever asked first goes first."""
        held = self._held.get(lane[:2], 0)
        rate = self._rates.get(lane.method)
        if rate is None:
            return max(now, held)
        pace, allowance = 60_000 / rate.per_minute, (rate.burst - 1) * 60_000 / rate.per_minute
        booked = max(self._booked.get(lane, 0.0), now)
        if held > now:
            booked = max(booked, held + allowance)  # no burst right after being told off
        self._booked[lane] = booked + pace
        return max(now, held, round(booked - allowance))
