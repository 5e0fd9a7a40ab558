"""What a condition, a wish or a limit demands of a plan, as data, and whether the plan meets it.

`engine.lexicon.constraint_texts` reads constraints from what people write. `hold` compares one with the facts of a
plan, carefully: what the facts leave open is unknown, neither met nor broken. Times of day are minutes since midnight;
those after midnight go on beyond 1440.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import cache, lru_cache
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from engine.facts.circumstances import Money, People

Status = Literal["met", "broken", "unknown"]

DAY: Final = 24 * 60
"""Minutes."""
NOT_SAID: Final = People()
NO_SUM: Final = Money()
LONGEST_EVENT: Final = 8 * 60
"""Minutes that something lasts of which only the beginning is known."""
ONLINE: Final = "online"
ON_SITE: Final = "on site"


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """Everything takes place between ``start`` and ``end``; if not ``allowed``, nothing does."""

    start: int
    end: int
    allowed: bool = True
    time_zone: str = ""
    """IANA; empty: wherever the plan takes place."""
    own: bool = False
    """Said of one's own part, which may be less than the whole."""


@dataclass(frozen=True, slots=True)
class Weekdays:
    """Only on these days of the week, or on none of them. Monday is 0."""

    days: frozenset[int]
    allowed: bool = True


@dataclass(frozen=True, slots=True)
class Dates:
    """Only from ``first`` to ``last``, or on none of these days. None: there is no such bound."""

    first: date | None
    last: date | None
    allowed: bool = True


@dataclass(frozen=True, slots=True)
class Weeks:
    """Only in the weeks ``first`` to ``last`` of the plan, or in none of them. The first week is 1; 0: no end."""

    first: int
    last: int = 0
    allowed: bool = True


@dataclass(frozen=True, slots=True)
class Place:
    """Only in this place, or not there: a city by its English name, `ONLINE` or `ON_SITE`."""

    name: str
    allowed: bool = True
    own: bool = False
    """Said of oneself: who takes part from afar asks nobody else to."""
    part: str = ""
    """The district of the city that was named, in lower case."""


@dataclass(frozen=True, slots=True)
class GroupSize:
    """How many people take part; 0: there is no such bound."""

    at_least: int = 0
    at_most: int = 0


@dataclass(frozen=True, slots=True)
class Pay:
    """There is money for it: at least ``amount`` in whole units, where one was named."""

    amount: int = 0
    currency: str = ""


