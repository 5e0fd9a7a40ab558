"""From the demand to the first proposal: who is asked, until when, and what becomes of offers."""

from collections.abc import Callable

import pytest

from engine.errors import IllegalStep, NotAllowed
from engine.negotiation.answers import ConditionAnswer, OfferAnswer, OfferDecision
from engine.negotiation.commands import Cancel, RecordOffer, RecordProposal
from engine.negotiation.errors import InvalidDemand
from engine.negotiation.events import (
    AggregationStarted,
    ChannelCreated,
    DemandBroadcast,
    DemandSubmitted,
    DemandUnclear,
    DemandUnderstood,
    FeedbackDue,
    FilterCompleted,
    NegotiationCancelled,
    NegotiationFailed,
    OfferSubmitted,
    ProposalDistributed,
    RoundStarted,
    StepDegraded,
)
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario


def collecting(*agents: str, possibly: tuple[str, ...] = (), policy: Policy = ALONE) -> Scenario:
    return Scenario(policy=policy).demand().understood().shortlisted(*agents, possibly=possibly)


def test_a_demand_is_submitted_and_a_model_is_asked_to_understand_it() -> None:
    Scenario().demand("  a venue  ").then(DemandSubmitted).owing("understand").stands(Status.CREATED)


def test_understanding_leads_to_the_filter() -> None:
    Scenario().demand().understood().then(DemandUnderstood).owing("filter")


def test_everybody_definitely_related_is_asked_at_once_and_nobody_else() -> None:
    scenario = collecting("a", "b", possibly=("c",))

    scenario.then(FilterCompleted, ChannelCreated, DemandBroadcast).owing("respond", "respond")
    assert scenario.event(DemandBroadcast).recipients == ("a", "b")
    assert [each.agent_id for each in scenario.state.reserve] == ["c"]


def test_the_reserve_is_asked_at_once_only_if_nobody_is_definitely_related() -> None:
    scenario = collecting(possibly=("c", "d"))

    assert scenario.event(DemandBroadcast).recipients == ("c", "d")
    assert scenario.state.reserve == ()


def test_no_more_are_asked_than_the_policy_allows() -> None:
    agents = [f"a{number}" for number in range(12)]

    assert collecting(*agents).event(DemandBroadcast).recipients_count == 10


def test_nobody_fits_and_it_fails_as_no_candidates() -> None:
    collecting().then(FilterCompleted, DemandUnclear, NegotiationFailed).stands(Status.FAILED)


@pytest.mark.parametrize(
    "text",
    ["", "   ", "🎉🎉", "1️⃣", "50", "！？…", "<@>"],
    ids=["nothing", "blanks", "emoji", "an emoji of a number", "a number", "punctuation", "markup"],
)
def test_a_demand_without_words_is_refused(text: str) -> None:
    Scenario().demand(text).is_refused(InvalidDemand)


def test_a_demand_of_4000_characters_is_taken_and_of_4001_refused() -> None:
    Scenario().demand("x" * 4000).then(DemandSubmitted)
    Scenario().demand("x" * 4001).is_refused(InvalidDemand, "4,001")


def test_a_negotiation_begins_once() -> None:
    Scenario().demand().demand().is_refused(IllegalStep)


def test_collecting_closes_when_every_twin_has_answered() -> None:
    scenario = collecting("a", "b").offers("a").then(OfferSubmitted).offers("b", "decline")

    scenario.then(OfferSubmitted, AggregationStarted).owing("aggregate").stands(Status.AGGREGATING)


def test_collecting_closes_at_its_time_with_what_has_come() -> None:
    scenario = collecting("a", "b").offers("a").later(299).rings("offers").then()
    scenario.later(1).rings("offers").then(AggregationStarted)

    assert scenario.last.drop == ["offer/b"]
    scenario.offers("b").then()  # too late


def test_answers_but_no_participant_fails() -> None:
    scenario = collecting("a", "b").offers("a", "decline").offers("b", "decline")

    assert scenario.event(NegotiationFailed).reason is Outcome.NO_PARTICIPANTS


