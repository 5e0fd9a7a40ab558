"""What is read of somebody's limits, when it is asked, and who says what of it holds."""

import json
from typing import Any

import pytest

from engine.directory.messages import (
    ConfirmLimit,
    LimitConfirmed,
    LimitsRead,
    LoadProfiles,
    ProfileSaved,
    ReadingBegun,
    ReadProfiles,
    RecordReading,
    ResetProfile,
    SaveProfile,
    TellTwin,
)
from engine.directory.profile import HeldLimit, Leave, Limits, Profile, StatedLimit, TwinTerms, Words
from engine.directory.rules import RULEBOOK
from engine.errors import NotAllowed, Outdated, UnknownAgent
from engine.facts.circumstances import Money, People
from engine.facts.data import Days, Hours, Place
from engine.kernel import Ask, Command, Decision, EffectFailed, decode, encode
from engine.kernel.encoding import parted
from tests.profiles.people import person

AYA, EVE, ADMIN = "U_AYA", "U_EVE", "U_ADMIN"
AYAS, NOBODYS = "user_agent_aya", "user_agent_bo"
ABOUT: dict[str, Any] = {"command_id": "c", "at": 1_795_745_000_000}
NOT_MONDAYS = Days(weekdays=("mon",), allowed=False)
LINE = HeldLimit(words="周一不行", source="from_now_on")
NEVER = HeldLimit(words="Übernachten", source="never")


def aya(**fields: Any) -> Profile:
    said = {"slack_user": AYA, "from_now_on": (LINE.words,), "limits": Limits(never=(NEVER.words,))}
    return person("aya", **{**said, **fields})


class Book:
    """A directory, and what is asked of it. Everything that happens is read as it was written."""

    def __init__(self, *people: Profile) -> None:
        self.state = RULEBOOK.initial
        self.history: list[Any] = []
        self.does(LoadProfiles(**ABOUT, profiles=people or (aya(), person("bo", from_now_on=(LINE.words,)))))

    def does(self, command: Command) -> Decision:
        decision = RULEBOOK.decide(self.state, command)
        for event in decision.events:
            assert decode(encode(event), type(event)) == event
            self.state = RULEBOOK.evolve(self.state, event)
            self.history.append(event)
        return decision

    def asks(self, *agent_ids: str, with_model: bool = True) -> list[str]:
        """Whose limits a model is asked to read."""
        decision = self.does(ReadProfiles(**ABOUT, agent_ids=agent_ids or (AYAS,), with_model=with_model))
        return [each.about for each in decision.effects if isinstance(each, Ask)]

    def reads(self, *limits: HeldLimit, of: str = AYAS, model: str = "claude", error: str = "") -> int:
        command = RecordReading(**ABOUT, agent_id=of, limits=limits, model=model, error=error)
        return len(self.does(command).events)

    def says(self, by: str, limit: HeldLimit, state: Any = "on", *, of: str = AYAS, as_admin: bool = False) -> int:
        return len(self.does(ConfirmLimit(
            **ABOUT, by=by, as_admin=as_admin, agent_id=of, key=limit.key, state=state, data=limit.data,
            scope=limit.scope,
        )).events)  # fmt: skip

    def saves(self, profile: Profile, by: str = AYA, *, as_admin: bool = False) -> int:
        revision = self.state.entry(profile.agent_id).revision
        return len(self.does(SaveProfile(
            **ABOUT, by=by, agent_id=profile.agent_id, profile=profile, revision=revision, as_admin=as_admin
        )).events)  # fmt: skip

    def profile(self, agent_id: str = AYAS) -> Profile:
        found = self.state.entry(agent_id).profile
        assert found is not None
        return found

    def data(self, agent_id: str = AYAS) -> list[Any]:
        return [each.data for each in self.profile(agent_id).data_limits]

    def worded(self, agent_id: str = AYAS) -> list[str]:
        return [each.words for each in self.profile(agent_id).worded_limits]


