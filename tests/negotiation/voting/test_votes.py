"""Who may vote, when, and what counts."""

import pytest
from msgspec.structs import replace

from engine.errors import IllegalStep, NotAllowed, Refusal, UnknownAgent
from engine.negotiation.answers import Timeline
from engine.negotiation.commands import CloseRound, ExtendRound
from engine.negotiation.errors import InvalidVote, StaleVote
from engine.negotiation.events import (
    FeedbackDue,
    FeedbackEvaluated,
    ProposalDistributed,
    ProposalFeedback,
    ProposalFinalized,
    RoundStarted,
    StepDegraded,
)
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from engine.negotiation.terms import Source, Verdict
from tests.negotiation.scenario import NOON, REQUESTER, Scenario, voting

HOUR = Policy(human_window=3600, override_window=30)
LINKED = {"ann": "U_ANN", "bo": "U_BO"}
FRIDAY = Timeline(start_date="Friday")


def round_of_linked() -> Scenario:
    """Two linked people and one twin of nobody; all three twins have voted."""
    scenario = voting("ann", "bo", "cy", policy=HOUR, linked=LINKED)
    return scenario.twins({"ann": "accept", "bo": "accept", "cy": "accept"}).stands(Status.NEGOTIATING)


def test_a_human_overrules_their_twin_and_flips_the_outcome() -> None:
    scenario = voting("ann", policy=HOUR, linked=LINKED).twin("ann", "accept")
    scenario.clicks("U_ANN", "ann", "withdraw", "I am away").stands(Status.FAILED)

    assert scenario.tally().withdraws == 1


def test_the_last_click_before_the_round_closes_counts() -> None:
    scenario = round_of_linked()
    scenario.clicks("U_ANN", "ann", "negotiate").clicks("U_ANN", "ann", "withdraw").clicks("U_ANN", "ann", "accept")
    scenario.clicks("U_BO", "bo", "accept").later(31).rings("close/1")

    votes = [each for each in scenario.history if isinstance(each, ProposalFeedback) and each.source is Source.HUMAN]
    assert [each.feedback_type for each in votes] == ["negotiate", "withdraw", "accept", "accept"]
    assert scenario.tally().accepts == 3


def test_every_human_vote_stays_in_the_history_with_who_cast_it() -> None:
    scenario = round_of_linked().clicks("U_ANN", "ann", "negotiate", "Shorter talks")

    vote = scenario.event(ProposalFeedback)
    assert (vote.by, vote.source, vote.adjustment_request) == ("U_ANN", Source.HUMAN, "Shorter talks")


@pytest.mark.parametrize(
    ("user", "agent"),
    [
        pytest.param("U_EVE", "ann", id="a stranger"),
        pytest.param("U_BO", "ann", id="another participant"),
        pytest.param(REQUESTER, "ann", id="the requester, for a linked seat"),
        pytest.param("U_ANN", "cy", id="a participant, for an unlinked seat"),
        pytest.param("", "cy", id="nobody"),
    ],
)
def test_the_wrong_hand_is_refused(user: str, agent: str) -> None:
    round_of_linked().clicks(user, agent, "accept").is_refused(NotAllowed)


def test_the_requester_votes_for_an_unlinked_seat() -> None:
    round_of_linked().clicks(REQUESTER, "cy", "withdraw").then(ProposalFeedback)


def test_a_vote_for_someone_without_a_seat_is_refused() -> None:
    round_of_linked().clicks("U_ANN", "zed", "accept").is_refused(UnknownAgent)


def test_a_button_of_an_older_version_is_refused() -> None:
    round_of_linked().clicks("U_ANN", "ann", "accept", digest="000000000000").is_refused(StaleVote)


def test_a_button_of_another_version_of_an_open_round_is_told_so_and_which_one_is_open() -> None:
    scenario = round_of_linked().clicks("U_ANN", "ann", "accept", digest="000000000000")

    scenario.is_refused(StaleVote, "the plan was changed since").is_refused(StaleVote, "The round is open")
    scenario.is_refused(StaleVote, f"its plan is {scenario.state.rounds[-1].digest}")
    assert "over" not in str(scenario.refused)


def test_a_button_of_a_round_that_there_is_not_is_told_which_there_is() -> None:
    scenario = round_of_linked().clicks("U_ANN", "ann", "accept", round=7)

    scenario.is_refused(StaleVote, "There is no round 7 so far").is_refused(StaleVote, "Round 1 is open")


def test_a_button_of_an_older_round_is_told_which_one_is_open() -> None:
    scenario = voting("ann", "bo", policy=HOUR, linked=LINKED).twins({"ann": "accept", "bo": "negotiate"})
    scenario.clicks("U_ANN", "ann", "accept").clicks("U_BO", "bo", "negotiate").drafted("ann", "bo", timeline=FRIDAY)

    scenario.clicks("U_ANN", "ann", "withdraw", round=1)

    scenario.is_refused(StaleVote, "round 1, which is over").is_refused(StaleVote, "Round 2 is open")


