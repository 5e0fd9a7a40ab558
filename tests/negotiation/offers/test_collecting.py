"""How long offers are waited for: twins, then people whose twins could not answer, then a while for corrections."""

import pytest

from engine.kernel import Recover
from engine.negotiation.commands import EditDemand, RecordDelivery
from engine.negotiation.events import (
    AggregationStarted,
    DemandEdited,
    FeedbackDue,
    NegotiationFailed,
    OfferOverridden,
    OffersHeld,
    OfferSubmitted,
    PeopleAsked,
    PersonUnreachable,
    ProposalDistributed,
    ProposalDrafted,
    RecoveryAttempted,
    RoundStarted,
    StepDegraded,
)
from engine.negotiation.policy import Policy
from engine.negotiation.recovery import stalled_at
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario

HOUR = Policy(human_window=3_600, override_window=0)
HELD = ALONE.model_copy(update={"first_window": 20})
LINKED = {"ann": "U_ANN", "bo": "U_BO"}


def collecting(*agents: str, policy: Policy = HOUR) -> Scenario:
    return Scenario(policy=policy, linked=LINKED).demand().understood().shortlisted(*agents)


def asked() -> Scenario:
    """Both twins could not answer, and their people are asked."""
    return collecting("ann", "bo").does_not_answer("ann").does_not_answer("bo", "E003")


# ── people whose twins could not answer ───────────────────────────────────────────────────────────────────────────


def test_people_whose_twins_could_not_answer_are_asked_themselves() -> None:
    scenario = asked().then(StepDegraded, OfferSubmitted, PeopleAsked).stands(Status.COLLECTING)

    question = scenario.event(PeopleAsked)
    assert question.agent_ids == ("ann", "bo")
    assert question.deadline == scenario.now + 3_600_000
    assert {each.name: each.due for each in scenario.last.alarms} == {
        "offers": question.deadline,
        "duration": scenario.state.until,
    }
    assert scenario.state.until == scenario.now + 600_000 + 3_600_000, "their time comes on top"


def test_it_goes_on_once_the_last_of_them_has_answered() -> None:
    scenario = asked().corrects("U_BO", "bo").then(OfferOverridden)

    scenario.corrects("U_ANN", "ann", "decline").then(OfferOverridden, AggregationStarted).owing("aggregate")


def test_whoever_stays_silent_is_not_waited_for_longer() -> None:
    scenario = asked().corrects("U_BO", "bo").later(3_600).rings("offers")

    scenario.then(AggregationStarted).owing("aggregate")
    assert [each.agent_id for each in scenario.state.participants] == ["bo"]


def test_whoever_cannot_be_told_is_not_waited_for() -> None:
    scenario = asked().corrects("U_BO", "bo")
    scenario.does(RecordDelivery, agent_id="ann", round=0, reached=False)
    scenario.then(PersonUnreachable, AggregationStarted)

    scenario.does(RecordDelivery, agent_id="ann", round=0, reached=False).then()
    assert "offers" in scenario.last.clear or not scenario.last.alarms


def test_a_twin_that_does_not_answer_in_time_leaves_it_to_its_person_too() -> None:
    scenario = collecting("ann", "bo").offers("bo").later(300).rings("offers")

    scenario.then(PeopleAsked)
    assert scenario.event(PeopleAsked).agent_ids == ("ann",)
    scenario.offers("ann").then(OfferSubmitted)
    scenario.corrects("U_ANN", "ann").then(OfferOverridden, AggregationStarted)


def test_where_nobody_took_part_since_twins_failed_no_refusal_is_told() -> None:
    scenario = collecting("ann", "bo", policy=ALONE).does_not_answer("ann").offers("bo", "decline")

    scenario.then(OfferSubmitted, NegotiationFailed)
    assert scenario.state.outcome is Outcome.MODEL_UNAVAILABLE
    assert scenario.state.failed_twins == ("ann",)


def test_where_everybody_has_refused_in_person_it_was_no_machine() -> None:
    scenario = asked().corrects("U_BO", "bo", "decline").corrects("U_ANN", "ann", "decline")
    assert scenario.state.outcome is Outcome.NO_PARTICIPANTS


def test_nobody_is_linked_so_nobody_is_asked_and_it_says_so() -> None:
    scenario = Scenario(policy=HOUR).demand().understood().shortlisted("x", "y")
    scenario.does_not_answer("x").does_not_answer("y").stands(Status.FAILED)
    assert scenario.state.outcome is Outcome.MODEL_UNAVAILABLE


