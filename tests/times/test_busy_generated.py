"""Whatever recurs, in whatever zone: busy times are what a clock on the wall shows, quarter hour by quarter hour."""

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.times.calendar_reading import read
from tests.examples import examples

from .exports import event, export

QUARTER = timedelta(minutes=15)
OWNERS = ZoneInfo("Europe/Berlin")
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC")
"""Lord Howe changes its clocks by half an hour, and Kolkata is half an hour off."""
WINDOWS = (
    (datetime(2026, 10, 18, tzinfo=UTC), datetime(2026, 11, 8, tzinfo=UTC)),  # clocks go back, and forward in the south
    (datetime(2027, 3, 7, tzinfo=UTC), datetime(2027, 4, 11, tzinfo=UTC)),
    (datetime(2028, 2, 20, tzinfo=UTC), datetime(2028, 3, 6, tzinfo=UTC)),  # a leap day
)


class Recurring(NamedTuple):
    """Something that recurs every so many days, ``times`` times; of these, some were left out and one was moved."""

    zone: str
    first: date
    at: time | None
    """None for whole days."""
    quarters: int
    every: int
    times: int
    without: frozenset[int]
    moved: tuple[int, int] | None
    """Which time, and by how many days and quarters it begins later."""
    is_weekly: bool

    @property
    def step(self) -> int:
        return self.every * (7 if self.is_weekly else 1)

    def day(self, number: int) -> date:
        return self.first + timedelta(number * self.step)

    def lines(self, uid: str) -> list[str]:
        rule = f"RRULE:FREQ={'WEEKLY' if self.is_weekly else 'DAILY'};INTERVAL={self.every};COUNT={self.times}"
        lines = event(self._starts(0), self._length(), rule, *map(self._left_out, sorted(self.without)), uid=uid)
        if self.moved is None:
            return [*lines]
        number, later = self.moved
        named = self._starts(number).replace("DTSTART", "RECURRENCE-ID")
        return [*lines, *event(named, self._starts(number, later), self._length(), uid=uid)]

    def _starts(self, number: int, later: int = 0) -> str:
        day = self.day(number) + timedelta(later)
        if self.at is None:
            return f"DTSTART;VALUE=DATE:{day:%Y%m%d}"
        return f"DTSTART;TZID={self.zone}:{datetime.combine(day, self.at):%Y%m%dT%H%M%S}"

    def _length(self) -> str:
        return f"DURATION:P{self.quarters}D" if self.at is None else f"DURATION:PT{15 * self.quarters}M"

    def _left_out(self, number: int) -> str:
        return self._starts(number).replace("DTSTART", "EXDATE")

    def is_on(self, moment: datetime) -> bool:
        """Whether it takes place then: each of its times is looked at by itself."""
        then = moment if self.at is not None else moment.astimezone(OWNERS).date()
        return any(start <= then < end for start, end in _times(self))

    def time_of(self, number: int) -> tuple[date, date]:
        """Return when it begins and ends, of whole days as dates."""
        day = self.day(number) + timedelta(self.moved[1] if self.moved and self.moved[0] == number else 0)
        if self.at is None:
            return day, day + timedelta(self.quarters)
        start = datetime.combine(day, self.at, ZoneInfo(self.zone)).astimezone(UTC)
        return start, start + self.quarters * QUARTER


@lru_cache(16)
def _times(each: Recurring) -> list[tuple[date, date]]:
    moved = {each.moved[0]} if each.moved else set()
    return [each.time_of(number) for number in range(each.times) if number not in each.without - moved]


@st.composite
def recurring(draw: st.DrawFn, window: tuple[datetime, datetime]) -> Recurring:
    first = window[0].date() + timedelta(draw(st.integers(-40, 20)))
    times = draw(st.integers(1, 60))
    is_day = draw(st.booleans())
    number = st.integers(0, times - 1)
    return Recurring(
        zone=draw(st.sampled_from(ZONES)),
        first=first,
        at=None if is_day else time(draw(st.integers(0, 23)), draw(st.sampled_from((0, 15, 30, 45)))),
        quarters=draw(st.integers(1, 3)) if is_day else draw(st.integers(1, 120)),  # more than a day
        every=draw(st.integers(1, 4)),
        times=times,
        without=draw(st.frozensets(number, max_size=4)),
        moved=draw(st.none() | st.tuples(number, st.integers(1, 9))),
        is_weekly=draw(st.booleans()),
    )


@st.composite
def worlds(draw: st.DrawFn) -> tuple[tuple[datetime, datetime], list[Recurring]]:
    window = draw(st.sampled_from(WINDOWS))
    return window, draw(st.lists(recurring(window), min_size=1, max_size=4))


NIGHTLY = Recurring("Europe/Berlin", date(2026, 10, 20), time(2, 30), 8, 1, 9, frozenset({1}), (3, 2), is_weekly=False)


@pytest.mark.generated
@settings(max_examples=examples(40), deadline=None)
@example((WINDOWS[0], [NIGHTLY]))
@given(worlds())
def test_busy_is_what_each_quarter_hour_says(world: tuple[tuple[datetime, datetime], list[Recurring]]) -> None:
    (first, last), planned = world
    content = export(*(line for number, each in enumerate(planned) for line in each.lines(f"event-{number}")))

    found, _ = read(content, first, last, OWNERS)

    moment, said, expected = first, [], []
    while moment < last:
        at = moment.timestamp()
        said.append(any(start <= at < end for start, end in found))
        expected.append(any(each.is_on(moment) for each in planned))
        moment += QUARTER
    assert said == expected
    assert all(a[1] < b[0] for a, b in pairwise(found))
