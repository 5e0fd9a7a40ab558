"""Work without a fixed time is spread over the hours that people give, by what it depends on."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.facts.data import WEEKDAYS, Datum, Days, Effort, Hours
from engine.times.availability import Availability
from engine.times.clocks import Span
from engine.times.spreading import Stretch, Work, spread
from tests.examples import examples

MONDAY: Final = date(2027, 2, 1)
BERLIN: Final = "Europe/Berlin"
NOW: Final = int(datetime(2027, 1, 31, tzinfo=UTC).timestamp())


def who(*limits: Datum, busy: tuple[Span, ...] = ()) -> Availability:
    return Availability(limits, BERLIN, busy)


def days(*works: Work, now: int = NOW, **people: Availability) -> Mapping[str, str]:
    """Return the first and the last day of each, as days of February."""
    found = spread(works, people, MONDAY, BERLIN, now)
    return {key: f"{each.first:%-d}-{each.last:%-d}" for key, each in found.items()}


def works(hours: float, *after: str, key: str = "one", of: str = "ann", **fields: str) -> Work:
    return Work(key, of, hours, after, **fields)


@pytest.mark.parametrize(
    ("limits", "hours", "expected"),
    [
        ((), 8, "1-1"),
        ((), 9, "1-2"),
        ((), 40, "1-5"),
        ((), 41, "1-8"),
        ((Days(weekdays=("tue", "thu")),), 16, "2-4"),
        ((Hours(start="09:00", end="12:00"),), 9, "1-3"),
        ((Hours(start="22:00", end="02:00"),), 4, "1-2"),
        ((Effort(hours=10, per="week"),), 25, "1-15"),
        ((Effort(hours=2, per="day"),), 5, "1-3"),
        ((Effort(hours=10, per="week"), Days(weekdays=("fri",))), 10, "5-12"),
        ((Days(first="2027-02-01", last="2027-02-03", allowed=False),), 8, "4-4"),
        ((Effort(hours=4),), 5, None),
        ((Days(first="2027-01-01", last="2029-12-31", allowed=False),), 1, None),
        ((Hours(start="09:00", end="09:00", allowed=False),), 1, None),
    ],
    ids=[
        "a day", "more than a day", "a week", "over the weekend", "two days a week", "mornings", "nights",
        "ten hours a week", "two hours a day", "Fridays, ten hours a week", "away", "less than it takes",
        "away for years",
        "no hours at all",
    ],
)  # fmt: skip
def test_somebody_works_as_long_as_they_give(limits: tuple[Datum, ...], hours: float, expected: str | None) -> None:
    assert days(works(hours), ann=who(*limits)).get("one") == expected


def test_a_calendar_takes_its_hours() -> None:
    monday = Span(datetime(2027, 2, 1, 8, tzinfo=UTC), datetime(2027, 2, 1, 13, tzinfo=UTC))
    assert days(works(5), ann=who(busy=(monday,))) == {"one": "1-2"}


def test_what_depends_on_another_begins_on_the_day_after_and_on_ones_own_at_once() -> None:
    found = days(works(4), works(4, "one", key="two"), works(4, "two", key="three", of="bo"), ann=who(), bo=who())
    assert found == {"one": "1-1", "two": "1-1", "three": "2-2"}


def test_a_step_with_a_day_and_no_hours_is_waited_for() -> None:
    venue = Work("venue", "", ends="2027-02-03")
    assert days(venue, works(1, "venue"), ann=who()) == {"one": "4-4"}


def test_two_tasks_of_one_person_share_their_hours() -> None:
    assert days(works(6), works(6, key="two"), ann=who()) == {"one": "1-1", "two": "1-2"}


def test_what_waits_for_itself_and_whom_nobody_knows_has_no_day() -> None:
    assert days(works(1, "two"), works(1, "one", key="two"), ann=who()) == {}
    assert days(works(1, of="nobody"), works(1, "one", key="two"), ann=who()) == {"two": "2-2"}


def test_nothing_is_begun_before_its_first_day_or_in_what_is_over() -> None:
    afternoon = int(datetime(2027, 2, 1, 14, tzinfo=UTC).timestamp())
    assert days(works(4), now=afternoon, ann=who()) == {"one": "1-2"}
    assert days(works(4, starts="2027-02-06"), ann=who()) == {"one": "8-8"}


def test_a_day_on_which_clocks_change_has_its_hours() -> None:
    nights = who(Hours(start="00:00", end="06:00"), Days(weekdays=("sun",)))
    sunday, now = date(2027, 3, 28), int(datetime(2027, 3, 27, tzinfo=UTC).timestamp())
    found = {hours: spread((works(hours),), {"ann": nights}, sunday, BERLIN, now)["one"] for hours in (5, 6)}
    assert found == {5: Stretch(sunday, sunday), 6: Stretch(sunday, sunday + timedelta(7))}


@st.composite
def plans(draw: st.DrawFn) -> tuple[list[Work], dict[str, Availability]]:
    people = {
        name: who(
            Days(weekdays=tuple(sorted(draw(st.sets(st.sampled_from(WEEKDAYS), min_size=1))))),
            Effort(hours=draw(st.integers(4, 40)), per="week"),
            Days(first="2027-02-03", last=f"2027-02-{draw(st.integers(3, 20)):02}", allowed=False),
        )
        for name in ("ann", "bo")
    }
    tasks: list[Work] = []
    for number in range(draw(st.integers(1, 6))):
        after = draw(st.sets(st.sampled_from([each.key for each in tasks]))) if tasks else ()
        hours = draw(st.integers(1, 30))
        tasks.append(works(hours, *after, key=f"t{number}", of=draw(st.sampled_from(("ann", "bo")))))
    return tasks, people


@pytest.mark.generated
@settings(max_examples=examples(60), deadline=None)
@given(plans())
def test_nobody_works_when_they_cannot_nor_before_what_it_takes(
    plan: tuple[list[Work], dict[str, Availability]],
) -> None:
    tasks, people = plan
    found = spread(tasks, people, MONDAY, BERLIN, NOW)
    assert found.keys() == {each.key for each in tasks}
    weeks: dict[tuple[str, int], float] = {}
    for each in tasks:
        stretch = found[each.key]
        limits = people[each.who].limits
        named, effort, away = (limits[number] for number in range(3))
        assert isinstance(named, Days) and isinstance(effort, Effort) and isinstance(away, Days)  # noqa: PT018
        for day in (stretch.first, stretch.last):
            assert WEEKDAYS[day.weekday()] in named.weekdays
            assert not away.first <= day.isoformat() <= away.last
        for key in each.after:
            other = next(one for one in tasks if one.key == key)
            gap = (stretch.first - found[key].last).days
            assert gap >= (0 if other.who == each.who else 1)
        if stretch.first == stretch.last:
            week = each.who, stretch.first.isocalendar()[1]
            weeks[week] = weeks.get(week, 0) + each.hours
            assert weeks[week] <= effort.hours
