"""Silence is a yes only of those who were asked; and nobody waits for those who are not there any more."""

import pytest

from engine.negotiation.commands import CloseRound, RecordDelivery, RecordProposal
from engine.negotiation.errors import StaleVote
from engine.negotiation.events import (
    AgentWithdrawn,
    FeedbackDue,
    FeedbackEvaluated,
    NegotiationFailed,
    PersonReached,
    PersonUnreachable,
    ProposalDistributed,
    ProposalFeedback,
    ProposalFinalized,
    RoundStarted,
    SubstituteInvited,
)
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.state import Status
from engine.negotiation.voting.votes import account_closed
from tests.negotiation.plan.test_core_seats import plan
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
        PersonUnreachable, FeedbackEvaluated, AgentWithdrawn, RoundStarted, ProposalDistributed, ProposalFeedback,
        FeedbackDue, FeedbackEvaluated, ProposalFinalized,
    )  # fmt: skip
    [first] = [each.tally for each in scenario.state.rounds if each.number == 1]
    assert first is not None
    assert (first.accepts, first.silent, first.withdraws) == (1, 1, 0)


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

    scenario.later(31).unreachable("ann", gone=True)

    assert scenario.state.rounds[0].tally is not None


def test_nobody_waits_for_the_twin_of_one_who_has_gone() -> None:
    scenario = voting("ann", "bo", policy=HOUR, linked=LINKED).twin("ann", "accept").clicks("U_ANN", "ann", "accept")
    scenario.unreachable("bo", gone=True)

    assert scenario.state.rounds[0].tally is not None


@pytest.mark.parametrize("policy", PRESETS)
def test_no_vote_of_anybodys_confirms_a_seat_whose_person_has_gone(policy: str) -> None:
    rules = PRESETS[policy].model_copy(update={"second_opinion": False})
    scenario = voting("ann", "bo", policy=rules, linked=LINKED).twins({"ann": "accept", "bo": "accept"})
    scenario.clicks("U_ANN", "ann", "accept").unreachable("ann", gone=True).clicks("U_BO", "bo", "accept")

    assert scenario.event(AgentWithdrawn).closed
    assert list(scenario.state.withdrawn) == ["ann"]
    assert scenario.stands(Status.FINALIZED).event(ProposalFinalized).confirmed_participants == ("bo",)


def test_a_plan_that_loses_its_core_with_an_account_is_offered_to_the_reserve() -> None:
    scenario = Scenario(policy=HOUR, linked=LINKED).demand().understood().shortlisted("ann", "bo", possibly=("loft",))
    scenario.offers("ann").offers("bo").does(RecordProposal, version=1, draft=plan("ann", "bo", core=("ann",)))
    scenario.twins({"ann": "accept", "bo": "accept"}).unreachable("ann", gone=True)

    scenario.clicks("U_BO", "bo", "accept").stands(Status.NEGOTIATING)

    assert (scenario.event(SubstituteInvited).replaces, scenario.event(SubstituteInvited).agent_id) == ("ann", "loft")


@pytest.mark.parametrize("policy", PRESETS)
def test_where_everybody_has_gone_there_is_nobody_to_ask_again(policy: str) -> None:
    rules = PRESETS[policy].model_copy(update={"second_opinion": False})
    scenario = voting("ann", "bo", policy=rules, linked=LINKED).twins({"ann": "accept", "bo": "accept"})

    scenario.unreachable("ann", gone=True).unreachable("bo", gone=True).stands(Status.FAILED, number=1)

    assert scenario.state.outcome == "no_participants"


def test_no_plan_is_made_with_somebody_who_has_gone_before() -> None:
    scenario = Scenario(policy=HOUR, linked=LINKED).demand().understood().shortlisted("ann", "bo").offers("ann")
    for each in account_closed(scenario.state, "U_ANN", "closed:1", scenario.now):
        scenario.does(type(each), **{name: getattr(each, name) for name in each.__struct_fields__[2:]})

    scenario.then(PersonUnreachable).offers("bo").drafted("ann", "bo")

    assert [*scenario.state.rounds[0].seats] == ["bo"]
    assert account_closed(scenario.state, "U_ANN", "closed:2", scenario.now) == []


def test_who_goes_while_the_plan_is_being_made_has_no_seat_in_it() -> None:
    scenario = Scenario(policy=HOUR, linked=LINKED).demand().understood().shortlisted("ann").offers("ann")
    scenario.does(RecordDelivery, agent_id="ann", round=0, reached=False, gone=True)

    scenario.then(PersonUnreachable, NegotiationFailed).stands(Status.FAILED)


def test_one_who_was_reached_and_has_gone_since_is_silent() -> None:
    scenario = hour_passes(without_bos_twin().reached("bo").unreachable("bo", gone=True).then(PersonUnreachable))

    assert scenario.tally().silent == 1


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
