"""When somebody cannot, out of what they hold to as data and of what their calendars say.

Their working days and hours, and the days on which they are away, are the limits that a profile holds (`Days`,
`Hours`, `Notice`). Hours that go on after midnight belong to the day of the week on which they begin. What nobody has
said hinders nobody.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import Struct

from engine.facts.data import WEEKDAYS, Datum, Days, Hours, Notice
from engine.times.clocks import DAY, Seconds, Span, day_number, days_within, on_walls, seconds_of, weekday

USUAL: Final = Hours(start="09:00", end="18:00")
"""The hours that suit most where somebody has not said theirs."""


class ReadCalendar(NamedTuple):
    """When somebody is busy, by their calendar."""

    busy: tuple[Span, ...]
    until: int
    """In seconds of UTC: of what comes later nothing is known."""
    away: tuple[Span, ...] = ()
    """When they have said elsewhere that they are: of other times, that says nothing."""


CalendarLookUp = Callable[[Collection[str]], Awaitable[Mapping[str, ReadCalendar]]]
"""Returns when these users of a tenant are busy, of those whose calendar is known."""


class Availability(Struct, frozen=True, gc=False):
    """When somebody can, as far as they have said so and their calendars are known."""

    limits: tuple[Datum, ...] = ()
    time_zone: str = "UTC"
    """IANA: of the days and hours that name none, which are meant wherever something takes place."""
    busy: tuple[Span, ...] = ()
    has_calendar: bool = False
    """Whether a calendar of theirs was read: then they are free where nothing is in it."""
    home: str = ""
    """IANA: where they are; empty where nobody knows."""
    away: tuple[Span, ...] = ()
    """When they are, of whom nothing else need be known."""

    @property
    def is_known(self) -> bool:
        """Whether anything is known of when they can."""
        return self.has_calendar or bool(self.busy) or any(isinstance(each, Days | Hours) for each in self.limits)

    @property
    def has_hours(self) -> bool:
        return any(isinstance(each, Hours) and each.allowed for each in self.limits)


def taken(available: Availability, now: int, start: int, end: int) -> list[Seconds]:
    """Return when somebody cannot between start and end, in order and apart.

    Args:
        now: notice is given from then on.
    """
    notice = max((each.days for each in available.limits if isinstance(each, Notice)), default=0)
    limits = tuple(each for each in available.limits if isinstance(each, Days | Hours))
    found = [*_unfit(limits, available.time_zone, start, end)]
    if now + notice * DAY > start:
        found.append((start, min(end, now + notice * DAY)))
    for each in (*available.busy, *available.away):
        begins, ends = seconds_of(each)
        if begins < end and start < ends:
            found.append((max(begins, start), min(ends, end)))
    return joined(found)


def joined(spans: Iterable[Seconds]) -> list[Seconds]:
    """Put together what touches; what is empty is left out."""
    found: list[Seconds] = []
    last = None
    for begins, ends in sorted(spans):
        if begins >= ends:
            continue
        if last is not None and begins <= last:
            if ends > last:
                last = ends
                found[-1] = (found[-1][0], ends)
        else:
            found.append((begins, ends))
            last = ends
    return found


def between(spans: Sequence[Seconds], start: int, end: int) -> list[Seconds]:
    """Return what is from start to end and in none of these, which are in order and apart."""
    found, free = [], start
    for begins, ends in spans:
        if begins > free:
            found.append((free, begins))
        free = max(free, ends)
    if free < end:
        found.append((free, end))
    return found


# ── days and hours ────────────────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=2048)
def _unfit(limits: tuple[Days | Hours, ...], time_zone: str, start: int, end: int) -> tuple[Seconds, ...]:
    """Return when a day or an hour does not fit what somebody holds to."""
    found: list[Seconds] = []
    hours = [each for each in limits if isinstance(each, Hours)]
    days = [each for each in limits if isinstance(each, Days)]
    begins_on = _begins_on(days)
    for each in hours:
        shown = joined(_hours(each, time_zone, begins_on if each.allowed else _any_day, start, end))
        found += between(shown, start, end) if each.allowed else shown
    if begins_on is not _any_day and not any(each.allowed for each in hours):
        fitting = joined(_whole_days(time_zone, begins_on, start, end))
        found += between(fitting, start, end)
    for said in days:
        if not said.allowed:
            found += _whole_days(time_zone, _is_one_of(said), start, end)
        elif said.first or said.last:
            fitting = joined(_whole_days(time_zone, _is_from(said), start, end))
            found += between(fitting, start, end)
    return tuple(joined(found))


OnDay = Callable[[int], bool]
"""Whether it is about a day, by its number."""


def _any_day(_: int) -> bool:
    return True


def _begins_on(days: Iterable[Days]) -> OnDay:
    """Return whether hours of somebody begin on a day, by the days of the week that they have said."""
    fitting = [{*map(WEEKDAYS.index, each.weekdays)} for each in days if each.allowed and each.weekdays]
    if not fitting:
        return _any_day
    all_fit = set.intersection(*fitting)
    return lambda number: weekday(number) in all_fit


def _is_from(said: Days) -> OnDay:
    first = day_number(date.fromisoformat(said.first)) if said.first else None
    last = day_number(date.fromisoformat(said.last)) if said.last else None
    return lambda number: (first is None or first <= number) and (last is None or number <= last)


def _is_one_of(said: Days) -> OnDay:
    is_from, named = _is_from(said), {*map(WEEKDAYS.index, said.weekdays)}
    return lambda number: is_from(number) and (not named or weekday(number) in named)


def _whole_days(time_zone: str, is_about: OnDay, start: int, end: int) -> Iterator[Seconds]:
    for number in days_within(time_zone, start, end):
        if is_about(number):
            yield from on_walls(time_zone, number * DAY, (number + 1) * DAY, start, end)


def _hours(said: Hours, time_zone: str, is_about: OnDay, start: int, end: int) -> Iterator[Seconds]:
    zone = said.time_zone or time_zone
    opens, closes = clock(said.start), clock(said.end) or DAY
    closes += DAY if closes <= opens else 0
    for number in days_within(zone, start, end):
        if is_about(number):
            yield from on_walls(zone, number * DAY + opens, number * DAY + closes, start, end)


def outside_usual(time_zone: str, start: int, end: int) -> list[Seconds]:
    """Return when it is outside the usual hours of a zone."""
    return [*_unfit((USUAL,), time_zone, start, end)]


def clock(said: str) -> int:
    """Return the seconds from midnight to a time of day; 0 where none is said."""
    return int(said[:2]) * 3600 + int(said[3:5]) * 60 if said else 0
