"""Silence is a yes only of those who were asked; and nobody waits for those who are not there any more."""

import pytest

from engine.negotiation.commands import CloseRound
from engine.negotiation.errors import StaleVote
from engine.negotiation.events import (
    FeedbackDue,
    FeedbackEvaluated,
    PersonReached,
    PersonUnreachable,
    ProposalDistributed,
    ProposalFeedback,
    ProposalFinalized,
    RoundStarted,
    StepDegraded,
)
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from tests.negotiation.scenario import ALONE, NOON, REQUESTER, Scenario, voting

HOUR = Policy(human_window=3600, override_window=30)
LINKED = {"ann": "U_ANN", "bo": "U_BO"}


def without_bos_twin() -> Scenario:
    """Ann's twin has accepted, Bo's has failed; both people have an hour."""
    return voting("ann", "bo", policy=HOUR, linked=LINKED).twin("ann", "accept").twin_fails("bo")


def hour_passes(scenario: Scenario) -> Scenario:
    return scenario.later(3600).rings("close/1")


# ── who was reached ───────────────────────────────────────────────────────────────────────────────────────────────


def test_who_was_reached_and_says_nothing_is_assumed_to_accept() -> None:
    scenario = hour_passes(without_bos_twin().reached("bo").then(PersonReached))

    scenario.then(ProposalFeedback, FeedbackEvaluated, ProposalFinalized)
    assert (scenario.tally().accepts, scenario.tally().silent) == (2, 0)


def test_who_was_not_heard_to_be_reached_is_silent() -> None:
    assert hour_passes(without_bos_twin()).tally().silent == 1


def test_who_could_not_be_reached_is_silent() -> None:
    assert hour_passes(without_bos_twin().unreachable("bo").then(PersonUnreachable)).tally().silent == 1


def test_who_votes_before_the_receipt_comes_was_reached_once() -> None:
    scenario = without_bos_twin().clicks("U_BO", "bo", "negotiate").then(PersonReached, ProposalFeedback)

    scenario.reached("bo").then()
    without_bos_twin().reached("bo").clicks("U_BO", "bo", "negotiate").then(ProposalFeedback)


def test_who_is_reached_at_the_second_attempt_was_reached() -> None:
    scenario = without_bos_twin().unreachable("bo").reached("bo").then(PersonReached)

    assert hour_passes(scenario).tally().silent == 0


def test_who_was_told_once_stays_told() -> None:
    scenario = without_bos_twin().reached("bo").unreachable("bo").then()

    assert hour_passes(scenario).tally().silent == 0


def test_who_hears_of_it_when_the_time_is_over_has_not_let_it_pass() -> None:
    scenario = without_bos_twin().later(3600).reached("bo").then()

    assert scenario.rings("close/1").tally().silent == 1


def test_each_round_has_to_reach_everybody_anew() -> None:
    scenario = without_bos_twin().clicks("U_ANN", "ann", "negotiate").reached("bo").later(3600).rings("close/1")
    scenario.drafted("ann", "bo").twin("ann", "accept").twin_fails("bo").later(3600).rings("close/2")

    assert (scenario.tally().round, scenario.tally().silent) == (2, 1)


def test_the_twins_vote_stands_whether_or_not_the_person_was_reached() -> None:
    scenario = voting("ann", policy=HOUR, linked=LINKED).twin("ann", "accept").unreachable("ann")

    assert hour_passes(scenario).event(ProposalFinalized).confirmed_participants == ("ann",)


@pytest.mark.parametrize("gone", [False, True], ids=["unreachable", "gone"])
def test_a_report_is_recorded_once(gone: bool) -> None:
    without_bos_twin().reached("bo").reached("bo").then()
    without_bos_twin().unreachable("bo", gone=gone).unreachable("bo", gone=gone).then()
    without_bos_twin().unreachable("bo", gone=gone).unreachable("bo").then()


def test_a_report_of_anything_else_changes_nothing() -> None:
    scenario = voting("ann", "cy", policy=HOUR, linked=LINKED)

    scenario.reached("cy").then()  # linked to nobody
    scenario.reached("zed").then()
    scenario.reached("ann", round=2).then()
    scenario.does(CloseRound, by=REQUESTER, round=1).reached("ann", round=1).then()
    Scenario(policy=ALONE, linked=LINKED).demand().understood().shortlisted("ann").reached("ann").then()


# ── whose account has gone ────────────────────────────────────────────────────────────────────────────────────────


