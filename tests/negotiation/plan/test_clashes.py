"""Two plans that take the same person, or the same room, at the same time say so, and nothing is refused for it."""

from typing import Any

import pytest

from engine.facts.circumstances import When
from engine.facts.data import Place
from engine.kernel import FindRecords, Handled, Recover, SendCommand
from engine.negotiation.answers import Assignment, Circumstances
from engine.negotiation.commands import EraseWords, RecordBookings, TellClash
from engine.negotiation.events import ClashesFound
from engine.negotiation.plan.clashes import (
    MOST_CLASHES,
    ClashSearch,
    booked,
    bookings_of,
    clashes,
    compose_command,
    ranges,
    shown,
)
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Booking
from tests.negotiation.scenario import ALONE, Scenario, draft

DAY, NEXT_DAY = "2027-03-14", "2027-03-15"
EVENING = When(first=DAY, last=DAY, start="19:00", end="21:00", time_zone="Asia/Shanghai", exact="day")
OTHER = "collab-00000002"


def planned(*agents: str, when: When = EVENING, text: str = "A party", location: str = "", **plan: Any) -> Scenario:
    """Round 1 of a plan is open."""
    context = Circumstances(when=when, place=Place(city=location))
    scenario = Scenario(policy=ALONE).demand(text).understood(surface_demand=text, context=context)
    scenario.shortlisted(*agents)
    for each in agents:
        scenario.offers(each)
    return scenario.drafted(*agents, **plan).stands(Status.NEGOTIATING, number=1)


def other(agent: str = "ann", stream: str = OTHER, **fields: Any) -> Booking:
    at = {"first": DAY, "last": DAY, "start": "20:00", "end": "22:00", "time_zone": "Asia/Shanghai"}
    return Booking(agent_id=agent, stream=stream, **(at | fields))


def found(scenario: Scenario, *others: Booking, **fields: Any) -> Scenario:
    return scenario.does(RecordBookings, found=others, **fields)


def owed(scenario: Scenario) -> list[str]:
    return [each.name for each in scenario.last.effects if isinstance(each, FindRecords | SendCommand)]


# ── what is booked ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_version_books_everybody_who_has_a_seat_in_it() -> None:
    scenario = planned("ann", "bo")

    assert {each.agent_id: (each.first, each.start, each.end) for each in bookings_of(scenario.state).values()} == {
        "ann": (DAY, "19:00", "21:00"),
        "bo": (DAY, "19:00", "21:00"),
    }
    assert owed(scenario) == ["bookings"]


def test_somebodys_own_time_counts_before_the_plans() -> None:
    own = When(first=NEXT_DAY, last=NEXT_DAY, start="09:00", end="10:00")
    seats = (Assignment(agent_id="ann", when=own), Assignment(agent_id="bo"))
    scenario = planned("ann", "bo", assignments=seats)

    at = {each.agent_id: (each.first, each.start) for each in bookings_of(scenario.state).values()}
    assert at == {"ann": (NEXT_DAY, "09:00"), "bo": (DAY, "19:00")}


@pytest.mark.parametrize(
    "when",
    [
        When(),
        When(last=DAY),
        When(first="2027-03-01", last="2027-03-31", exact="span"),
        When(first=DAY, last=NEXT_DAY, exact="vague"),
        When(start="19:00", end="21:00"),
    ],
    ids=["no time", "a deadline", "a month", "about then", "hours of no day"],
)
def test_a_plan_of_no_certain_days_books_nobody_and_looks_for_nothing(when: When) -> None:
    scenario = planned("ann", "bo", when=when)

    assert bookings_of(scenario.state) == {}
    assert owed(scenario) == []


def test_once_it_is_agreed_a_plan_books_those_who_agree() -> None:
    scenario = planned("a", "b", "c", "d", "e").twins({**dict.fromkeys("abcd", "accept"), "e": "reject"})

    scenario.stands(Status.FINALIZED)
    assert {each.agent_id for each in bookings_of(scenario.state).values()} == set("abcd")


def test_who_has_left_and_what_has_ended_books_nothing() -> None:
    scenario = planned("a", "b", "c", "d").twins({"a": "withdraw", "b": "accept", "c": "accept", "d": "negotiate"})
    assert {each.agent_id for each in bookings_of(scenario.state).values()} == {"b", "c", "d"}

    assert bookings_of(scenario.stopped().state) == {}


