"""Marks of a version: data is held against data, and the rest is as somebody said it."""

from datetime import timedelta
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.facts.circumstances import Money, People, When
from engine.facts.data import Deadline, Effort, Notice, Place
from engine.kernel import plain
from engine.negotiation.answers import Assignment, Circumstances, Milestone, Need, Timeline, Understanding
from engine.negotiation.commands import RecordOpinion
from engine.negotiation.demand.asks import unquoted
from engine.negotiation.demand.reading import asked
from engine.negotiation.events import ClaimOpinion, OfferSubmitted
from engine.negotiation.plan.marks import Mark, MarkKind, marks_of
from engine.negotiation.policy import PRESETS
from engine.negotiation.terms import Claim
from tests.negotiation.scenario import ALONE, Scenario

ROOM = Need(need_id="need_1", what="a room", deadline="2027-03-10")
COOK = Need(need_id="need_2", what="a cook")
DAY = When(first="2027-03-14", last="2027-03-14", start="18:00", end="22:00", exact="day")
SAID: Final[dict[str, Any]] = {"a": {}, "b": {}}


def made(
    context: Circumstances,
    *,
    seats: tuple[dict[str, Any], ...] = ({}, {}),
    offers: dict[str, dict[str, Any]] = SAID,
    needs: tuple[Need, ...] = (ROOM, COOK),
    verifies: bool = False,
    **plan: Any,
) -> Scenario:
    """A brings the room, and B cooks."""
    scenario = Scenario(policy=ALONE, linked={"a": "U_A"}, verifies=verifies).demand("A party")
    scenario.understood(needs=needs, context=context).shortlisted("a", "b")
    for agent, need in (("a", "need_1"), ("b", "need_2")):
        scenario.offers(agent, covers=(need,), **offers.get(agent, {}))
    own = ({"agent_id": "a", "covers": ("need_1",)}, {"agent_id": "b", "covers": ("need_2",)})
    return scenario.drafted(
        "a",
        "b",
        assignments=tuple(Assignment(**{**each, **more}) for each, more in zip(own, seats, strict=True)),
        **plan,
    )


def marks(scenario: Scenario, about: str) -> list[Mark]:
    assert scenario.state.proposal is not None
    return [each for each in marks_of(scenario.state, scenario.state.proposal) if each.about == about]


def kinds(scenario: Scenario, about: str) -> list[str]:
    return [each.kind.value for each in marks(scenario, about)]


@pytest.mark.parametrize(("said", "kind"), [("A Party", "checked"), ("on 14 March", "said"), ("", "checked")])
def test_a_time_whose_words_nobody_has_said_is_not_checked(said: str, kind: str) -> None:
    asked = replace(DAY, said=said)
    assert kinds(made(Circumstances(when=asked), when=DAY), "when") == [kind]


def test_words_of_a_time_that_stand_nowhere_are_asked_for_once_more() -> None:
    scenario = Scenario(policy=ALONE).demand("A party on 14 March")
    read = Understanding(surface_demand="A party", context=Circumstances(when=replace(DAY, said="on 14 March")))
    assert unquoted(scenario.state, read) == ""
    made_up = replace(read, context=Circumstances(when=replace(DAY, said="I wrote this today")))
    assert "context.when.said" in unquoted(scenario.state, made_up)


def test_who_covers_what_is_as_they_say_until_they_accept_it_by_hand() -> None:
    window = PRESETS["balanced"].model_copy(update={"human_window": 60.0})
    scenario = Scenario(policy=window, linked={"a": "U_A"}).demand("A party").understood(needs=(ROOM,))
    scenario.shortlisted("a").offers("a", covers=("need_1",)).drafted(
        "a", assignments=(Assignment(agent_id="a", covers=("need_1",)),)
    )
    assert [(each.agent_id, each.need_id, each.kind) for each in marks(scenario, "need")] == [
        ("a", "need_1", MarkKind.SAID)
    ]
    scenario.twin("a", "accept")
    assert kinds(scenario, "need") == ["said"], "a twin confirms nothing"


