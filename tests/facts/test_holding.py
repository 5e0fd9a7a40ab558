"""Demands as data are held against a plan as data."""

from datetime import date, timedelta
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.facts.circumstances import Money, People, When
from engine.facts.data import KINDS, WEEKDAYS, Datum, Days, Deadline, Effort, Hours, Notice, Place, Weeks, is_empty
from engine.facts.holding import Part, holds

BERLIN = Place(city="Berlin", online=True)


@pytest.mark.parametrize(
    ("last", "end", "exact", "days"),
    [("2027-05-15", "02:00", "day", 1), ("2027-05-15", "23:00", "day", 2), ("2027-05-15", "02:00", "span", 2),
     ("2027-05-16", "02:00", "day", 3), ("2027-05-15", "", "day", 2)],
)  # fmt: skip
def test_a_night_is_of_the_day_on_which_it_begins(last: str, end: str, exact: Any, days: int) -> None:
    found = When(first="2027-05-14", last=last, start="22:00", end=end, exact=exact).days
    assert found == (date(2027, 5, 14), date(2027, 5, 13 + days))


@pytest.mark.parametrize("kind", KINDS)
def test_what_says_nothing_demands_nothing(kind: type[Datum]) -> None:
    assert is_empty(kind())
    assert holds(kind(), Part(people=People(at_most=5), hours=3.0, money=Money(none=True))).status == "unknown"


@pytest.mark.parametrize(
    "datum",
    [
        Days(allowed=False),
        Hours(allowed=False, time_zone="Asia/Tokyo"),
        Weeks(allowed=False),
        Place(allowed=False),
        Effort(per="week"),
        Money(currency="EUR"),
    ],
    ids=str,
)
def test_how_without_what_demands_nothing(datum: Datum) -> None:
    assert is_empty(datum)


@pytest.mark.parametrize(
    ("there", "status"),
    [
        (Place(city="柏林"), "met"),
        (Place(online=True), "met"),
        (Place(city="Paris"), "broken"),
        (Place(city="Paris", online=True), "met"),
        (Place(city="Nowhere-on-Sea"), "unknown"),
        (Place(), "unknown"),
    ],
    ids=str,
)
def test_a_place_for_being_there_does_not_bind_what_is_done_from_afar(there: Place, status: str) -> None:
    assert holds(BERLIN, Part(place=there)).status == status


FRIDAY: Final = "2026-12-04"
NOTHING: Final = Part()


def on(first: str, last: str = "", start: str = "", end: str = "", zone: str = "", exact: str = "day") -> Part:
    return Part(when=When.checked({
        "first": first, "last": last or first, "start": start, "end": end, "time_zone": zone, "exact": exact,
    }))  # fmt: skip


def at(start: str, end: str = "", zone: str = "") -> Part:
    return on(FRIDAY, start=start, end=end, zone=zone)


