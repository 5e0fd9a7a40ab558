"""Keeps the URLs by which a message that was just clicked can be changed, without a token and beside all limits."""

import logging
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from engine.kernel import Millis, Tenant
from engine.runtime.clock import Clock, Monotonic

log = logging.getLogger(__name__)

SLACK: Final = ("slack.com", "slack-gov.com")
"""Domains that Slack's URLs are in."""
HTTPS_PORTS: Final = (None, 443)

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
    """The newest URL of each message. It is not stored: without one, a message is updated with `chat.update`.

    Args:
        api_url: where the Web API is called. Where that is no address of Slack's, such as the local workspace, URLs of
            the same origin are kept, too.
    """

    def __init__(self, clock: Clock, api_url: str = "") -> None:
        self._clock = clock
        self._origin = _origin(_split(api_url)) if api_url else None
        self._urls: OrderedDict[Spot, _Url] = OrderedDict()

    def keep(self, tenant: Tenant, channel: str, ts: str, url: str) -> None:
        """Keep the URL from the payload of a click on this message, unless it leads away from Slack."""
        if not self._is_trusted(url):
            log.warning("a click came with a response_url that is not Slack's; it is not called")
            return
        spot = (tenant, channel, ts)
        self._urls[spot] = _Url(url, self._clock.after(LIFETIME))
        self._urls.move_to_end(spot)
        while len(self._urls) > MOST:
            self._urls.popitem(last=False)

    def _is_trusted(self, url: str) -> bool:
        parts = _split(url)
        if parts is None or parts.username is not None or parts.password is not None:
            return False
        host = parts.hostname or ""
        is_slacks = any(host == each or host.endswith(f".{each}") for each in SLACK)
        if is_slacks and parts.scheme == "https" and parts.port in HTTPS_PORTS:
            return True
        return self._origin is not None and _origin(parts) == self._origin

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


def _split(url: str) -> SplitResult | None:
    """Return its parts; None where it is none, or where programs would read it differently."""
    if not url.isascii() or any(each in url for each in "\\ \t\r\n"):
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port  # only now it is read
    except ValueError:
        return None
    return parts


def _origin(parts: SplitResult | None) -> tuple[str, str, int | None] | None:
    return (parts.scheme, parts.hostname or "", parts.port) if parts is not None else None
