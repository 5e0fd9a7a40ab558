"""What people ask for is held against each version, whatever a model says that it has done about it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.facts.circumstances import Money, People, When
from engine.facts.data import Datum, Days, Deadline, Hours, Notice, Place
from engine.negotiation.agreement.compromise import refusals
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    Circumstances,
    ConditionAnswer,
    FeedbackAnswer,
    Milestone,
    RequestAddressed,
    RequestDeclined,
    StatedCondition,
    Timeline,
)
from engine.negotiation.commands import RecordFeedback
from engine.negotiation.plan.marks import marks_of
from engine.negotiation.state import Status
from engine.negotiation.terms import HeldCondition
from engine.negotiation.voting.kinds import FeedbackType
from tests.negotiation.scenario import ALONE, Scenario

EVENING = When(said="14 March", first="2027-03-14", last="2027-03-14", start="19:00", end="22:00", exact="day")
OPEN = When()
MORNING = When(first="2027-03-14", last="2027-03-14", start="09:30", end="10:30", exact="day")
MORNING_ONLY = StatedCondition(text="only in the morning", data=Hours(start="09:00", end="11:00"))
SMALL = StatedCondition(text="a small party", data=People(at_most=20), scope="whole")


def offered(*conditions: str | StatedCondition, decision: str = "conditional", **context: Any) -> Scenario:
    """A's offer is in; B takes part as well."""
    scenario = Scenario(policy=ALONE).demand("A meetup").understood(context=Circumstances(**context))
    return scenario.shortlisted("a", "b").offers("a", decision, conditions=conditions).offers("b")


def seats(when: When = OPEN, **own: Any) -> tuple[Assignment, ...]:
    return (Assignment(agent_id="a", role="talk", when=when, **own), Assignment(agent_id="b", role="room"))


def answers(scenario: Scenario) -> list[tuple[str, bool, str]]:
    assert scenario.state.proposal is not None
    return [(each.condition, each.met, each.status) for each in scenario.state.proposal.conditions]


def only(scenario: Scenario) -> HeldCondition:
    assert scenario.state.proposal is not None
    (held,) = scenario.state.proposal.conditions
    return held


@pytest.mark.parametrize("said", [True, False])
def test_what_the_plan_breaks_is_not_met_whatever_the_model_says(said: bool) -> None:
    told = (ConditionAnswer(agent_id="a", condition=MORNING_ONLY.text, met=said, reason="Sure"),)
    held = only(offered(MORNING_ONLY).drafted("a", "b", assignments=seats(attends=True), when=EVENING, conditions=told))

    assert (held.met, held.status) == (False, "broken")
    assert (held.wanted, held.found) == (MORNING_ONLY.data, Hours(start="19:00", end="22:00"))
    assert held.reason == ("" if said else "Sure"), "why it was met is no reason where it is not"


def test_the_demands_own_time_counts_where_the_plan_names_none() -> None:
    scenario = offered(MORNING_ONLY, when=EVENING).drafted("a", "b", assignments=seats(attends=True))
    assert answers(scenario) == [(MORNING_ONLY.text, False, "broken")]


def test_somebodys_own_time_counts_before_the_plans() -> None:
    scenario = offered(MORNING_ONLY).drafted("a", "b", assignments=seats(MORNING, attends=True), when=EVENING)
    assert answers(scenario) == [(MORNING_ONLY.text, True, "met")]


def test_the_plans_time_is_nobodys_own_who_is_not_needed_then() -> None:
    told = (ConditionAnswer(agent_id="a", condition_id=1, met=True, reason="The talk is recorded before"),)
    held = only(offered(MORNING_ONLY).drafted("a", "b", assignments=seats(), when=EVENING, conditions=told))
    assert (held.met, held.status, held.reason) == (True, "unknown", "The talk is recorded before")


