"""Reads an iCalendar export in a process of its own: from bytes to when somebody is busy, and nothing else."""

import json
import subprocess
import sys
from typing import Final, NamedTuple

from engine.times import calendar_reading
from engine.times.clocks import Seconds, Span

LARGEST: Final = 10 * 1024 * 1024
"""Bytes of an export."""
LONGEST: Final = 2 * calendar_reading.LONGEST
"""Seconds that reading may take by the clock, where the machine has more to do."""


class UnreadableCalendar(Exception):
    """An export that cannot be read rightly: whoever guessed would call somebody free who is not.

    Args:
        reason: ``no_calendar``, ``cut`` (it breaks off), ``no_time``, ``no_rule``, ``no_zone`` or ``too_much``.
        about: the name of the time zone that nobody knows.
    """

    def __init__(self, reason: str, about: str = "") -> None:
        super().__init__(f"The calendar cannot be read: {reason} {about}".strip())
        self.reason = reason
        self.about = about


class Export(NamedTuple):
    """When somebody is busy, in order and apart from each other, within the window, to the second."""

    busy: tuple[Seconds, ...]
    meetings: dict[str, tuple[Seconds, ...]]
    """To which ToWow has invited them, by what it calls the meeting; they are not among the others."""


def read_export(content: bytes, window: Span, zone: str) -> Export:
    """Wait for a process that reads an export: for a thread, since meanwhile the loop goes on.

    Args:
        zone: of its owner, by its IANA name: of days, and of times that name none.

    Raises:
        UnreadableCalendar: it is none, is broken, or says more than anybody does.
        OSError: no process can be started here.
    """
    if len(content) > LARGEST:
        raise UnreadableCalendar(calendar_reading.TOO_MUCH)
    asked = {"window": [each.timestamp() for each in window], "zone": zone}
    command = [sys.executable, "-I", calendar_reading.__file__]
    given = json.dumps(asked).encode() + b"\n" + content
    try:
        done = subprocess.run(command, input=given, capture_output=True, timeout=LONGEST)  # noqa: S603 - our own file
    except subprocess.TimeoutExpired:
        raise UnreadableCalendar(calendar_reading.TOO_MUCH) from None
    if done.returncode:  # it was ended for its time, or for its memory
        raise UnreadableCalendar(calendar_reading.TOO_MUCH)
    said = json.loads(done.stdout)
    if "refused" in said:
        raise UnreadableCalendar(said["refused"], said["about"])
    return Export(_pairs(said["busy"]), {name: _pairs(each) for name, each in said["meetings"].items()})


def _pairs(said: list[list[int]]) -> tuple[Seconds, ...]:
    return tuple((begins, ends) for begins, ends in said)
