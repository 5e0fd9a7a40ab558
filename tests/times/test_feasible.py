"""The times that are found are those that a walk through every quarter of an hour finds, in any zone and any week."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from time import process_time
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from engine.facts.asked import zone_of
from engine.facts.circumstances import When
from engine.facts.data import WEEKDAYS, Datum, Days, Hours, Notice
from engine.times.availability import USUAL, Availability
from engine.times.clocks import DAY, Span, regimes
from engine.times.feasible import MOST_TIMES, NEAREST, QUARTER, Attendee, at_time, feasible, minutes_of, window_of

STEP: Final = 300
"""Seconds between the moments that are walked through: all that is said here is a multiple of it."""
ZONES: Final = (
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Shanghai", "Asia/Kathmandu", "Australia/Lord_Howe",
    "Pacific/Apia",
)  # fmt: skip
DAYS: Final = (
    date(2026, 3, 28), date(2026, 10, 24), date(2026, 3, 7), date(2026, 10, 31), date(2026, 4, 4), date(2028, 2, 28),
    date(2026, 12, 30), date(2026, 6, 3),
)  # fmt: skip
"""Before clocks go forward, and back, in several zones; before a leap day, a new year, and in no way special."""
BERLIN: Final = "Europe/Berlin"
NINE_TO_FIVE: Final = (Days(weekdays=WEEKDAYS[:5]), Hours(start="09:00", end="17:00"))


class World(Struct, frozen=True):
    when: When
    minutes: int
    people: tuple[Attendee, ...]
    now: int
    instead_of: int | None = None

    @property
    def window(self) -> tuple[tuple[int, int], ...]:
        return window_of(self.when, self.minutes, "UTC")


# ── worlds ────────────────────────────────────────────────────────────────────────────────────────────────────────


@st.composite
def clocks(draw: st.DrawFn) -> str:
    return f"{draw(st.integers(0, 23)):02d}:{draw(st.sampled_from((0, 15, 30, 35, 45))):02d}"


@st.composite
def limits(draw: st.DrawFn, first: date) -> Datum:
    def day() -> str:
        return (first + timedelta(days=draw(st.integers(-1, 3)))).isoformat()

    match draw(st.integers(0, 4)):
        case 0:
            named = tuple(draw(st.sets(st.sampled_from(WEEKDAYS), min_size=1)))
            return Days(weekdays=named, allowed=draw(st.booleans()))
        case 1:
            away = sorted((day(), day()))
            return Days(first=away[0], last=away[1], allowed=draw(st.booleans()))
        case 2:
            return Days(first=day(), weekdays=WEEKDAYS[:5], allowed=draw(st.booleans()))
        case 3:
            return Notice(days=draw(st.integers(1, 3)))
        case _:
            zone = draw(st.sampled_from(("", *ZONES)))
            start, end = draw(clocks()), draw(clocks() | st.just(""))
            return Hours(start=start, end=end, time_zone=zone, allowed=draw(st.integers(0, 3)) > 0)


@st.composite
def people(draw: st.DrawFn, first: date) -> tuple[Attendee, ...]:
    midnight = datetime(first.year, first.month, first.day, tzinfo=UTC)
    found = []
    for number in range(draw(st.integers(1, 4))):
        busy = []
        for _ in range(draw(st.integers(0, 4))):
            begins = midnight + timedelta(seconds=STEP * draw(st.integers(-100, 900)))
            long = draw(st.sampled_from((1, 3, 12, 24, 100, 288, 576)))  # up to two whole days
            busy.append(Span(begins, begins + timedelta(seconds=STEP * long)))
        held = tuple(draw(st.lists(limits(first), max_size=3)))
        zone, home = draw(st.sampled_from(ZONES)), draw(st.sampled_from(("", *ZONES)))
        available = Availability(held, zone, tuple(busy), home=home)
        found.append(Attendee(f"p{number}", draw(st.booleans()), available))
    return tuple(found)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    first = draw(st.sampled_from(DAYS))
    last = first + timedelta(days=draw(st.integers(0, 2)))
    hours = draw(st.booleans())
    when = When(
        first=first.isoformat(),
        last=last.isoformat(),
        start=draw(clocks()) if hours else "",
        end=draw(clocks()) if hours else "",
        time_zone=draw(st.sampled_from(ZONES)),
        exact="span",
    )
    begun = datetime(first.year, first.month, first.day, tzinfo=UTC).timestamp()
    now = int(begun) + STEP * draw(st.integers(-600, 300))
    minutes = draw(st.sampled_from((15, 30, 45, 60, 90, 240, 600, 1500)))
    instead_of = int(begun) + QUARTER * draw(st.integers(-400, 600)) if draw(st.booleans()) else None
    return World(when, minutes, draw(people(first)), now, instead_of)


# ── the walk ──────────────────────────────────────────────────────────────────────────────────────────────────────


def fits(limit: Datum, weekdays: Sequence[Days], zone: str, moment: datetime, now: int) -> bool:
    """Whether a moment is within what somebody holds to, by what the clock on their wall shows."""
    match limit:
        case Days():
            day = moment.astimezone(zone_of(zone)).date()
            is_named = not limit.weekdays or WEEKDAYS[day.weekday()] in limit.weekdays
            is_from = (limit.first or "0") <= day.isoformat() <= (limit.last or "9")
            return is_from if limit.allowed else not (is_from and is_named)
        case Hours():
            wall = moment.astimezone(zone_of(limit.time_zone or zone)).replace(tzinfo=None)
            return any(is_in(limit, wall, day, weekdays) for day in (0, 1)) is limit.allowed
        case Notice():
            return moment.timestamp() >= now + limit.days * DAY
        case _:
            return True


def is_in(limit: Hours, wall: datetime, days_before: int, weekdays: Sequence[Days]) -> bool:
    day = datetime(wall.year, wall.month, wall.day) - timedelta(days=days_before)
    if limit.allowed and not all(WEEKDAYS[day.weekday()] in each.weekdays for each in weekdays):
        return False
    opens, closes = (
        timedelta(hours=int(each[:2]), minutes=int(each[3:])) for each in (limit.start, limit.end or "24:00")
    )
    if closes <= opens:
        closes += timedelta(days=1)
    return day + opens <= wall < day + closes


def is_free(person: Availability, moment: datetime, now: int) -> bool:
    weekdays = [each for each in person.limits if isinstance(each, Days) and each.allowed and each.weekdays]
    held = [fits(each, weekdays, person.time_zone, moment, now) for each in person.limits]
    if not person.has_hours and weekdays:
        day = moment.astimezone(zone_of(person.time_zone)).date()
        held.append(all(WEEKDAYS[day.weekday()] in each.weekdays for each in weekdays))
    return all(held) and not any(each.start <= moment < each.end for each in person.busy)


def moments(begins: int, minutes: int) -> Iterator[datetime]:
    for at in range(begins, begins + 60 * minutes, STEP):
        yield datetime.fromtimestamp(at, UTC)


def is_usual(zone: str, moment: datetime) -> bool:
    return is_in(USUAL, moment.astimezone(zone_of(zone)).replace(tzinfo=None), 0, ())


def is_strange(world: World, begins: int) -> int:
    """In how many zones of people without hours of their own it is an unusual time."""
    free = (each.available for each in world.people if not each.available.has_hours)
    zones = {each.home or each.time_zone for each in free}
    return sum(not all(is_usual(zone, each) for each in moments(begins, world.minutes)) for zone in zones)


def walked(world: World) -> dict[int, tuple[set[str], int, int]]:
    """Return, for each time at which it may begin, who cannot, and in how many zones it is an unusual one."""
    found = {}
    start = world.window[0][0] if world.window else 0
    for opens, closes in world.window:
        for begins in range(opens, closes - 60 * world.minutes + 1, QUARTER):
            if begins < world.now:
                continue
            then = [*moments(begins, world.minutes)]
            cannot = {p.who for p in world.people if not all(is_free(p.available, m, world.now) for m in then)}
            found[begins] = (cannot, is_strange(world, begins), (begins - start) // DAY)
    return found


def order(world: World, begins: int, day: int, strange: int) -> tuple[int, ...]:
    if world.instead_of is None:
        return day, strange, begins
    days = begins // DAY - world.instead_of // DAY
    hours = abs(begins - (world.instead_of + days * DAY))
    weekdays = [datetime.fromtimestamp(each, UTC).weekday() for each in (begins, world.instead_of)]
    is_other = (weekdays[0] >= 5) != (weekdays[1] >= 5)
    stranger = max(0, strange - is_strange(world, world.instead_of))
    return is_other, stranger, abs(days), hours % 3600 != 0, hours, begins


def chosen(world: World, cost: Mapping[int, tuple[tuple[int, int], tuple[int, ...]]], most: int) -> list[int]:
    best: list[int] = []
    for suits in sorted({each[0] for each in cost.values()}):
        alike = sorted((each for each in cost if cost[each][0] == suits), key=lambda each: cost[each][1])
        added: list[int] = []
        for begins in alike:
            others = [*best, *added]
            is_far = all(abs(begins - each) >= max(4 * 3600, 60 * world.minutes) for each in others)
            of_the_day = [each for each in others if each // DAY == begins // DAY]
            if len(others) < most and is_far and len(of_the_day) < 2:
                added.append(begins)
        for begins in alike:
            others = [abs(begins - each) for each in (*best, *added)]
            if len(others) < most and all(each >= 60 * world.minutes for each in others):
                added.append(begins)
        best += [each for each in alike if each in added]
    return best


@given(worlds())
def test_what_is_found_is_what_a_walk_through_every_quarter_of_an_hour_finds(world: World) -> None:
    found = feasible(world.window, world.minutes, world.people, world.now, "UTC", world.instead_of)
    must = {each.who for each in world.people if each.must}
    seen = walked(world)
    cost = {
        begins: ((len(no & must), len(no - must)), order(world, begins, day, strange))
        for begins, (no, strange, day) in seen.items()
    }
    free = {begins: each for begins, each in cost.items() if not each[0][0]}

    best = chosen(world, free or cost, MOST_TIMES if free else NEAREST)
    told = found.times if free else found.nearest
    assert [begins_at(each.when) for each in told] == best
    assert [set(each.cannot) for each in told] == [seen[each][0] for each in best]
    assert [set(each.blocking) for each in told] == [seen[each][0] & must for each in best]
    assert [list(each.later) for each in told] == [joining_later(world, each, seen[each][0]) for each in best]
    assert bool(found.nearest) == (bool(cost) and not free)
    assert not (found.times and found.nearest)
    if found.nearest:  # a smallest set: fewer people stand in the way of no time
        assert len(found.nearest[0].blocking) == min(len(no & must) for no, _, _ in seen.values()) > 0


def joining_later(world: World, begins: int, cannot: set[str]) -> list[str]:
    """From when those can until the end who cannot at the beginning, where that is not after half of it."""
    then = [*moments(begins, world.minutes)]
    found = []
    for each in (each for each in world.people if each.who in cannot):
        last = max(m for m in then if not is_free(each.available, m, world.now))
        since = int(last.timestamp()) + STEP
        if since < begins + 60 * world.minutes and since - begins <= 30 * world.minutes:
            found.append(since)
    return [f"{datetime.fromtimestamp(each, UTC):%H:%M}" for each in sorted(found)]


def begins_at(when: When) -> int:
    return int(datetime.fromisoformat(f"{when.first}T{when.start}").replace(tzinfo=UTC).timestamp())


# ── single worlds ─────────────────────────────────────────────────────────────────────────────────────────────────


def seconds(said: str, zone: str = "UTC") -> int:
    return int(datetime.fromisoformat(said).replace(tzinfo=zone_of(zone)).timestamp())


def on(first: str, last: str = "", start: str = "", end: str = "", zone: str = "Europe/Berlin") -> When:
    return When(first=first, last=last or first, start=start, end=end, time_zone=zone, exact="span" if last else "day")


def found_starts(when: When, minutes: int, *held: Availability, zone: str = "Europe/Berlin") -> list[str]:
    people = [Attendee(f"p{number}", True, each) for number, each in enumerate(held)]
    found = feasible(window_of(when, minutes, zone), minutes, people, 0, zone)
    return [f"{each.when.first} {each.when.start}" for each in found.times]


def test_working_hours_of_two_zones_meet_where_both_work() -> None:
    berlin = Availability(NINE_TO_FIVE, "Europe/Berlin")
    new_york = Availability(NINE_TO_FIVE, "America/New_York")
    starts = found_starts(on("2026-12-04", "2026-12-07"), 60, berlin, new_york)
    assert starts == ["2026-12-04 15:00", "2026-12-04 16:00", "2026-12-07 15:00", "2026-12-07 16:00"]


def test_for_two_weeks_of_march_the_two_zones_are_an_hour_nearer() -> None:
    berlin = Availability(NINE_TO_FIVE, "Europe/Berlin")
    new_york = Availability(NINE_TO_FIVE, "America/New_York")
    assert found_starts(on("2026-03-09"), 60, berlin, new_york)[0] == "2026-03-09 14:00"
    assert found_starts(on("2026-03-30"), 60, berlin, new_york)[0] == "2026-03-30 15:00"


def test_hours_that_go_on_after_midnight_belong_to_the_day_on_which_they_begin() -> None:
    nights = Availability((Days(weekdays=("fri",)), Hours(start="22:00", end="02:00")), "Europe/Berlin")
    assert found_starts(on("2026-12-03", "2026-12-06"), 240, nights) == ["2026-12-04 22:00"]


def test_a_leap_day_is_a_day() -> None:
    away = Availability((Days(first="2028-02-28", last="2028-02-28", allowed=False),), "UTC")
    assert found_starts(on("2028-02-28", "2028-03-01", zone="UTC"), 1440, away, zone="UTC") == [
        "2028-02-29 00:00",
        "2028-03-01 00:00",
    ]


def test_the_hour_that_there_is_not_is_in_nobodys_hours_and_the_one_that_there_is_twice_is_in_them_twice() -> None:
    one_to_three = Availability((Hours(start="01:00", end="03:00"),), "Europe/Berlin")
    assert found_starts(on("2026-03-29"), 120, one_to_three) == []
    assert found_starts(on("2026-03-29"), 60, one_to_three) == ["2026-03-29 01:00"]
    assert found_starts(on("2026-10-25"), 180, one_to_three) == ["2026-10-25 01:00"]


def test_whoever_has_said_nothing_hinders_nothing_and_is_counted_apart() -> None:
    silent, busy = Availability(time_zone="UTC"), Availability((), "UTC", (Span(*_hours(9, 12)),))
    people = [Attendee("silent", True, silent), Attendee("busy", False, busy)]
    found = feasible(
        window_of(on("2026-12-04", zone="UTC", start="09:00", end="10:00"), 60, "UTC"), 60, people, 0, "UTC"
    )
    assert (found.known, found.unsaid, [(each.can, each.cannot) for each in found.times]) == (1, 1, [(0, ("busy",))])


def _hours(first: int, last: int) -> tuple[datetime, datetime]:
    return datetime(2026, 12, 4, first, tzinfo=UTC), datetime(2026, 12, 4, last, tzinfo=UTC)


def test_where_there_is_no_time_the_fewest_are_named() -> None:
    busy = [Span(*_hours(9, 12)), Span(*_hours(9, 11)), Span(*_hours(10, 12))]
    people = [Attendee(f"p{number}", True, Availability((), "UTC", (each,))) for number, each in enumerate(busy)]
    found = feasible(
        window_of(on("2026-12-04", zone="UTC", start="09:00", end="12:00"), 60, "UTC"), 60, people, 0, "UTC"
    )
    assert not found.times
    assert [(each.when.start, each.blocking) for each in found.nearest] == [
        ("09:00", ("p0", "p1")),
        ("11:00", ("p0", "p2")),
        ("10:00", ("p0", "p1", "p2")),
    ]


def test_fewest_of_those_who_have_to_be_there_come_before_fewest_of_all() -> None:
    busy = {"a": (9, 11), "d": (10, 11), "b": (9, 10), "c": (9, 10)}
    people = [
        Attendee(who, who in "ad", Availability((), "UTC", (Span(*_hours(*each)),))) for who, each in busy.items()
    ]
    window = window_of(on("2026-12-04", zone="UTC", start="09:00", end="11:00"), 60, "UTC")
    found = feasible(window, 60, people, 0, "UTC")
    assert [(each.when.start, each.blocking) for each in found.nearest] == [("09:00", ("a",)), ("10:00", ("a", "d"))]


def test_of_what_suits_as_many_two_are_of_a_day_hours_apart() -> None:
    week = on("2026-12-07", "2026-12-11")
    free, mornings = Availability(NINE_TO_FIVE, BERLIN), (Days(weekdays=("tue",)), Hours(start="09:00", end="12:00"))
    assert found_starts(week, 60, free) == [
        "2026-12-07 09:00",
        "2026-12-07 13:00",
        "2026-12-08 09:00",
        "2026-12-08 13:00",
        "2026-12-09 09:00",
    ]
    tuesday = [f"2026-12-08 {each}" for each in ("09:00", "10:00", "11:00")]
    assert found_starts(week, 60, free, Availability(mornings, BERLIN)) == tuesday, "there are no others"


def test_what_suits_more_comes_before_what_is_of_another_day() -> None:
    people = [
        Attendee("must", True, Availability(NINE_TO_FIVE, BERLIN)),
        Attendee("may", False, Availability((Days(weekdays=("mon",)), Hours(start="09:00", end="13:00")), BERLIN)),
    ]
    found = feasible(window_of(on("2026-12-07", "2026-12-11"), 60, BERLIN), 60, people, 0, BERLIN)
    assert [(each.when.first, each.when.start, each.can) for each in found.times] == [
        *(("2026-12-07", f"{hour:02d}:00", 2) for hour in range(9, 13)),
        ("2026-12-08", "09:00", 1),
    ]


def test_instead_of_a_time_its_day_and_those_beside_it_come_first_at_the_same_hour() -> None:
    thursday = seconds("2026-12-10T14:00", BERLIN)
    busy = Availability((), BERLIN, (Span(*(datetime.fromtimestamp(each, UTC) for each in (thursday, thursday + 1))),))
    window = window_of(on("2026-12-07", "2026-12-18"), 60, BERLIN)
    found = feasible(window, 60, [Attendee("p", True, busy)], 0, BERLIN, instead_of=thursday)
    assert [f"{each.when.first} {each.when.start}" for each in found.times] == [
        "2026-12-10 13:00",
        "2026-12-10 17:00",
        "2026-12-09 14:00",
        "2026-12-11 14:00",
        "2026-12-09 10:00",
    ]


def test_instead_of_a_friday_no_weekend_comes_first_and_instead_of_a_saturday_the_next_one() -> None:
    window = window_of(on("2026-12-07", "2026-12-20", start="14:00", end="16:00"), 120, BERLIN)
    for day, instead in (("2026-12-11", "2026-12-10"), ("2026-12-12", "2026-12-13")):
        away = Availability((Days(first=day, last=day, allowed=False),), BERLIN)
        begins = seconds(f"{day}T14:00", BERLIN)
        found = feasible(window, 120, [Attendee("p", True, away)], 0, BERLIN, instead_of=begins)
        assert (found.times[0].when.first, found.times[0].when.start) == (instead, "14:00")


def test_one_time_is_looked_at_by_itself() -> None:
    people = [Attendee("p0", True, Availability((), "UTC", (Span(*_hours(9, 12)),)))]
    nine = seconds("2026-12-04T09:00")
    assert at_time((nine, nine + 3600), people, 0, on("2026-12-04")).cannot == ("p0",)
    assert at_time((nine - 3600, nine), people, 0, on("2026-12-04")).cannot == ()


@pytest.mark.parametrize(
    ("when", "said", "minutes"),
    [
        (on("2026-12-04", start="19:00", end="21:30"), 0, 150),
        (on("2026-12-04", start="22:00", end="02:00"), 0, 240),
        (on("2026-12-04", start="13:00", end="18:00"), 90, 90),
        (on("2026-12-04", start="19:00"), 0, 0),
    ],
)
def test_how_long_it_takes_is_what_was_said_or_the_hours(when: When, said: int, minutes: int) -> None:
    assert minutes_of(when, said) == minutes


def test_a_zone_has_one_time_between_two_changes() -> None:
    found = regimes("Europe/Berlin", seconds("2026-01-01"), seconds("2027-01-01"))
    assert [each.ahead for each in found] == [3600, 7200, 3600]
    assert [each.end for each in found[:2]] == [seconds("2026-03-29T01:00"), seconds("2026-10-25T01:00")]


def test_two_hundred_people_and_twelve_weeks_are_swept_at_once() -> None:
    begun = datetime(2026, 12, 7, tzinfo=UTC)
    people = []
    for number in range(200):
        busy = tuple(
            Span(
                begun + timedelta(hours=9 + (7 * number + 3 * day) % 8, days=day),
                begun + timedelta(hours=11 + (7 * number + 3 * day) % 8, days=day),
            )
            for day in range(84)
        )
        away = Days(first=f"2027-01-{number % 28 + 1:02d}", last=f"2027-01-{number % 28 + 1:02d}", allowed=False)
        held = (Days(weekdays=WEEKDAYS[:5]), Hours(start="08:00", end=f"{17 + number % 4}:00"), away)
        people.append(Attendee(f"p{number}", number % 5 == 0, Availability(held, ZONES[number % 3], busy)))
    window = window_of(on("2026-12-07", "2027-02-28", zone="UTC"), 60, "UTC")
    started = process_time()
    found = feasible(window, 60, people, 0, "UTC")
    took = process_time() - started
    assert found.times or found.nearest
    assert took < 1.0  # a tenth of that on an idle machine
