"""Seed 003 (TASK-T05 v4): its three tests and its acceptance criteria, as given/when/then."""

import pytest

from engine.kernel import Event
from engine.negotiation.events import (
    FeedbackDue,
    FeedbackEvaluated,
    ForceFinalized,
    NegotiationFailed,
    ProposalDistributed,
    ProposalFeedback,
    ProposalFinalized,
    RoundStarted,
)
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome, Verdict
from tests.negotiation.scenario import Scenario, voting

Counts = tuple[int, int, int]
"""How many accept, negotiate, and reject or withdraw."""


def test_multi_round_negotiation() -> None:
    """Round 1: half accept, half negotiate -> round 2 begins, and a proposal is owed."""
    scenario = voting("bob", "alice").twin("bob", "accept").twin("alice", "negotiate", wish="another time")

    scenario.then(ProposalFeedback, FeedbackEvaluated, RoundStarted).owing("adjust")
    scenario.stands(Status.PROPOSAL_SENT, number=2)


def test_finalize_on_80_percent_accept() -> None:
    scenario = voting("bob", "alice", "charlie", "dave", "eve")
    scenario.twins({"bob": "accept", "alice": "accept", "charlie": "accept", "dave": "accept", "eve": "negotiate"})

    scenario.then(ProposalFeedback, FeedbackEvaluated, ProposalFinalized).stands(Status.FINALIZED)


def test_fail_on_majority_reject() -> None:
    scenario = voting("bob", "alice", "charlie").twins({"bob": "reject", "alice": "withdraw", "charlie": "accept"})

    scenario.stands(Status.FAILED)
    tally = scenario.tally()
    assert (tally.accepts, tally.rejects, tally.withdraws, tally.decision) == (1, 2, 1, Verdict.FAIL)
    assert scenario.event(NegotiationFailed).reason is Outcome.LOW_ACCEPTANCE


def five_rounds_of_half_and_half() -> Scenario:
    scenario = voting("bob", "alice")
    for number in range(1, 6):
        assert scenario.state.round == number
        scenario.twin("bob", "accept").twin("alice", "negotiate")
        if number < 5:
            scenario.drafted("bob", "alice", summary=f"version {number + 1}")
    return scenario


def test_ac_1_five_whole_rounds_can_be_run() -> None:
    scenario = five_rounds_of_half_and_half()

    sent = [each for each in scenario.history if isinstance(each, ProposalDistributed)]
    assert [(each.round, each.proposal.version) for each in sent] == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]


def test_ac_2_at_80_percent_it_is_finalized() -> None:
    test_finalize_on_80_percent_accept()


def test_ac_3_below_50_percent_it_fails() -> None:
    scenario = voting("a", "b", "c").twins({"a": "accept", "b": "negotiate", "c": "negotiate"})

    scenario.then(ProposalFeedback, FeedbackEvaluated, NegotiationFailed).stands(Status.FAILED)


def test_ac_4_between_50_and_80_percent_there_is_another_round() -> None:
    scenario = voting("a", "b", "c", "d").twins({"a": "accept", "b": "accept", "c": "accept", "d": "negotiate"})

    scenario.stands(Status.PROPOSAL_SENT, number=2)
    assert scenario.tally().decision is Verdict.NEXT_ROUND


def test_ac_5_after_the_fifth_round_it_is_force_finalized() -> None:
    scenario = five_rounds_of_half_and_half()

    scenario.then(ProposalFeedback, FeedbackEvaluated, ForceFinalized).stands(Status.FORCE_FINALIZED, number=5)
    assert scenario.state.outcome is Outcome.PARTIAL_CONSENSUS


def test_ac_6_force_finalizing_tells_confirmed_from_optional_participants() -> None:
    ended = five_rounds_of_half_and_half().event(ForceFinalized)

    assert ended.confirmed_participants == ("bob",)
    assert ended.optional_participants == ("alice",)
    assert [each.agent_id for each in ended.open_requests] == ["alice"]