def test_a_claim_shows_the_words_that_it_rests_on() -> None:
    scenario = Scenario(policy=ALONE).demand("A party").understood(needs=(ROOM,)).shortlisted("a")
    scenario.offers("a", covers=("need_1",))
    offer = scenario.event(OfferSubmitted)
    assert offer.claims == (Claim(need_id="need_1", basis="explicit"),)


@pytest.mark.parametrize(
    ("when", "kind"),
    [
        pytest.param(DAY, "checked", id="just then"),
        pytest.param(When(first="2027-03-15", last="2027-03-15", exact="day"), "broken", id="another day"),
        pytest.param(When(first="2027-03-13", last="2027-03-14", exact="span"), "said", id="a day too early, or not"),
        pytest.param(
            When(first="2027-03-14", last="2027-03-14", start="19:00", end="23:00", exact="day"), "broken", id="late"
        ),
        pytest.param(When(first="2027-03-14", last="2027-03-14", exact="day"), "said", id="no hour said"),
    ],
)
def test_when_it_is_is_held_against_when_it_was_asked_for(when: When, kind: str) -> None:
    [mark] = marks(made(Circumstances(when=DAY), when=when), "when")
    assert mark.kind == kind
    assert (mark.wanted_when, mark.found_when) == ((None, None) if kind == "said" else (DAY, when))


def test_another_day_that_the_requester_has_wished_for_is_no_error() -> None:
    scenario = made(Circumstances(when=DAY), when=DAY).requests_change("A day later, please")
    scenario.twins({"a": "accept", "b": "accept"})
    scenario.drafted("a", "b", when=When(first="2027-03-15", last="2027-03-15", exact="day"))
    assert kinds(scenario, "when") == ["said"]


@pytest.mark.parametrize(("day", "kind"), [("2027-03-14", "checked"), ("2027-03-13", "broken")])
def test_the_end_of_the_whole_is_held_against_its_deadline(day: str, kind: str) -> None:
    [mark] = marks(made(Circumstances(deadline=day), when=DAY), "deadline")
    assert (mark.kind, mark.wanted, mark.found) == (kind, Deadline(day=day), Deadline(day="2027-03-14"))


def test_a_step_is_held_against_the_deadline_of_its_need_or_of_the_whole() -> None:
    steps = Timeline(
        milestones=(
            Milestone(name="Room", day="2027-03-11", need_id="need_1", agent_id="a"),
            Milestone(name="Menu", day="2027-03-11", need_id="need_2"),
            Milestone(name="Thanks", date="some day"),
        )
    )
    scenario = made(Circumstances(deadline="2027-03-14"), timeline=steps)
    assert [(each.number, each.kind.value, each.need_id) for each in marks(scenario, "milestone")] == [
        (1, "broken", "need_1"),
        (2, "checked", "need_2"),
    ]
    assert kinds(scenario, "deadline") == ["said"], "a step has no day yet"


@pytest.mark.parametrize(
    ("money", "kind"),
    [
        (Money(amount=500, currency="EUR"), "checked"),
        (Money(amount=499, currency="EUR"), "broken"),
        (Money(per_head=10), "checked"),
        (Money(none=True), "broken"),
    ],
)
def test_what_the_seats_cost_together_is_held_against_the_budget(money: Money, kind: str) -> None:
    context = Circumstances(money=money, expected_attendees=50)
    [mark] = marks(made(context, seats=({"cost": 300}, {}), offers={"b": {"cost": 200}}), "budget")
    assert (mark.kind, mark.found) == (kind, Money(amount=500, currency=money.currency))


def test_what_costs_nothing_or_has_no_budget_has_no_mark() -> None:
    assert marks(made(Circumstances(), seats=({"cost": 300}, {})), "budget") == []
    assert marks(made(Circumstances(money=Money(amount=5))), "budget") == []


