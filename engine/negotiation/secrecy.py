"""Blind votes: until a round is evaluated, everybody is told that a seat has voted and who voted, and never what.

Whatever more than one person may see is made of `in_public`, where nothing else is left to be told, or, of an event, of
`payload_in_public`.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from engine.negotiation.answers import FeedbackType
from engine.negotiation.events import ProposalFeedback
from engine.negotiation.state import Negotiation, Seat


def in_public(state: Negotiation) -> Negotiation:
    """Return the same negotiation, in which all votes of a round that `is_secret` are alike."""
    latest = state.rounds[-1] if state.rounds else None
    if latest is None or not state.is_secret(latest):
        return state
    seats = {agent_id: _covered(seat) for agent_id, seat in latest.seats.items()}
    return replace(state, rounds=(*state.rounds[:-1], replace(latest, seats=seats)))


def payload_in_public(event_type: str, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the payload without what a blind vote says; the evaluation of its round has that."""
    if event_type == ProposalFeedback.event_type and payload.get("blind"):
        return {**payload, "feedback_type": None}
    return dict(payload)


def _covered(seat: Seat) -> Seat:
    return replace(seat, twin=_blank(seat.twin), human=_blank(seat.human), assumed=_blank(seat.assumed))


def _blank(vote: ProposalFeedback | None) -> ProposalFeedback | None:
    """Keep that there is a vote, and who gave it. It has to be of some kind, and is none that counts."""
    if vote is None:
        return None
    return replace(vote, feedback_type=FeedbackType.ACCEPT, reasoning="", adjustment_request="", concerns=())