CASES = [
    pytest.param(Days(weekdays=("fri",)), on(FRIDAY), "met", id="on Fridays, a Friday"),
    pytest.param(Days(weekdays=("mon", "tue")), on(FRIDAY), "broken", id="on Mondays and Tuesdays, a Friday"),
    pytest.param(Days(weekdays=("fri",), allowed=False), on(FRIDAY), "broken", id="never on Fridays, a Friday"),
    pytest.param(Days(weekdays=("fri",)), on(FRIDAY, "2026-12-06"), "unknown", id="which of three days is open"),
    pytest.param(Days(weekdays=("mon",), allowed=False), on(FRIDAY, "2026-12-06"), "met", id="no Monday among them"),
    pytest.param(Days(weekdays=("fri",)), on(FRIDAY, exact="vague"), "unknown", id="about a Friday"),
    pytest.param(Days(first="2026-12-01", last="2026-12-31"), on(FRIDAY), "met", id="in December"),
    pytest.param(Days(last="2026-12-03"), on(FRIDAY), "broken", id="until the day before"),
    pytest.param(Hours(end="18:00"), at("17:00", "18:00"), "met", id="until six, till six"),
    pytest.param(Hours(end="18:00"), at("17:00", "19:00"), "broken", id="until six, till seven"),
    pytest.param(Hours(end="18:00"), at("17:00"), "unknown", id="until six, nobody knows how long"),
    pytest.param(Hours(end="18:00"), at("18:30"), "broken", id="until six, begins later"),
    pytest.param(Hours(start="22:00", end="06:00", allowed=False), at("23:00", "01:00"), "broken", id="by night"),
    pytest.param(Hours(start="22:00", end="06:00", allowed=False), at("20:00", "22:00"), "met", id="until the night"),
    pytest.param(Hours(start="22:00", end="06:00"), at("23:30", "00:30"), "met", id="over midnight, within"),
    pytest.param(
        Hours(start="09:00", end="17:00", time_zone="Europe/Berlin"),
        at("16:00", "17:00", "Asia/Shanghai"),
        "met",
        id="nine in the morning there",
    ),
    pytest.param(
        Hours(start="09:00", end="17:00", time_zone="Europe/Berlin"),
        at("09:00", "10:00", "Asia/Shanghai"),
        "broken",
        id="the middle of the night there",
    ),
    pytest.param(
        Hours(start="09:00", end="17:00", time_zone="Mars/Base"), at("10:00", "11:00"), "unknown", id="no zone"
    ),
    pytest.param(Weeks(first=2), Part(weeks=(2, 4)), "met", id="from the second week on"),
    pytest.param(Weeks(first=2), Part(weeks=(1, 4)), "broken", id="not in the first"),
    pytest.param(Weeks(first=3, last=3, allowed=False), Part(weeks=(1, 2)), "met", id="before the one that is out"),
    pytest.param(People(at_most=20), Part(people=People(at_least=50, at_most=50)), "broken", id="fifty"),
    pytest.param(People(at_most=20), Part(people=People(at_least=12, at_most=12)), "met", id="twelve"),
    pytest.param(People(at_most=20), Part(people=People(at_least=12)), "unknown", id="twelve or more"),
    pytest.param(People(at_least=10), Part(people=People(at_least=1, at_most=5)), "broken", id="five, ten at least"),
    pytest.param(Money(amount=500, currency="EUR"), Part(money=Money(none=True)), "broken", id="no money"),
    pytest.param(
        Money(amount=500, currency="EUR"), Part(money=Money(amount=300, currency="EUR")), "broken", id="too little"
    ),
    pytest.param(
        Money(amount=500, currency="EUR"), Part(money=Money(amount=300, currency="CNY")), "unknown", id="other money"
    ),
    pytest.param(Money(amount=500), Part(money=Money(amount=900)), "unknown", id="it may be meant for something else"),
    pytest.param(Place(city="Beijing"), Part(place=Place(city="北京")), "met", id="one city, two names"),
    pytest.param(Place(city="Berlin"), Part(place=Place(city="Paris")), "broken", id="another city"),
    pytest.param(Place(city="Atlantis"), Part(place=Place(city="Berlin")), "unknown", id="a city that nobody knows"),
    pytest.param(Place(online=True), Part(place=Place(city="Berlin")), "broken", id="online, and it is not"),
    pytest.param(Place(city="Berlin", allowed=False), Part(place=Place(online=True)), "met", id="not there"),
    pytest.param(Notice(days=3), Part(days_ahead=5), "met", id="five days ahead"),
    pytest.param(Notice(days=3), Part(days_ahead=1), "broken", id="one day ahead"),
    pytest.param(Effort(hours=6), Part(hours=8), "broken", id="more work"),
    pytest.param(Effort(hours=6, per="week"), Part(hours=6), "unknown", id="of another time"),
    pytest.param(Deadline(day=FRIDAY), Part(ready=date(2026, 12, 4)), "met", id="on the very day"),
    pytest.param(Deadline(day=FRIDAY), Part(ready=date(2026, 12, 5)), "broken", id="a day late"),
]


@pytest.mark.parametrize(("wanted", "part", "status"), CASES)
def test_a_datum_is_met_broken_or_unknown(wanted: Datum, part: Part, status: str) -> None:
    assert holds(wanted, part).status == status


@pytest.mark.parametrize("wanted", [case.values[0] for case in CASES], ids=[case.id for case in CASES])
def test_of_what_a_plan_leaves_open_nothing_is_known(wanted: Datum) -> None:
    assert holds(wanted, NOTHING).status == "unknown"


