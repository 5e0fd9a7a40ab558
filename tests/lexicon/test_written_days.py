"""A day is read only where a text names one, and says nothing else."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lexicon.written_days import Day, read_day, read_days


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("2026-11-14", date(2026, 11, 14)),
        (" 2026/1/3 ", date(2026, 1, 3)),
        ("2026.11.14", date(2026, 11, 14)),
        ("20261114", date(2026, 11, 14)),
        ("2026-W46-6", date(2026, 11, 14)),
        ("2026年11月14日", date(2026, 11, 14)),
        ("14 November 2026", date(2026, 11, 14)),
        ("14th of Nov, 2026", date(2026, 11, 14)),
        ("NOV 14, 2026", date(2026, 11, 14)),
        ("Sept. 1st 2026", date(2026, 9, 1)),
        ("2026-11-14 18:00", datetime(2026, 11, 14, 18)),
        ("2026-11-14T18:00:00", datetime(2026, 11, 14, 18)),
        ("2026-11-14T18:00Z", datetime(2026, 11, 14, 18, tzinfo=UTC)),
        ("2026-11-14T18:00+02:00", datetime(2026, 11, 14, 16, tzinfo=UTC)),
        ("4 weeks before (2026-11-14)", date(2026, 10, 17)),
        ("1 week before (14 November 2026)", date(2026, 11, 7)),
        ("the day before (2026-03-01)", date(2026, 2, 28)),
        ("the day itself (November 14th, 2026)", date(2026, 11, 14)),
        ("3 days after (2026-12-30)", date(2027, 1, 2)),
        ("活动前4周 (2026年11月14日)", date(2026, 10, 17)),
        ("活动前两天 (2026-11-14)", date(2026, 11, 12)),
        ("活动当天（2026-11-14）", date(2026, 11, 14)),
        ("活动后3天 (2026-11-14)", date(2026, 11, 17)),
        ("2027-04-22 (Thu)", date(2027, 4, 22)),
        ("2027-04-22（周四）", date(2027, 4, 22)),
        ("2027-05-20 (Thu) 19:00–21:00 Asia/Shanghai", date(2027, 5, 20)),
        ("2027-05-20（周四） 19:00 Asia/Shanghai", date(2027, 5, 20)),
    ],
)
def test_a_day_that_is_named_is_read(said: str, day: Day) -> None:
    assert read_day(said) == day


@pytest.mark.parametrize(
    "said",
    [
        "",
        "soon",
        "[TBD]",
        "week 3",
        "14 November",
        "11月14日",
        "next Friday",
        "03/04/2026",
        "14.11.2026",
        "2026-02-30",
        "2026-11-14 at the latest",
        "before 2026-11-14",
        "right away (2026-11-14)",
        "some weeks before (2026-11-14)",
        "4 weeks before (date [TBD])",
        "999 weeks before (1970-01-01)",
        "0001-01-01",
        "9999-12-31T23:59-12:00",
        "12345678",
        "²026-11-14",
        "2027-04-22 (maybe)",
        "2027-04-22 (Thu) at the latest",
        "2027-05-20 (Thu) 25:00",
        "2027-02-30 (Tue)",
        "between 2027-05-01 (Sat) and 2027-05-07 (Fri) (day [TBD])",
    ],
)
def test_what_is_only_nearly_a_day_is_not_guessed_at(said: str) -> None:
    assert read_day(said) is None


@given(st.text() | st.from_regex(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}( \d\d:\d\d)?", fullmatch=True))
def test_any_text_is_a_day_or_none(said: str) -> None:
    day = read_day(said)
    assert day is None or 1970 <= day.year <= 2999


@given(st.dates(date(1970, 1, 1), date(2999, 12, 31)) | st.datetimes(datetime(1970, 1, 1), datetime(2999, 12, 31)))
def test_every_iso_day_is_read_as_what_it_is(day: Day) -> None:
    assert read_day(day.isoformat()) == day


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("2027-05-20 (Thu) – 2027-05-21 (Fri) 19:00–21:00 Asia/Shanghai", date(2027, 5, 20), date(2027, 5, 21)),
        ("2027-05-20（周四） – 2027-05-21（周五）", date(2027, 5, 20), date(2027, 5, 21)),
        ("2027-05-20 to 2027-06-01", date(2027, 5, 20), date(2027, 6, 1)),
        ("2027-05-20 (Thu)", date(2027, 5, 20), date(2027, 5, 20)),
        ("14 November 2026", date(2026, 11, 14), date(2026, 11, 14)),
        ("2026-11-14T01:00+08:00", date(2026, 11, 14), date(2026, 11, 14)),
    ],
)
def test_the_days_that_are_named_are_read(said: str, first: date, last: date) -> None:
    assert read_days(said) == (first, last)


@pytest.mark.parametrize(
    "said", ["", "soon", "2027-05-21 – 2027-05-20", "2027-05-21 – 2027-02-30", "0001-01-01 to 2027-01-01"]
)
def test_what_are_only_nearly_days_are_not_guessed_at(said: str) -> None:
    assert read_days(said) is None


@given(st.text() | st.from_regex(r"\d{4}-\d\d-\d\d( - \d{4}-\d\d-\d\d)?", fullmatch=True))
def test_any_days_are_in_order(said: str) -> None:
    days = read_days(said)
    assert days is None or days[0] <= days[1]
