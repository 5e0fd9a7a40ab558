"""People tell their own twin something for good, and nobody else does."""

import pytest

from engine.directory.errors import InvalidProfile
from engine.directory.messages import EraseProfile, TellTwin
from engine.directory.profile import LONGEST_TOLD, MOST_TOLD
from engine.errors import NotAllowed, UnknownAgent
from engine.kernel import OPERATOR

from .test_rules import ABOUT, ADMIN, AYA, AYAS, BO, EVE, Book, aya, bo

LINE = "Not on Mondays"


def tells(book: Book, by: str, line: str, agent_id: str = AYAS, *, as_admin: bool = False) -> int:
    return book.does(TellTwin(**ABOUT, by=by, agent_id=agent_id, line=line, as_admin=as_admin))


def told(book: Book) -> tuple[str, ...]:
    profile = book.profile()
    assert profile is not None
    return profile.from_now_on


def test_a_line_is_kept_once_and_in_order() -> None:
    book = Book(aya(), bo())

    assert [tells(book, AYA, each) for each in (LINE, "  At most 20 people ", LINE)] == [1, 1, 0]

    assert told(book) == (LINE, "At most 20 people")
    assert book.state.entry("user_agent_bo").profile == bo()


@pytest.mark.parametrize("who", [BO, EVE, ADMIN, ""])
@pytest.mark.parametrize("as_admin", [False, True])
def test_nobody_tells_somebody_elses_twin_not_even_an_admin(who: str, as_admin: bool) -> None:
    book = Book(aya(), bo())
    with pytest.raises(NotAllowed):
        tells(book, who, LINE, as_admin=as_admin)
    with pytest.raises(UnknownAgent):
        tells(book, AYA, LINE, "user_agent_nobody")
    assert told(book) == ()


def test_there_is_room_for_so_many_lines_and_no_more() -> None:
    book = Book(aya())
    for number in range(MOST_TOLD):
        tells(book, AYA, f"Line {number}")

    with pytest.raises(InvalidProfile):
        tells(book, AYA, LINE)

    assert tells(book, AYA, "Line 0") == 0, "what it knows already takes no room"
    assert len(told(book)) == MOST_TOLD


@pytest.mark.parametrize("line", ["", "   ", "x" * (LONGEST_TOLD + 1)], ids=["nothing", "blanks", "too long"])
def test_a_line_says_something_and_is_short(line: str) -> None:
    with pytest.raises(InvalidProfile):
        tells(Book(aya()), AYA, line)


def test_a_line_can_be_changed_and_taken_out_with_the_profile() -> None:
    book = Book(aya())
    tells(book, AYA, LINE)

    book.saves(AYA, aya(from_now_on=("Not on Tuesdays",)))
    assert told(book) == ("Not on Tuesdays",)

    book.saves(AYA, aya())
    assert told(book) == ()


def test_the_file_of_a_person_does_not_undo_it_and_forgetting_does() -> None:
    book = Book(aya())
    tells(book, AYA, LINE)

    book.loads(aya(location="Oslo"))
    assert told(book) == (LINE,)

    book.does(EraseProfile(**ABOUT, by=OPERATOR, agent_id=AYAS))
    assert book.profile() is None
