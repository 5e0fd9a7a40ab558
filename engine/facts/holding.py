"""Holds what somebody demands against what a plan says: met, broken, or unknown.

It is careful: what a plan leaves open is unknown, neither met nor broken. A datum is held against a person's own part,
or against the whole, whichever `Part` is given; this module does not tell them apart.
"""

from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from engine.facts.circumstances import Money, People, When
from engine.facts.data import WEEKDAYS, Datum, Days, Deadline, Effort, Hours, Notice, Place, Weeks, is_empty
from engine.facts.places import same_city

Status = Literal["met", "broken", "unknown"]

DAY: Final = 24 * 60
"""Minutes."""
MOST_DAYS: Final = 400
"""A longer time holds every day of the week, and more."""
NOT_SAID: Final = People()
NO_SUM: Final = Money()
SOME_TIME: Final = When()
PAID: Final = Money(amount=1)
"""Demanded by whoever works for a fee, and says of no sum that it is one."""


class Part(Struct, frozen=True, gc=False):
    """What a plan says of one person's part, or of the whole. What it does not say is empty, 0 or None."""

    when: When = SOME_TIME
    """On some or all of these days, which may be open, and from when until when on each."""
    weeks: tuple[int, int] | None = None
    """The first and the last week of the plan in which there is something to do."""
    place: Place | None = None
    people: People = NOT_SAID
    money: Money = NO_SUM
    hours: float | None = None
    """Of work, in all."""
    hours_a_day: float | None = None
    hours_a_week: float | None = None
    ready: date | None = None
    """When it is done."""
    days_ahead: int | None = None
    """How many days before it takes place something is known or done."""


class Finding(Struct, frozen=True, gc=False):
    """Whether a datum is kept. ``found`` is what the plan says, as a datum of its kind; None where that is open."""

    status: Status
    found: Datum | None = None


UNKNOWN: Final = Finding("unknown")


def holds(wanted: Datum, part: Part) -> Finding:
    """Compare a datum with what a plan says. One that demands nothing is unknown."""
    if is_empty(wanted):
        return UNKNOWN
    compare: Callable[[Any, Part], Finding] = _COMPARED[type(wanted)]
    return compare(wanted, part)


def _found(is_met: bool, found: Datum) -> Finding:
    return Finding("met" if is_met else "broken", found)


# ── when ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _days(wanted: Days, part: Part) -> Finding:
    """All days fit, none does, or some do: then it is open on which of them it takes place."""
    span = part.when.days
    if span is None or part.when.exact == "vague":
        return UNKNOWN
    first, last = span
    count = min((last - first).days + 1, MOST_DAYS)
    fitting = sum(_is_among(first + timedelta(each), wanted) == wanted.allowed for each in range(count))
    if 0 < fitting < count:
        return UNKNOWN
    return _found(fitting == count, Days(first=part.when.first, last=part.when.last))


def _is_among(day: date, wanted: Days) -> bool:
    if wanted.weekdays and WEEKDAYS[day.weekday()] not in wanted.weekdays:
        return False
    return (not wanted.first or wanted.first <= day.isoformat()) and (not wanted.last or day.isoformat() <= wanted.last)


def _hours(wanted: Hours, part: Part) -> Finding:
    """A time whose end is open can break an hour and never meets it."""
    opens, closes = _minutes(part.when.start), _minutes(part.when.end)
    shift = _shift(wanted.time_zone, part.when)
    if opens is None or shift is None:
        return UNKNOWN
    starts, ends = _minutes(wanted.start) or 0, _minutes(wanted.end)
    ends = DAY if ends is None else ends if ends > starts else ends + DAY
    taken = opens + shift, (opens + 1 if closes is None else opens + ((closes - opens) % DAY or DAY)) + shift
    turns = [(starts + each, ends + each) for each in (-DAY, 0, DAY)]
    is_within = any(start <= taken[0] and taken[1] <= end for start, end in turns)
    is_apart = not any(taken[0] < end and start < taken[1] for start, end in turns)
    found = Hours(start=part.when.start, end=part.when.end, time_zone=part.when.time_zone)
    if closes is not None:
        return _found(is_within if wanted.allowed else is_apart, found)
    is_broken = is_apart if wanted.allowed else is_within
    return Finding("broken", found) if is_broken else UNKNOWN


def _minutes(clock: str) -> int | None:
    return int(clock[:2]) * 60 + int(clock[3:5]) if clock else None


