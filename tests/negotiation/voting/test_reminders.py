"""At half time, those who have not decided for themselves are reminded: once, and nobody else."""

from engine.negotiation.commands import Cancel, CloseRound
from engine.negotiation.events import FeedbackReminded, PersonUnreachable
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from tests.negotiation.scenario import NOON, REQUESTER, Scenario, voting

HOUR = Policy(human_window=3600, override_window=30)
LINKED = {"ann": "U_ANN", "bo": "U_BO"}


def round_one(policy: Policy = HOUR) -> Scenario:
    return voting("ann", "bo", "cy", policy=policy, linked=LINKED)


def alarms(scenario: Scenario) -> dict[str, float]:
    """Those that were just set: seconds after the beginning."""
    return {each.name: (each.due - NOON) / 1000 for each in scenario.last.alarms}


def test_half_time_is_an_alarm_of_the_round() -> None:
    assert alarms(round_one())["remind/1"] == 1800


def test_linked_people_who_have_not_voted_are_reminded_whatever_their_twins_say() -> None:
    scenario = round_one().twins({"ann": "accept", "cy": "negotiate"}).twin_fails("bo").later(1800).rings("remind/1")

    scenario.then(FeedbackReminded).stands(Status.NEGOTIATING, number=1)
    assert scenario.event(FeedbackReminded).agent_ids == ("ann", "bo")
    assert scenario.state.rounds[0].reminded == {"ann": "U_ANN", "bo": "U_BO"}


def test_who_has_decided_is_left_alone() -> None:
    scenario = round_one().clicks("U_ANN", "ann", "accept").later(1800).rings("remind/1")

    assert scenario.event(FeedbackReminded).agent_ids == ("bo",)


def test_who_has_gone_is_left_alone() -> None:
    scenario = round_one().unreachable("ann", gone=True).then(PersonUnreachable).later(1800).rings("remind/1")

    assert scenario.event(FeedbackReminded).agent_ids == ("bo",)


def test_who_could_not_be_reached_is_tried_again() -> None:
    scenario = round_one().clicks("U_ANN", "ann", "accept").unreachable("bo").later(1800).rings("remind/1")

    assert scenario.event(FeedbackReminded).agent_ids == ("bo",)


def test_when_everybody_has_decided_nobody_is_reminded() -> None:
    scenario = round_one().clicks("U_ANN", "ann", "accept").clicks("U_BO", "bo", "accept")

    scenario.later(1800).rings("remind/1").then()


def test_nobody_is_reminded_before_half_time() -> None:
    round_one().later(1799.999).rings("remind/1").then().later(0.001).rings("remind/1").then(FeedbackReminded)


def test_nobody_is_reminded_twice() -> None:
    round_one().later(1800).rings("remind/1").then(FeedbackReminded).later(1).rings("remind/1").then()


def test_a_reminder_is_late_but_never_after_the_time_is_over() -> None:
    round_one().later(3599).rings("remind/1").then(FeedbackReminded)
    round_one().later(3600).rings("remind/1").then()


def test_a_window_of_odd_length_has_a_half_too() -> None:
    scenario = round_one(HOUR.model_copy(update={"human_window": 0.005}))

    scenario.later(alarms(scenario)["remind/1"]).rings("remind/1").then(FeedbackReminded)


def test_where_nobody_is_waited_for_there_is_no_half_time() -> None:
    assert "remind/1" not in alarms(round_one(HOUR.model_copy(update={"human_window": 0})))
    assert "remind/1" not in alarms(voting("cy", policy=HOUR, linked=LINKED))


def test_every_round_has_its_own() -> None:
    scenario = round_one().twins({"ann": "accept", "bo": "accept", "cy": "negotiate"}).later(600)
    scenario.does(CloseRound, by=REQUESTER, round=1).later(100).drafted("ann", "bo", "cy")

    assert alarms(scenario)["remind/2"] == 700 + 1800
    scenario.later(1800).rings("remind/1").then().rings("remind/2").then(FeedbackReminded)
    assert scenario.event(FeedbackReminded).round == 2


def test_a_version_that_is_sent_again_has_its_own_too() -> None:
    scenario = voting("ann", policy=HOUR, linked=LINKED).twin_fails("ann").later(3600).rings("close/1")

    assert scenario.stands(Status.NEGOTIATING, number=2).state.proposals[-1].version == 1
    assert alarms(scenario)["remind/2"] == 3600 + 1800


def test_with_the_round_its_half_time_is_over() -> None:
    closed = (
        round_one().twins({"ann": "accept", "bo": "accept", "cy": "accept"}).does(CloseRound, by=REQUESTER, round=1)
    )
    stopped = round_one().does(Cancel, by=REQUESTER)

    for scenario in (closed, stopped):
        assert "remind/1" in scenario.last.clear
        scenario.later(1800).rings("remind/1").then()