def test_the_records_of_a_plan_follow_what_it_books() -> None:
    scenario = planned("a", "b", "c", "d")
    before = scenario.state
    first = booked(_handled(Negotiation(), scenario))
    assert {each.key for each in first} == {f"person/{each}/{DAY}/{before.channel_id}" for each in "abcd"}

    scenario.twins({"a": "withdraw", "b": "accept", "c": "accept", "d": "negotiate"})
    gone = [each for each in booked(_handled(before, scenario)) if each.value is None]
    assert [each.key for each in gone] == [f"person/a/{DAY}/{before.channel_id}"]

    before = scenario.state
    assert {each.value for each in booked(_handled(before, scenario.stopped()))} == {None}


def _handled(before: Negotiation, scenario: Scenario) -> Handled[Negotiation]:
    command = Recover(command_id="any", at=0)
    return Handled("any", 1, command, before, scenario.state, tuple(scenario.last.events))


def test_the_room_that_a_plan_names_is_booked_too() -> None:
    scenario = planned("ann", location="Berlin", room=" The Everest room ")

    rooms = [each for each in bookings_of(scenario.state).values() if each.room]
    assert [(each.name, each.city) for each in rooms] == [("The Everest room", "Berlin")]
    again = planned("ann", location="Berlin", room="the  EVEREST room")
    assert [each.room for each in bookings_of(again.state).values() if each.room] == [rooms[0].room]
    assert not [each for each in bookings_of(planned("ann").state).values() if each.room]


# ── what is taken twice ───────────────────────────────────────────────────────────────────────────────────────────

MINE = other(stream="collab-00000001", start="19:00", end="21:00")


@pytest.mark.parametrize(
    ("theirs", "is_taken"),
    [
        pytest.param(other(), True, id="the hours overlap"),
        pytest.param(other(start="21:00", end="22:00"), False, id="one after the other"),
        pytest.param(other(start="", end=""), True, id="the same day, at no certain hour"),
        pytest.param(other(start="20:30", end=""), True, id="only the beginning is known"),
        pytest.param(other(first=NEXT_DAY, last=NEXT_DAY), False, id="the next day"),
        pytest.param(other(first="2027-03-13", last=NEXT_DAY, start="", end=""), True, id="three days around it"),
        pytest.param(other(start="12:30", end="13:30", time_zone="Europe/Berlin"), True, id="in another time zone"),
        pytest.param(
            other(start="19:00", end="21:00", time_zone="Europe/Berlin"), False, id="the same hours elsewhere"
        ),
        pytest.param(other(time_zone=""), True, id="in no certain time zone"),
        pytest.param(other(first="2027-03-13", last="2027-03-13", start="22:00", end="20:00"), True, id="over night"),
        pytest.param(other("bo"), False, id="somebody else"),
        pytest.param(other(stream="collab-00000001"), False, id="the same plan"),
    ],
)
def test_the_same_person_is_taken_twice_where_days_and_hours_overlap(theirs: Booking, is_taken: bool) -> None:
    assert bool(clashes([MINE], [theirs])) is is_taken
    assert bool(clashes([theirs], [MINE])) is is_taken  # either plan sees it alike


def test_rooms_of_one_name_in_different_cities_are_different_rooms() -> None:
    def room(city: str, stream: str) -> Booking:
        return other("", stream, room="301", name="room 301", city=city)

    assert not clashes([room("Berlin", "a")], [room("Rome", "b")])
    assert clashes([room("Berlin", "a")], [room("", "b")])
    assert clashes([room("Berlin", "a")], [room("Berlin", "b")])[0].room == "room 301"


def test_a_clash_is_certain_where_both_have_their_day_and_their_hours() -> None:
    [certain] = clashes([MINE], [other()])
    assert certain.is_certain
    assert (certain.first, certain.start, certain.other_start) == (DAY, "19:00", "20:00")
    [open_] = clashes([MINE], [other(start="", end="")])
    assert not open_.is_certain
    assert (open_.start, open_.other_start) == ("", "")


def test_what_is_looked_for_is_a_few_days_of_each_person_and_room() -> None:
    state = planned("ann", "bo", text="A party in room 7").state
    effect = FindRecords(name="bookings", scope="bookings")

    looked = ClashSearch().ranges(state, effect)
    assert looked == ranges(bookings_of(state).values())
    assert {each.first.rpartition("/")[0] for each in looked} == {each.what for each in bookings_of(state).values()}
    assert all(each.first.endswith("/2027-03-11") and each.end.endswith("/2027-03-16") for each in looked)
    assert all(each.limit for each in looked)


