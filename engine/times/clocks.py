"""What clocks show somewhere, as seconds of UTC: right across every change of a zone's time, both ways.

A moment is within hours of the day if the clock on the wall shows one of them then. Where clocks go back, that can be
twice on one day.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Final, NamedTuple

from engine.facts.asked import zone_of


class Span(NamedTuple):
    """A stretch of time; both ends are aware and in UTC, and the end is not part of it."""

    start: datetime
    end: datetime


DAY: Final = 86_400
"""Seconds."""
_STEP: Final = DAY // 4
"""So often it is looked whether a zone has changed its time."""

Seconds = tuple[int, int]
"""From and until when, in seconds of UTC since 1970; the end is not part of it."""


class Regime(NamedTuple):
    """A stretch in which a zone's clocks are always so many seconds ahead of UTC."""

    start: int
    end: int
    ahead: int


@lru_cache(maxsize=256)
def regimes(time_zone: str, start: int, end: int) -> tuple[Regime, ...]:
    """Return the stretches from start to end, in order."""
    zone = zone_of(time_zone)

    def ahead(at: int) -> int:
        offset = datetime.fromtimestamp(at, UTC).astimezone(zone).utcoffset()
        return round(offset.total_seconds()) if offset is not None else 0

    found, begun, known = [], start, ahead(start)
    for at in (*range(start + _STEP, end, _STEP), end):
        if (now := ahead(at)) != known:
            before, after = at - _STEP if at - _STEP > begun else begun, at
            while after - before > 1:
                middle = (before + after) // 2
                before, after = (middle, after) if ahead(middle) == known else (before, middle)
            found.append(Regime(begun, after, known))
            begun, known = after, now
    return (*found, Regime(begun, end, known))


def day_number(day: date) -> int:
    """Count days from 1970-01-01, as the walls' days are counted here."""
    return day.toordinal() - _EPOCH


_EPOCH: Final = date(1970, 1, 1).toordinal()


def weekday(number: int) -> int:
    """Return which day of the week a day is: Monday is 0, as `date.weekday` counts."""
    return (number + 3) % 7


def days_within(time_zone: str, start: int, end: int) -> range:
    """Return the numbers of the days that walls there show from start to end, and of the one before."""
    known = regimes(time_zone, start, end)
    return range(min((each.start + each.ahead) // DAY for each in known) - 1,
                 max((each.end - 1 + each.ahead) // DAY for each in known) + 1)  # fmt: skip


def on_walls(time_zone: str, first: int, last: int, start: int, end: int) -> Iterator[Seconds]:
    """Yield when walls there show what is from ``first`` to ``last``, of what is between start and end.

    Args:
        first: seconds since 1970-01-01 00:00 as the walls there show it.
    """
    for each in regimes(time_zone, start, end):
        begins, ends = max(first - each.ahead, each.start), min(last - each.ahead, each.end)
        if begins < ends:
            yield begins, ends


def seconds_of(span: Span) -> Seconds:
    return int(span.start.timestamp()), -int(-span.end.timestamp() // 1)


def span_of(begins: int, ends: int) -> Span:
    return Span(datetime.fromtimestamp(begins, UTC), datetime.fromtimestamp(ends, UTC))
