"""When somebody asked, as dates are counted from it."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from engine.kernel import Millis


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


@lru_cache(maxsize=1024)
def _asked(at: Millis, time_zone: str) -> Asked:
    """Remembered, since all that is compared in a stream is compared as of one day."""
    zone = zone_of(time_zone)
    return Asked(datetime.fromtimestamp(at / 1000, UTC).astimezone(zone).date(), zone.key)


@lru_cache(maxsize=256)
def zone_of(name: str) -> ZoneInfo:
    """The time zone of that name; UTC if there is none."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def local_day(now: Millis, time_zone: str) -> str:
    """The ISO date there; in UTC where the zone is unknown."""
    return datetime.fromtimestamp(now / 1000, UTC).astimezone(zone_of(time_zone)).date().isoformat()