def read(limit: HeldLimit = LINE, data: Any = NOT_MONDAYS) -> HeldLimit:
    return limit.model_copy(update={"data": data})


# ── when a model is asked ─────────────────────────────────────────────────────────────────────────────────────────


def test_limits_are_read_once_a_change() -> None:
    book = Book()

    assert book.asks(AYAS, "user_agent_unknown") == [AYAS]
    assert book.asks(AYAS) == [], "it is being read"
    book.reads(read(), NEVER)
    assert book.asks(AYAS) == []
    book.does(TellTwin(**ABOUT, by=AYA, agent_id=AYAS, line="At most 20 people"))
    assert book.asks(AYAS) == [AYAS]
    assert [each.words for each in book.state.entry(AYAS).being_read] == ["At most 20 people"]


def test_whoever_has_said_nothing_in_words_is_not_read() -> None:
    assert Book(person("aya")).asks() == []


def test_what_cannot_be_read_is_tried_again_when_the_twin_is_asked_next() -> None:
    book = Book()
    book.asks()
    book.reads(error="ModelTimeout")
    assert book.worded() == [NEVER.words, LINE.words]

    assert book.asks() == [AYAS]
    book.does(EffectFailed(**ABOUT, name=f"read_profile/{AYAS}", why="OSError"))
    assert book.asks() == [AYAS]


def test_a_model_reads_again_what_rules_have_read_and_only_that() -> None:
    book = Book()
    book.asks(with_model=False)
    book.reads(LINE, NEVER, model="offline")
    assert book.asks(with_model=False) == []
    book.says(AYA, NEVER, "off")

    assert book.asks(with_model=True) == [AYAS]
    assert [each.words for each in book.state.entry(AYAS).being_read] == [LINE.words]
    book.reads(read(), model="claude")
    assert book.asks(with_model=True) == []


def test_an_answer_read_twice_is_kept_once() -> None:
    book = Book()
    book.asks()

    assert book.reads(read(), NEVER) == 1
    assert book.reads(read(), NEVER) == 0


def test_a_change_voids_what_is_being_read_and_its_answer_changes_nothing() -> None:
    book = Book()
    book.asks()

    decision = book.does(SaveProfile(
        **ABOUT, by=AYA, agent_id=AYAS, profile=aya(from_now_on=()), revision=book.state.entry(AYAS).revision
    ))  # fmt: skip

    assert decision.void == [f"read_profile/{AYAS}"]
    assert book.reads(read()) == 0
    assert book.asks() == [AYAS]


# ── what holds ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_was_read_holds_from_its_owners_yes() -> None:
    book = Book()
    book.asks()
    book.reads(read(), NEVER)
    assert (book.data(), book.worded()) == ([], [NEVER.words, LINE.words])

    assert book.says(AYA, read()) == 1

    assert (book.data(), book.worded()) == ([NOT_MONDAYS], [NEVER.words])
    assert book.says(AYA, read()) == 0, "it is no news"


def test_a_limit_that_is_off_is_neither_held_nor_asked_about() -> None:
    book = Book()
    book.says(AYA, NEVER, "off")
    assert (book.data(), book.worded()) == ([], [LINE.words])


def test_an_owner_may_correct_what_was_read_and_leave_it_in_words() -> None:
    book = Book()
    book.asks()
    book.reads(read())
    evenings = Hours(start="18:00", allowed=False)

    book.says(AYA, read(data=evenings))
    assert book.data() == [evenings]
    book.says(AYA, LINE)
    assert (book.data(), book.worded()) == ([], [NEVER.words, LINE.words])
    unread = book.state.entry(AYAS).unread(with_model=True)
    assert [each.words for each in unread] == [NEVER.words], "of the other line its owner has spoken"