@pytest.mark.parametrize(
    ("people", "kind"),
    [
        (People(at_least=60, at_most=60), ["checked"]),
        (People(at_least=61, at_most=61), ["broken"]),
        (People(at_most=80), []),
        (People(at_least=40, at_most=80), []),
        (People(at_least=70), ["broken"]),
        (People(), []),
    ],
)
def test_a_capacity_is_held_against_how_many_come(people: People, kind: list[str]) -> None:
    scenario = made(Circumstances(people=people), offers={"a": {"capacity": 60}})
    assert kinds(scenario, "capacity") == kind
    assert all(each.found == People(at_most=60) for each in marks(scenario, "capacity"))


def test_two_rooms_are_enough_together() -> None:
    two = {"a": {"capacity": 30}, "b": {"capacity": 30}}
    scenario = Scenario(policy=ALONE).demand("A party")
    scenario.understood(needs=(ROOM,), context=Circumstances(expected_attendees=60)).shortlisted("a", "b")
    for agent in two:
        scenario.offers(agent, covers=("need_1",), capacity=30)
    scenario.drafted("a", "b", assignments=tuple(Assignment(agent_id=each, covers=("need_1",)) for each in "ab"))
    assert kinds(scenario, "capacity") == ["checked"]


@pytest.mark.parametrize(("hours", "kind"), [(4, ["checked"]), (5, ["broken"]), (0, [])])
def test_the_hours_of_a_seat_are_held_against_those_that_somebody_gives(hours: int, kind: list[str]) -> None:
    scenario = made(Circumstances(), seats=({"hours": hours}, {}), offers={"a": {"hours": 4}})
    assert kinds(scenario, "hours") == kind
    assert all(each.wanted == Effort(hours=4) for each in marks(scenario, "hours"))


@pytest.mark.parametrize(
    ("city", "where", "attends", "kind"),
    [
        ("Beijing", "北京", True, ["checked"]),
        ("Beijing", "北京", False, ["checked"]),
        ("Beijing", "Berlin", True, ["broken"]),
        ("Beijing", "Berlin", False, []),
        ("", "Berlin", True, []),
        ("Beijing", "", True, []),
        ("Sharbazar", "Berlin", True, []),
    ],
)
def test_where_somebody_does_it_is_held_against_where_it_takes_place(
    city: str, where: str, *, attends: bool, kind: list[str]
) -> None:
    offers = {"a": {"city": city}}
    scenario = made(Circumstances(place=Place(city=where)), seats=({"attends": attends}, {}), offers=offers)
    assert kinds(scenario, "place") == kind
    assert all(each.found == Place(city=city) for each in marks(scenario, "place"))


@pytest.mark.parametrize(("days", "kind"), [(9, ["checked"]), (10, ["checked"]), (11, ["broken"]), (0, [])])
@pytest.mark.parametrize("is_due", [True, False])
def test_how_long_ahead_somebody_has_to_be_asked_is_held_against_how_long_it_is(
    days: int, kind: list[str], *, is_due: bool
) -> None:
    """A part that has a day of its own is due then, whenever the whole takes place."""
    tenth = (asked(made(Circumstances()).state).day + timedelta(days=10)).isoformat()
    later = When(first="2099-01-01", last="2099-01-01", exact="day")
    when = later if is_due else When(first=tenth, last=tenth, exact="day")
    needs = (replace(ROOM, deadline=tenth if is_due else ""), COOK)
    scenario = made(Circumstances(when=when), offers={"a": {"notice": days}}, needs=needs, when=when)
    assert kinds(scenario, "notice") == kind
    assert all((each.wanted, each.found) == (Notice(days=days), Notice(days=10)) for each in marks(scenario, "notice"))


@pytest.mark.parametrize(
    ("offer", "place", "kind"),
    [
        ({"online": True}, Place(online=True), ["checked"]),
        ({"online": True, "city": "Berlin"}, Place(city="Beijing"), []),
        ({"room": "the old MILL", "city": "Beijing"}, Place(city="Beijing"), ["checked"]),
        ({"room": "The Old Mill"}, Place(), ["checked"]),
        ({"room": "The Old Mill", "city": "Berlin"}, Place(city="Beijing"), ["broken"]),
        ({"room": "The New Mill"}, Place(city="Beijing"), []),
    ],
)
def test_whoever_joins_by_video_is_nowhere_else_and_a_room_is_known_by_its_name(
    offer: dict[str, Any], place: Place, kind: list[str]
) -> None:
    context = Circumstances(location="The Old Mill, Beijing", place=place)
    assert kinds(made(context, seats=({"attends": True}, {}), offers={"a": offer}), "place") == kind


