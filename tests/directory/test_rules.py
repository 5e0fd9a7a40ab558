"""Who may change what in the directory, and what is left when it is taken back."""

from typing import Any

import pytest

from engine.directory.errors import InvalidProfile, InvalidSettings
from engine.directory.messages import (
    ChangeSettings,
    ChooseReach,
    DisableProfile,
    LoadProfiles,
    PauseTwin,
    PersonsCommand,
    ResetProfile,
    SaveProfile,
    Settings,
)
from engine.directory.profile import Profile
from engine.directory.rules import RULEBOOK
from engine.directory.state import Directory
from engine.errors import NotAllowed, Outdated, Refusal, UnknownAgent
from engine.kernel import Command
from tests.profiles.people import person

AYA, BO, EVE, ADMIN = "U_AYA", "U_BO", "U_EVE", "U_ADMIN"
AYAS, BOS = "user_agent_aya", "user_agent_bo"
ABOUT: dict[str, Any] = {"command_id": "c", "at": 0}


def aya(**fields: Any) -> Profile:
    return person("aya", **{"slack_user": AYA, **fields})


def bo(**fields: Any) -> Profile:
    return person("bo", **{"slack_user": BO, **fields})


class Book:
    """A directory, and what is asked of it."""

    def __init__(self, *people: Profile) -> None:
        self.state = Directory()
        self.loads(*people)

    def does(self, command: Command) -> int:
        """How many events followed."""
        decision = RULEBOOK.decide(self.state, command)
        for event in decision.events:
            self.state = RULEBOOK.evolve(self.state, event)
        return len(decision.events)

    def loads(self, *people: Profile) -> int:
        return self.does(LoadProfiles(**ABOUT, profiles=people))

    def saves(self, by: str, profile: Profile, *, revision: int | None = None, as_admin: bool = False) -> int:
        seen = self.state.entry(profile.agent_id).revision if revision is None else revision
        return self.does(
            SaveProfile(**ABOUT, by=by, agent_id=profile.agent_id, profile=profile, revision=seen, as_admin=as_admin)
        )

    def sets(self, by: str = ADMIN, *, as_admin: bool = True, always_admins: bool = True, **settings: Any) -> int:
        return self.does(
            ChangeSettings(
                **ABOUT,
                by=by,
                settings=Settings(**settings),
                revision=self.state.settings_revision,
                as_admin=as_admin,
                always_admins=always_admins,
            )
        )

    def profile(self, agent_id: str = AYAS) -> Profile | None:
        return self.state.entry(agent_id).profile


def test_what_the_files_say_is_there_and_the_same_again_is_no_news() -> None:
    book = Book(aya(), bo())

    assert [*book.state.asked] == [AYAS, BOS]
    assert book.loads(aya(), bo()) == 0
    assert book.loads(aya(location="Paris"), bo()) == 1
    assert book.state.asked[AYAS].location == "Paris"


def test_whose_file_is_gone_is_not_asked_any_more() -> None:
    book = Book(aya(), bo())

    book.loads(bo())

    assert [*book.state.asked] == [BOS]
    assert book.profile() is None


def test_a_person_says_who_they_are_and_it_outlives_the_file() -> None:
    book = Book(aya())

    book.saves(AYA, aya(location="Rome"))
    book.loads(aya(location="Paris"))

    assert book.state.asked[AYAS].location == "Rome"
    book.loads()
    assert book.state.asked[AYAS].location == "Rome"


def test_whoever_has_no_twin_can_make_one_and_take_it_away_again() -> None:
    book = Book()

    book.saves(AYA, aya())
    assert [*book.state.asked] == [AYAS]
    book.does(ResetProfile(**ABOUT, by=AYA, agent_id=AYAS))

    assert not book.state.people


