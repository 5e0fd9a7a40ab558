"""How long offers are waited for: twins, then people whose twins could not answer, then a while for corrections."""

from engine.kernel import Recover
from engine.negotiation.commands import EditDemand, RecordDelivery
from engine.negotiation.events import (
    AggregationStarted,
    DemandEdited,
    NegotiationFailed,
    OfferOverridden,
    OffersHeld,
    OfferSubmitted,
    PeopleAsked,
    PersonUnreachable,
    RecoveryAttempted,
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