# ── what becomes of it ────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_found_is_said_and_the_other_plan_is_told() -> None:
    scenario = found(planned("ann", "bo"), other("ann"))

    scenario.then(ClashesFound)
    assert owed(scenario) == [f"clash/{OTHER}"]
    [clash] = shown(scenario.state)
    assert (clash.agent_id, clash.channel_id, clash.first) == ("ann", OTHER, DAY)
    [effect] = [each for each in scenario.last.effects if isinstance(each, SendCommand)]
    assert compose_command(scenario.state, effect, command_id="c", at=1) == TellClash(
        command_id="c", at=1, channel_id=scenario.state.channel_id, shared=("person/ann",)
    )
    found(scenario, other("ann")).then()
    assert owed(scenario) == []


def test_nothing_is_refused_for_it() -> None:
    scenario = found(planned("ann", "bo"), other("ann")).twins({"ann": "accept", "bo": "accept"})

    scenario.stands(Status.FINALIZED)
    assert shown(scenario.state)


def test_a_clash_that_is_gone_is_said_and_told_as_well() -> None:
    scenario = found(found(planned("ann", "bo"), other("ann")))

    scenario.then(ClashesFound)
    assert shown(scenario.state) == ()
    assert owed(scenario) == [f"clash/{OTHER}"]


def test_who_is_told_looks_for_themself_where_they_know_of_something_else() -> None:
    scenario = planned("ann", "bo").does(TellClash, channel_id=OTHER, shared=("person/ann",))
    [effect] = [each for each in scenario.last.effects if isinstance(each, FindRecords)]
    assert effect.about == OTHER

    found(scenario, other("ann"), asked_by=OTHER).then(ClashesFound)
    scenario.does(TellClash, channel_id=OTHER, shared=("person/ann",)).then()
    assert owed(scenario) == []


def test_who_was_told_of_what_is_not_there_answers_once() -> None:
    scenario = found(planned("ann", "bo"), asked_by=OTHER).then()
    assert owed(scenario) == [f"clash_answer/{OTHER}"]

    answered = planned("ann", "bo").does(TellClash, channel_id=OTHER, shared=("person/ann",), is_answer=True)
    [effect] = [each for each in answered.last.effects if isinstance(each, FindRecords)]
    assert effect.about == ""


def test_a_plan_that_ends_tells_those_that_it_clashed_with() -> None:
    scenario = found(planned("ann", "bo"), other("ann")).stopped()

    assert owed(scenario) == [f"clash/{OTHER}"]
    [effect] = [each for each in scenario.last.effects if isinstance(each, SendCommand)]
    told = compose_command(scenario.state, effect, command_id="c", at=1)
    assert isinstance(told, TellClash)
    assert told.shared == ()
    assert shown(scenario.state) == ()
    found(scenario, other("ann")).then()
    scenario.does(TellClash, channel_id=OTHER, shared=("person/ann",)).then()
    assert owed(scenario) == []


def test_only_so_many_clashes_are_told() -> None:
    many = [other("ann", f"collab-{number:08}") for number in range(10, 12 + MOST_CLASHES)]
    scenario = found(planned("ann", "bo"), *many)

    assert len(shown(scenario.state)) == MOST_CLASHES
    assert scenario.event(ClashesFound).has_more
    scenario.does(TellClash, channel_id=many[-1].stream, shared=("person/ann",)).then()
    assert owed(scenario) == []


def test_another_version_is_looked_up_only_where_it_books_something_else() -> None:
    scenario = planned("ann", "bo").twins({"ann": "accept", "bo": "negotiate"})
    assert owed(scenario.proposed(draft("ann", "bo"))) == []

    scenario.twins({"ann": "accept", "bo": "negotiate"})
    later = When(first=NEXT_DAY, last=NEXT_DAY, start="19:00", end="21:00")
    assert owed(scenario.proposed(draft("ann", "bo", when=later))) == ["bookings"]


def test_what_was_erased_is_booked_no_more_and_no_record_holds_a_room_in_words() -> None:
    scenario = found(planned("ann", "bo", room="The boardroom"), other("ann"))
    before = scenario.state
    records = booked(_handled(Negotiation(), scenario))
    assert any("room/" in each.key for each in records)
    assert not any("board" in f"{each.key}{each.value}" for each in records)

    scenario.does(EraseWords)
    assert {each.value for each in booked(_handled(before, scenario))} == {None}
    assert owed(scenario) == [f"clash/{OTHER}"]
    assert shown(scenario.state) == ()
