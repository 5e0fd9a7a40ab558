"""Seed 004 (STORY-05): each acceptance criterion and scenario, under the policy ``story05``."""

import pytest
from msgspec.structs import replace

from engine.negotiation.answers import AdjustmentSummary, Change, RequestAddressed
from engine.negotiation.events import (
    ForceFinalized,
    NegotiationFailed,
    ProposalDistributed,
    ProposalFinalized,
    SubstituteInvited,
)
from engine.negotiation.policy import PRESETS
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome
from tests.negotiation.plan.test_core_seats import plan
from tests.negotiation.scenario import Scenario, draft, voting

STORY05 = PRESETS["story05"].model_copy(update={"human_window": 0, "override_window": 0})


def voting05(*agents: str) -> Scenario:
    return voting(*agents, policy=STORY05)


@pytest.mark.parametrize("vote", ["accept", "negotiate", "withdraw"])
def test_ac_1_the_three_kinds_of_feedback_are_taken(vote: str) -> None:
    scenario = voting05("a", "b").twin("a", vote)

    twin = scenario.state.rounds[0].seats["a"].twin
    assert twin is not None
    assert twin.feedback_type == vote


def test_ac_2_a_wish_is_in_the_new_version_or_declined_with_a_reason() -> None:
    scenario = voting05("a", "b", "c").twins({"a": "accept", "b": "accept"}).twin("c", "negotiate", wish="45 minutes")
    summary = AdjustmentSummary(
        changes_made=(Change(aspect="c's talk", before="30 minutes", after="45 minutes"),),
        requests_addressed=(RequestAddressed(agent_id="c", request="45 minutes"),),
    )
    seats = tuple(
        replace(each, responsibility="a 45-minute talk") if each.agent_id == "c" else each
        for each in draft("a", "b", "c").assignments
    )
    scenario.drafted("a", "b", "c", assignments=seats, adjustment_summary=summary)

    sent = scenario.event(ProposalDistributed).proposal
    assert sent.version == 2
    assert sent.assignments[2].responsibility == "a 45-minute talk"
    assert sent.adjustment_summary is not None
    assert sent.adjustment_summary.changes_made[0].after == "45 minutes"


def three_rounds(*votes: dict[str, str]) -> Scenario:
    scenario = voting05(*votes[0])
    for number, each in enumerate(votes):
        if number:
            scenario.drafted(*each)
        scenario.twins(each)
    return scenario


def test_ac_3_all_accept_within_three_rounds() -> None:
    wish, yes = {"a": "accept", "b": "negotiate"}, {"a": "accept", "b": "accept"}

    three_rounds(wish, wish, yes).stands(Status.FINALIZED, number=3)


def test_ac_3_wishes_after_three_rounds_make_the_best_version_with_partial_consensus() -> None:
    wish = {"a": "accept", "b": "accept", "c": "negotiate"}
    scenario = three_rounds(wish, wish, wish).stands(Status.FORCE_FINALIZED, number=3)

    assert scenario.state.outcome is Outcome.PARTIAL_CONSENSUS
    assert scenario.event(ForceFinalized).optional_participants == ("c",)


def test_ac_3_without_a_majority_after_three_rounds_it_fails() -> None:
    wish = {"a": "accept", "b": "negotiate"}
    scenario = three_rounds(wish, wish, wish)

    assert scenario.event(NegotiationFailed).reason is Outcome.NEGOTIATION_TIMEOUT


def test_ac_4_a_withdrawal_from_a_seat_that_is_not_core_goes_on_without_it() -> None:
    scenario = voting05("a", "b", "c").twins({"a": "accept", "b": "accept", "c": "withdraw"}).drafted("a", "b", "c")

    scenario.stands(Status.NEGOTIATING, number=2)
    assert [each.agent_id for each in scenario.state.proposals[-1].assignments] == ["a", "b"]


def core_left(*reserve: str) -> Scenario:
    scenario = Scenario(policy=STORY05).demand().understood().shortlisted("venue", "b", "c", possibly=reserve)
    for each in ("venue", "b", "c"):
        scenario.offers(each)
    scenario.drafted("venue", "b", "c", assignments=plan("venue", "b", "c").assignments)
    return scenario.twins({"b": "accept", "c": "accept", "venue": "withdraw"})


def test_ac_4_a_withdrawal_from_a_core_seat_asks_the_possibly_related() -> None:
    assert core_left("loft").event(SubstituteInvited).agent_id == "loft"


def test_ac_4_or_marks_the_negotiation_as_failed() -> None:
    assert core_left().event(NegotiationFailed).reason is Outcome.CORE_WITHDRAWN


def test_ac_5_all_selected_accept_and_it_ends() -> None:
    voting05("a", "b").twins({"a": "accept", "b": "accept"}).stands(Status.FINALIZED, number=1)


def test_ac_5_three_rounds_and_it_ends() -> None:
    wish = {"a": "accept", "b": "negotiate"}

    assert not three_rounds(wish, wish, wish).state.is_open


def test_ac_5_a_core_participant_leaves_without_substitute_and_it_ends() -> None:
    core_left("loft").offers("loft", "decline").stands(Status.FAILED)


def test_scenario_some_negotiate_in_round_one_and_round_two_begins() -> None:
    scenario = voting05("a", "b", "c").twins({"a": "accept", "b": "accept", "c": "negotiate"})

    scenario.owing("adjust").stands(Status.PROPOSAL_SENT, number=2)


def test_scenario_everybody_accepts_in_round_one() -> None:
    scenario = voting05("a", "b", "c").twins({"a": "accept", "b": "accept", "c": "accept"})

    assert scenario.event(ProposalFinalized).confirmed_participants == ("a", "b", "c")
