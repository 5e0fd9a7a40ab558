"""Writes iCalendar exports for tests, and reads when somebody is busy out of them, in October and November 2026."""

from collections.abc import Sequence
from datetime import UTC, datetime

from engine.times.busy import read_export
from engine.times.clocks import Span, span_of

AUTUMN = Span(datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC))
"""In Berlin, clocks go back on October 25, and in New York on November 1."""
BERLIN = "Europe/Berlin"


def export(*lines: str) -> bytes:
    return "\r\n".join(
        ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Made//Up//EN", *lines, "END:VCALENDAR", ""]
    ).encode()


def event(*lines: str, uid: str = "one") -> tuple[str, ...]:
    return "BEGIN:VEVENT", f"UID:{uid}", *lines, "END:VEVENT"


def of_event(*lines: str) -> bytes:
    return export(*event(*lines))


def busy(content: bytes, zone: str = BERLIN, window: Span = AUTUMN) -> Sequence[str]:
    """Return from and until when somebody is busy, in UTC, such as ``10-20 07:00 - 10-20 08:00``."""
    return [shown(span_of(*each)) for each in read_export(content, window, zone).busy]


def shown(span: Span) -> str:
    return f"{span.start:%m-%d %H:%M} - {span.end:%m-%d %H:%M}"