@dataclass(frozen=True, slots=True)
class Effort:
    """At most so many hours of work."""

    hours: float
    per: Literal["week", "day", "whole"] = "whole"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something is known or done so many days before it takes place. ``words`` say what."""

    days: int
    words: frozenset[str] = frozenset()


Constraint = TimeOfDay | Weekdays | Dates | Weeks | Place | GroupSize | Pay | Effort | Notice


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text demands: of each group at least one constraint, and of all groups."""

    groups: tuple[tuple[Constraint, ...], ...] = ()
    complete: bool = False
    """Whether the text says nothing besides."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """Something that the plan has ready so many days before it takes place."""

    words: frozenset[str]
    days: int


@dataclass(frozen=True, slots=True)
class Facts:
    """What a plan says of one person's part. What it does not say is None, empty or 0."""

    first: date | None = None
    last: date | None = None
    """It takes place on some or all of the days in between; which ones may be open."""
    opens: int | None = None
    closes: int | None = None
    is_own: bool = False
    """Whether that is the person's own time, and not the whole plan's."""
    core: tuple[int, int] | None = None
    """Set where only a part of the day is known ("in the evening"): the part of it that everybody calls so."""
    time_zone: str = ""
    weeks: tuple[int, int] | None = None
    """The first and the last week of the plan in which the person has something to do; 0: the last is not known."""
    place: str = ""
    """In the demand's words, or `ONLINE`."""
    is_own_online: bool = False
    """Whether the person takes part from afar, wherever the rest of it is."""
    people: People = NOT_SAID
    money: Money = NO_SUM
    efforts: tuple[tuple[str, float], ...] = ()
    """What hours of work are counted per, and how many they are."""
    prepared: tuple[Prepared, ...] = ()

    def with_people(self, people: People) -> "Facts":
        return replace(self, people=people)


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether a constraint is met. ``fact`` names what decided it, and ``values`` are its own words in a sentence."""

    status: Status
    fact: str = ""
    values: tuple[tuple[str, Any], ...] = ()


UNKNOWN: Final = Finding("unknown")


def hold_reading(reading: Reading, facts: Facts) -> Finding:
    """Hold everything that a text demands against a plan.

    Broken if something in it is, whatever else the text says; met only if the text was understood as a whole.
    """
    found = [_hold_group(each, facts) for each in reading.groups]
    broken = next((each for each in found if each.status == "broken"), None)
    if broken is not None:
        return broken
    if reading.complete and found and all(each.status == "met" for each in found):
        return found[0]
    return UNKNOWN


def _hold_group(group: tuple[Constraint, ...], facts: Facts) -> Finding:
    found = [hold(each, facts) for each in group]
    met = next((each for each in found if each.status == "met"), None)
    if met is not None:
        return met
    return found[0] if found and all(each.status == "broken" for each in found) else UNKNOWN


def hold(constraint: Constraint, facts: Facts) -> Finding:
    compare: Callable[[Any, Facts], Finding] = _COMPARED[type(constraint)]
    return compare(constraint, facts)


def _found(met: bool, fact: str, **values: Any) -> Finding:
    return Finding("met" if met else "broken", fact, tuple(values.items()))


# ── when ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _time_of_day(wanted: TimeOfDay, facts: Facts) -> Finding:
    opens, closes = facts.opens, facts.closes
    shift = _shift(wanted.time_zone, facts)
    if opens is None or shift is None:
        return UNKNOWN
    ends = opens + 1 if closes is None else opens + ((closes - opens) % DAY or DAY)
    stretch = (opens + shift, ends + shift)
    within, apart = _is_within(stretch, wanted), _is_apart(stretch, wanted)
    if facts.core is not None:
        core = (facts.core[0] + shift, facts.core[1] + shift)
        met = within if wanted.allowed else apart
        broken = apart if wanted.allowed else _is_within(core, wanted) or _is_within((wanted.start, wanted.end), core)
    elif wanted.own and not facts.is_own:  # their part may be any of it
        if closes is None:
            apart = _is_apart((stretch[0], stretch[0] + LONGEST_EVENT), wanted)
        met = closes is not None and (within if wanted.allowed else apart)
        broken = apart if wanted.allowed else within
    elif closes is None:  # when it begins can break it, and never meets it alone
        met, broken = False, apart if wanted.allowed else within
    else:
        met = within if wanted.allowed else apart
        broken = not met
    if not (met or broken):
        return UNKNOWN
    return _found(met, "time", start=clock(opens), end="" if closes is None else clock(closes))


def _is_within(stretch: tuple[int, int], wanted: TimeOfDay | tuple[int, int]) -> bool:
    return any(start <= stretch[0] and stretch[1] <= end for start, end in _turns(wanted))


def _is_apart(stretch: tuple[int, int], wanted: TimeOfDay | tuple[int, int]) -> bool:
    return not any(stretch[0] < end and start < stretch[1] for start, end in _turns(wanted))


def _turns(wanted: TimeOfDay | tuple[int, int]) -> list[tuple[int, int]]:
    """A time of day, and the same one on the day before and after."""
    start, end = (wanted.start, wanted.end) if isinstance(wanted, TimeOfDay) else wanted
    return [(start + turn, end + turn) for turn in (-DAY, 0, DAY)]


def _shift(time_zone: str, facts: Facts) -> int | None:
    """Return how many minutes the clock there is ahead of the plan's; None if that cannot be told."""
    if not time_zone or time_zone == facts.time_zone:
        return 0
    there, here = _zone(time_zone), _zone(facts.time_zone)
    if there is None or here is None or facts.first is None:
        return None
    noon = datetime.combine(facts.first, time(12), tzinfo=here)
    ahead = noon.astimezone(there).utcoffset()
    own = noon.utcoffset()
    return None if ahead is None or own is None else round((ahead - own).total_seconds() / 60)


@cache
def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError):
        return None


def clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


MOST_DAYS: Final = 400
"""A longer time holds every day of the week, and more."""


def _days(facts: Facts) -> tuple[date, date] | None:
    return (facts.first, facts.last) if facts.first and facts.last and facts.first <= facts.last else None


def _weekdays(wanted: Weekdays, facts: Facts) -> Finding:
    span = _days(facts)
    if span is None:
        return UNKNOWN
    first, last = span
    count = min((last - first).days + 1, 7)
    fitting = sum(((first.weekday() + each) % 7 in wanted.days) == wanted.allowed for each in range(count))
    return _of_days(fitting, count, span)


def _dates(wanted: Dates, facts: Facts) -> Finding:
    span = _days(facts)
    if span is None:
        return UNKNOWN
    first, last = span
    count = min((last - first).days + 1, MOST_DAYS)
    fitting = sum(
        ((wanted.first or first) <= first + timedelta(each) <= (wanted.last or last)) == wanted.allowed
        for each in range(count)
    )
    return _of_days(fitting, count, span)