def test_what_is_read_later_does_not_undo_what_was_said() -> None:
    book = Book()
    book.asks()
    book.says(AYA, LINE, "off")

    book.reads(read(), NEVER)

    assert (book.data(), book.worded()) == ([], [NEVER.words])


@pytest.mark.parametrize("changed", [("周二不行",), ()], ids=["another line", "no line"])
def test_a_changed_line_takes_back_what_was_said_of_it(changed: tuple[str, ...]) -> None:
    book = Book()
    book.says(AYA, read())

    book.saves(aya(from_now_on=changed))
    assert book.data() == []
    book.saves(aya())
    assert book.data() == [], "nobody has said it of the line that is there now"


def test_what_was_said_outlives_other_changes() -> None:
    book = Book()
    book.says(AYA, read())

    book.saves(aya(location="Rome"))
    book.does(LoadProfiles(**ABOUT, profiles=(aya(location="Paris"),)))
    assert book.data() == [NOT_MONDAYS]
    book.does(ResetProfile(**ABOUT, by=ADMIN, as_admin=True, agent_id=AYAS))

    assert (book.profile().location, book.data()) == ("Paris", [NOT_MONDAYS])


def test_a_form_brings_nothing_that_its_owner_has_not_said() -> None:
    book = Book()
    forged = aya(limit_data=(read().model_copy(update={"state": "on"}),))

    assert book.saves(forged) == 0
    assert book.saves(forged.model_copy(update={"location": "Rome"}), by=ADMIN, as_admin=True) == 1
    assert book.data() == []


def test_an_admin_who_saves_a_twin_that_is_nobodys_speaks_for_what_its_profile_says() -> None:
    book = Book()
    said = read().model_copy(update={"state": "on"})
    elsewhere = HeldLimit(words="not there", source="never", state="off")
    bo = person("bo", from_now_on=(LINE.words,), limit_data=(said,))

    assert book.saves(bo.model_copy(update={"limit_data": (said, elsewhere)}), by=ADMIN, as_admin=True) == 1
    assert book.data(NOBODYS) == [NOT_MONDAYS]
    assert book.saves(bo, by=ADMIN, as_admin=True) == 0


def test_a_form_that_is_sent_as_it_was_shown_is_no_news() -> None:
    book = Book()
    book.says(AYA, read())
    assert book.saves(book.profile()) == 0


# ── what is typed, or stated ──────────────────────────────────────────────────────────────────────────────────────


def test_what_is_typed_into_fields_holds_as_data() -> None:
    book = Book(aya(limits=Limits(max_attendees=60, min_attendees=10, locations=("北京",), paid_only=True)))

    assert book.data() == [People(at_least=10, at_most=60), Place(city="北京", online=True), Money()]
    assert [each.scope for each in book.profile().data_limits] == ["whole", "own", "whole"]


def test_no_datum_says_one_of_several_places() -> None:
    assert Book(aya(limits=Limits(locations=("Berlin", "Hamburg")))).data() == []


def test_what_a_file_states_as_data_holds_by_that_until_its_owner_takes_it_back() -> None:
    stated = StatedLimit.model_validate({"kind": "days", "weekdays": ["mon"], "allowed": False, "scope": "whole"})
    book = Book(aya(limits=Limits(data=(stated,)), from_now_on=()))
    [held] = book.profile().data_limits
    assert (held.data, held.scope, book.worded(), book.asks()) == (NOT_MONDAYS, "whole", [], [])

    book.says(AYA, held, "off")
    assert book.data() == []
    book.does(ConfirmLimit(**ABOUT, by=AYA, agent_id=AYAS, key=held.key, state="on"))
    assert book.data() == [NOT_MONDAYS], "it has no words in which it could hold"


def test_a_file_may_say_what_its_lines_mean_and_the_owners_word_comes_before_it() -> None:
    said = read().model_copy(update={"state": "on"})
    book = Book(aya(limit_data=(said,)))
    assert (book.data(), book.worded()) == ([NOT_MONDAYS], [NEVER.words])

    book.says(AYA, said, "off")
    book.does(LoadProfiles(**ABOUT, profiles=(aya(limit_data=(said,), location="Rome"),)))
    assert book.data() == []