@pytest.mark.parametrize("by", [BO, EVE, ADMIN])
def test_nobody_else_may_touch_it(by: str) -> None:
    book = Book(aya(), bo())
    book.saves(AYA, aya(location="Rome"))
    before = book.state

    for command in (
        SaveProfile(**ABOUT, by=by, agent_id=AYAS, profile=aya(location="Oslo"), revision=2),
        SaveProfile(**ABOUT, by=by, agent_id="user_agent_new", profile=person("new", slack_user=AYA), revision=0),
        SaveProfile(**ABOUT, by=by, agent_id="user_agent_new", profile=person("new"), revision=0),
        PauseTwin(**ABOUT, by=by, agent_id=AYAS, paused=True),
        DisableProfile(**ABOUT, by=by, agent_id=AYAS, disabled=True),
        ResetProfile(**ABOUT, by=by, agent_id=AYAS),
        ChangeSettings(**ABOUT, by=by, settings=Settings(admins=(by,)), revision=0, always_admins=True),
    ):
        with pytest.raises(NotAllowed):
            book.does(command)

    assert book.state == before


@pytest.mark.parametrize("by", [AYA, ADMIN])
def test_the_file_is_an_admins_to_go_back_to(by: str) -> None:
    book = Book(aya())
    book.saves(AYA, aya(location="Rome"))
    command = ResetProfile(**ABOUT, by=by, agent_id=AYAS, as_admin=by == ADMIN)

    if by == ADMIN:
        assert book.does(command) == 1
        assert book.state.asked[AYAS].location == "Berlin"
        assert book.does(command) == 0
    else:
        with pytest.raises(NotAllowed):
            book.does(command)


def test_a_person_cannot_make_their_twin_somebody_elses() -> None:
    book = Book(aya())

    for whose in (BO, None):
        with pytest.raises(NotAllowed):
            book.saves(AYA, aya(slack_user=whose))
    assert book.saves(ADMIN, aya(slack_user=None), as_admin=True) == 1
    with pytest.raises(NotAllowed):
        book.saves(AYA, aya())


def test_a_person_has_one_twin() -> None:
    book = Book(aya(), bo())

    with pytest.raises(InvalidProfile):
        book.saves(AYA, person("second", slack_user=AYA))
    with pytest.raises(InvalidProfile):
        book.saves(ADMIN, bo(slack_user=AYA), as_admin=True)


def test_a_profile_that_contradicts_itself_is_refused() -> None:
    book = Book(aya())

    with pytest.raises(InvalidProfile, match="catering"):
        book.saves(AYA, aya(capabilities={"catering": "soup for 40"}))


def test_what_somebody_else_wrote_meanwhile_is_not_overwritten() -> None:
    book = Book(aya())
    seen = book.state.entry(AYAS).revision
    book.saves(ADMIN, aya(location="Oslo"), as_admin=True)

    with pytest.raises(Outdated):
        book.saves(AYA, aya(location="Rome"), revision=seen)
    assert book.state.asked[AYAS].location == "Oslo"


def test_a_form_that_was_open_while_a_twin_was_removed_makes_no_second_one() -> None:
    book = Book()
    book.saves(AYA, aya())
    book.does(ResetProfile(**ABOUT, by=AYA, agent_id=AYAS))

    with pytest.raises(Outdated):
        book.saves(AYA, aya(), revision=1)


def test_a_paused_twin_is_not_asked_and_stays_so_whatever_admins_do() -> None:
    book = Book(aya(), bo())
    book.does(PauseTwin(**ABOUT, by=AYA, agent_id=AYAS, paused=True))
    assert book.does(PauseTwin(**ABOUT, by=AYA, agent_id=AYAS, paused=True)) == 0
    assert [*book.state.asked] == [BOS]

    book.saves(ADMIN, aya(location="Oslo"), as_admin=True)
    book.does(DisableProfile(**ABOUT, by=ADMIN, agent_id=AYAS, disabled=True, as_admin=True))
    book.does(ResetProfile(**ABOUT, by=ADMIN, agent_id=AYAS, as_admin=True))
    assert [*book.state.asked] == [BOS]

    with pytest.raises(NotAllowed):
        book.does(PauseTwin(**ABOUT, by=ADMIN, agent_id=AYAS, paused=False, as_admin=True))
    book.does(PauseTwin(**ABOUT, by=AYA, agent_id=AYAS, paused=False))
    assert [*book.state.asked] == [AYAS, BOS]


