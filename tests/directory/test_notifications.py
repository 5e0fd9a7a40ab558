"""How people choose to be told: each for themselves, with or without a twin."""

from typing import Any

import pytest
from pydantic import ValidationError

from engine.directory.held import Notifications, QuietHours
from engine.directory.messages import ChooseNotifications, EraseNotifications, Settings
from engine.kernel import OPERATOR

from .test_rules import ABOUT, AYA, EVE, Book, aya

NIGHT = QuietHours(start="22:00", end="07:30")


def chooses(book: Book, by: str, **chosen: Any) -> int:
    return book.does(ChooseNotifications(**ABOUT, by=by, chosen=Notifications(**chosen)))


def test_who_has_chosen_nothing_is_told_when_they_are_needed_and_has_no_quiet_hours() -> None:
    assert Book(aya()).state.notifications(AYA) == Notifications(when="needed", quiet=None)


@pytest.mark.parametrize("who", [pytest.param(AYA, id="with a twin"), pytest.param(EVE, id="without one")])
def test_whoever_chooses_chooses_for_themselves_alone(who: str) -> None:
    book = Book(aya())

    assert chooses(book, who, when="digest", quiet=NIGHT) == 1

    assert book.state.notifications(who) == Notifications(when="digest", quiet=NIGHT)
    assert [*book.state.chosen] == [who]


def test_the_same_choice_again_is_no_news() -> None:
    book = Book()

    assert [chooses(book, EVE, when=each) for each in ("step", "step", "needed", "needed")] == [1, 0, 1, 0]


def test_the_quiet_hours_of_the_workspace_hold_until_somebody_chooses() -> None:
    book = Book()
    book.sets(quiet_hours=NIGHT)
    assert book.state.notifications(EVE).quiet == NIGHT

    assert chooses(book, EVE, quiet=NIGHT) == 1, "they mean it, also where the workspace says the same"
    book.sets()
    assert book.state.notifications(EVE).quiet == NIGHT
    assert chooses(book, EVE) == 1
    book.sets(quiet_hours=NIGHT)
    assert book.state.notifications(EVE).quiet is None


def test_what_is_erased_does_not_hold_any_more_and_nobody_else_s_is_touched() -> None:
    book = Book()
    chooses(book, AYA, when="step")
    chooses(book, EVE, when="digest")

    book.does(EraseNotifications(**ABOUT, by=OPERATOR, user_id=EVE))

    assert book.state.notifications(EVE) == Notifications()
    assert [*book.state.chosen] == [AYA]


@pytest.mark.parametrize(
    "said",
    [
        pytest.param({"start": "22:00", "end": "22:00"}, id="no time at all"),
        pytest.param({"start": "24:00", "end": "07:00"}, id="no hour of a day"),
        pytest.param({"start": "9:00", "end": "17:60"}, id="no minute of an hour"),
        pytest.param({"start": "22:00"}, id="without an end"),
    ],
)
def test_quiet_hours_begin_and_end(said: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        QuietHours(**said)


@pytest.mark.parametrize("times", [(), ("09:00",) * 7, ("nine",)], ids=["none", "too many", "no time"])
def test_digests_have_a_few_times_of_the_day(times: tuple[str, ...]) -> None:
    with pytest.raises(ValidationError):
        Settings(digest_times=times)