def _shift(time_zone: str, when: When) -> int | None:
    """Return how many minutes the clock there is ahead of the plan's; None where that cannot be told."""
    if not time_zone or time_zone == when.time_zone:
        return 0
    there, here = _zone(time_zone), _zone(when.time_zone)
    if there is None or here is None or not when.first:
        return None
    noon = datetime.combine(date.fromisoformat(when.first), time(12), tzinfo=here)
    ahead, own = noon.astimezone(there).utcoffset(), noon.utcoffset()
    return None if ahead is None or own is None else round((ahead - own).total_seconds() / 60)


@cache
def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):
        return None


def _weeks(wanted: Weeks, part: Part) -> Finding:
    if part.weeks is None:
        return UNKNOWN
    first, last = part.weeks
    found = Weeks(first=first, last=last)
    bound = wanted.last or max(last, wanted.first)
    if wanted.allowed:
        return _found(wanted.first <= first and last <= bound, found)
    return _found(last < wanted.first or bound < first, found)


def _deadline(wanted: Deadline, part: Part) -> Finding:
    ready = part.ready or (part.when.days[1] if part.when.days else None)
    return UNKNOWN if ready is None else _found(ready.isoformat() <= wanted.day, Deadline(day=ready.isoformat()))


def _notice(wanted: Notice, part: Part) -> Finding:
    ahead = part.days_ahead
    return UNKNOWN if ahead is None else _found(ahead >= wanted.days, Notice(days=max(0, ahead)))


# ── where, how many, for how much ─────────────────────────────────────────────────────────────────────────────────


def _place(wanted: Place, part: Part) -> Finding:
    there = part.place
    if there is None or not (there.city or there.online):
        return UNKNOWN
    if wanted.online and (there.online or not wanted.city):
        return _found(there.online == wanted.allowed, there)
    if there.online and not there.city:
        return _found(not wanted.allowed, there)
    is_same = same_city(wanted.city, there.city)
    return UNKNOWN if is_same is None else _found(is_same == wanted.allowed, there)


def _people(wanted: People, part: Part) -> Finding:
    least, most = part.people.at_least, part.people.at_most
    if (wanted.at_most and least > wanted.at_most) or (wanted.at_least and most and most < wanted.at_least):
        return Finding("broken", part.people)
    if (wanted.at_most and not 0 < most <= wanted.at_most) or (wanted.at_least and least < wanted.at_least):
        return UNKNOWN
    return Finding("met", part.people)


def _money(wanted: Money, part: Part) -> Finding:
    """Money that is there may be meant for something else, so that there is enough never meets a sum."""
    there = part.money
    if wanted.none:
        return UNKNOWN
    if wanted == PAID and (there.amount or there.per_head):
        return Finding("met", there)
    if there.none:
        return Finding("broken", there)
    same = not wanted.currency or not there.currency or wanted.currency == there.currency
    is_less = (there.amount and wanted.amount > there.amount) or (there.per_head and wanted.per_head > there.per_head)
    return Finding("broken", there) if same and is_less else UNKNOWN


def _effort(wanted: Effort, part: Part) -> Finding:
    hours = {"whole": part.hours, "day": part.hours_a_day, "week": part.hours_a_week}[wanted.per]
    return UNKNOWN if hours is None else _found(hours <= wanted.hours, Effort(hours=hours, per=wanted.per))


_COMPARED: Final[Mapping[type, Callable[[Any, Part], Finding]]] = {
    Days: _days,
    Hours: _hours,
    Weeks: _weeks,
    People: _people,
    Money: _money,
    Place: _place,
    Notice: _notice,
    Effort: _effort,
    Deadline: _deadline,
}


# ── what is moved ─────────────────────────────────────────────────────────────────────────────────────────────────


def moved_to(wanted: Datum, when: When) -> When | None:
    """Return the time of a plan as somebody wants it; None where they want nothing of it, or only what it is not."""
    if isinstance(wanted, Days) and wanted.allowed and wanted.first and not wanted.weekdays:
        exact = "day" if wanted.first == wanted.last else "span"
        return replace(when, said="", first=wanted.first, last=wanted.last or wanted.first, exact=exact)
    if isinstance(wanted, Hours) and wanted.allowed:
        return replace(when, said="", start=wanted.start or when.start, end=wanted.end or when.end)
    return None


def is_within(when: When, bounds: When) -> bool:
    """Whether a time is within another, as far as that one is said."""
    if (bounds.first and when.first < bounds.first) or (bounds.last and when.last > bounds.last):
        return False
    return (not bounds.start or when.start >= bounds.start) and (not bounds.end or when.end <= bounds.end)
