"""Working times and times away are limits of somebody's own part, under other names: nothing is kept twice."""

import pytest

from engine.directory.availability import (
    MOST_AWAY,
    WorkingTimes,
    times_away,
    with_time_away,
    with_working_times,
    working_times,
)
from engine.directory.errors import InvalidProfile
from engine.directory.messages import BeAway
from engine.directory.profile import Limits, StatedLimit
from engine.errors import NotAllowed, UnknownAgent
from engine.facts.circumstances import People
from engine.facts.data import Datum, Days, Effort, Hours

from .test_rules import ABOUT, ADMIN, AYA, AYAS, BO, EVE, Book, aya, bo

WEEK: WorkingTimes = WorkingTimes(("mon", "tue"), "09:00", "17:00", "Europe/Berlin", 12.5)
DATA: tuple[Datum, ...] = (
    Days(weekdays=("mon", "tue")),
    Hours(start="09:00", end="17:00", time_zone="Europe/Berlin"),
    Effort(hours=12.5, per="week"),
)
OTHERS: tuple[Datum, ...] = (
    Days(weekdays=("sun",), allowed=False),
    Hours(start="22:00", end="06:00", allowed=False),
    Hours(start="09:00"),
    Effort(hours=3, per="day"),
    People(at_most=20),
)


def holding(*data: Datum) -> Limits:
    return Limits(data=tuple(StatedLimit(data=each) for each in data))


def data_of(limits: Limits) -> tuple[Datum, ...]:
    return tuple(each.data for each in limits.data)


def test_working_times_are_read_out_of_limits_and_written_into_them() -> None:
    assert working_times(holding(*OTHERS, *DATA)) == WEEK
    assert data_of(with_working_times(Limits(), WEEK)) == DATA


def test_other_limits_stay_and_what_is_not_changed_is_not_touched() -> None:
    limits = holding(*OTHERS, *DATA)
    assert with_working_times(limits, WEEK) is limits
    assert data_of(with_working_times(limits, WorkingTimes())) == OTHERS
    later = WorkingTimes(("mon",), "10:00", "12:00")
    assert data_of(with_working_times(limits, later)) == (
        Days(weekdays=("mon",)),
        Hours(start="10:00", end="12:00"),
        *OTHERS,
    )


def test_a_limit_of_the_whole_is_nobodys_working_time() -> None:
    whole = Limits(data=(StatedLimit(data=DATA[0], scope="whole"),))
    assert working_times(whole) == WorkingTimes()
    assert data_of(with_working_times(whole, WorkingTimes())) == DATA[:1]


def test_times_away_are_added_once_and_those_that_are_over_go() -> None:
    limits = with_time_away(holding(*DATA), "2026-12-01", "2026-12-04", "2026-11-28")
    assert times_away(limits) == (Days(first="2026-12-01", last="2026-12-04", allowed=False),)
    assert with_time_away(limits, "2026-12-01", "2026-12-04", "2026-12-04") == limits
    later = with_time_away(limits, "2027-01-01", "2027-01-01", "2026-12-05")
    assert data_of(later) == (*DATA, Days(first="2027-01-01", last="2027-01-01", allowed=False))


# ── saying so ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_away(book: Book, by: str, first: str, last: str, agent_id: str = AYAS, *, as_admin: bool = False) -> int:
    return book.does(BeAway(**ABOUT, by=by, agent_id=agent_id, first=first, last=last, as_admin=as_admin))


def test_somebody_says_when_they_are_away() -> None:
    book = Book(aya(), bo())
    assert [is_away(book, AYA, "2099-05-01", "2099-05-03") for _ in range(2)] == [1, 0]
    profile = book.profile()
    assert profile is not None
    assert [each.data for each in profile.data_limits] == [Days(first="2099-05-01", last="2099-05-03", allowed=False)]
    assert book.state.entry("user_agent_bo").profile == bo()


@pytest.mark.parametrize("who", [BO, EVE, ADMIN, ""])
def test_nobody_says_it_for_somebody_else(who: str) -> None:
    book = Book(aya(), bo())
    for as_admin in (False, True):
        with pytest.raises(NotAllowed):
            is_away(book, who, "2099-05-01", "2099-05-03", as_admin=as_admin)
    with pytest.raises(UnknownAgent):
        is_away(book, AYA, "2099-05-01", "2099-05-03", "user_agent_nobody")


@pytest.mark.parametrize(
    ("first", "last"), [("2099-05-03", "2099-05-01"), ("", "2099-05-01"), ("2099-05-01", ""), ("soon", "later")]
)
def test_a_time_away_has_two_days_in_their_order(first: str, last: str) -> None:
    with pytest.raises(InvalidProfile):
        is_away(Book(aya()), AYA, first, last)


def test_there_is_room_for_so_many_times_away_and_no_more() -> None:
    book = Book(aya())
    for number in range(MOST_AWAY):
        is_away(book, AYA, f"2099-05-{number % 28 + 1:02d}", f"{2099 + number}-06-01")
    with pytest.raises(InvalidProfile):
        is_away(book, AYA, "2098-05-01", "2098-05-01")
