"""A question first: whoever asked is asked before anybody else, where nothing can be made out or nobody fits."""

import pytest

from engine.kernel import Place, Recover
from engine.negotiation.answers import Need, Understanding
from engine.negotiation.commands import Cancel, EditDemand, SubmitDemand
from engine.negotiation.events import (
    DemandEdited,
    DemandUnclear,
    DemandUnderstood,
    FilterCompleted,
    NegotiationCancelled,
    NegotiationFailed,
)
from engine.negotiation.policy import Policy
from engine.negotiation.recovery import stalled_at
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome, Parent
from tests.negotiation.scenario import ALONE, REQUESTER, STREAM, Scenario

HOUR = Policy(human_window=3_600)
CHANNEL = Place(channel="C_LOBBY")
WHAT = "What should happen, and who should be there?"


@pytest.mark.parametrize("kind", ["question", "other"])
def test_what_is_no_demand_is_answered_in_a_sentence_and_nobody_is_asked_for_anything(kind: str) -> None:
    scenario = Scenario(place=CHANNEL).demand("What can you do?").understood(kind=kind, reply="I let a group agree.")
    scenario.then(DemandUnderstood, DemandUnclear, NegotiationCancelled).owing().stands(Status.CANCELLED)
    assert scenario.event(DemandUnclear).question == "I let a group agree."
    assert scenario.state.outcome is Outcome.CANCELLED


def test_a_gap_that_is_looked_for_is_a_demand_whatever_a_model_calls_it() -> None:
    demand = Understanding(surface_demand="A photographer", kind="other")
    state = (
        Scenario()
        .does(
            SubmitDemand,
            demand_id="d-00000002",
            channel_id="collab-00000002",
            requester_id=REQUESTER,
            raw_input="A photographer",
            policy=ALONE,
            parent=Parent(channel_id="collab-00000001", demand_id="d-00000001", demand="A meetup", gap_type="photos"),
            understanding=demand,
        )
        .state
    )
    assert state.status is Status.CREATED


def asked(policy: Policy = HOUR, place: Place = CHANNEL) -> Scenario:
    return Scenario(policy=policy, place=place).demand("help, please").understood(question=WHAT)


def found_nobody(policy: Policy = HOUR, place: Place = CHANNEL) -> Scenario:
    return Scenario(policy=policy, place=place).demand("Office move").understood().shortlisted()


def answers(scenario: Scenario, text: str = "A dinner for 12 people on Friday") -> Scenario:
    return scenario.does(EditDemand, by=REQUESTER, raw_input=text)


def test_where_nothing_can_be_made_out_one_question_is_asked_and_nobody_else() -> None:
    scenario = asked().then(DemandUnderstood, DemandUnclear).owing().stands(Status.CREATED)

    question = scenario.event(DemandUnclear)
    assert (question.about, question.question) == ("demand", WHAT)
    assert question.deadline == scenario.now + 3_600_000
    assert scenario.state.awaits_answer
    assert {each.name: each.due for each in scenario.last.alarms} == {
        "question": question.deadline,
        "duration": scenario.state.until,
    }
    assert scenario.state.until == scenario.now + 600_000 + 3_600_000, "their time comes on top"


def test_where_something_can_be_made_out_a_question_keeps_nobody_waiting() -> None:
    need = Need(need_id="need_1", what="a venue")
    scenario = Scenario(policy=HOUR).demand().understood(question=WHAT, needs=(need,))
    scenario.then(DemandUnderstood).owing("filter")


def test_the_answer_is_the_demand_said_otherwise() -> None:
    scenario = answers(asked()).then(DemandEdited).owing("understand")

    assert "question" in scenario.last.clear
    assert not scenario.state.awaits_answer
    scenario.understood().then(DemandUnderstood).owing("filter")
    assert [each.about for each in scenario.state.questions] == ["demand"]


def test_a_model_that_asks_for_ever_is_not_listened_to_for_ever() -> None:
    scenario = answers(asked()).understood(question=WHAT).then(DemandUnderstood, DemandUnclear)

    answers(scenario, "A dinner").understood(question=WHAT).then(DemandUnderstood).owing("filter")


def test_silence_stops_it_and_that_is_no_failure() -> None:
    scenario = asked().later(3_599).rings("question").then()

    scenario.later(1).rings("question").then(NegotiationCancelled).owing().stands(Status.CANCELLED)
    assert scenario.event(NegotiationCancelled).reason == WHAT
    assert scenario.state.outcome is Outcome.CANCELLED


def test_where_nobody_is_waited_for_it_ends_with_the_question() -> None:
    scenario = asked(ALONE).then(DemandUnderstood, DemandUnclear, NegotiationCancelled).stands(Status.CANCELLED)
    assert scenario.state.questions[0].question == WHAT


def test_where_nobody_fits_whoever_asked_is_asked_before_it_fails() -> None:
    scenario = found_nobody().then(FilterCompleted, DemandUnclear).owing().stands(Status.CREATED)
    assert scenario.event(DemandUnclear).about == "people"

    again = answers(scenario, "Somebody who can carry boxes").understood().shortlisted("bo")
    again.stands(Status.COLLECTING)


def test_where_nobody_fits_again_it_has_failed() -> None:
    scenario = answers(found_nobody(), "Moving the office").understood().shortlisted()

    scenario.then(FilterCompleted, NegotiationFailed).stands(Status.FAILED)
    assert scenario.state.outcome is Outcome.NO_CANDIDATES


def test_where_nobody_fits_silence_is_a_failure() -> None:
    scenario = found_nobody().later(3_600).rings("question").then(NegotiationFailed).stands(Status.FAILED)
    assert scenario.state.outcome is Outcome.NO_CANDIDATES


def test_whom_nobody_tells_in_slack_is_given_the_shorter_time() -> None:
    scenario = asked(place=Place())
    assert scenario.event(DemandUnclear).deadline == scenario.now + 30_000


@pytest.mark.parametrize("begun", [asked, found_nobody])
def test_it_can_be_stopped_meanwhile(begun: type) -> None:
    scenario = begun().does(Cancel, by=REQUESTER).then(NegotiationCancelled).stands(Status.CANCELLED)
    assert "question" in scenario.last.clear


@pytest.mark.parametrize("begun", [asked, found_nobody])
def test_it_is_not_stuck_while_an_answer_is_waited_for_and_ends_if_the_alarm_is_lost(begun: type) -> None:
    scenario = begun().later(3_600)
    assert stalled_at(scenario.state, 0) == scenario.now + 30_000

    scenario.does(Recover).then()
    scenario.later(30).does(Recover)
    assert not scenario.state.is_open
    assert scenario.state.channel_id == STREAM


def test_what_is_late_changes_nothing() -> None:
    asked().shortlisted("bo").then()
    answers(asked()).rings("question").then()
