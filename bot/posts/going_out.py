"""When a new direct message may go out: by what its reader has chosen, and by what time it is where they are. Pure."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.views.kit.post import Post
from engine.kernel import Millis, Tenant

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
