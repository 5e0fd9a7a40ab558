"""Votes that stand from one round to the next: whoever has voted in person is not spoken for by their twin again, and
is asked again only if their part has changed.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from engine.negotiation.answers import FeedbackAnswer
from engine.negotiation.events import ProposalFeedback
from engine.negotiation.plan.parts import agreed_time
from engine.negotiation.state import Negotiation, twin_votes
from engine.negotiation.terms import Proposal
from engine.negotiation.voting.kinds import FeedbackType


def own_vote(state: Negotiation, agent_id: str) -> ProposalFeedback | None:
    """Return the last vote that a person gave for this seat, unless they have handed back to their twin since."""
    for each in reversed(state.rounds):
        seat = each.seats.get(agent_id)
        if seat is not None and (seat.handed_back or seat.human is not None):
            return None if seat.handed_back else seat.human
    return None


def carried_votes(state: Negotiation, proposal: Proposal) -> Mapping[str, ProposalFeedback]:
    """Return the votes that stand in the round of this version, by agent id.

    If nobody at all would be asked, whoever has not accepted is asked again: otherwise round after round would pass
    without anybody who could bring it forward.
    """
    votes = [own_vote(state, each.agent_id) for each in proposal.assignments]
    standing = [each for each in votes if each is not None and _stands(state, each, proposal)]
    if len(standing) == len(votes):
        standing = [each for each in standing if each.feedback_type.kind.agrees]
    return {
        each.agent_id: replace(each, round=state.round, version=proposal.version, carried=True) for each in standing
    }


def silent_twins(state: Negotiation, proposal: Proposal, carried: Mapping[str, ProposalFeedback]) -> tuple[str, ...]:
    """Return the agent ids of the seats of this version whose twins are not asked.

    Nobody but the requester votes for a seat that is linked to no one. Their vote stands like any other, but where the
    part has changed, there is no person to ask instead of the twin. A twin that only prepares votes speaks for nobody,
    so it prepares one for whoever has voted before as well.
    """
    return tuple(
        each.agent_id
        for each in proposal.assignments
        if each.agent_id in carried
        or not twin_votes(state.volunteers, each.agent_id)
        or (
            state.invited[each.agent_id].user_id
            and not state.only_prepares(each.agent_id)
            and own_vote(state, each.agent_id) is not None
        )
    )


def _stands(state: Negotiation, vote: ProposalFeedback, proposal: Proposal) -> bool:
    if vote.by == state.requester_id and vote.agent_id in state.weighed:
        return False  # whoever asked does not say of another version that it keeps somebody's limits
    if part(state.proposals[vote.version - 1], vote.agent_id) != part(proposal, vote.agent_id):
        return False
    return not vote.feedback_type.kind.asks or not _answers(proposal, vote)


def _answers(proposal: Proposal, vote: ProposalFeedback) -> bool:
    """Whether this version was made after the vote and says what became of its request."""
    summary = proposal.adjustment_summary
    if summary is None or summary.round <= vote.round:
        return False
    return any(each.agent_id == vote.agent_id for each in summary.requests_addressed) or any(
        each.agent_id == vote.agent_id and each.reason for each in summary.requests_declined
    )


def unswayed(state: Negotiation, agent_id: str, said: FeedbackAnswer) -> FeedbackAnswer:
    """Let a twin's accept of the round before stand while nothing of its person's part has changed since.

    What has changed besides are other people's seats and words, which are no reason to take it back. What breaks the
    person's limits is held against every vote elsewhere.
    """
    if said.feedback_type.kind.agrees:
        return said
    before = state.rounds[-2].seats.get(agent_id) if len(state.rounds) > 1 else None
    vote = before.twin if before and not before.human else None
    if vote is None or not vote.feedback_type.kind.agrees or not before or not before.twin_counts:
        return said
    if state.proposal is None:
        return said
    if part(state.proposals[vote.version - 1], agent_id) != part(state.proposal, agent_id):
        return said
    return replace(
        said,
        feedback_type=FeedbackType.ACCEPT,
        reasoning=vote.reasoning,
        adjustment_request="",
        concerns=vote.concerns,
    )


def part(proposal: Proposal, agent_id: str) -> tuple[Any, ...]:
    """Return all that somebody agrees to with this version: their seat, when it is, and their conditions. Only whether
    the plan depends on them is left out, which is for the requester to say.
    """
    own = [each for each in proposal.assignments if each.agent_id == agent_id]
    seats = (
        (_words(each.role), _words(each.responsibility), each.dependencies, _words(each.notes), each.covers, each.when)
        for each in own
    )
    times = (agreed_time(proposal, each) for each in own)
    conditions = ((each.condition, each.met) for each in proposal.conditions if each.agent_id == agent_id)
    return (*seats, *times, _words(proposal.timeline.start_date), *conditions)


def _words(text: str) -> str:
    return " ".join(text.split())
