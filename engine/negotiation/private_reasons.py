"""Reasons that are shown within the company, but not where people of other companies read along."""

from engine.negotiation.events import AgentWithdrawn, OfferSubmitted, ProposalFeedback, SeatGivenUp
from engine.negotiation.state import Negotiation


def reason_of(state: Negotiation, vote: ProposalFeedback) -> str:
    """The reason beside a vote. A wish is shown everywhere, since it may become part of the plan."""
    return vote.adjustment_request or ("" if state.place.shared else vote.reasoning)


def why_declined(state: Negotiation, offer: OfferSubmitted) -> str:
    return "" if state.place.shared else offer.decline_reason or offer.reasoning


def why_nobody(state: Negotiation) -> str:
    """Why nobody was asked, in the words of the filter's analysis."""
    return "" if state.place.shared or state.invited else state.analysis


def why_left(state: Negotiation, leaver: AgentWithdrawn) -> str:
    return "" if state.place.shared else leaver.reason


def would_take_part_if(state: Negotiation, offer: OfferSubmitted) -> tuple[str, ...]:
    """Return what would make a yes of a declined offer."""
    return () if state.place.shared else offer.conditions


def why_given_up(state: Negotiation, left: SeatGivenUp) -> str:
    return "" if state.place.shared else left.reason