def test_what_is_true_already_is_met_whatever_the_model_says() -> None:
    declined = (ConditionAnswer(agent_id="a", condition=SMALL.text, met=False, reason="Nobody leaves"),)
    held = only(offered(SMALL, expected_attendees=12).drafted("a", "b", conditions=declined))
    assert (held.met, held.status, held.reason) == (True, "met", "")
    assert held.found == People(at_least=12, at_most=12)


@pytest.mark.parametrize("said", [True, False])
def test_what_cannot_be_checked_is_as_the_model_says_and_marked(said: bool) -> None:
    text = "I get the final headcount three days before"
    told = (ConditionAnswer(agent_id="a", condition=text, met=said, reason="Arranged"),)
    held = only(offered(text).drafted("a", "b", conditions=told, when=EVENING))

    assert (held.met, held.status, held.reason) == (said, "unknown", "Arranged")


@pytest.mark.parametrize(
    ("where", "status"),
    [("milestone/1", "met"), ("milestone/2", "broken"), ("milestone/9", "unknown"), ("", "unknown")],
)
def test_the_step_that_is_said_to_meet_a_condition_tells_how_early_it_is(where: str, status: str) -> None:
    steps = Timeline(
        milestones=(Milestone(name="Headcount", day="2027-03-10"), Milestone(name="Menu", date="2027-03-13"))
    )
    early = StatedCondition(text="the headcount early", data=Notice(days=3), scope="whole")
    told = (ConditionAnswer(agent_id="a", condition_id=1, met=True, where=where),)
    held = only(offered(early).drafted("a", "b", when=EVENING, timeline=steps, conditions=told))

    assert held.status == status


def test_what_has_no_day_yet_may_be_later_than_a_deadline() -> None:
    by_then = StatedCondition(text="done by the tenth", data=Deadline(day="2027-03-10"), scope="whole")
    dated, open_still = Milestone(name="Menu", day="2027-03-09"), Milestone(name="Bill", date="some day")
    late = Milestone(name="Thanks", day="2027-03-11")

    def status(*steps: Milestone) -> str:
        return only(offered(by_then).drafted("a", "b", timeline=Timeline(milestones=steps))).status

    assert (status(dated), status(dated, open_still), status(late, open_still)) == ("met", "unknown", "broken")


def test_an_answer_belongs_to_its_number_or_to_the_same_letters() -> None:
    told = (
        ConditionAnswer(agent_id="a", condition="A projector.", met=True, reason="in the room"),
        ConditionAnswer(agent_id="a", condition="they want it quiet", condition_id=2, met=True, reason="of course"),
        ConditionAnswer(agent_id="b", condition="quiet", met=False),
    )
    scenario = offered("a projector", "quiet").drafted("a", "b", conditions=told)

    assert answers(scenario) == [("a projector", True, "unknown"), ("quiet", True, "unknown")]


def test_a_number_says_more_than_the_words() -> None:
    """A model has numbered both, and has copied the words of the wrong one."""
    told = (
        ConditionAnswer(agent_id="a", condition_id=1, condition="quiet", met=True, reason="there is one"),
        ConditionAnswer(agent_id="a", condition_id=2, condition="a projector", met=False, reason="it is loud"),
    )
    scenario = offered("a projector", "quiet").drafted("a", "b", conditions=told)

    assert answers(scenario) == [("a projector", True, "unknown"), ("quiet", False, "unknown")]


def test_numbers_of_a_whole_list_are_no_numbers_of_one_person_s() -> None:
    told = (
        ConditionAnswer(agent_id="a", condition_id=2, condition="a projector", met=True, reason="there is one"),
        ConditionAnswer(agent_id="a", condition_id=3, condition="quiet", met=False, reason="it is loud"),
    )
    scenario = offered("a projector", "quiet").drafted("a", "b", conditions=told)

    assert answers(scenario) == [("a projector", True, "unknown"), ("quiet", False, "unknown")]


