"""Abstaining: a person who is present, and neither for nor against."""

import pytest

from engine.errors import IllegalStep, NotAllowed
from engine.negotiation.answers import AdjustmentSummary, FeedbackAnswer, RequestAddressed
from engine.negotiation.commands import ChooseCore
from engine.negotiation.errors import StaleVote
from engine.negotiation.events import FeedbackEvaluated, ProposalFeedback, StepDegraded
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.public.build import decision_record
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome
from engine.negotiation.voting.kinds import FeedbackType
from tests.negotiation.scenario import REQUESTER, Scenario, voting

BALANCED = PRESETS["balanced"].model_copy(update={"human_window": 3600.0, "override_window": 30.0, "silence": "silent"})
LINKED = {"ann": "U_ANN", "bo": "U_BO", "cy": "U_CY"}


def round_of(*votes: str, policy: Policy = BALANCED) -> Scenario:
    """Linked people whose twins have voted so."""
    people = [*LINKED][: len(votes)]
    scenario = voting(*people, policy=policy, linked=LINKED)
    return scenario.twins(dict(zip(people, votes, strict=True))).stands(Status.NEGOTIATING)


def test_the_rest_agrees_and_the_seat_stays_without_being_confirmed() -> None:
    scenario = round_of("accept", "accept", "accept").clicks("U_ANN", "ann", "accept").clicks("U_BO", "bo", "accept")
    scenario.clicks("U_CY", "cy", "abstain", "").stands(Status.FINALIZED)

    told, agreed = scenario.event(FeedbackEvaluated), scenario.state.agreed
    assert (told.accepts, told.abstains, told.total, told.accept_rate) == (2, 1, 2, 1.0)
    assert agreed is not None
    assert (agreed.confirmed_participants, agreed.optional_participants) == (("ann", "bo"), ("cy",))
    assert [each.agent_id for each in agreed.final_proposal.assignments] == ["ann", "bo", "cy"]


def test_it_is_recorded_and_called_no_dissent() -> None:
    scenario = (
        round_of("accept", "accept")
        .clicks("U_ANN", "ann", "accept")
        .clicks("U_BO", "bo", "abstain", "I know too little")
    )

    record = decision_record(scenario.stands(Status.FINALIZED).state)
    assert record.disagreed == ()
    assert [each.feedback_type for each in record.rounds[0].votes] == ["accept", "abstain"]
    assert record.rounds[0].votes[1].reason == "I know too little"


def test_who_has_abstained_and_says_nothing_more_has_not_accepted() -> None:
    scenario = round_of("accept", "accept", policy=BALANCED.model_copy(update={"silence": "accept"}))
    scenario.does(ChooseCore, by=REQUESTER, agent_ids=("ann",))
    scenario.clicks("U_BO", "bo", "accept").clicks("U_ANN", "ann", "abstain", "")
    scenario.stands(Status.NEGOTIATING, number=2).reached("ann")
    scenario.now = scenario.state.rounds[-1].window.deadline
    scenario.rings("close/2")

    assert scenario.state.rounds[1].seats["ann"].vote is None
    assert scenario.state.agreed is None


def test_a_core_seat_holds_the_plan_back_by_it_until_the_limit() -> None:
    policy = BALANCED.model_copy(update={"max_rounds": 2})
    scenario = round_of("accept", "accept", policy=policy)
    scenario.does(ChooseCore, by=REQUESTER, agent_ids=("ann",))
    scenario.clicks("U_BO", "bo", "accept").clicks("U_ANN", "ann", "abstain", "")
    scenario.stands(Status.NEGOTIATING, number=2).clicks("U_ANN", "ann", "abstain", "").stands(Status.FAILED)

    assert scenario.state.outcome is Outcome.CORE_NOT_AGREED


def test_where_all_abstain_all_are_asked_again_and_at_the_limit_it_fails() -> None:
    scenario = round_of("accept", "accept", policy=BALANCED.model_copy(update={"max_rounds": 2}))
    scenario.clicks("U_ANN", "ann", "abstain", "").clicks("U_BO", "bo", "abstain", "").stands(
        Status.NEGOTIATING, number=2
    )
    assert not any(seat.human for seat in scenario.state.rounds[-1].seats.values())

    scenario.clicks("U_ANN", "ann", "abstain", "").clicks("U_BO", "bo", "abstain", "").stands(Status.FAILED)
    assert scenario.state.outcome is Outcome.NEGOTIATION_TIMEOUT