@pytest.mark.parametrize(
    ("offer", "money", "kind"),
    [
        ({"free": True}, Money(none=True), ["checked"]),
        ({"free": True}, Money(amount=100, currency="EUR"), ["checked"]),
        ({"free": True, "cost": 50}, Money(none=True), []),
        ({"free": True}, Money(), []),
        ({"per_head": 20}, Money(per_head=20, currency="EUR"), ["checked"]),
        ({"per_head": 21, "currency": "eur"}, Money(per_head=20, currency="EUR"), ["broken"]),
        ({"per_head": 21, "currency": "CNY"}, Money(per_head=20, currency="EUR"), []),
    ],
)
def test_what_somebody_takes_is_held_against_what_there_is(
    offer: dict[str, Any], money: Money, kind: list[str]
) -> None:
    assert kinds(made(Circumstances(money=money), offers={"a": offer}), "price") == kind


@pytest.mark.parametrize(
    ("offer", "kind"),
    [
        ({"per_head": 20}, ["checked"]),
        ({"per_head": 21}, ["broken"]),
        ({"cost": 500, "currency": "EUR"}, ["checked"]),
        ({"cost": 4000, "currency": "CZK"}, []),
        ({"per_head": 900, "currency": "CZK"}, []),
    ],
)
def test_a_sum_in_another_currency_is_in_no_sum(offer: dict[str, Any], kind: list[str]) -> None:
    context = Circumstances(money=Money(amount=600, currency="EUR"), people=People(at_least=30, at_most=30))
    assert kinds(made(context, offers={"a": offer}), "budget") == kind


@pytest.mark.parametrize(
    ("offer", "kind"),
    [
        ({"notice": 10}, ["checked"]),
        ({"notice": 12}, []),
        ({"notice": 15}, ["broken"]),
        ({"earliest": 10}, ["checked"]),
        ({"earliest": 12}, []),
        ({"earliest": 15}, ["broken"]),
    ],
)
def test_of_several_days_all_are_late_enough_or_none_is(offer: dict[str, int], kind: list[str]) -> None:
    """It is between 10 and 14 days from the day of asking."""
    day = asked(made(Circumstances()).state).day
    first, last = ((day + timedelta(days=each)).isoformat() for each in (10, 14))
    said = {name: each if name == "notice" else str(day + timedelta(days=each)) for name, each in offer.items()}
    needs = (replace(ROOM, deadline=""), COOK)
    when = When(first=first, last=last, exact="span")
    assert kinds(made(Circumstances(when=when), offers={"a": said}, needs=needs, when=when), "notice") == kind


def test_how_many_people_do_it_is_held_against_how_many_it_takes() -> None:
    many = Need(need_id="need_1", what="speakers", quantity=3, counts="people")
    scenario = Scenario(policy=ALONE).demand("A party").understood(counted=("need_1",), needs=(many,))
    scenario.shortlisted("a").offers("a", covers=("need_1",))
    scenario.drafted("a", assignments=(Assignment(agent_id="a", covers=("need_1",)),))
    [said, counted] = marks(scenario, "need")
    assert (said.kind, said.agent_id) == ("said", "a")
    assert (counted.kind, counted.wanted, counted.found) == (
        "broken",
        People(at_least=3),
        People(at_least=1, at_most=1),
    )


def test_who_waits_for_each_other_is_marked() -> None:
    scenario = made(Circumstances(), seats=({"after": ("b",)}, {"after": ("a",)}))
    assert [(each.agent_id, each.kind.value) for each in marks(scenario, "order")] == [("a", "broken"), ("b", "broken")]
    assert marks(made(Circumstances(), seats=({"after": ("b",)}, {})), "order") == []


