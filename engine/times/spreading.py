"""On which days work is done that has no fixed time: spread over the hours that people give, by what it depends on.

Somebody works on their own days, in their hours, beside what their calendar says, and no longer than they give: eight
hours a day where they have not said less. Where nobody knows their days, they are Monday to Friday. What depends on
somebody else's work begins on the day after it; on one's own, as soon as it is done.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from graphlib import CycleError, TopologicalSorter
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.facts.data import WEEKDAYS, Days, Effort
from engine.times.availability import USUAL, Availability, between, taken
from engine.times.clocks import DAY, day_number, on_walls

MOST_A_DAY: Final = 8.0
"""Hours."""
MOST_DAYS: Final = 366
"""That are looked at."""
USUAL_DAYS: Final = Days(weekdays=WEEKDAYS[:5])
_ENOUGH: Final = 1e-6


class Work(NamedTuple):
    key: str
    who: str
    """Whose availability it takes; empty where it takes nobody's."""
    hours: float = 0
    """0: it takes no time of anybody, or nobody knows how much."""
    after: tuple[str, ...] = ()
    """The keys of what has to be done before."""
    starts: str = ""
    """ISO date before which it is not begun; empty where it may be at once."""
    ends: str = ""
    """ISO date on which it is done where its hours are not known."""


class Stretch(NamedTuple):
    first: date
    last: date


def spread(
    works: Sequence[Work], people: Mapping[str, Availability], today: date, time_zone: str, now: int
) -> Mapping[str, Stretch]:
    """Return on which days each is worked on, of those that have hours; not of what comes to no end within a year.

    Args:
        now: in seconds of UTC; nobody works before.
    """
    ordered = _in_order(works)
    left = {each.key: each.hours for each in ordered}
    done: dict[str, date] = {}
    found: dict[str, Stretch] = {}
    given = {who: _Given(available, time_zone, now) for who, available in people.items()}
    for number in range(MOST_DAYS):
        day = today + timedelta(days=number)
        for each in ordered:
            if each.key in done or not _may_begin(each, day, done, ordered):
                continue
            if not each.hours or each.who not in given:
                done[each.key] = max(day, date.fromisoformat(each.ends)) if each.ends else day
                continue
            used = given[each.who].take(day, left[each.key])
            left[each.key] -= used
            if used:
                found[each.key] = Stretch(found[each.key].first if each.key in found else day, day)
            if left[each.key] <= _ENOUGH:
                done[each.key] = day
        if len(done) == len(ordered):
            break
    return {key: stretch for key, stretch in found.items() if key in done}


def _in_order(works: Sequence[Work]) -> Sequence[Work]:
    """Return each behind what it depends on, else in their own order; where they wait for each other, none of them."""
    known = {each.key: each for each in works}
    graph = {each.key: [key for key in each.after if key in known] for each in works}
    try:
        return [known[key] for key in TopologicalSorter(graph).static_order()]
    except CycleError:
        return []


def _may_begin(work: Work, day: date, done: Mapping[str, date], works: Iterable[Work]) -> bool:
    if work.starts and day.isoformat() < work.starts:
        return False
    before = [each for each in works if each.key in work.after]
    for each in before:
        if each.key not in done:
            return False
        is_own = bool(each.who) and each.who == work.who
        takes_none = not each.hours and not each.ends
        if done[each.key] > day or (done[each.key] == day and not (is_own or takes_none)):
            return False
    return True


class _Given:
    """How many hours somebody still gives."""

    def __init__(self, available: Availability, time_zone: str, now: int) -> None:
        limits = available.limits
        if not any(isinstance(each, Days) and each.allowed and each.weekdays for each in limits):
            limits = (*limits, USUAL_DAYS)
        if not available.has_hours:
            limits = (*limits, USUAL)
        self._available = replace(available, limits=limits)
        self._zone = time_zone
        self._now = now
        self._most = {
            per: min((each.hours for each in limits if isinstance(each, Effort) and each.per == per), default=usual)
            for per, usual in (("day", MOST_A_DAY), ("week", 7 * 24.0), ("whole", float("inf")))
        }
        self._used: dict[object, float] = {}

    def take(self, day: date, wanted: float) -> float:
        """Return how much of it they do on a day, and count that."""
        week = day.isocalendar()[:2]
        used = min(
            wanted,
            self._free(day) - self._used.get(day, 0),
            self._most["week"] - self._used.get(week, 0),
            self._most["whole"] - self._used.get("whole", 0),
        )
        if used <= _ENOUGH:
            return 0
        for each in (day, week, "whole"):
            self._used[each] = self._used.get(each, 0) + used
        return used

    def _free(self, day: date) -> float:
        begins = day_number(day) * DAY
        start, end = begins - DAY, begins + 2 * DAY
        spans = on_walls(self._zone, begins, begins + DAY, start, end)
        free = sum(
            ends - max(since, self._now)
            for begun, until in spans
            for since, ends in between(taken(self._available, self._now, begun, until), begun, until)
            if ends > self._now
        )
        return min(free / 3600, self._most["day"])