def test_the_only_condition_and_the_only_answer_belong_together() -> None:
    told = (ConditionAnswer(agent_id="a", condition="needs something to show slides with", met=True),)

    assert answers(offered("a projector").drafted("a", "b", conditions=told)) == [("a projector", True, "unknown")]


def test_conditions_beside_taking_part_are_kept() -> None:
    scenario = offered("a projector", " ", decision="participate")

    assert (scenario.state.offers["a"].decision, scenario.state.offers["a"].conditions) == (
        "conditional",
        ("a projector",),
    )
    assert answers(scenario.drafted("a", "b")) == [("a projector", False, "unknown")]


def test_what_would_make_a_yes_of_a_no_is_kept_and_binds_nobody() -> None:
    scenario = offered("a projector", decision="decline")
    said = scenario.state.offers["a"]
    assert (said.decision, said.conditions) == ("decline", ("a projector",))
    [refused] = refusals(scenario.state)
    assert (refused.agent_id, refused.conditions) == ("a", ("a projector",))

    scenario.drafted("b")
    assert [each.agent_id for each in scenario.state.proposals[-1].assignments] == ["b"]
    assert answers(scenario) == []


EVENING_WISH = Hours(start="19:00")


def test_a_twin_that_asks_for_what_is_true_accepts() -> None:
    scenario = offered().drafted("a", "b", when=EVENING)
    said = FeedbackAnswer(
        feedback_type=FeedbackType.NEGOTIATE, reasoning="Not before seven", adjustment_request="x", change=EVENING_WISH
    )
    scenario.does(RecordFeedback, agent_id="a", round=1, answer=said).twin("b", "accept")

    scenario.stands(Status.FINALIZED, number=1)
    vote = scenario.state.rounds[0].seats["a"].vote
    assert vote is not None
    assert (vote.feedback_type, vote.adjustment_request, vote.change) == (FeedbackType.ACCEPT, "", None)
    assert vote.reasoning == "Not before seven"


@pytest.mark.parametrize("change", [None, Hours(start="19:30"), People(at_most=10), Days(weekdays=("mon",))])
def test_a_twin_that_asks_for_anything_else_keeps_its_vote(change: Datum | None) -> None:
    scenario = offered(expected_attendees=12).drafted("a", "b", when=EVENING)
    said = FeedbackAnswer(feedback_type=FeedbackType.NEGOTIATE, adjustment_request="The plan has it", change=change)
    scenario.does(RecordFeedback, agent_id="a", round=1, answer=said)

    vote = scenario.state.rounds[0].seats["a"].vote
    assert vote is not None
    assert (vote.feedback_type, vote.adjustment_request) == (FeedbackType.NEGOTIATE, "The plan has it")


LATER = FeedbackAnswer(
    feedback_type=FeedbackType.NEGOTIATE, adjustment_request="Later, please", change=Hours(start="20:00")
)


def wished() -> Scenario:
    scenario = offered(when=EVENING).drafted("a", "b")
    return scenario.does(RecordFeedback, agent_id="a", round=1, answer=LATER).twin("b", "accept")


def test_a_request_that_the_next_version_breaks_is_open_whatever_the_model_says() -> None:
    addressed = (RequestAddressed(agent_id="a", request="Later, please"),)
    scenario = wished().drafted("a", "b", adjustment_summary=AdjustmentSummary(requests_addressed=addressed))

    assert summary(scenario).requests_addressed == ()
    assert summary(scenario).requests_declined == (RequestDeclined(agent_id="a", request="Later, please"),)
    assert scenario.state.proposal is not None
    [mark] = [each for each in marks_of(scenario.state, scenario.state.proposal) if each.about == "request"]
    assert (mark.kind, mark.agent_id, mark.wanted) == ("broken", "a", LATER.change)
    assert mark.found == Hours(start="19:00", end="22:00"), "both data are shown"


