"""When somebody asked, as dates are counted from it, and what a reader has found in a text."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Generic, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from engine.kernel import Millis

Value = TypeVar("Value")

_RANGES = (("０", "９"), ("Ａ", "Ｚ"), ("ａ", "ｚ"))
_WIDE = {chr(code): chr(code - 0xFEE0) for first, last in _RANGES for code in range(ord(first), ord(last) + 1)}
_USUAL = str.maketrans(_WIDE | {"：": ":", "～": "~", "＋": "+", "　": " "})
"""Full-width letters and digits to their usual forms, one for one, so that positions stay."""

LONGEST = 8_000
"""Characters that are read; what follows is not."""


def in_usual_forms(text: str) -> str:
    """As much of a text as is read, without full-width letters and digits; all positions stay."""
    read = text[:LONGEST]
    return read if read.isascii() else read.translate(_USUAL)


@dataclass(frozen=True, slots=True)
class Asked:
    """The day on which somebody asked, where they are."""

    day: date
    time_zone: str = "UTC"
    """IANA."""

    @classmethod
    def at(cls, at: Millis, time_zone: str = "") -> "Asked":
        """An unknown time zone counts as UTC."""
        return _asked(at, time_zone)


@dataclass(frozen=True, slots=True)
class Found(Generic[Value]):
    """Something in a text, from ``start`` to ``end``."""

    value: Value
    start: int
    end: int


@lru_cache(maxsize=1024)
def _asked(at: Millis, time_zone: str) -> Asked:
    """Remembered, since all that is read in a stream is read as of one day."""
    zone = zone_of(time_zone)
    return Asked(datetime.fromtimestamp(at / 1000, UTC).astimezone(zone).date(), zone.key)


@lru_cache(maxsize=256)
def zone_of(name: str) -> ZoneInfo:
    """The time zone of that name; UTC if there is none."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def blanked(text: str, *found: Found[Value]) -> str:
    """The text with those passages replaced by a mark that no reader knows; all positions stay."""
    for each in found:
        text = text[: each.start] + "\x00" * (each.end - each.start) + text[each.end :]
    return text


def local_day(now: Millis, time_zone: str) -> str:
    """The ISO date there; in UTC where the zone is unknown."""
    return datetime.fromtimestamp(now / 1000, UTC).astimezone(zone_of(time_zone)).date().isoformat()
