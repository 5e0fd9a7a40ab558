"""Free times are data: days of the week and hours of each, held against when something takes place."""

from datetime import date
from typing import Final

import pytest

from engine.facts.circumstances import When
from engine.facts.free_times import FreeTime, hours_a_week, is_free

TODAY: Final = date(2026, 11, 27)
WEEKDAYS: Final = FreeTime(("mon", "tue", "wed", "thu", "fri"), (("19:00", "24:00"),))
SATURDAYS: Final = FreeTime(("sat",))
ASKED_AHEAD: Final = FreeTime(("mon", "tue"), notice=7)
BERLIN: Final = ("", "Europe/Berlin")


def day(on: str, start: str = "", zone: str = "Europe/Berlin") -> When:
    return When(first=on, last=on, start=start, time_zone=zone, exact="day")


@pytest.mark.parametrize(
    ("free", "when", "expected"),
    [
        ((WEEKDAYS,), day("2026-12-02", "20:00"), True),
        ((WEEKDAYS,), day("2026-12-02", "14:00"), False),
        ((WEEKDAYS,), day("2026-12-05", "20:00"), False),
        ((WEEKDAYS, SATURDAYS), day("2026-12-05", "20:00"), True),
        ((WEEKDAYS,), day("2026-12-02"), True),
        ((WEEKDAYS,), day("2026-12-02", "02:30", "Asia/Shanghai"), True),  # 19:30 in Berlin, on the evening before
        ((WEEKDAYS,), When(first="2026-12-04", last="2026-12-06", exact="span"), True),
        ((WEEKDAYS,), When(said="soon"), True),
        ((), day("2026-12-05"), True),
        ((ASKED_AHEAD,), day("2026-11-30"), False),
        ((ASKED_AHEAD,), day("2026-12-07"), True),
        ((FreeTime(notice=30),), day("2026-12-07"), False),
        ((FreeTime(notice=7), SATURDAYS), day("2026-12-06"), False),
    ],
)
def test_somebody_is_free_where_one_of_their_times_holds_it(
    free: tuple[FreeTime, ...], when: When, expected: bool
) -> None:
    assert is_free(free, when, (), BERLIN, TODAY) is expected


@pytest.mark.parametrize(
    ("parts", "expected"), [([("17:00", "24:00")], True), ([("12:00", "18:00")], False), ([], True)]
)
def test_a_part_of_the_day_is_enough_where_it_overlaps(parts: list[tuple[str, str]], expected: bool) -> None:
    assert is_free((WEEKDAYS,), day("2026-12-02"), parts, BERLIN, TODAY) is expected


def test_hours_a_week_are_known_only_where_each_time_is_bounded() -> None:
    assert (hours_a_week((WEEKDAYS,)), hours_a_week((WEEKDAYS, SATURDAYS))) == (25, 0)
