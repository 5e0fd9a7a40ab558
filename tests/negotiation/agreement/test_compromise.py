"""Where there is no agreement, a model says once what would still be possible; it changes nothing, and binds nobody."""

import pytest
from msgspec.structs import replace

from engine.errors import Unanswered
from engine.kernel import Ask, EffectFailed
from engine.negotiation.agreement.compromise import failure_facts, refusals
from engine.negotiation.answers import Assignment, Compromise
from engine.negotiation.commands import Cancel, RecordCompromise, SubmitDemand
from engine.negotiation.events import (
    CompromiseOffered,
    NegotiationFailed,
    StepDegraded,
)
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome, Parent
from engine.offline.negotiation.adjustments import propose_compromise as worked_out
from tests.llm.prompt_cases import ASKS
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.record_histories import OUTCOMES
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario, voting

FAILURES = [
    "no_candidates", "no_participants", "low_acceptance", "majority_reject", "core_withdrawn", "core_not_agreed",
    "no_feedback",
    "negotiation_timeout", "recovery_exhausted",
]  # fmt: skip
SMALLER = Compromise(summary="Something smaller", suggestions=("Ask again",))


def failed() -> Scenario:
    return voting("a", "b", "c").twins({"a": "accept", "b": "negotiate", "c": "withdraw"}).stands(Status.FAILED)


@pytest.mark.parametrize("outcome", FAILURES)
def test_after_every_failure_it_is_asked_once_what_would_still_be_possible(outcome: str) -> None:
    scenario = OUTCOMES[outcome]()
    scenario.then(*[type(each) for each in scenario.last.events]).owing("compromise")
    assert isinstance(scenario.last.events[-1], NegotiationFailed)
    case = failure_facts(scenario.state)
    assert case.outcome == outcome

    scenario.does(RecordCompromise, compromise=SMALLER, model="m", prompt_hash="h").then(CompromiseOffered)
    assert scenario.stands(Status.FAILED).state.compromise == scenario.event(CompromiseOffered)
    assert scenario.state.outcome == Outcome(outcome)
    scenario.does(RecordCompromise, compromise=SMALLER).then()


@pytest.mark.parametrize("outcome", FAILURES)
def test_the_offline_model_has_something_to_say_about_every_failure(outcome: str) -> None:
    state = OUTCOMES[outcome]().state
    question = ASKS.compose(state, Ask(name="compromise", scope="compromise", prompt="compromise"))
    assert question.prompt is PROMPTS["negotiation/compromise"]

    said = worked_out(**question.given)

    assert said.summary
    assert said.suggestions
    here = {each.agent_id for each in state.participants} - state.withdrawn.keys()
    assert {each.agent_id for each in said.assignments} == here


@pytest.mark.parametrize("outcome", ["consensus", "partial_consensus", "cancelled"])
def test_where_nothing_failed_nothing_is_asked(outcome: str) -> None:
    assert "compromise" not in [each.name for each in OUTCOMES[outcome]().last.effects]


def test_a_subnet_that_fails_is_not_asked_for_a_way_out() -> None:
    """Its parent goes on without it."""
    parent = Parent(channel_id="collab-p", demand_id="d-p", demand="An AI meetup", gap_type="photographer")
    scenario = Scenario().does(
        SubmitDemand, demand_id="d-s", channel_id="collab-s", requester_id=REQUESTER, raw_input="A photographer",
        policy=ALONE, parent=parent,
    )  # fmt: skip
    scenario.understood().shortlisted().stands(Status.FAILED).owing()


def test_nobody_is_named_for_a_part_who_declined_left_or_does_not_exist() -> None:
    seats = tuple(
        Assignment(agent_id=each, display_name="as written", core=True) for each in ("c", "a", "stranger", "b", "a")
    )
    scenario = failed().does(RecordCompromise, compromise=replace(SMALLER, assignments=seats))

    named = scenario.event(CompromiseOffered).compromise.assignments
    assert [(each.agent_id, each.display_name, each.core) for each in named] == [("a", "A", False), ("b", "B", False)]


def test_without_a_model_the_facts_alone_stand_and_it_is_said() -> None:
    scenario = failed().does(RecordCompromise, compromise=None, degraded="E003").then(StepDegraded)
    assert scenario.event(StepDegraded).prompt == "compromise"
    assert scenario.state.compromise is None

    case = failure_facts(scenario.state)
    assert (case.asked, case.taking_part, case.rounds) == (3, 3, 1)
    assert (case.accepts, case.negotiates, case.rejects, case.silent) == (1, 1, 1, 0)
    assert case.withdrawn == ("C",)


def test_a_question_that_fails_for_good_is_not_left_behind() -> None:
    failed().does(EffectFailed, name="compromise", why="KeyError").then(StepDegraded)
    voting("a").does(EffectFailed, name="compromise", why="KeyError").is_refused(Unanswered)


def test_it_is_of_no_use_while_it_goes_on_or_after_it_was_stopped() -> None:
    voting("a").does(RecordCompromise, compromise=SMALLER).then()
    voting("a").does(Cancel, by=REQUESTER).does(RecordCompromise, compromise=SMALLER).then()


def test_what_was_said_in_confidence_is_not_told_where_others_read_along() -> None:
    state = failed().state
    assert [each.reason for each in refusals(state)] == ["c says withdraw"]
    shared = _shared(failed())
    given = ASKS.compose(shared.state, Ask(name="compromise", scope="compromise", prompt="compromise")).given
    assert given["refusals"] == ()
    assert {each.reasoning for each in given["feedbacks"]} == {""}
    assert "later, please" in {each.adjustment_request for each in given["feedbacks"]}


def _shared(scenario: Scenario) -> Scenario:
    place = replace(scenario.state.place, shared=True)
    scenario.state = replace(scenario.state, place=place)
    return scenario


def test_who_is_given_two_parts_keeps_both() -> None:
    seats = (
        Assignment(agent_id="a", role="Host", responsibility="Opens", covers=("need_1",)),
        Assignment(agent_id="b", role="Speaker"),
        Assignment(agent_id="a", role="Cook", responsibility="Cooks", covers=("need_2",)),
    )
    scenario = failed().does(RecordCompromise, compromise=replace(SMALLER, assignments=seats))
    one, other = scenario.event(CompromiseOffered).compromise.assignments
    assert (one.role, one.responsibility, one.covers) == ("Host / Cook", "Opens\nCooks", ("need_1", "need_2"))
    assert other.role == "Speaker"
