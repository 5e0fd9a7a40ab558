"""At which times all can who must be there, best first; where there is none, who stands in the way of the nearest.

A sweep: somebody who cannot from a until b cannot be at anything that begins after a less its length and before b. So
each stretch adds one to a row of possible beginnings, a quarter of an hour apart, and the row says how many cannot at
each. No solver is needed, and that there is no time is proved by the row: nowhere is it 0.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import accumulate, groupby
from typing import Final, NamedTuple

from msgspec import Struct

from engine.facts.asked import zone_of
from engine.facts.circumstances import When
from engine.kernel import Message
from engine.times.availability import Availability, clock, joined, outside_usual, taken
from engine.times.clocks import DAY, Seconds, day_number, on_walls

QUARTER: Final = 900
"""Seconds between two times at which something may begin."""
MOST_DAYS: Final = 84
"""That are looked at, from the first."""
MOST_TIMES: Final = 5
NEAREST: Final = 3
OF_A_DAY: Final = 2
"""Of times that suit as many, no more are of one day, unless there are too few otherwise..."""
HOUR: Final = 3600
FAR_APART: Final = 4 * HOUR
"""...and these are so many seconds apart: one hour after another is not much of a choice."""
WEEKEND: Final = frozenset({5, 6})


class Attendee(Struct, frozen=True, gc=False):
    who: str
    must: bool
    """Whether it cannot be without them."""
    available: Availability


class PossibleTime(Message):
    """When something may take place, and how many of those about whom anything is known can then."""

    when: When
    can: int = 0
    cannot: tuple[str, ...] = ()
    blocking: tuple[str, ...] = ()
    """Those of them who have to be there."""
    later: tuple[str, ...] = ()
    """From when some of those can until its end who cannot at its beginning, by the clock of ``when``: at half of it
    at the latest."""


class FoundTimes(Message):
    """When all can who must be there, and, where that is never, the times at which the fewest of them cannot."""

    minutes: int
    """How long it takes."""
    known: int = 0
    """Of how many people it is known when they can."""
    unsaid: int = 0
    """Of how many nothing is known: they hinder nothing."""
    times: tuple[PossibleTime, ...] = ()
    """Best first."""
    nearest: tuple[PossibleTime, ...] = ()
    """Only where there is no time. No fewer than are in the way of the first of them are in the way of any."""


class _Row(NamedTuple):
    """What may begin in one stretch of the window: at its start, and every quarter of an hour from there."""

    start: int
    beginnings: int


# ── the window ────────────────────────────────────────────────────────────────────────────────────────────────────


def minutes_of(when: When, said: int = 0) -> int:
    """Return how long something takes, in minutes: as was said, or as its hours are where it is on one of few days."""
    if said:
        return said
    if not (when.start and when.end):
        return 0
    long = clock(when.end) - clock(when.start)
    return (long if long > 0 else long + DAY) // 60


def window_of(when: When, minutes: int, time_zone: str) -> tuple[Seconds, ...]:
    """Return the stretches in which something may take place, as far as its days are known."""
    if when.days is None or when.exact not in ("day", "span"):
        return ()
    zone, (first, last) = when.time_zone or time_zone, when.days
    last = min(last, first + timedelta(days=MOST_DAYS - 1))
    opens = clock(when.start)
    long = (clock(when.end) - opens) if when.end else (60 * minutes if when.start else DAY)
    long += DAY if long <= 0 else 0
    return tuple(joined(_days(zone, first, last, opens, max(long, 60 * minutes) if when.start else long)))


def _days(zone: str, first: date, last: date, opens: int, long: int) -> Iterator[Seconds]:
    start, end = (day_number(first) - 1) * DAY, (day_number(last) + 3) * DAY
    for number in range(day_number(first), day_number(last) + 1):
        yield from on_walls(zone, number * DAY + opens, number * DAY + opens + long, start, end)


# ── the sweep ─────────────────────────────────────────────────────────────────────────────────────────────────────


def feasible(
    window: Sequence[Seconds],
    minutes: int,
    people: Sequence[Attendee],
    now: int,
    time_zone: str,
    instead_of: int | None = None,
) -> FoundTimes:
    """
    Args:
        window: in order and apart.
        now: in seconds of UTC; nothing begins before, and notice is given from then on.
        time_zone: in which the times are said.
        instead_of: when it was to begin. Then days near to it come first, and not the soonest: weekends for one, and
            others for one that is none; and hours that are like it, also where that was an unusual one.
    """
    length = 60 * minutes
    rows = [_Row(start, (end - start - length) // QUARTER + 1) for start, end in window if end - start >= length]
    known = [each for each in people if each.available.is_known]
    found = FoundTimes(minutes=minutes, known=len(known), unsaid=len(people) - len(known))
    if not rows or not length:
        return found
    start, end = window[0][0], window[-1][1]
    stretches = {each.who: taken(each.available, now, start, end) for each in people}
    must = _counted(rows, length, [stretches[each.who] for each in people if each.must])
    may = _counted(rows, length, [stretches[each.who] for each in people if not each.must])
    said = (each.available for each in people if not each.available.has_hours)
    zones = sorted({each.home or each.time_zone for each in said})
    strange = _counted(rows, length, [outside_usual(each, start, end) for each in zones])
    over = _counted(rows, length, [joined([(start, now)])] if now > start else [])
    begins = [row.start + QUARTER * each for row in rows for each in range(row.beginnings)]
    open_ = [index for index, past in enumerate(over) if not past]
    if not open_:
        return found

    zone, then = zone_of(time_zone), (instead_of or 0, (instead_of or 0) + length)
    was_strange = sum(bool(outside_usual(each, *then)) for each in zones)

    def day_of(at: int) -> date:
        return datetime.fromtimestamp(at, zone).date()

    def cost(index: int) -> tuple[int, ...]:
        if instead_of is None:
            day = (begins[index] - start) // DAY
            return must[index], may[index], day, strange[index], begins[index]
        on, was_on = day_of(begins[index]), day_of(instead_of)
        days, is_other = (on - was_on).days, _is_weekend(on) is not _is_weekend(was_on)
        beside = abs(begins[index] - instead_of - days * DAY)
        like_it = (is_other, max(0, strange[index] - was_strange), abs(days), beside % HOUR > 0, beside)
        return must[index], may[index], *like_it, begins[index]

    def told(index: int) -> PossibleTime:
        span = (begins[index], begins[index] + length)
        return _told(_said(span, time_zone), span, people, stretches)

    fitting = [each for each in open_ if not must[each]]
    costs = {each: cost(each) for each in fitting or open_}
    alike = groupby(sorted(costs, key=costs.__getitem__), lambda each: costs[each][:2])
    best = _spread([[*each] for _, each in alike], begins, length, MOST_TIMES if fitting else NEAREST, day_of)
    told_best = tuple(map(told, best))
    return _with(found, times=told_best) if fitting else _with(found, nearest=told_best)


def _with(found: FoundTimes, **fields: tuple[PossibleTime, ...]) -> FoundTimes:
    return FoundTimes(minutes=found.minutes, known=found.known, unsaid=found.unsaid, **fields)


def _counted(rows: Sequence[_Row], length: int, people: Sequence[Sequence[Seconds]]) -> list[int]:
    """Return how many cannot, for each time at which it may begin."""
    steps = [0] * (sum(each.beginnings for each in rows) + 1)
    firsts = [*accumulate((each.beginnings for each in rows), initial=0)]
    for stretches in people:
        passed = 0
        for first, (begun, count) in zip(firsts, rows, strict=False):
            while passed < len(stretches) and stretches[passed][1] <= begun:
                passed += 1
            last, done = begun + (count - 1) * QUARTER + length, 0
            for at in range(passed, len(stretches)):
                begins, ends = stretches[at]
                if begins >= last:
                    break
                since = max((begins - length - begun) // QUARTER + 1, done)
                until = min((ends - 1 - begun) // QUARTER + 1, count)
                if since < until:
                    steps[first + since] += 1
                    steps[first + until] -= 1
                    done = until
    return [*accumulate(steps[:-1])]


def _spread(
    groups: Sequence[Sequence[int]], begins: Sequence[int], length: int, most: int, day_of: Callable[[int], date]
) -> list[int]:
    """Return the first ones of which no two are at the same time: a quarter of an hour later is no other choice.

    Args:
        groups: best first, and in each of them what suits as many, best first; so much of it as is needed is spread.
    """
    chosen: list[int] = []
    for group in groups:
        before = len(chosen)
        for apart, of_a_day in ((max(length, FAR_APART), OF_A_DAY), (length, most)):
            for each in group:
                if len(chosen) == most:
                    break
                if any(abs(begins[each] - begins[other]) < apart for other in chosen):
                    continue
                if sum(day_of(begins[other]) == day_of(begins[each]) for other in chosen) < of_a_day:
                    chosen.append(each)
        chosen[before:] = sorted(chosen[before:], key=group.index)
    return chosen


def _is_weekend(day: date) -> bool:
    return day.weekday() in WEEKEND


def _is_taken(stretches: Sequence[Seconds], span: Seconds) -> bool:
    return any(begins < span[1] and span[0] < ends for begins, ends in stretches)


def _from_when(stretches: Sequence[Seconds], span: Seconds) -> int | None:
    """Return from when somebody can until its end who cannot from its beginning; None where that is too late."""
    since = max((ends for begins, ends in stretches if begins < span[1] and span[0] < ends), default=span[1])
    return since if since < span[1] and since - span[0] <= (span[1] - span[0]) // 2 else None


def _said(span: Seconds, time_zone: str) -> When:
    zone = zone_of(time_zone)
    begins, ends = (datetime.fromtimestamp(each, UTC).astimezone(zone) for each in span)
    first, last = begins.date().isoformat(), (ends - timedelta(seconds=1)).date().isoformat()
    is_long = span[1] - span[0] > DAY
    return When(
        first=first,
        last=last if is_long else first,
        start=f"{begins:%H:%M}",
        end=f"{ends:%H:%M}",
        time_zone=zone.key,
        exact="span" if is_long else "day",
    )


# ── one time ──────────────────────────────────────────────────────────────────────────────────────────────────────


def at_time(span: Seconds, people: Sequence[Attendee], now: int, when: When) -> PossibleTime:
    """Say who can at one time that is chosen already."""
    return _told(when, span, people, {each.who: taken(each.available, now, *span) for each in people})


def _told(
    when: When, span: Seconds, people: Sequence[Attendee], stretches: Mapping[str, Sequence[Seconds]]
) -> PossibleTime:
    cannot = {each.who for each in people if _is_taken(stretches[each.who], span)}
    zone = zone_of(when.time_zone)
    since = sorted(filter(None, (_from_when(stretches[each], span) for each in cannot)))
    return PossibleTime(
        when=when,
        can=sum(each.available.is_known and each.who not in cannot for each in people),
        cannot=tuple(sorted(cannot)),
        blocking=tuple(sorted(each.who for each in people if each.must and each.who in cannot)),
        later=tuple(f"{datetime.fromtimestamp(each, UTC).astimezone(zone):%H:%M}" for each in since),
    )
