"""What people ask for is held against each version, whatever a model says that it has done about it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.facts.circumstances import When
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    Circumstances,
    ConditionAnswer,
    FeedbackType,
    Milestone,
    RequestAddressed,
    RequestDeclined,
    Timeline,
)
from engine.negotiation.compromise import refusals
from engine.negotiation.state import Status
from engine.negotiation.terms import HeldCondition

from .scenario import ALONE, Scenario

EVENING = When(said="14 March", first="2027-03-14", last="2027-03-14", start="19:00", end="22:00", exact="day")
MORNING_ONLY = "only between 9 and 11 in the morning"


def offered(*conditions: str, decision: str = "conditional", text: str = "A meetup", **context: Any) -> Scenario:
    """A's offer is in; B takes part as well."""
    scenario = Scenario(policy=ALONE).demand(text).understood(surface_demand=text, context=Circumstances(**context))
    return scenario.shortlisted("a", "b").offers("a", decision, conditions=conditions).offers("b")


def answers(scenario: Scenario) -> list[tuple[str, bool, str]]:
    assert scenario.state.proposal is not None
    return [(each.condition, each.met, each.status) for each in scenario.state.proposal.conditions]


def only(scenario: Scenario) -> HeldCondition:
    assert scenario.state.proposal is not None
    (held,) = scenario.state.proposal.conditions
    return held


@pytest.mark.parametrize("said", [True, False])
def test_what_the_plan_breaks_is_not_met_whatever_the_model_says(said: bool) -> None:
    scenario = offered(MORNING_ONLY).drafted(
        "a",
        "b",
        when=EVENING,
        conditions=(ConditionAnswer(agent_id="a", condition=MORNING_ONLY, met=said, reason="Sure"),),
    )

    held = only(scenario)
    assert (held.met, held.status) == (False, "broken")
    assert held.reason == ("the plan has it from 19:00 to 22:00" if said else "Sure")


def test_the_demands_own_time_counts_where_the_plan_names_none() -> None:
    assert answers(offered(MORNING_ONLY, when=EVENING).drafted("a", "b")) == [(MORNING_ONLY, False, "broken")]


def test_words_alone_tell_the_time_as_well() -> None:
    scenario = offered("只能在上午9点到11点", text="一场聚会", date="3月14日晚上").drafted("a", "b")

    held = only(scenario)
    assert (held.status, held.reason) == ("broken", "方案的时间是17:00到00:00")


def test_somebodys_own_time_counts_before_the_plans() -> None:
    morning = When(first="2027-03-14", last="2027-03-14", start="09:30", end="10:30", exact="day")
    seats = (Assignment(agent_id="a", role="talk", when=morning), Assignment(agent_id="b", role="room"))
    scenario = offered(MORNING_ONLY).drafted("a", "b", assignments=seats, when=EVENING)

    assert answers(scenario) == [(MORNING_ONLY, True, "met")]


def test_what_is_true_already_is_met_whatever_the_model_says() -> None:
    declined = (ConditionAnswer(agent_id="a", condition="人数不超过20人", met=False, reason="人数不能减"),)
    scenario = offered("人数不超过20人", text="12人的复盘", expected_attendees=12).drafted(
        "a", "b", conditions=declined
    )

    held = only(scenario)
    assert (held.met, held.status, held.reason) == (True, "met", "方案是12人")


@pytest.mark.parametrize("said", [True, False])
def test_what_cannot_be_checked_is_as_the_model_says_and_marked(said: bool) -> None:
    text = "I get the final headcount three days before"
    told = (ConditionAnswer(agent_id="a", condition=text, met=said, reason="Arranged"),)
    held = only(offered(text).drafted("a", "b", conditions=told, when=EVENING))

    assert (held.met, held.status, held.reason) == (said, "unknown", "Arranged")


def test_a_step_of_the_plan_can_tell() -> None:
    steps = Timeline(milestones=(Milestone(name="Final headcount to Ada", date="2027-03-10"),))
    text = "I get the final headcount three days before"

    assert answers(offered(text).drafted("a", "b", when=EVENING, timeline=steps)) == [(text, True, "met")]


def test_weeks_are_held_against_the_steps() -> None:
    steps = Timeline(milestones=(Milestone(name="Kick-off", date="week 1"), Milestone(name="Report", date="week 4")))
    told = (ConditionAnswer(agent_id="a", condition="only from week 2", met=True),)
    held = only(offered("only from week 2").drafted("a", "b", timeline=steps, conditions=told))

    assert (held.met, held.status) == (False, "broken")


def test_a_condition_in_other_words_is_the_same_one() -> None:
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
    scenario = offered("a projector", "None", " ", decision="participate")

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


def test_a_twin_that_asks_for_what_is_true_accepts() -> None:
    scenario = offered(text="A retrospective for 12 people", expected_attendees=12).drafted("a", "b")
    scenario.twin("a", "negotiate", wish="No more than 20 people").twin("b", "accept")

    scenario.stands(Status.FINALIZED, number=1)
    vote = scenario.state.rounds[0].seats["a"].vote
    assert vote is not None
    assert (vote.feedback_type, vote.adjustment_request) == (FeedbackType.ACCEPT, "")
    assert vote.reasoning == (
        "What I asked for is in the plan already: No more than 20 people (the plan is for 12 people)"
    )