def test_a_twin_that_could_not_answer_has_declined_and_it_is_said() -> None:
    scenario = collecting("a", "b")
    answer = OfferAnswer(decision=OfferDecision.DECLINE)
    scenario.does(RecordOffer, agent_id="b", answer=answer, degraded="E004")

    scenario.then(StepDegraded, OfferSubmitted)
    assert scenario.event(OfferSubmitted).degraded


def test_a_second_answer_of_the_same_twin_changes_nothing() -> None:
    collecting("a", "b").offers("a").offers("a", "decline").then()


def test_the_proposal_goes_to_those_assigned_only() -> None:
    scenario = collecting("a", "b").offers("a").offers("b").drafted("a")

    scenario.then(RoundStarted, ProposalDistributed, FeedbackDue).owing("feedback").stands(Status.NEGOTIATING)
    assert set(scenario.state.rounds[0].seats) == {"a"}


def test_a_draft_can_name_only_people_who_take_part() -> None:
    scenario = collecting("a", "b").offers("a").offers("b", "decline").drafted("a", "b", "stranger", "a")

    assert [each.agent_id for each in scenario.event(ProposalDistributed).proposal.assignments] == ["a"]


def test_without_a_draft_everybody_takes_part_with_their_own_contribution() -> None:
    scenario = collecting("a", "b").offers("a").offers("b")
    scenario.does(RecordProposal, version=1, draft=None, degraded="E003")

    scenario.then(StepDegraded, RoundStarted, ProposalDistributed, FeedbackDue)
    seats = scenario.event(ProposalDistributed).proposal.assignments
    assert [(each.agent_id, each.responsibility) for each in seats] == [("a", "a helps"), ("b", "b helps")]


def test_a_draft_of_strangers_alone_counts_as_none() -> None:
    scenario = collecting("a").offers("a").drafted("stranger")

    assert [each.agent_id for each in scenario.event(ProposalDistributed).proposal.assignments] == ["a"]


def test_every_condition_is_met_or_declined() -> None:
    scenario = collecting("a", "b").offers("a", "conditional", conditions=("a projector", "quiet")).offers("b")
    scenario.drafted("a", "b", conditions=(ConditionAnswer(agent_id="a", condition="a projector", met=True),))

    answers = scenario.event(ProposalDistributed).proposal.conditions
    assert [(each.condition, each.met) for each in answers] == [("a projector", True), ("quiet", False)]


def test_a_rejecting_vote_is_no_accept_and_its_seat_stays() -> None:
    scenario = collecting("a", "b").offers("a").offers("b").drafted("a", "b").twin("a", "accept").twin("b", "reject")
    scenario.drafted("a", "b")

    assert scenario.tally().rejects == 1
    assert scenario.tally().withdraws == 0
    assert set(scenario.state.rounds[-1].seats) == {"a", "b"}


@pytest.mark.parametrize("taken", range(5), ids=["created", "understood", "collecting", "aggregating", "voting"])
def test_the_requester_can_stop_at_any_time(taken: int) -> None:
    scenario = Scenario(policy=ALONE).demand()
    steps: list[Callable[[], Scenario]] = [
        scenario.understood,
        lambda: scenario.shortlisted("a"),
        lambda: scenario.offers("a"),
        lambda: scenario.drafted("a"),
    ]
    for step in steps[:taken]:
        step()
    scenario.does(Cancel, by="U_EVE").is_refused(NotAllowed)
    scenario.does(Cancel, by=REQUESTER).then(NegotiationCancelled).stands(Status.CANCELLED)
    scenario.does(Cancel, by=REQUESTER).is_refused(IllegalStep)


def test_an_admin_can_stop_it_and_it_says_who_did() -> None:
    scenario = collecting("a").does(Cancel, by="U_ADMIN", as_admin=True)

    scenario.then(NegotiationCancelled).stands(Status.CANCELLED)
    assert scenario.state.cancelled_by == "U_ADMIN"
    scenario.does(Cancel, by="U_ADMIN", as_admin=True).is_refused(IllegalStep)