def test_a_button_of_an_older_round_is_refused() -> None:
    scenario = voting("ann", "bo", policy=HOUR, linked=LINKED).twins({"ann": "accept", "bo": "negotiate"})
    scenario.clicks("U_ANN", "ann", "accept").clicks("U_BO", "bo", "negotiate").drafted("ann", "bo", timeline=FRIDAY)

    scenario.stands(Status.NEGOTIATING, number=2).clicks("U_ANN", "ann", "withdraw", round=1).is_refused(StaleVote)


def test_between_two_rounds_there_is_nothing_to_vote_on() -> None:
    scenario = voting("ann", "bo", policy=HOUR, linked=LINKED).twins({"ann": "accept", "bo": "negotiate"})
    scenario.clicks("U_ANN", "ann", "accept").clicks("U_BO", "bo", "negotiate").stands(Status.PROPOSAL_SENT)

    scenario.clicks("U_ANN", "ann", "withdraw").is_refused(StaleVote)


def test_after_the_end_a_click_changes_nothing_and_says_so() -> None:
    scenario = voting("ann", policy=HOUR, linked=LINKED).twin("ann", "accept").clicks("U_ANN", "ann", "accept")

    scenario.stands(Status.FINALIZED).clicks("U_ANN", "ann", "withdraw").is_refused(StaleVote, "over")


def test_a_click_after_the_deadline_is_too_late_even_if_the_alarm_is_late_too() -> None:
    round_of_linked().later(3601).clicks("U_ANN", "ann", "withdraw").is_refused(StaleVote, "too late")


def test_the_same_vote_twice_happens_once() -> None:
    round_of_linked().clicks("U_ANN", "ann", "accept").then(ProposalFeedback).clicks("U_ANN", "ann", "accept").then()


@pytest.mark.parametrize("vote", ["negotiate", "withdraw"])
def test_a_wish_needs_words(vote: str) -> None:
    round_of_linked().clicks("U_ANN", "ann", vote, "  ").is_refused(InvalidVote)


# ── when a round closes ───────────────────────────────────────────────────────────────────────────────────────────


def test_without_people_the_last_twin_closes_the_round() -> None:
    scenario = voting("a", "b").twin("a", "accept").then(ProposalFeedback)
    scenario.twin("b", "accept").then(ProposalFeedback, FeedbackEvaluated, ProposalFinalized)


def test_a_round_waits_for_linked_people_until_their_window_ends() -> None:
    scenario = round_of_linked()
    scenario.later(3599).rings("close/1").then().stands(Status.NEGOTIATING)
    scenario.later(1).rings("close/1").stands(Status.FINALIZED)


def test_at_the_deadline_the_twins_vote_stands() -> None:
    scenario = round_of_linked().later(3600).rings("close/1")

    assert scenario.event(ProposalFinalized).confirmed_participants == ("ann", "bo", "cy")


def test_the_round_closes_as_soon_as_everybody_has_voted() -> None:
    scenario = voting("ann", "bo", policy=HOUR, linked=LINKED).clicks("U_ANN", "ann", "accept")
    scenario.clicks("U_BO", "bo", "accept").stands(Status.FINALIZED)


def test_a_twin_that_answers_after_its_human_closed_the_round_changes_nothing() -> None:
    scenario = voting("ann", policy=HOUR, linked=LINKED).clicks("U_ANN", "ann", "accept").stands(Status.FINALIZED)
    scenario.twin("ann", "withdraw").then().stands(Status.FINALIZED)


def test_unlinked_seats_wait_for_the_requester_only_after_the_last_twin() -> None:
    scenario = voting("a", "b", policy=Policy(override_window=30)).twin("a", "accept").then(ProposalFeedback)
    scenario.later(60).twin("b", "accept").then(ProposalFeedback, FeedbackDue)

    assert scenario.event(FeedbackDue).deadline == NOON + 90_000
    scenario.later(30).rings("close/1").stands(Status.FINALIZED)


def test_an_unlinked_seat_does_not_wait_for_the_people_of_others() -> None:
    scenario = round_of_linked().later(60)
    scenario.clicks("U_ANN", "ann", "accept").clicks("U_BO", "bo", "accept").stands(Status.FINALIZED)


def test_last_vote_alarm_and_close_round_together_are_one_transition() -> None:
    scenario = voting("ann", policy=HOUR, linked=LINKED).twin("ann", "accept").clicks("U_ANN", "ann", "accept")
    scenario.rings("close/1").then()
    scenario.does(CloseRound, by=REQUESTER, round=1).is_refused(StaleVote)

    assert sum(isinstance(each, FeedbackEvaluated) for each in scenario.history) == 1


def test_the_requester_closes_a_round_early_and_nobody_else_does() -> None:
    scenario = round_of_linked().does(CloseRound, by="U_ANN", round=1).is_refused(NotAllowed)
    scenario.does(CloseRound, by=REQUESTER, round=1).stands(Status.FINALIZED)