def test_a_round_that_waits_only_for_somebody_who_has_gone_closes_at_once() -> None:
    scenario = without_bos_twin().clicks("U_ANN", "ann", "accept").unreachable("bo", gone=True)

    scenario.then(
        PersonUnreachable, FeedbackEvaluated, RoundStarted, ProposalDistributed, ProposalFeedback, FeedbackDue
    )
    assert scenario.state.rounds[0].tally == scenario.tally()
    assert (scenario.tally().accepts, scenario.tally().silent) == (1, 1)


def test_who_is_only_out_of_reach_may_still_turn_up() -> None:
    without_bos_twin().clicks("U_ANN", "ann", "accept").unreachable("bo").then(PersonUnreachable)


def test_the_others_keep_their_window() -> None:
    scenario = without_bos_twin().unreachable("bo", gone=True).then(PersonUnreachable)

    assert hour_passes(scenario).tally().silent == 1


def test_the_window_of_one_who_has_gone_holds_nobody_up() -> None:
    scenario = voting("ann", "cy", policy=HOUR, linked=LINKED).later(5).twins({"ann": "accept", "cy": "accept"})
    scenario.unreachable("ann", gone=True).then(PersonUnreachable, FeedbackDue)

    assert scenario.event(FeedbackDue).deadline == NOON + 35_000  # the requester may speak for cy until then
    assert [(each.name, each.due) for each in scenario.last.alarms] == [("close/1", NOON + 35_000)]


def test_when_even_the_requesters_window_is_over_it_closes_at_once() -> None:
    scenario = voting("ann", "cy", policy=HOUR, linked=LINKED).twins({"ann": "accept", "cy": "accept"})

    scenario.later(31).unreachable("ann", gone=True).then(PersonUnreachable, FeedbackEvaluated, ProposalFinalized)


def test_the_twin_of_one_who_has_gone_is_waited_for_and_its_vote_stands() -> None:
    scenario = voting("ann", policy=HOUR, linked=LINKED).unreachable("ann", gone=True).then(PersonUnreachable)
    scenario.twin("ann", "accept").then(ProposalFeedback, FeedbackEvaluated, ProposalFinalized)

    assert scenario.event(ProposalFinalized).confirmed_participants == ("ann",)


def test_the_twin_of_one_who_has_gone_is_waited_for_no_longer_than_any_twin() -> None:
    scenario = voting("ann", "bo", policy=HOUR, linked=LINKED).twin("ann", "accept").clicks("U_ANN", "ann", "accept")
    scenario.unreachable("bo", gone=True).then(PersonUnreachable).later(120).rings("twins/1")

    scenario.then(StepDegraded, FeedbackEvaluated, RoundStarted, ProposalDistributed, ProposalFeedback, FeedbackDue)
    assert scenario.tally().silent == 1


def test_one_who_was_reached_and_has_gone_since_is_silent() -> None:
    scenario = hour_passes(without_bos_twin().reached("bo").unreachable("bo", gone=True).then(PersonUnreachable))

    assert scenario.tally().silent == 1


def test_an_earlier_vote_of_one_who_has_gone_stays_valid() -> None:
    scenario = without_bos_twin().clicks("U_BO", "bo", "accept").unreachable("bo", gone=True)

    assert hour_passes(scenario).event(ProposalFinalized).confirmed_participants == ("ann", "bo")


def test_who_clicks_is_there_whatever_was_heard_of_the_account() -> None:
    scenario = without_bos_twin().unreachable("bo", gone=True).clicks("U_BO", "bo", "accept").then(ProposalFeedback)

    assert not scenario.state.rounds[0].seats["bo"].gone
    assert hour_passes(scenario).event(ProposalFinalized).confirmed_participants == ("ann", "bo")


def test_who_comes_back_has_their_window_again() -> None:
    scenario = voting("ann", "cy", policy=HOUR, linked=LINKED).twins({"ann": "accept", "cy": "accept"})
    scenario.reached("ann").unreachable("ann", gone=True).reached("ann").then(PersonReached, FeedbackDue)

    scenario.later(3599).clicks("U_ANN", "ann", "accept").then(ProposalFeedback, FeedbackEvaluated, ProposalFinalized)


def test_with_everybody_gone_and_no_twin_nobody_has_agreed() -> None:
    scenario = voting("ann", policy=HOUR.model_copy(update={"max_rounds": 1}), linked=LINKED).twin_fails("ann")
    scenario.unreachable("ann", gone=True).stands(Status.FAILED)

    assert scenario.state.outcome == "no_feedback"
    scenario.reached("ann").then()
    scenario.clicks("U_ANN", "ann", "accept").is_refused(StaleVote, "over")