# ── a while for corrections ───────────────────────────────────────────────────────────────────────────────────────


def test_the_offers_stay_open_a_while_for_corrections() -> None:
    scenario = collecting("ann", policy=HELD).offers("ann", "decline").then(OfferSubmitted, OffersHeld)
    assert scenario.event(OffersHeld).deadline == scenario.now + 20_000

    scenario.corrects("U_ANN", "ann").then(OfferOverridden).stands(Status.COLLECTING)
    scenario.later(19).rings("offers").then()
    scenario.later(1).rings("offers").then(AggregationStarted).owing("aggregate")


def drafting(*agents: str) -> Scenario:
    """The plan is drafted while Ann may correct her offer."""
    scenario = collecting("ann", *agents, policy=HELD.model_copy(update={"asks_early": True}))
    for each in ("ann", *agents):
        scenario.offers(each)
    return scenario


def test_the_first_version_is_drafted_meanwhile_and_goes_out_when_the_while_is_over() -> None:
    scenario = drafting().then(OfferSubmitted, OffersHeld).owing("aggregate")
    scenario.drafted("ann", summary="A meetup").then(ProposalDrafted).stands(Status.COLLECTING)

    scenario.later(20).rings("offers")
    scenario.then(AggregationStarted, RoundStarted, ProposalDistributed, FeedbackDue).owing("feedback")
    assert scenario.state.proposals[0].summary == "A meetup"


def test_a_draft_that_is_not_there_yet_is_waited_for() -> None:
    scenario = drafting().later(20).rings("offers").then(AggregationStarted).owing()
    assert not scenario.last.drop
    scenario.drafted("ann").then(RoundStarted, ProposalDistributed, FeedbackDue)


@pytest.mark.parametrize("is_there", [True, False], ids=["that is there", "that is asked for"])
def test_a_correction_voids_a_draft(is_there: bool) -> None:
    scenario = drafting()
    if is_there:
        scenario.drafted("ann", summary="of before")
    scenario.corrects("U_ANN", "ann").then(OfferOverridden).owing()
    assert scenario.last.drop == ([] if is_there else ["aggregate"])

    scenario.drafted("ann", knowing=0).then()
    scenario.corrects("U_ANN", "ann", contribution="once more").owing()
    scenario.later(20).rings("offers").then(AggregationStarted).owing("aggregate")
    scenario.drafted("ann", summary="of now")
    assert scenario.state.proposals[0].summary == "of now"


def test_another_wording_voids_a_draft() -> None:
    scenario = drafting().drafted("ann").does(EditDemand, by=REQUESTER, raw_input="Something else")
    assert scenario.state.first_draft is None


def test_where_no_model_made_a_draft_it_is_asked_for_at_the_end() -> None:
    scenario = drafting().proposed(None).then(ProposalDrafted).owing()
    scenario.later(20).rings("offers").then(AggregationStarted).owing("aggregate")


def test_nobody_drafts_where_nobody_takes_part() -> None:
    collecting("ann", policy=HELD.model_copy(update={"asks_early": True})).offers("ann", "decline").owing()


def test_where_nobody_is_linked_nothing_is_held_open() -> None:
    collecting("x", policy=HELD).offers("x").then(OfferSubmitted, AggregationStarted)


def test_and_the_demand_may_be_said_otherwise_meanwhile() -> None:
    scenario = collecting("ann", policy=HELD).offers("ann").does(EditDemand, by=REQUESTER, raw_input="Something else")
    scenario.then(DemandEdited).owing("understand")

    scenario.understood().shortlisted("ann").offers("ann").then(OfferSubmitted, OffersHeld)


def test_whoever_had_an_hour_already_is_given_no_more() -> None:
    patient = HOUR.model_copy(update={"first_window": 20})
    scenario = collecting("ann", policy=patient).does_not_answer("ann").corrects("U_ANN", "ann")
    scenario.then(OfferOverridden, AggregationStarted)


def test_it_is_not_stuck_while_people_are_waited_for_and_goes_on_if_the_alarm_is_lost() -> None:
    waiting = asked().corrects("U_BO", "bo"), collecting("bo", policy=HELD).offers("bo")
    for scenario, seconds in zip(waiting, (3_600, 20), strict=True):
        assert stalled_at(scenario.state, 0) == scenario.now + seconds * 1_000 + 30_000
        scenario.later(seconds).does(Recover).then()
        scenario.later(30).does(Recover).then(RecoveryAttempted, AggregationStarted)