def test_each_line_is_a_limit_once_and_in_the_same_order() -> None:
    leaves = TwinTerms(leaves_if=(Leave(plan_says=("直播", "直播"), because=Words(said="neighbours")),))
    book = Book(aya(preferences=leaves))
    assert book.worded() == [NEVER.words, LINE.words, "直播"]
    assert len({each.key for each in book.profile().worded_limits}) == 3


# ── whose word it is ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("by", "as_admin"), [(EVE, False), (ADMIN, True), ("", False)])
def test_nobody_else_says_what_somebody_holds_to(by: str, as_admin: bool) -> None:
    book = Book()
    with pytest.raises(NotAllowed):
        book.says(by, read(), as_admin=as_admin)
    assert book.data() == []


def test_of_a_twin_that_is_nobodys_an_admin_says_it_or_whoever_saved_it() -> None:
    book = Book()
    with pytest.raises(NotAllowed):
        book.says(EVE, read(), of=NOBODYS)
    assert book.says(ADMIN, read(), of=NOBODYS, as_admin=True) == 1

    book.saves(person("bo", from_now_on=(LINE.words,), location="Rome"), by=EVE, as_admin=True)
    assert book.says(EVE, LINE, "off", of=NOBODYS) == 1


def test_whoever_is_linked_says_it_anew() -> None:
    book = Book()
    book.says(ADMIN, read(), of=NOBODYS, as_admin=True)

    linked = person("bo", from_now_on=(LINE.words,), slack_user=EVE)
    book.saves(linked, by=ADMIN, as_admin=True)
    assert (book.data(NOBODYS), book.profile(NOBODYS).limit_data) == ([], (read(),)), "it was an admin's word"
    book.says(EVE, read(), of=NOBODYS)
    assert book.data(NOBODYS) == [NOT_MONDAYS]

    book.saves(linked.model_copy(update={"slack_user": None}), by=ADMIN, as_admin=True)
    book.says(ADMIN, LINE, "off", of=NOBODYS, as_admin=True)
    book.saves(linked, by=ADMIN, as_admin=True)
    assert book.worded(NOBODYS) == [LINE.words], "nobody takes a limit back by taking the twin for a while"


def test_what_is_said_of_a_line_that_is_gone_changes_nothing() -> None:
    book = Book()
    book.saves(aya(from_now_on=()))
    before = book.state

    with pytest.raises(Outdated):
        book.says(AYA, read())
    with pytest.raises(UnknownAgent):
        book.says(AYA, read(), of="user_agent_eve")
    assert book.state == before


def test_what_was_written_before_limits_were_data_is_still_read() -> None:
    written = aya(from_now_on=()).model_dump(mode="json", exclude={"limit_data"})
    written["limits"]["busy"] = {"zh": "休假", "en": ""}
    del written["limits"]["data"]
    told = json.dumps({"agent_id": AYAS, "profile": written, "by": AYA})
    saved = decode(told, ProfileSaved)

    state = RULEBOOK.fold([saved])

    found = state.entry(AYAS).profile
    assert found is not None
    assert found.limits.busy is not None
    assert (found.limits.busy.said_in("en"), found.limit_data) == ("休假", ())


def test_the_events_without_their_private_parts_tell_no_words() -> None:
    book = Book()
    book.asks()
    book.reads(read(), NEVER)
    book.says(AYA, read())
    kinds = (ReadingBegun, LimitsRead, LimitConfirmed)
    told = [encode(parted(each)[0]) for each in book.history if isinstance(each, kinds)]

    assert len(told) == 3
    for each in told:
        assert "mon" not in each
        assert LINE.words not in each
        assert LINE.key not in each
