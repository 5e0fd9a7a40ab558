"""The time zone of the machine, which holds where nobody knows a person's own."""

import os
import re
import time
from collections.abc import Mapping, MutableMapping
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import tzlocal

FOLDER: Final = "/zoneinfo/"
"""In the paths of time zones' files."""
FIXED: Final = re.compile(r"(?:[A-Za-z]{3,32}|<[A-Za-z0-9+-]{3,32}>)([+-]?)(\d{1,2})(?::00){0,2}")
"""What POSIX says of a zone that is always so many hours off: west of Greenwich they are positive."""
WEST: Final = 12
EAST: Final = 14
"""Hours that there are zones for."""


_unknown: Final[list[str]] = []


def settle(environ: MutableMapping[str, str]) -> None:
    """Put UTC in the place of a TZ that names no zone: a library dies of some at its import.

    `unknown_zone` has what was said.
    """
    said = environ.get("TZ", "").strip()
    if said and not zone_named(said):
        _unknown.append(said)
        environ["TZ"] = "UTC"
        if hasattr(time, "tzset"):
            time.tzset()


def unknown_zone(environ: Mapping[str, str]) -> str:
    """Return what TZ says, or said before it was settled, where that names no zone."""
    said = environ.get("TZ", "").strip()
    return said if said and not zone_named(said) else next(iter(_unknown), "")


def machine_time_zone() -> str:
    """Return its IANA name; ``UTC`` where the machine has none that is known."""
    if said := os.environ.get("TZ", ""):
        return zone_named(said) or "UTC"
    try:
        return tzlocal.get_localzone_name() or "UTC"
    except (ZoneInfoNotFoundError, OSError):
        return "UTC"


def zone_named(said: str) -> str:
    """Return the IANA name of what TZ says; empty where there is none, as of POSIX's rules for summer time."""
    name = said.removeprefix(":").rpartition(FOLDER)[2]
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        pass
    fixed = FIXED.fullmatch(name)
    if fixed is None:
        return ""
    hours = int(fixed[2]) * (-1 if fixed[1] == "-" else 1)
    if not hours:
        return "UTC"
    return f"Etc/GMT{hours:+d}" if -EAST <= hours <= WEST else ""
