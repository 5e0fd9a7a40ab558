"""The time zone of the machine, which holds where nobody knows a person's own."""

from zoneinfo import ZoneInfoNotFoundError

import tzlocal


def machine_time_zone() -> str:
    """Return its IANA name; ``UTC`` where the machine has none that is known."""
    try:
        return tzlocal.get_localzone_name() or "UTC"
    except (ZoneInfoNotFoundError, OSError):
        return "UTC"