def test_it_changes_to_an_accept_and_back_within_the_round() -> None:
    scenario = round_of("accept", "accept")
    for vote in ("abstain", "accept", "abstain"):
        scenario.clicks("U_ANN", "ann", vote, "")
    scenario.clicks("U_BO", "bo", "accept").stands(Status.FINALIZED)

    assert scenario.state.rounds[-1].counted.abstains == 1
    said = [
        each.feedback_type.value
        for each in scenario.history
        if isinstance(each, ProposalFeedback) and each.by == "U_ANN"
    ]
    assert said == ["abstain", "accept", "abstain"]


def test_two_clicks_are_one_vote() -> None:
    scenario = round_of("accept", "accept").clicks("U_ANN", "ann", "abstain", "").clicks("U_ANN", "ann", "abstain", "")

    assert not scenario.last.events
    assert sum(isinstance(each, ProposalFeedback) and each.by == "U_ANN" for each in scenario.history) == 1


def test_it_stands_in_the_next_round_while_the_part_is_the_same() -> None:
    scenario = round_of("accept", "accept", "accept").clicks("U_ANN", "ann", "abstain", "")
    scenario.clicks("U_BO", "bo", "negotiate", "later").clicks("U_CY", "cy", "accept")
    granted = AdjustmentSummary(requests_addressed=(RequestAddressed(agent_id="bo", request="later"),))
    scenario.drafted("ann", "bo", "cy", adjustment_summary=granted, success_criteria=("Home by ten",))
    scenario.stands(Status.NEGOTIATING, number=2)

    vote = scenario.state.rounds[-1].seats["ann"].human
    assert vote is not None
    assert (vote.feedback_type, vote.carried) == (FeedbackType.ABSTAIN, True)


def test_a_wish_stays_open_when_its_author_abstains() -> None:
    scenario = (
        round_of("accept", "accept").clicks("U_ANN", "ann", "negotiate", "Shorter talks").clicks("U_BO", "bo", "accept")
    )
    scenario.drafted("ann", "bo").stands(Status.NEGOTIATING, number=2).clicks("U_ANN", "ann", "abstain", "")

    assert [each.request for each in scenario.state.open_requests()] == ["Shorter talks"]


@pytest.mark.parametrize("name", ["t05-v4", "story05", "tech-v3"])
def test_the_literal_presets_take_no_abstention(name: str) -> None:
    policy = PRESETS[name].model_copy(update={"human_window": 3600.0})
    scenario = round_of("accept", "accept", policy=policy)
    before = scenario.state
    scenario.clicks("U_ANN", "ann", "abstain", "").is_refused(IllegalStep, "Nobody can abstain")

    assert scenario.state is before
    assert FeedbackType.ABSTAIN not in before.kinds_of_vote


def test_no_twin_abstains() -> None:
    with pytest.raises(ValueError, match="only a person may abstain"):
        FeedbackAnswer.checked({"feedback_type": "abstain"})
    assert "abstain" not in str(FeedbackAnswer.json_schema()["properties"]["feedback_type"])

    scenario = voting("ann", "bo", policy=BALANCED, linked=LINKED).twin("ann", "abstain")
    assert scenario.state.rounds[-1].seats["ann"].twin is None
    assert scenario.event(StepDegraded).agent_id == "ann"


def test_nobody_abstains_for_somebody_else_or_too_late() -> None:
    scenario = round_of("accept", "accept")
    scenario.clicks("U_BO", "ann", "abstain", "").is_refused(NotAllowed)
    scenario.clicks("U_ANN", "ann", "abstain", "", digest="of another version").is_refused(StaleVote)
    scenario.clicks("U_ANN", "ann", "accept").clicks("U_BO", "bo", "accept").stands(Status.FINALIZED)
    scenario.clicks("U_ANN", "ann", "abstain", "").is_refused(StaleVote)
