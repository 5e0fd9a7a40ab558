"""Blind votes: until a round is evaluated, everybody is told that a seat has voted and who voted, and never what.

Whatever more than one person may see is made of `in_public`, where nothing else is left to be told, or, of an event, of
`payload_in_public`. Some reasons are shown within the company, but not where people of other companies read along.
"""

from collections.abc import Collection, Mapping
from typing import Any, Final

from msgspec.structs import replace

from engine.kernel import Event
from engine.negotiation.events import (
    AgentWithdrawn,
    LimitsWeighed,
    OfferSubmitted,
    ProposalFeedback,
    SeatGivenUp,
    VotePrepared,
)
from engine.negotiation.state import Negotiation, Seat
from engine.negotiation.terms import NegotiationEvent, Source
from engine.negotiation.voting.kinds import FeedbackType

_OF_A_BLIND_VOTE: Final = frozenset({"waits", "abstains", "in_words", "change"})
"""What would tell whether a twin has accepted, and whether its person has a limit in its way."""


def in_public(state: Negotiation) -> Negotiation:
    """Return the same negotiation, in which all votes of a round that `is_secret` are alike."""
    latest = state.rounds[-1] if state.rounds else None
    if latest is None or not state.is_secret(latest):
        return state
    seats = {agent_id: _covered(seat) for agent_id, seat in latest.seats.items()}
    unread = {who: said for who, said in state.unread.items() if not said.agent_id or said.round != latest.number}
    return replace(state, rounds=(*state.rounds[:-1], replace(latest, seats=seats)), unread=unread)


def payload_in_public(event_type: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the payload without what a blind vote says, or what came of the limits behind it; the evaluation of its
    round has that.
    """
    if not payload.get("blind"):
        return dict(payload)
    if event_type == LimitsWeighed.event_type:
        return {name: each for name, each in payload.items() if name not in _OF_A_BLIND_VOTE}
    if event_type == ProposalFeedback.event_type:
        open_ = {name: each for name, each in payload.items() if name not in _OF_A_BLIND_VOTE}
        return {**open_, "feedback_type": None, "reasoning": "", "adjustment_request": "", "concerns": []}
    return dict(payload)


def is_of_others(event: Event, user: str, agent_ids: Collection[str]) -> bool:
    """Whether an event holds what somebody else has said.

    Args:
        agent_ids: for whom the user decides.
    """
    if not (isinstance(event, NegotiationEvent) and event.of_one_person):
        return False
    return getattr(event, "agent_id", "") not in agent_ids and user != getattr(event, "by", "")


def without_what_is_theirs(event: Event) -> Event:
    """Return the event as somebody may know it who is told everything else: what is said of somebody's limits, and what
    their twin has prepared for them, is for that person alone.
    """
    match event:
        case LimitsWeighed():
            return replace(event, doubts=())
        case OfferSubmitted(broken_limit=broken) if broken is not None:
            return replace(event, broken_limit=None)
        case VotePrepared():
            return replace(event, vote=None)
        case _:
            return event


def _covered(seat: Seat) -> Seat:
    return replace(
        seat,
        prepared=None,
        twin=_blank(seat.twin),
        human=_blank(seat.human),
        assumed=_blank(seat.assumed),
        was_read=True,
        twin_doubts=False,
        reader_doubts=False,
    )


def _blank(vote: ProposalFeedback | None) -> ProposalFeedback | None:
    """Keep that there is a vote, and who gave it. Its kind, ACCEPT, is only a placeholder."""
    if vote is None:
        return None
    kept = replace(vote, feedback_type=FeedbackType.ACCEPT, reasoning="", adjustment_request="", concerns=())
    return replace(kept, change=None, waits=False)


def reason_of(state: Negotiation, vote: ProposalFeedback) -> str:
    """What stands beside a vote. A wish is shown everywhere, since it may become part of the plan; why somebody wishes
    it is not.
    """
    wish, why = vote.adjustment_request, "" if state.place.shared else vote.reasoning
    if wish and vote.source is not Source.HUMAN:
        return wish
    return "\n".join(dict.fromkeys(each for each in (wish, why) if each))


def why_declined(state: Negotiation, offer: OfferSubmitted) -> str:
    return "" if state.place.shared else offer.decline_reason or offer.reasoning


def why_nobody(state: Negotiation) -> str:
    """Why nobody was asked, in the words of the filter's analysis."""
    return "" if state.place.shared or state.invited else state.analysis


def why_left(state: Negotiation, leaver: AgentWithdrawn) -> str:
    return "" if state.place.shared else leaver.reason


def would_take_part_if(state: Negotiation, offer: OfferSubmitted) -> tuple[str, ...]:
    return () if state.place.shared else offer.conditions


def why_stopped(state: Negotiation) -> str:
    return "" if state.place.shared else state.cancel_reason


def why_given_up(state: Negotiation, left: SeatGivenUp) -> str:
    return "" if state.place.shared else left.reason
