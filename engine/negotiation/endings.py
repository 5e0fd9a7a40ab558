"""Which version of a plan is agreed at the end, and what is recorded with it."""

from fractions import Fraction
from typing import Any

from engine.negotiation.answers import FeedbackType
from engine.negotiation.proposals import without
from engine.negotiation.state import Negotiation, Round, Seat
from engine.negotiation.terms import Source


def agreement(state: Negotiation, chosen: Round) -> dict[str, Any]:
    """Return the fields of an agreement on the version of this round. Those who accepted it are confirmed."""
    staying = [seat for agent_id, seat in chosen.seats.items() if agent_id not in state.withdrawn]
    confirmed = tuple(seat.agent_id for seat in staying if _confirms(seat))
    return {
        "final_proposal": without(state.proposals[chosen.version - 1], state.withdrawn),
        "participants_count": len(staying),
        "rounds_taken": state.round,
        "confirmed_participants": confirmed,
        "optional_participants": tuple(seat.agent_id for seat in staying if seat.agent_id not in confirmed),
        "open_requests": state.open_requests(),
    }


def best_round(state: Negotiation) -> Round:
    """Return the round whose version did best, which need not be the last one.

    The best by core seats accepted, then accept rate, then newest, among those whose accepters are all still here.
    """
    kept = [each for each in state.rounds if not any(seat.agent_id in state.withdrawn for seat in _accepters(each))]
    return max(kept or state.rounds[-1:], key=lambda each: _worth(state, each))


def _worth(state: Negotiation, each: Round) -> tuple[int, Fraction, int]:
    core = {seat.agent_id for seat in state.proposals[each.version - 1].assignments if seat.core}
    accepters = _accepters(each)
    return (
        sum(seat.agent_id in core for seat in accepters),
        Fraction(len(accepters), max(1, len(each.seats))),
        each.number,
    )


def _accepters(each: Round) -> list[Seat]:
    return [seat for seat in each.seats.values() if seat.vote and seat.vote.feedback_type is FeedbackType.ACCEPT]


def _confirms(seat: Seat) -> bool:
    """Only an explicit accept confirms a seat; an assumed one never does."""
    vote = seat.vote
    return vote is not None and vote.feedback_type is FeedbackType.ACCEPT and vote.source is not Source.ASSUMED
