"""Keeps the URLs by which a message that was just clicked can be changed, without a token and beside all limits."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from engine.kernel import Millis, Tenant
from engine.runtime.clock import Clock, Monotonic

USES: Final = 5
LIFETIME: Final[Millis] = 29 * 60_000
"""Slack's own clock gives it half an hour."""

MOST: Final = 10_000
"""Messages with a URL; the one that was clicked longest ago is dropped first."""

Spot = tuple[Tenant, str, str]
"""A message: its channel and ts in a workspace."""


@dataclass(slots=True)
class _Url:
    url: str
    until: Monotonic
    uses: int = USES


class ResponseUrls:
    """The newest URL of each message. It is not stored: without one, a message is updated with `chat.update`."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._urls: OrderedDict[Spot, _Url] = OrderedDict()

    def keep(self, tenant: Tenant, channel: str, ts: str, url: str) -> None:
        """Keep the URL from the payload of a click on this message."""
        spot = (tenant, channel, ts)
        self._urls[spot] = _Url(url, self._clock.after(LIFETIME))
        self._urls.move_to_end(spot)
        while len(self._urls) > MOST:
            self._urls.popitem(last=False)

    def has(self, tenant: Tenant, channel: str, ts: str) -> bool:
        return self._usable((tenant, channel, ts)) is not None

    def take(self, tenant: Tenant, channel: str, ts: str) -> str | None:
        """Use the URL once; None where no use is left."""
        found = self._usable((tenant, channel, ts))
        if found is None:
            return None
        found.uses -= 1
        return found.url

    def drop(self, tenant: Tenant, channel: str, ts: str) -> None:
        """Forget the URL: Slack refuses it, or the result of its last use is unknown."""
        self._urls.pop((tenant, channel, ts), None)

    def _usable(self, spot: Spot) -> _Url | None:
        found = self._urls.get(spot)
        if found is not None and (not found.uses or found.until <= self._clock.monotonic()):
            del self._urls[spot]
            return None
        return found
