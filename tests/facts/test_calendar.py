"""Days are counted as people count them."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.facts import calendar

DAYS = st.dates(date(2000, 1, 1), date(2100, 1, 1))


@given(DAYS, st.integers(0, 30))
def test_a_month_ahead_begins_on_the_first_and_ends_before_the_next(today: date, months: int) -> None:
    first, last = calendar.month_ahead(today, months)
    assert first.day == 1
    assert (last + timedelta(1)).day == 1
    assert (first.year - today.year) * 12 + first.month - today.month == months


@given(DAYS, st.integers(0, 9))
def test_a_week_ahead_begins_on_a_monday(today: date, weeks: int) -> None:
    monday, sunday = calendar.week_ahead(today, weeks)
    assert (monday.weekday(), sunday - monday) == (0, timedelta(6))
    assert monday - timedelta(7 * weeks) <= today <= sunday - timedelta(7 * weeks)


@given(DAYS)
def test_the_weekend_of_a_day_is_in_its_week(day: date) -> None:
    saturday, sunday = calendar.weekend_of(day)
    assert (saturday.weekday(), sunday.weekday()) == (5, 6)
    assert saturday - timedelta(5) <= day <= sunday


@given(DAYS, st.integers(1, 28), st.integers(1, 12))
def test_the_next_day_of_a_number_or_date_is_not_over(today: date, day: int, month: int) -> None:
    assert today <= calendar.next_numbered(today, day) < today + timedelta(62)
    found = calendar.next_dated(today, month, day)
    assert (found.month, found.day) == (month, day)
    assert today <= found < today + timedelta(367)


def test_a_month_has_weeks_and_thirds() -> None:
    december = calendar.month_span(2026, 12)
    assert calendar.week_of_month(december[0], 2) == (date(2026, 12, 14), date(2026, 12, 20))
    assert calendar.third_of_month(december, 11) == (date(2026, 12, 11), date(2026, 12, 20))
    assert calendar.third_of_month(december, 21) == (date(2026, 12, 21), date(2026, 12, 31))


@pytest.mark.parametrize(("month", "day"), [(2, 30), (11, 31)])
def test_there_is_no_such_day(month: int, day: int) -> None:
    with pytest.raises(ValueError, match="day"):
        calendar.next_dated(date(2026, 11, 27), month, day)