def test_who_is_disabled_is_not_asked_until_an_admin_says_so() -> None:
    book = Book(aya(), bo())
    book.does(DisableProfile(**ABOUT, by=ADMIN, agent_id=AYAS, disabled=True, as_admin=True))

    book.does(PauseTwin(**ABOUT, by=AYA, agent_id=AYAS, paused=True))
    book.does(PauseTwin(**ABOUT, by=AYA, agent_id=AYAS, paused=False))
    assert [*book.state.asked] == [BOS]

    book.does(DisableProfile(**ABOUT, by=ADMIN, agent_id=AYAS, disabled=False, as_admin=True))
    assert [*book.state.asked] == [AYAS, BOS]


def test_whoever_was_taken_out_is_not_back_by_making_their_twin_anew() -> None:
    book = Book()
    book.saves(AYA, aya())
    book.does(DisableProfile(**ABOUT, by=ADMIN, agent_id=AYAS, disabled=True, as_admin=True))

    book.does(ResetProfile(**ABOUT, by=AYA, agent_id=AYAS))
    book.saves(AYA, aya())
    assert not book.state.asked

    book.does(ResetProfile(**ABOUT, by=AYA, agent_id=AYAS))
    book.saves(ADMIN, aya(), as_admin=True)
    assert [*book.state.asked] == [AYAS]


def test_of_whom_there_is_nothing_nothing_can_be_done() -> None:
    book = Book(aya())

    for command in (
        PauseTwin(**ABOUT, by=EVE, agent_id="user_agent_eve", paused=True),
        DisableProfile(**ABOUT, by=ADMIN, agent_id="user_agent_eve", disabled=True, as_admin=True),
        ResetProfile(**ABOUT, by=ADMIN, agent_id="user_agent_eve", as_admin=True),
    ):
        with pytest.raises(UnknownAgent):
            book.does(command)


def test_settings_are_admins_and_never_without_an_admin() -> None:
    book = Book()
    book.sets(admins=(ADMIN,), human_window=60, always_admins=False)
    assert book.state.settings.human_window == 60

    with pytest.raises(InvalidSettings):
        book.sets(always_admins=False)
    assert book.sets(admins=(), always_admins=True) == 1


def test_settings_that_changed_meanwhile_are_not_overwritten() -> None:
    book = Book()
    book.sets(policy="balanced")

    with pytest.raises(Outdated):
        book.does(ChangeSettings(**ABOUT, by=ADMIN, as_admin=True, settings=Settings(), revision=0))


def test_what_is_asked_of_it_is_somebodys_or_the_files() -> None:
    with pytest.raises(Refusal):
        RULEBOOK.decide(Directory(), PersonsCommand(**ABOUT, by=ADMIN))


# ── how far a twin goes ───────────────────────────────────────────────────────────────────────────────────────────────


def reaches(book: Book, by: str, twin: Any, *, as_admin: bool = False) -> int:
    return book.does(ChooseReach(**ABOUT, by=by, agent_id=AYAS, twin=twin, as_admin=as_admin))


def test_how_far_a_twin_goes_is_said_by_its_person() -> None:
    book = Book(aya(), bo())
    assert not book.state.asked[AYAS].only_prepares

    assert reaches(book, AYA, "prepares") == 1
    assert reaches(book, AYA, "prepares") == 0
    assert book.state.asked[AYAS].only_prepares
    for by, as_admin in ((BO, False), (ADMIN, True), ("", True)):
        with pytest.raises(NotAllowed):
            reaches(book, by, "votes", as_admin=as_admin)
    assert reaches(book, AYA, "votes") == 1


def test_a_file_says_it_until_somebody_edits_the_profile() -> None:
    book = Book(aya(twin="prepares"))
    assert book.state.asked[AYAS].only_prepares


def test_whoever_else_changes_the_rest_changes_nothing_of_it() -> None:
    book = Book(aya(twin="prepares"))

    book.saves(ADMIN, aya(location="Rome"), as_admin=True)

    assert (book.state.asked[AYAS].location, book.state.asked[AYAS].twin) == ("Rome", "prepares")
    book.saves(AYA, aya(location="Rome"))
    assert book.state.asked[AYAS].twin == "votes"


def test_of_a_twin_that_nobody_is_linked_to_an_admin_says_it() -> None:
    book = Book(aya(slack_user=None))

    book.saves(ADMIN, aya(slack_user=None, twin="prepares"), as_admin=True)

    assert book.state.asked[AYAS].only_prepares
