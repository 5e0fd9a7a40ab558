"""What is said in confidence: shown among ourselves; where people of other companies read along, it is not for them."""

from engine.negotiation.events import AgentWithdrawn, OfferSubmitted, ProposalFeedback
from engine.negotiation.state import Negotiation


def reason_of(state: Negotiation, vote: ProposalFeedback) -> str:
    """What is shown beside a vote. A wish is part of the plan, and never a secret."""
    return vote.adjustment_request or ("" if state.place.shared else vote.reasoning)


def why_declined(state: Negotiation, offer: OfferSubmitted) -> str:
    return "" if state.place.shared else offer.decline_reason or offer.reasoning


def why_nobody(state: Negotiation) -> str:
    """Where nobody was asked: what is known of those who were looked at."""
    return "" if state.place.shared or state.invited else state.analysis


def why_left(state: Negotiation, leaver: AgentWithdrawn) -> str:
    return "" if state.place.shared else leaver.reason
