"""When a new direct message may go out: by what its reader has chosen, and by what time it is where they are. Pure."""

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.views.kit.post import Post
from engine.kernel import Millis, Tenant
from engine.runtime.clock import Clock, Monotonic

NEVER: Final[Millis] = 1 << 62
"""It does not go out by itself."""


class Quiet(NamedTuple):
    """From when to when nothing new is sent, as clocks on the wall show it; past midnight where the end is earlier."""

    start: time
    end: time


@dataclass(frozen=True, slots=True)
class Choices:
    """How one person wants to be told."""

    wants_steps: bool = False
    """Whether they get the posts that tell only of a step."""
    wants_digest: bool = False
    """Whether they get the posts that a digest lists in digests alone."""
    quiet: Quiet | None = None


ChoicesOf = Callable[[Tenant, str], Awaitable[Choices]]
"""Returns a user's choices; raises `StoreError`."""


async def nothing_chosen(tenant: Tenant, user: str) -> Choices:
    return Choices()


def goes_out(post: Post, choices: Choices, zone: str, now: Millis) -> Millis:
    """Return when a new direct message may go out: not after ``now`` for at once, or `NEVER`.

    Args:
        zone: IANA; empty or unknown where nobody knows where its reader is, and then no hour is quiet.
    """
    if (post.is_step and not choices.wants_steps) or (post.in_digest and choices.wants_digest):
        return NEVER
    return after_quiet(now, post.until, choices, zone)


def after_quiet(now: Millis, until: Millis, choices: Choices, zone: str) -> Millis:
    """Return when the quiet hours end that it is now; ``now`` outside of them, and where something cannot wait.

    A question waits only if at least half of the time is left then that is left now. So it is asked while there is
    time to think about it, and how long it has waited changes nothing about when it goes out.

    Args:
        until: when the question must be answered; 0 where nothing is asked.
    """
    place = _zone(zone)
    if choices.quiet is None or place is None:
        return now
    end = _end(now, choices.quiet, place)
    if until > now and until - end < (until - now) / 2:
        return now
    return end


def next_time(after: Millis, times: tuple[time, ...], zone: str) -> Millis:
    """Return the first moment after ``after`` when a clock on the wall shows one of these times.

    Args:
        zone: IANA; UTC's hours count where it is unknown.
    """
    place = _zone(zone) or ZoneInfo("UTC")
    return min(each for each in _moments(after, times, place) if each > after)


def _end(now: Millis, quiet: Quiet, place: ZoneInfo) -> Millis:
    if not _is_quiet(now, quiet, place):
        return now
    ends = _moments(now, (quiet.end,), place)
    return min(each for each in ends if each > now and not _is_quiet(each, quiet, place))


def _is_quiet(at: Millis, quiet: Quiet, place: ZoneInfo) -> bool:
    shown = _shown(at, place).time()
    if quiet.start < quiet.end:
        return quiet.start <= shown < quiet.end
    return shown >= quiet.start or shown < quiet.end


def _moments(around: Millis, times: tuple[time, ...], place: ZoneInfo) -> list[Millis]:
    """Return when clocks show these times on the day of a moment and on the two after it.

    A time that is shown twice is meant both times; of one that is left out, so much later is meant.
    """
    day = _shown(around, place).date()
    found = []
    for each in times:
        for ahead in range(3):
            first, second = (
                round(datetime.combine(day + timedelta(ahead), each.replace(fold=fold), place).timestamp() * 1000)
                for fold in (0, 1)
            )
            found += [first, second] if second > first else [first]
    return found


def _shown(at: Millis, place: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(place)


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


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
