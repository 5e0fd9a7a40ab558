"""Where a model is required, nothing stands in for one: it ends, and says so. What is no plan goes on as ever."""

from collections.abc import Callable

import pytest

from engine.negotiation.answers import OfferDecision, Shortlist, Understanding
from engine.negotiation.commands import RecordProposal, RecordShortlist, RecordUnderstanding, SubmitDemand
from engine.negotiation.drafting import DURATION
from engine.negotiation.events import (
    DemandUnderstood,
    FeedbackDue,
    NegotiationFailed,
    OfferSubmitted,
    ProposalDistributed,
    StepDegraded,
)
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome, Parent
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario, voting

REQUIRED = ALONE.model_copy(update={"require_model": True})


def begun() -> Scenario:
    return Scenario(policy=REQUIRED).demand()


def not_understood(scenario: Scenario, why: str) -> Scenario:
    return scenario.does(RecordUnderstanding, understanding=Understanding(surface_demand="as written"), degraded=why)


def not_matched(scenario: Scenario, why: str) -> Scenario:
    return scenario.does(RecordShortlist, shortlist=Shortlist(definitely_related=()), people={}, degraded=why)


def not_planned(scenario: Scenario, why: str) -> Scenario:
    return scenario.does(RecordProposal, version=1, draft=None, degraded=why)


@pytest.mark.parametrize("why", ["E003", "E004"])
@pytest.mark.parametrize(
    ("prompt", "scenario", "fails"),
    [
        pytest.param("understand", begun, not_understood, id="understand"),
        pytest.param("filter", lambda: begun().understood(), not_matched, id="filter"),
        pytest.param(
            "aggregate", lambda: begun().understood().shortlisted("a").offers("a"), not_planned, id="aggregate"
        ),
    ],
)
def test_without_a_model_no_plan_is_made_and_none_is_asked_for_a_way_out(
    prompt: str, scenario: Callable[[], Scenario], fails: Callable[[Scenario, str], Scenario], why: str
) -> None:
    failed = fails(scenario(), why).then(StepDegraded, NegotiationFailed).owing().stands(Status.FAILED)

    assert failed.state.outcome is Outcome.MODEL_UNAVAILABLE
    assert failed.state.lacked is not None
    assert (failed.state.lacked.prompt, failed.state.lacked.why) == (prompt, why)
    assert DURATION in failed.last.clear


def test_where_none_is_required_rules_stand_in_as_ever() -> None:
    not_understood(Scenario(policy=ALONE).demand(), "E003").then(StepDegraded, DemandUnderstood).owing("filter")


def test_a_model_that_answers_is_enough_whichever_it_is() -> None:
    """The offline one as well: where no key is set, it is the model."""
    begun().does(
        RecordUnderstanding, understanding=Understanding(surface_demand="x"), model="towow-offline"
    ).then(DemandUnderstood)  # fmt: skip


def test_a_twin_that_cannot_answer_has_declined_and_the_others_go_on() -> None:
    scenario = begun().understood().shortlisted("a", "b").does_not_answer("b").then(StepDegraded, OfferSubmitted)

    assert scenario.state.offers["b"].decision is OfferDecision.DECLINE
    scenario.offers("a").owing("aggregate")


def test_a_version_that_cannot_be_made_is_none_and_the_last_valid_one_stands() -> None:
    scenario = voting("a", "b", "c", policy=REQUIRED).twins({"a": "accept", "b": "accept", "c": "negotiate"})
    before = scenario.state.proposal

    scenario.does(RecordProposal, version=2, draft=None, degraded="E004")

    scenario.then(StepDegraded, ProposalDistributed, FeedbackDue).stands(Status.NEGOTIATING, number=2)
    assert scenario.state.proposal == before
    assert scenario.state.lacked is None


def test_a_gap_is_not_filled_without_one_either() -> None:
    parent = Parent(channel_id="collab-p", demand_id="d-p", demand="An AI meetup", gap_type="photographer")
    scenario = Scenario().does(
        SubmitDemand, demand_id="d-s", channel_id="collab-s", requester_id=REQUESTER, raw_input="A photographer",
        policy=REQUIRED, parent=parent, understanding=Understanding(surface_demand="A photographer"),
    )  # fmt: skip

    not_matched(scenario, "E003").then(StepDegraded, NegotiationFailed)

    assert [each.name for each in scenario.last.effects] == ["result"]
