"""On the day before something is due, whoever promised it is asked how it stands; off by default."""

from datetime import UTC, datetime

import pytest

from engine.errors import Duplicate, IllegalStep, NotAllowed
from engine.facts.circumstances import When
from engine.negotiation.afterwards.check_ins import due
from engine.negotiation.answers import Assignment, Milestone, Timeline
from engine.negotiation.commands import AnswerCheckIn, GiveUpSeat, Proceed, TakeBack
from engine.negotiation.events import CheckInAnswered, CheckInAsked
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario

ASKING = ALONE.model_copy(update={"check_ins": True})
STEPS = (
    Milestone(name="Room booked", day="2027-03-05", agent_id="ann", deliverable="A written confirmation"),
    Milestone(name="Money is there", date="2027-03-08"),
    Milestone(name="Some day", date="soon"),
)
SEATS = (
    Assignment(agent_id="ann", role="Host", responsibility="books the room"),
    Assignment(agent_id="bo", role="Speaker", responsibility="gives a talk", when=When(first="2027-03-14")),
)


def at(moment: str) -> int:
    return round(datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp() * 1000)


def agreed(policy: Policy = ASKING, *, steps: tuple[Milestone, ...] = STEPS, zone: str = "") -> Scenario:
    scenario = Scenario(policy=policy, linked={"ann": "U_ANN"}).demand().understood().shortlisted("ann", "bo")
    scenario.offers("ann").offers("bo")
    scenario.drafted(assignments=SEATS, timeline=Timeline(milestones=steps), when=When(time_zone=zone))
    return scenario.twins({"ann": "accept", "bo": "accept"}).stands(Status.FINALIZED)


def alarms(scenario: Scenario) -> dict[str, int]:
    return {each.name: each.due for each in scenario.last.alarms if each.name.startswith("check-in")}


def asked(scenario: Scenario, key: str) -> Scenario:
    scenario.now = alarms(scenario)[f"check-in/{key}"]
    return scenario.rings(f"check-in/{key}").then(CheckInAsked)


def test_each_dated_step_is_due_for_whose_it_is_and_a_seat_with_its_own_time() -> None:
    found = due(agreed().state)
    assert {key: (each.agent_id, each.day.isoformat()) for key, each in found.items()} == {
        "step/1": ("ann", "2027-03-05"),
        "step/2": ("", "2027-03-08"),
        "seat/bo": ("bo", "2027-03-14"),
    }


def test_a_step_is_nobodys_who_is_not_in_the_plan() -> None:
    found = due(agreed(steps=(Milestone(name="Room booked", day="2027-03-05", agent_id="stranger"),)).state)
    assert found["step/1"].agent_id == ""


def test_the_alarms_are_at_nine_on_the_day_before_where_the_plan_is() -> None:
    assert alarms(agreed()) == {
        "check-in/step/1": at("2027-03-04T09:00"),
        "check-in/step/2": at("2027-03-07T09:00"),
        "check-in/seat/bo": at("2027-03-13T09:00"),
    }
    assert alarms(agreed(zone="Asia/Shanghai"))["check-in/step/1"] == at("2027-03-04T01:00")


def test_where_it_is_off_whoever_asked_can_still_want_it_as_the_plan_is_carried_out() -> None:
    scenario = agreed(ALONE).does(Proceed, by=REQUESTER, reminds=True)

    assert alarms(scenario) == alarms(agreed())
    assert not alarms(scenario.does(TakeBack, by=REQUESTER))
    assert not alarms(agreed(ALONE).does(Proceed, by=REQUESTER))


def test_where_it_is_off_nobody_is_asked() -> None:
    assert not Policy().check_ins
    assert alarms(agreed(ALONE)) == {}
    agreed(ALONE).rings("check-in/step/1").then()


def test_whoever_is_asked_says_that_it_is_done() -> None:
    scenario = asked(agreed(), "step/1").does(AnswerCheckIn, by="U_ANN", key="step/1").then(CheckInAnswered)
    answer = scenario.state.check_ins["step/1"].answer
    assert answer is not None
    assert (answer.by, answer.is_late) == ("U_ANN", False)
    scenario.does(AnswerCheckIn, by="U_ANN", key="step/1").is_refused(Duplicate)


def test_late_can_become_done() -> None:
    scenario = asked(agreed(), "step/1")
    scenario.does(AnswerCheckIn, by="U_ANN", key="step/1", is_late=True, text="on Monday").then(CheckInAnswered)
    scenario.does(AnswerCheckIn, by="U_ANN", key="step/1").then(CheckInAnswered)
    answer = scenario.state.check_ins["step/1"].answer
    assert answer is not None
    assert not answer.is_late


def test_an_alarm_before_its_time_or_twice_asks_nobody() -> None:
    scenario = agreed()
    scenario.rings("check-in/step/1").then()
    again = asked(agreed(), "step/1")
    again.rings("check-in/step/1").then()
    agreed().rings("check-in/step/9").then()


def test_whoever_gave_it_up_is_asked_no_more() -> None:
    scenario = agreed().does(GiveUpSeat, by=REQUESTER, agent_id="bo")
    assert "check-in/seat/bo" in scenario.last.clear
    later = asked(agreed(), "seat/bo").does(GiveUpSeat, by=REQUESTER, agent_id="bo")
    later.does(AnswerCheckIn, by=REQUESTER, key="seat/bo").is_refused(IllegalStep)


def test_a_day_that_has_passed_is_not_asked_about() -> None:
    steps = (Milestone(name="Room booked", day="2027-01-01"),)
    assert "check-in/step/1" not in alarms(agreed(steps=steps))


@pytest.mark.parametrize("by", ["U_EVE", REQUESTER, "", "U_ANN@T_PARTNER"])
def test_nobody_else_answers(by: str) -> None:
    asked(agreed(), "step/1").does(AnswerCheckIn, by=by, key="step/1").is_refused(NotAllowed)


def test_what_nobody_was_asked_about_is_not_answered() -> None:
    agreed().does(AnswerCheckIn, by="U_ANN", key="step/1").is_refused(IllegalStep)