@pytest.mark.parametrize("wish", ["No more than 10 people", "No more than 20 people and a projector", "later, please"])
def test_a_twin_that_asks_for_more_keeps_its_vote(wish: str) -> None:
    scenario = offered(expected_attendees=12).drafted("a", "b").twin("a", "negotiate", wish=wish)

    vote = scenario.state.rounds[0].seats["a"].vote
    assert vote is not None
    assert (vote.feedback_type, vote.adjustment_request) == (FeedbackType.NEGOTIATE, wish)


def test_a_persons_vote_stays_what_they_cast_and_the_next_version_says_that_it_is_true() -> None:
    policy = ALONE.model_copy(update={"human_window": 60.0})
    scenario = (
        Scenario(policy=policy, linked={"a": "U_A"}).demand().understood(context=Circumstances(expected_attendees=12))
    )
    scenario.shortlisted("a", "b").offers("a").offers("b").drafted("a", "b").twins({"a": "negotiate", "b": "accept"})
    scenario.clicks("U_A", "a", "negotiate", "No more than 20 people")

    vote = scenario.state.rounds[0].seats["a"].vote
    assert vote is not None
    assert vote.feedback_type is FeedbackType.NEGOTIATE
    declined = (RequestDeclined(agent_id="a", request="No more than 20 people", reason="No"),)
    scenario.drafted("a", "b", adjustment_summary=AdjustmentSummary(requests_declined=declined))
    assert summary(scenario).requests_addressed == (RequestAddressed(agent_id="a", request="No more than 20 people"),)
    assert summary(scenario).requests_declined == ()


def test_a_request_that_the_next_version_breaks_was_not_taken_up() -> None:
    scenario = (
        offered(when=EVENING)
        .drafted("a", "b")
        .twin("a", "negotiate", wish="Move it to the morning")
        .twin("b", "accept")
    )
    addressed = (RequestAddressed(agent_id="a", request="Move it to the morning"),)
    scenario.drafted("a", "b", adjustment_summary=AdjustmentSummary(requests_addressed=addressed))

    assert summary(scenario).requests_addressed == ()
    (declined,) = summary(scenario).requests_declined
    assert (declined.agent_id, declined.reason) == ("a", "the plan has it from 19:00 to 22:00")


def summary(scenario: Scenario) -> AdjustmentSummary:
    assert scenario.state.proposal is not None
    assert scenario.state.proposal.adjustment_summary is not None
    return scenario.state.proposal.adjustment_summary


BROKEN = [
    (MORNING_ONLY, {"when": EVENING}),
    ("只能在上午9点到11点", {"when": EVENING}),
    ("weekdays only", {"when": EVENING}),
    ("no more than 20 people", {"expected_attendees": 50}),
    ("最多二十人", {"expected_attendees": 50}),
    ("not online", {"location": "online"}),
    ("only in Shanghai", {"location": "北京"}),
    ("只能在上海", {"location": "Beijing"}),
    ("只能线上", {"location": "our office in Berlin"}),
]


def test_a_condition_that_names_a_city_is_held_against_where_the_plan_is() -> None:
    told = (ConditionAnswer(agent_id="a", condition="只能在上海", condition_id=1, met=True),)
    held = only(offered("只能在上海", location="北京").drafted("a", "b", conditions=told))
    assert (held.met, held.status) == (False, "broken")
    assert "北京" in held.reason

    held = only(offered("Only in Beijing", location="北京").drafted("a", "b"))
    assert (held.met, held.status) == (True, "met")
    held = only(offered("Only in Beijing").drafted("a", "b"))
    assert (held.met, held.status) == (False, "unknown")


def test_who_only_joins_online_is_held_against_their_own_part() -> None:
    scenario = offered("I can only join online", location="Berlin")
    seats = tuple(
        Assignment(agent_id=each, responsibility=f"{each} talks{how}") for each, how in (("a", " online"), ("b", ""))
    )
    held = only(scenario.drafted("a", "b", assignments=seats))
    assert (held.met, held.status, held.reason) == (True, "met", "in the plan this part is online")

    assert only(offered("I can only join online", location="Berlin").drafted("a", "b")).status == "unknown"


@given(
    broken=st.sampled_from(BROKEN),
    met=st.booleans(),
    number=st.integers(0, 3),
    words=st.sampled_from(["", ".", "!", " ok", "quite something else"]),
    reason=st.text(max_size=5),
)
def test_no_answer_of_a_model_makes_what_is_broken_met(
    broken: tuple[str, dict[str, Any]], met: bool, number: int, words: str, reason: str
) -> None:
    condition, context = broken
    told = (ConditionAnswer(agent_id="a", condition=condition + words, condition_id=number, met=met, reason=reason),)
    held = only(offered(condition, **context).drafted("a", "b", conditions=told))

    assert (held.met, held.status) == (False, "broken")
    assert held.reason