@given(
    amount=st.integers(0, 50),
    costs=st.tuples(st.integers(0, 30), st.integers(0, 30)),
    heads=st.integers(0, 100),
    capacity=st.integers(0, 100),
    given_hours=st.integers(0, 10),
    hours=st.integers(0, 10),
    day=st.sampled_from(["", "2027-03-13", "2027-03-14", "2027-03-15"]),
)
def test_a_broken_mark_has_two_data_of_one_kind_and_right_data_have_none(
    amount: int, costs: tuple[int, int], heads: int, capacity: int, given_hours: int, hours: int, day: str
) -> None:
    context = Circumstances(expected_attendees=heads, money=Money(amount=amount), deadline=day)
    offers = {"a": {"capacity": capacity, "hours": given_hours}}
    scenario = made(context, seats=({"cost": costs[0], "hours": hours}, {"cost": costs[1]}), offers=offers, when=DAY)
    assert scenario.state.proposal is not None
    found = marks_of(scenario.state, scenario.state.proposal)
    broken = {each.about for each in found if each.kind is MarkKind.BROKEN}

    assert ("budget" in broken) is (0 < amount < sum(costs))
    assert ("capacity" in broken) is (0 < capacity < heads)
    assert ("hours" in broken) is (0 < given_hours < hours)
    assert ("deadline" in broken) is (day == "2027-03-13")
    for each in found:
        if each.kind is MarkKind.BROKEN:
            assert type(each.wanted) is type(each.found)
            assert each.wanted is not None
        assert plain(each)["about"] == each.about


def test_what_the_second_reader_says_no_to_is_doubted_and_nothing_else_changes() -> None:
    scenario = made(Circumstances(), offers={"a": {"conditions": ("a key",)}}, verifies=True, when=DAY)
    before = scenario.state
    no = ClaimOpinion(about="need", verdict="no", agent_id="b", need_id="need_2", quote="soup", why="That is no dinner")
    yes = ClaimOpinion(about="need", verdict="yes", agent_id="a", need_id="need_1")
    other = ClaimOpinion(about="condition", verdict="no", agent_id="a", number=1, why="There is no key")
    whole = ClaimOpinion(about="complete", verdict="no", why="Nobody cleans up")
    scenario.does(
        RecordOpinion, about="claims", round=1, version=1, opinions=(no, yes, other, whole), model="m", prompt_hash="h"
    )

    doubted = {(each.about, each.agent_id, each.why): each.quote for each in _all(scenario) if each.kind == "doubted"}
    assert doubted == {
        ("need", "b", "That is no dinner"): "soup",
        ("condition", "a", "There is no key"): "",
        ("complete", "", "Nobody cleans up"): "",
    }
    assert (scenario.state.status, scenario.state.proposals) == (before.status, before.proposals)


def _all(scenario: Scenario) -> tuple[Mark, ...]:
    assert scenario.state.proposal is not None
    return marks_of(scenario.state, scenario.state.proposal)


def test_a_clock_that_a_version_does_not_name_is_that_of_the_demand() -> None:
    asked = When(first="2027-03-14", last="2027-03-14", end="18:00", time_zone="Asia/Tokyo", exact="day")
    at = When(first="2027-03-14", last="2027-03-14", start="19:00", end="20:00", exact="day")
    assert kinds(made(Circumstances(when=asked), when=at), "when") == ["broken"]
    berlin = When(
        first="2027-03-14", last="2027-03-14", start="09:00", end="10:00", time_zone="Europe/Berlin", exact="day"
    )
    assert kinds(made(Circumstances(when=asked), when=berlin), "when") == ["checked"]


def test_what_is_needed_for_fewer_is_not_held_against_all_who_come() -> None:
    meals = Need(need_id="need_1", what="forty meals without meat", quantity=40)
    for capacity, kind in ((50, ["checked"]), (40, []), (39, ["broken"])):
        scenario = made(Circumstances(expected_attendees=50), needs=(meals, COOK), offers={"a": {"capacity": capacity}})
        assert kinds(scenario, "capacity") == kind
