"""By whose hand a vote counts, and a plan is confirmed."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from engine.negotiation.events import OfferSubmitted, ProposalFeedback
from engine.negotiation.plan.told_needs import decisive_round
from engine.negotiation.state import Negotiation, Seat, filling
from engine.negotiation.terms import Source


class Hand(StrEnum):
    """Who has decided for a seat."""

    TWIN = "twin"
    PERSON = "person"
    DELEGATE = "delegate"
    REQUESTER = "requester"
    """Whoever asked, for a twin that is linked to nobody."""
    ASSUMED = "assumed"
    """The clock: somebody who was asked did not object in time."""


class Confirmation(NamedTuple):
    """By whose hand a seat of the plan is confirmed."""

    hand: Hand
    model: str = ""
    """As in `model_of`."""


def hand_of(seat: Seat, vote: ProposalFeedback) -> Hand:
    if vote.source is Source.ASSUMED:
        return Hand.ASSUMED
    if vote.source is Source.AGENT:
        return Hand.TWIN
    if not seat.user_id:
        return Hand.REQUESTER
    return Hand.DELEGATE if seat.stand_in else Hand.PERSON


def model_of(said: OfferSubmitted | ProposalFeedback) -> str:
    """Return the model that spoke for the twin; empty where it was no twin, or no model."""
    return said.model if said.source is Source.AGENT else ""


def confirmations(state: Negotiation) -> Mapping[str, Confirmation]:
    """Return by whose hand each seat of the plan is confirmed, by agent id. Whoever a search has found is not in it:
    they have agreed in a negotiation of their own.
    """
    if state.final is None:
        return {}
    decisive = decisive_round(state)
    seats = decisive.seats if decisive else {}
    found = {
        agent_id: Confirmation(hand_of(seat, seat.vote), model_of(seat.vote))
        for agent_id, seat in seats.items()
        if seat.vote
    }
    # Whoever fills what was missing has offered it themselves.
    found |= {each.person.agent_id: Confirmation(Hand.PERSON) for each in filling(state.volunteers)}
    return {agent_id: found[agent_id] for agent_id in state.final.confirmed_participants if agent_id in found}
