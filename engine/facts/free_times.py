"""When somebody has time, as data, held against when something takes place. What is not said hinders nobody."""

from collections.abc import Collection, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from engine.facts.circumstances import When
from engine.facts.data import WEEKDAYS, Days, Hours, Weekday
from engine.facts.holding import Part, holds

Times = Sequence[tuple[str, str]]
"""Of a day, each from and until when on a clock of 24 hours; ``24:00`` is its end."""


class FreeTime(Struct, frozen=True, gc=False):
    """Days of the week on which somebody has time; of each only these hours, where there are any."""

    weekdays: tuple[Weekday, ...] = WEEKDAYS
    hours: tuple[tuple[str, str], ...] = ()
    notice: int = 0
    """How many days ahead they are to be asked for these days."""


def is_free(free: Sequence[FreeTime], when: When, parts: Times, zones: Collection[str], today: date) -> bool:
    """Whether somebody has time on one of the days, at least when it begins.

    Args:
        parts: of the day, where no hour is said: it is in one of them.
        zones: of the clocks that ``free`` may be of; it is enough that one of them fits.
    """
    if when.days is None or when.exact not in ("day", "span"):
        return True
    begins = replace(when, end="", time_zone=when.time_zone or next(filter(None, zones), ""))
    fits = []
    for each in free:
        days = holds(Days(weekdays=each.weekdays), Part(when=when)).status
        if each.notice:
            if days == "met" and (when.days[0] - today).days < each.notice:
                return False
            if len(each.weekdays) == len(WEEKDAYS):
                continue  # it says nothing of when
        fits.append(days != "broken" and _is_then(each.hours, begins, parts, zones))
    return not fits or any(fits)


def _is_then(hours: Times, begins: When, parts: Times, zones: Collection[str]) -> bool:
    wanted = [Hours(start=first, end=last, time_zone=zone) for first, last in hours for zone in zones]
    if begins.start and wanted:
        return any(holds(each, Part(when=begins)).status != "broken" for each in wanted)
    if begins.start or not (hours and parts):
        return True
    return any(first < end and start < last for first, last in hours for start, end in parts)


def hours_a_week(free: Sequence[FreeTime]) -> float:
    """Return the most hours that somebody can have within these times; 0 where they are not bounded."""
    if not all(each.hours for each in free):
        return 0
    return sum(len(each.weekdays) * (int(last[:2]) - int(first[:2])) for each in free for first, last in each.hours)
