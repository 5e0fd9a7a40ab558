"""Where what somebody has just clicked may be changed, without a token and at no method's expense."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from engine.clock import Clock
from engine.kernel import Millis, Tenant

USES: Final = 5
LIFETIME: Final[Millis] = 29 * 60_000
"""Slack gives it half an hour, by its own clock."""

MOST: Final = 10_000
"""Of the messages that were clicked; whoever clicked longest ago is forgotten first."""

Spot = tuple[Tenant, str, str]
"""A message: its channel and ts in a workspace."""


@dataclass(slots=True)
class _Url:
    url: str
    until: Millis
    uses: int = USES


class ResponseUrls:
    """In memory only: without one, a message is changed like any other."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._urls: OrderedDict[Spot, list[_Url]] = OrderedDict()

    def keep(self, tenant: Tenant, channel: str, ts: str, url: str) -> None:
        """From the payload of a click on this message."""
        spot = (tenant, channel, ts)
        self._urls.setdefault(spot, []).append(_Url(url, self._clock.now() + LIFETIME))
        self._urls.move_to_end(spot)
        while len(self._urls) > MOST:
            self._urls.popitem(last=False)

    def has(self, tenant: Tenant, channel: str, ts: str) -> bool:
        return self._freshest((tenant, channel, ts)) is not None

    def take(self, tenant: Tenant, channel: str, ts: str) -> str | None:
        """One use of the newest; None where there is none left."""
        found = self._freshest((tenant, channel, ts))
        if found is None:
            return None
        found.uses -= 1
        return found.url

    def drop(self, tenant: Tenant, channel: str, ts: str) -> None:
        """Slack takes them no more, or nobody knows what became of the last one."""
        self._urls.pop((tenant, channel, ts), None)

    def _freshest(self, spot: Spot) -> _Url | None:
        now = self._clock.now()
        left = [each for each in self._urls.get(spot, ()) if each.uses and each.until > now][-USES:]
        if not left:
            self._urls.pop(spot, None)
            return None
        self._urls[spot] = left
        return left[-1]