def test_people_get_as_much_time_again_and_twins_none() -> None:
    scenario = round_of_linked()
    before = scenario.state.rounds[-1].window
    given = scenario.does(ExtendRound, by=REQUESTER, round=1).state.rounds[-1].window

    assert given == replace(
        before,
        deadline=before.deadline + 3_600_000,
        people_until=before.people_until + 3_600_000,
        requester_until=before.requester_until + 3_600_000,
    )
    scenario.now = before.deadline
    scenario.rings("close/1").then()
    scenario.clicks("U_ANN", "ann", "accept")
    scenario.now = given.deadline
    scenario.rings("close/1").stands(Status.FINALIZED)


@pytest.mark.parametrize(("by", "why"), [("U_ANN", NotAllowed), ("", NotAllowed)])
def test_nobody_else_gives_time(by: str, why: type[Refusal]) -> None:
    round_of_linked().does(ExtendRound, by=by, round=1).is_refused(why)


def test_no_time_is_given_where_it_is_over_or_nobody_is_waited_for() -> None:
    scenario = round_of_linked()
    scenario.now = scenario.state.rounds[-1].window.deadline + 1
    scenario.does(ExtendRound, by=REQUESTER, round=1).is_refused(StaleVote)
    alone = voting("ann", policy=HOUR.model_copy(update={"override_window": 0}), linked={"ann": "U_ANN"})
    alone.does(ExtendRound, by=REQUESTER, round=2).is_refused(StaleVote)
    twins = voting("ann", policy=HOUR.model_copy(update={"override_window": 0, "human_window": 0}))
    twins.does(ExtendRound, by=REQUESTER, round=1).is_refused(IllegalStep)


def test_an_admin_closes_a_round_early_too() -> None:
    round_of_linked().does(CloseRound, by="U_ADMIN", round=1, as_admin=True).stands(Status.FINALIZED)


def test_for_an_admin_too_a_round_is_over_once() -> None:
    scenario = round_of_linked().does(CloseRound, by=REQUESTER, round=1)
    scenario.does(CloseRound, by="U_ADMIN", round=1, as_admin=True).is_refused(StaleVote)


# ── silence ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_twin_that_cannot_answer_has_not_agreed() -> None:
    scenario = voting("a", "b", "c").twins({"a": "accept", "b": "accept"}).twin_fails("c")

    scenario.then(StepDegraded, FeedbackEvaluated, RoundStarted, ProposalDistributed, FeedbackDue)
    assert (scenario.tally().accepts, scenario.tally().silent) == (2, 1)


def bo_is_asked(policy: Policy = HOUR) -> Scenario:
    """Bo's twin has failed, so Bo was asked, and has been reached."""
    scenario = voting("ann", "bo", policy=policy, linked=LINKED).twin("ann", "accept").twin_fails("bo")
    return scenario.reached("bo")


def test_a_linked_person_who_lets_the_time_pass_is_assumed_to_accept_but_never_confirmed() -> None:
    scenario = bo_is_asked().later(3600).rings("close/1").stands(Status.FINALIZED)

    ended = scenario.event(ProposalFinalized)
    assert (ended.confirmed_participants, ended.optional_participants) == (("ann",), ("bo",))
    assert scenario.state.rounds[0].seats["bo"].vote is not None


def test_closing_early_assumes_nothing_of_those_who_had_time_left() -> None:
    scenario = bo_is_asked().does(CloseRound, by=REQUESTER, round=1)

    assert scenario.tally().silent == 1


def test_the_policy_can_count_silence_as_silence() -> None:
    scenario = bo_is_asked(HOUR.model_copy(update={"silence": "silent"}))

    assert scenario.later(3600).rings("close/1").tally().silent == 1


def test_twins_that_never_answer_are_not_waited_for_beyond_their_time() -> None:
    scenario = voting("a", "b", policy=Policy(human_window=0, override_window=0, feedback_timeout=120))
    scenario.twin("a", "accept").later(120).rings("twins/1")

    assert [(each.agent_id, each.why) for each in scenario.state.degraded] == [("b", "E004")]
    assert scenario.tally().silent == 1


def test_without_a_quorum_the_same_version_is_sent_again() -> None:
    scenario = voting("a", "b", "c").twin("a", "negotiate").twin_fails("b").twin_fails("c")

    scenario.stands(Status.NEGOTIATING, number=2).owing("feedback", "feedback", "feedback")
    assert scenario.event(ProposalDistributed).proposal.version == 1


def test_nobody_answers_in_any_round_and_it_fails_honestly() -> None:
    scenario = voting("a", policy=Policy(human_window=0, override_window=0, max_rounds=2))
    scenario.twin_fails("a").stands(Status.NEGOTIATING, number=2).twin_fails("a").stands(Status.FAILED)

    assert scenario.state.outcome == "no_feedback"
    assert scenario.tally().decision is Verdict.FAIL