def _of_days(fitting: int, count: int, span: tuple[date, date]) -> Finding:
    """All days fit, none does, or some do: on which of them it takes place may still be open."""
    if 0 < fitting < count:
        return UNKNOWN
    return _found(fitting == count, "days", first=span[0], last=span[1])


def _weeks(wanted: Weeks, facts: Facts) -> Finding:
    if facts.weeks is None:
        return UNKNOWN
    first, last = facts.weeks
    values = {"week": first, "last": last}
    if wanted.allowed:
        if first < wanted.first or (wanted.last and last > wanted.last):
            return _found(False, "weeks", **values)
        return UNKNOWN if wanted.last and not last else _found(True, "weeks", **values)
    if any(wanted.first <= each and (not wanted.last or each <= wanted.last) for each in (first, last) if each):
        return _found(False, "weeks", **values)
    apart = (last and last < wanted.first) or (wanted.last and wanted.last < first)
    return _found(True, "weeks", **values) if apart else UNKNOWN


# ── where, how many, for how much ─────────────────────────────────────────────────────────────────────────────────


def _place(wanted: Place, facts: Facts) -> Finding:
    if wanted.name in (ONLINE, ON_SITE):
        return _manner(wanted, facts)
    if not facts.place or (facts.place == ONLINE and wanted.own and wanted.allowed):
        return UNKNOWN  # who is in a city may take part online from there
    values = {"place": facts.place}
    if facts.place == ONLINE:
        return _found(not wanted.allowed, "place", **values)
    here = cities_named(facts.place)
    if wanted.name not in here:
        return _found(not wanted.allowed, "place", **values) if here else UNKNOWN
    is_part = not wanted.part or wanted.part in facts.place.lower()
    return _found(wanted.allowed, "place", **values) if len(here) == 1 and is_part else UNKNOWN


def _manner(wanted: Place, facts: Facts) -> Finding:
    is_online = facts.place == ONLINE
    if wanted.own and facts.is_own_online and not is_online:
        return _found((wanted.name == ONLINE) == wanted.allowed, "own_online")
    if not facts.place or (wanted.own and wanted.allowed and wanted.name == ONLINE and not is_online):
        return UNKNOWN
    return _found((is_online == (wanted.name == ONLINE)) == wanted.allowed, "place", place=facts.place)


@lru_cache(maxsize=1024)
def cities_named(text: str) -> frozenset[str]:
    """The English names of the cities that a text names."""
    from engine.lexicon.reading.places import places_in  # the first text that is read loads the cities

    return frozenset(each.value.en for each in places_in(text) if each.value.en != ONLINE)


def _group_size(wanted: GroupSize, facts: Facts) -> Finding:
    least, most = facts.people.at_least, facts.people.at_most
    values = {"least": least, "most": most}
    if (wanted.at_most and least > wanted.at_most) or (wanted.at_least and most and most < wanted.at_least):
        return _found(False, "people", **values)
    if (wanted.at_most and not 0 < most <= wanted.at_most) or (wanted.at_least and least < wanted.at_least):
        return UNKNOWN
    return _found(True, "people", **values)


def _pay(wanted: Pay, facts: Facts) -> Finding:
    """Money that is there may be meant for something else, so that there is enough never meets it."""
    money = facts.money
    if money.none:
        return _found(False, "no_money")
    same = not wanted.currency or not money.currency or wanted.currency == money.currency
    if money.amount and wanted.amount > money.amount and same:
        return _found(False, "money", amount=money.amount, currency=money.currency)
    return UNKNOWN


def _effort(wanted: Effort, facts: Facts) -> Finding:
    hours = dict(facts.efforts).get(wanted.per)
    return UNKNOWN if hours is None else _found(hours <= wanted.hours, f"hours_{wanted.per}", hours=hours)


def _notice(wanted: Notice, facts: Facts) -> Finding:
    about = [each for each in facts.prepared if wanted.words & each.words]
    if not about:
        return UNKNOWN
    closest = max(about, key=lambda each: (len(wanted.words & each.words), -each.days))
    return _found(closest.days >= wanted.days, "notice", days=closest.days)


_COMPARED: Final[Mapping[type, Callable[[Any, Facts], Finding]]] = {
    TimeOfDay: _time_of_day,
    Weekdays: _weekdays,
    Dates: _dates,
    Weeks: _weeks,
    Place: _place,
    GroupSize: _group_size,
    Pay: _pay,
    Effort: _effort,
    Notice: _notice,
}