def test_ac_7_a_negotiating_vote_asks_for_an_adjusted_proposal() -> None:
    voting("a", "b").twin("a", "accept").twin("b", "negotiate").owing("adjust")


def test_ac_8_someone_who_withdraws_is_out_and_their_task_is_a_gap() -> None:
    scenario = voting("a", "b", "c").twins({"a": "accept", "b": "accept", "c": "withdraw"}).drafted("a", "b", "c")

    proposal = scenario.event(ProposalDistributed).proposal
    assert [each.agent_id for each in proposal.assignments] == ["a", "b"]
    assert "c's role" in proposal.gaps


def test_ac_9_every_round_is_announced() -> None:
    started = [each for each in five_rounds_of_half_and_half().history if isinstance(each, RoundStarted)]

    assert [(each.round, each.max_rounds) for each in started] == [(number, 5) for number in range(1, 6)]


def test_ac_10_every_evaluation_is_published_with_rate_and_decision() -> None:
    evaluated = [each for each in five_rounds_of_half_and_half().history if isinstance(each, FeedbackEvaluated)]

    assert [each.accept_rate for each in evaluated] == [0.5] * 5
    assert [each.decision for each in evaluated] == [Verdict.NEXT_ROUND] * 4 + [Verdict.FORCE_FINALIZE]


def test_ac_11_force_finalizing_is_published_once() -> None:
    def endings(history: list[Event]) -> list[str]:
        return [each.event_type for each in history if isinstance(each, ProposalFinalized | ForceFinalized)]

    assert endings(five_rounds_of_half_and_half().history) == ["towow.negotiation.force_finalized"]


def test_everybody_accepts_and_it_is_final_in_round_one() -> None:
    """The seeds' origin failed exactly this."""
    scenario = voting("a", "b", "c").twins({"a": "accept", "b": "accept", "c": "accept"})

    scenario.then(ProposalFeedback, FeedbackEvaluated, ProposalFinalized).stands(Status.FINALIZED, number=1)
    assert scenario.event(ProposalFinalized).confirmed_participants == ("a", "b", "c")
    assert not any(isinstance(each, FeedbackDue) for each in scenario.last.events)


def by_the_letter(counts: Counts, number: int) -> tuple[str, Status]:
    """The seed's own code, "_evaluate_feedback": the decision, and the status that follows."""
    accept_rate = counts[0] / sum(counts)
    if accept_rate >= 0.8:
        return "finalize", Status.FINALIZED
    if accept_rate < 0.5:
        return "fail", Status.FAILED
    if number >= 5:
        return "force_finalize", Status.FORCE_FINALIZED
    return "next_round", Status.PROPOSAL_SENT


TALLIES: tuple[tuple[Counts, int], ...] = tuple(
    ((accepts, negotiates, total - accepts - negotiates), number)
    for number in (1, 5)
    for total in (1, 2, 3, 4, 5)
    for accepts in range(total + 1)
    for negotiates in sorted({0, total - accepts})
)


def test_there_are_more_than_forty_tallies() -> None:
    assert len(TALLIES) > 40


@pytest.mark.parametrize(("counts", "number"), TALLIES)
def test_a_tally_without_core_seats_leads_where_the_seed_says(counts: Counts, number: int) -> None:
    people = [f"p{each}" for each in range(sum(counts))]
    kinds = ["accept"] * counts[0] + ["negotiate"] * counts[1] + ["reject"] * counts[2]
    scenario = voting(*people)
    halves = ["accept"] * -(-len(people) // 2) + ["negotiate"] * (len(people) // 2)
    if by_the_letter((halves.count("accept"), halves.count("negotiate"), 0), 1)[0] != "next_round":
        number = 1  # so few cannot disagree without ending it
    for _ in range(number - 1):
        scenario.twins(dict(zip(people, halves, strict=True))).drafted(*people)
    scenario.twins(dict(zip(people, kinds, strict=True)))

    assert (scenario.tally().decision.value, scenario.state.status) == by_the_letter(counts, number)