@pytest.mark.parametrize("kind", [Days, Hours, Weeks, People, Money, Place, Notice, Effort, Deadline])
def test_what_demands_nothing_is_neither_kept_nor_broken(kind: type[Datum]) -> None:
    full = Part(
        when=at("10:00", "11:00").when, weeks=(1, 2), place=Place(city="Berlin"), people=People(at_least=1, at_most=9),
        money=Money(amount=9), hours=9, ready=date(2026, 12, 4), days_ahead=1,
    )  # fmt: skip
    assert holds(kind(), full).status == "unknown"


@pytest.mark.parametrize(("wanted", "part", "status"), CASES)
def test_what_decides_is_shown_as_data_of_the_same_kind(wanted: Datum, part: Part, status: str) -> None:
    found = holds(wanted, part).found
    assert (found is None) is (status == "unknown")
    assert found is None or type(found) is type(wanted)


# ── whatever the data ─────────────────────────────────────────────────────────────────────────────────────────────

days = st.dates(date(2026, 1, 1), date(2028, 12, 31))
clocks = st.integers(0, 1439).map(lambda each: f"{each // 60:02d}:{each % 60:02d}")
zones = st.sampled_from(["", "Asia/Shanghai", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"])
OPPOSITE: Final = {"met": "broken", "broken": "met", "unknown": "unknown"}


@given(days, st.integers(0, 30), st.sets(st.sampled_from(WEEKDAYS), min_size=1), days, st.integers(0, 400))
def test_days_that_are_allowed_and_days_that_are_not_are_opposites(
    first: date, length: int, weekdays: set[str], bound: date, span: int
) -> None:
    part = on(first.isoformat(), (first + timedelta(length)).isoformat())
    bounds = {"first": bound.isoformat(), "last": (bound + timedelta(span)).isoformat()}
    wanted = Days.checked({"weekdays": [*weekdays], **bounds, "kind": "days"})
    refused = Days.checked({"weekdays": [*weekdays], **bounds, "kind": "days", "allowed": False})

    assert holds(refused, part).status == OPPOSITE[holds(wanted, part).status]


@given(days, st.sets(st.sampled_from(WEEKDAYS), min_size=1))
def test_of_a_single_day_it_is_always_known_whether_it_fits(day: date, weekdays: set[str]) -> None:
    wanted = Days.checked({"weekdays": [*weekdays], "kind": "days"})
    met = WEEKDAYS[day.weekday()] in weekdays

    assert holds(wanted, on(day.isoformat())).status == ("met" if met else "broken")


@given(days, clocks, clocks, clocks, clocks, zones, zones)
def test_hours_are_the_same_whoever_says_them_from_where(
    day: date, start: str, end: str, opens: str, closes: str, there: str, here: str
) -> None:
    """Whose hours are just those that are wanted keeps them, across midnight and changes of clocks."""
    part = on(day.isoformat(), start=opens, end=closes, zone=here)
    wanted = Hours(start=start, end=end, time_zone=there)

    if there in ("", here) and (start, end) == (opens, closes) and start != "00:00":
        assert holds(wanted, part).status == "met"
    if opens != closes:
        assert holds(Hours(start=opens, end=closes, time_zone=here), part).status in ("met", "unknown")
    assert holds(wanted, part).status in ("met", "broken", "unknown")


@given(days, clocks, clocks, clocks, clocks)
def test_no_time_is_both_within_hours_and_apart_from_them(
    day: date, start: str, end: str, opens: str, closes: str
) -> None:
    part = on(day.isoformat(), start=opens, end=closes)
    within = holds(Hours(start=start, end=end), part).status
    apart = holds(Hours(start=start, end=end, allowed=False), part).status

    assert not within == apart == "met"


@given(st.integers(0, 99), st.integers(0, 99), st.integers(0, 99), st.integers(0, 99))
def test_a_number_of_people_is_met_only_if_every_number_it_may_be_is(
    least: int, most: int, wants_least: int, wants_most: int
) -> None:
    if most and least > most:
        return
    status = holds(
        People(at_least=wants_least, at_most=wants_most), Part(people=People(at_least=least, at_most=most))
    ).status
    numbers = range(least, (most or 250) + 1)
    fits = [wants_least <= each and (not wants_most or each <= wants_most) for each in numbers]

    if status == "met":
        assert all(fits)
    if status == "broken":
        assert not any(fits)