def test_a_request_that_is_declined_with_a_reason_is_no_error() -> None:
    declined = (RequestDeclined(agent_id="a", request="Later, please", reason="The room closes"),)
    scenario = wished().drafted("a", "b", adjustment_summary=AdjustmentSummary(requests_declined=declined))

    assert scenario.state.proposal is not None
    assert not [each for each in marks_of(scenario.state, scenario.state.proposal) if each.about == "request"]


def test_a_request_that_the_next_version_meets_is_taken_up_whatever_the_model_says() -> None:
    declined = (RequestDeclined(agent_id="a", request="Later, please", reason="No"),)
    later = replace(EVENING, start="20:00")
    scenario = wished().drafted("a", "b", when=later, adjustment_summary=AdjustmentSummary(requests_declined=declined))

    assert summary(scenario).requests_addressed == (RequestAddressed(agent_id="a", request="Later, please"),)
    assert summary(scenario).requests_declined == ()
    assert scenario.state.proposal is not None
    [mark] = [each for each in marks_of(scenario.state, scenario.state.proposal) if each.about == "request"]
    assert (mark.kind, mark.wanted) == ("checked", LATER.change)


def summary(scenario: Scenario) -> AdjustmentSummary:
    assert scenario.state.proposal is not None
    assert scenario.state.proposal.adjustment_summary is not None
    return scenario.state.proposal.adjustment_summary


BROKEN: list[tuple[StatedCondition, dict[str, Any]]] = [
    (MORNING_ONLY, {"when": EVENING}),
    (StatedCondition(text="x", data=Days(weekdays=("mon", "tue"))), {"when": EVENING}),
    (StatedCondition(text="x", data=Days(weekdays=("sun",), allowed=False)), {"when": EVENING}),
    (SMALL, {"expected_attendees": 50}),
    (SMALL, {"people": People(at_least=21)}),
    (StatedCondition(text="x", data=Place(online=True, allowed=False)), {"place": Place(online=True)}),
    (StatedCondition(text="x", data=Place(city="Shanghai")), {"place": Place(city="北京")}),
    (StatedCondition(text="x", data=Money(amount=500, currency="EUR")), {"money": Money(none=True)}),
]


def test_a_city_is_the_same_in_any_language_and_nobodys_own_who_is_not_there() -> None:
    there = StatedCondition(text="x", data=Place(city="Beijing"))
    city = Place(city="北京")

    assert only(offered(there, place=city).drafted("a", "b", assignments=seats(attends=True))).status == "met"
    assert only(offered(there, place=city).drafted("a", "b")).status == "unknown"
    assert only(offered(there).drafted("a", "b", assignments=seats(attends=True))).status == "unknown"


@given(
    broken=st.sampled_from(BROKEN),
    met=st.booleans(),
    number=st.integers(0, 3),
    words=st.text(max_size=5),
    reason=st.text(max_size=5),
)
def test_no_answer_of_a_model_makes_what_is_broken_met(
    broken: tuple[StatedCondition, dict[str, Any]], met: bool, number: int, words: str, reason: str
) -> None:
    condition, context = broken
    told = (ConditionAnswer(agent_id="a", condition=words, condition_id=number, met=met, reason=reason),)
    scenario = offered(condition, **context)
    held = only(scenario.drafted("a", "b", assignments=seats(attends=True), conditions=told))

    assert (held.met, held.status) == (False, "broken")
    assert held.found is not None
    assert type(held.found) is type(held.wanted)


@given(
    words=st.sampled_from(["not on Mondays", "最多二十人", "only in Shanghai", "only from 9 to 11", "no budget, no me"])
)
def test_words_are_read_by_nobody(words: str) -> None:
    scenario = offered(words, when=EVENING, expected_attendees=50, place=Place(city="Berlin"))
    told = (ConditionAnswer(agent_id="a", condition_id=1, met=True, reason="Arranged"),)
    held = only(scenario.drafted("a", "b", assignments=seats(attends=True), conditions=told))

    assert (held.met, held.status, held.reason, held.found) == (True, "unknown", "Arranged", None)
