"""Policy ``blind_votes``: what a round is decided by, and what is told of it before."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernel import Event, decode, encode, payload
from engine.negotiation.commands import Cancel, CloseRound
from engine.negotiation.events import AgentWithdrawn, FeedbackEvaluated, ProposalFeedback
from engine.negotiation.policy import PRESETS, Policy, ruled_by
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.secrecy import in_public, payload_in_public
from engine.negotiation.state import Status
from engine.negotiation.voting.kinds import FeedbackType
from engine.runtime.streams import without_private
from tests.examples import examples
from tests.negotiation.scenario import REQUESTER, Scenario, voting

HOUR = Policy(name="balanced", human_window=3600, override_window=30)
BLIND = HOUR.model_copy(update={"blind_votes": True})
LINKED = {"ann": "U_ANN", "bo": "U_BO"}
KINDS = [each.value for each in FeedbackType]
OF_TWINS = [each.value for each in FeedbackType if each.kind.by_twin]

Votes = dict[str, str]
votes = st.fixed_dictionaries({each: st.sampled_from(KINDS) for each in ("ann", "bo", "cy")})
twins_votes = st.fixed_dictionaries({each: st.sampled_from(OF_TWINS) for each in ("ann", "bo", "cy")})


def voted(twins: Votes, people: Votes | None = None, policy: Policy = BLIND) -> Scenario:
    """The round is open; Bo decides only later, if at all."""
    scenario = voting("ann", "bo", "cy", policy=policy, linked=LINKED)
    for agent in LINKED | {"cy": ""}:
        scenario.twin(agent, twins[agent])
    for agent, vote in (people or {}).items():
        scenario.clicks(LINKED.get(agent, REQUESTER), agent, vote)
    return scenario.stands(Status.NEGOTIATING)


def told(history: Sequence[Event]) -> list[dict[str, Any]]:
    """Of each event what everybody may know."""
    return [payload_in_public(each.event_type, payload(without_private(each))) for each in history]


@pytest.mark.parametrize("policy", PRESETS.values(), ids=lambda each: each.name)
def test_no_preset_is_blind_and_its_rules_change_nothing_about_it(policy: Policy) -> None:
    assert not policy.blind_votes
    assert ruled_by(BLIND, policy.name).blind_votes


@settings(max_examples=examples(15))
@given(twins_votes, twins_votes, votes, votes)
def test_what_is_public_of_an_open_round_does_not_depend_on_what_was_voted(
    twins: Votes, others: Votes, people: Votes, else_: Votes
) -> None:
    one = voted(twins, {each: people[each] for each in ("ann", "cy")})
    other = voted(others, {each: else_[each] for each in ("ann", "cy")})

    assert told(one.history) == told(other.history)
    assert in_public(one.state) == in_public(other.state)


@settings(max_examples=examples(15))
@given(twins_votes, votes)
def test_it_is_decided_as_if_everybody_had_seen_it(twins: Votes, people: Votes) -> None:
    blind, seen = (
        voted(twins, {"ann": people["ann"]}, policy).does(CloseRound, by=REQUESTER, round=1) for policy in (BLIND, HOUR)
    )

    assert blind.last.effects == seen.last.effects
    assert blind.last.alarms == seen.last.alarms
    assert [_plain(each) for each in blind.history[1:]] == [_plain(each) for each in seen.history[1:]]


def _plain(event: Event) -> dict[str, Any]:
    return _without(payload(event), {"blind", "votes"})


def _without(fields: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in names}


def test_a_vote_says_that_it_is_blind_and_its_rounds_evaluation_what_it_was() -> None:
    scenario = voted({"ann": "accept", "bo": "negotiate", "cy": "accept"}, {"ann": "withdraw"})

    [*_, vote] = told(scenario.history)
    assert (vote["agent_id"], vote["source"], vote["by"], vote["blind"]) == ("ann", "human", "U_ANN", True)
    assert vote["feedback_type"] is None
    assert not any(isinstance(each, AgentWithdrawn) for each in scenario.history)

    scenario.does(CloseRound, by=REQUESTER, round=1)

    assert scenario.tally().votes == {"ann": "withdraw", "bo": "negotiate", "cy": "accept"}
    assert scenario.event(AgentWithdrawn).agent_id == "ann"
    closed = scenario.state.rounds[0]
    assert not scenario.state.is_secret(closed)
    assert in_public(scenario.state) is scenario.state


def test_whoever_was_silent_has_no_vote_and_whoever_let_the_time_pass_an_assumed_one() -> None:
    scenario = voting("ann", "bo", "cy", policy=BLIND, linked=LINKED).twin("ann", "accept").reached("bo")
    scenario.twin_fails("bo").twin_fails("cy").later(3600).rings("close/1")

    assert scenario.tally().votes == {"ann": "accept", "bo": "accept"}
    assumed = next(each for each in scenario.history if isinstance(each, ProposalFeedback) and each.agent_id == "bo")
    assert (assumed.source, assumed.blind) == ("assumed", True)


def test_a_round_that_was_stopped_stays_secret() -> None:
    scenario = voted({"ann": "accept", "bo": "negotiate", "cy": "accept"}).does(Cancel, by=REQUESTER)

    assert scenario.state.is_secret(scenario.state.rounds[-1])
    assert not any(isinstance(each, FeedbackEvaluated) for each in scenario.history)


def test_where_votes_are_not_blind_the_events_are_what_they_were() -> None:
    scenario = voted({"ann": "accept", "bo": "negotiate", "cy": "accept"}, policy=HOUR)
    scenario.does(CloseRound, by=REQUESTER, round=1)

    kinds = (ProposalFeedback, FeedbackEvaluated)
    dumped = [payload(each) for each in scenario.history if isinstance(each, kinds)]
    assert len(dumped) == 4
    assert not any(name in each for each in dumped for name in ("blind", "votes"))
    assert [each.get("feedback_type") for each in dumped] == ["accept", "negotiate", "accept", None]


def test_a_blind_history_folds_to_the_same_from_what_is_written_down() -> None:
    scenario = voted({"ann": "accept", "bo": "accept", "cy": "accept"}, {"ann": "withdraw"})
    scenario.does(CloseRound, by=REQUESTER, round=1)

    again = RULEBOOK.fold([decode(encode(each), type(each)) for each in scenario.history])

    assert again == scenario.state
