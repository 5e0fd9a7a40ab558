"""Which version of a plan is agreed at the end, and what is recorded with it."""

from collections.abc import Collection
from fractions import Fraction
from typing import Any

from engine.negotiation.plan.core import core_seats
from engine.negotiation.plan.coverage import accepters, coverage, unagreed_essential
from engine.negotiation.plan.proposals import without
from engine.negotiation.state import Negotiation, Round, Seat
from engine.negotiation.terms import Source


def agreement(state: Negotiation, chosen: Round) -> dict[str, Any]:
    """Return the fields of an agreement on the version of this round. Those who accepted it are confirmed."""
    staying = [seat for agent_id, seat in chosen.seats.items() if agent_id not in state.withdrawn]
    confirmed = tuple(seat.agent_id for seat in staying if _confirms(seat))
    plan = without(state, state.proposals[chosen.version - 1], state.withdrawn)
    accepted, core = accepters(chosen), core_seats(state, plan)
    return {
        "final_proposal": plan,
        "participants_count": len(staying),
        "rounds_taken": state.round,
        "confirmed_participants": confirmed,
        "optional_participants": tuple(seat.agent_id for seat in staying if seat.agent_id not in confirmed),
        "open_requests": state.open_requests(),
        "uncovered_needs": tuple(each.need_id for each in unagreed_essential(state, plan, chosen)),
        "core_without_accept": tuple(
            each.agent_id for each in plan.assignments if each.agent_id in core and each.agent_id not in accepted
        ),
    }


def best_round(state: Negotiation, gone: Collection[str]) -> Round:
    """Return the round whose version did best, which need not be the last one.

    The best by whether anybody holds it back, by what it lacks, by core seats accepted, then accept rate, then newest,
    among those whose accepters are all still here.

    Args:
        gone: agent ids of those who have left, also in the round that is being closed.
    """
    kept = [each for each in state.rounds if not gone or accepters(each).isdisjoint(gone)] or [*state.rounds[-1:]]
    return max(kept, key=lambda each: _worth(state, each, gone)) if len(kept) > 1 else kept[0]


def _worth(state: Negotiation, each: Round, gone: Collection[str]) -> tuple[bool, int, int, Fraction, int]:
    plan, accepted = state.proposals[each.version - 1], accepters(each)
    staying = without(state, plan, gone)
    return (
        not is_held_back(state, each),
        -len(unagreed_essential(state, staying, each)),
        len(core_seats(state, plan) & accepted),
        Fraction(len(accepted), max(1, each.counted.total)),
        each.number,
    )


def is_held_back(state: Negotiation, round_: Round) -> bool:
    """Whether the version of a round lacks the accept of a core seat, or of everybody who covers an essential need.

    The requester's word counts for more: then only the seats that they have chosen hold it back.
    """
    plan, accepted = state.proposals[round_.version - 1], accepters(round_)
    if not core_seats(state, plan) <= accepted:
        return True
    if state.core_choice is not None or not state.policy.core_gate:
        return False
    return any(each.covered_by for each in coverage(state, plan, round_) if each.need.essential and not each.accepted)


def _confirms(seat: Seat) -> bool:
    """Only an explicit accept confirms a seat; an assumed one never does."""
    vote = seat.vote
    return vote is not None and vote.feedback_type.kind.agrees and vote.source is not Source.ASSUMED
