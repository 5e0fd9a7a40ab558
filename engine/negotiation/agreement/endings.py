"""Which version of a plan is agreed at the end, and what is recorded with it."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

from engine.negotiation.events import OfferSubmitted, ProposalFeedback
from engine.negotiation.plan.core import core_seats
from engine.negotiation.plan.coverage import accepters, confirmers, coverage, needs_of, unagreed_essential
from engine.negotiation.plan.proposals import without
from engine.negotiation.plan.told_needs import decisive_round
from engine.negotiation.policy import Consent
from engine.negotiation.state import Negotiation, Round, Seat, filling
from engine.negotiation.terms import Proposal, Source


def agreement(state: Negotiation, chosen: Round) -> dict[str, Any]:
    """Return the fields of an agreement on the version of this round. Those who accepted it are confirmed."""
    staying = [seat.agent_id for seat in chosen.seats.values() if seat.agent_id not in state.withdrawn]
    plan = without(state, state.proposals[chosen.version - 1], state.withdrawn)
    confirmed = confirmers(chosen)
    return {
        "final_proposal": plan,
        "participants_count": len(staying),
        "rounds_taken": state.round,
        "confirmed_participants": tuple(each for each in staying if each in confirmed),
        "optional_participants": tuple(each for each in staying if each not in confirmed),
        "open_requests": state.open_requests(),
        "uncovered_needs": tuple(each.need_id for each in unagreed_essential(state, plan, accepters(chosen))),
        "core_without_accept": tuple(
            each.agent_id for each in plan.assignments if each.agent_id in _unconfirmed(state, plan, chosen)
        ),
    }


def _unconfirmed(state: Negotiation, plan: Proposal, chosen: Round) -> frozenset[str]:
    """Return on whose accept the plan depends and has none: core seats, and who is only assumed to do what it needs."""
    lacking = core_seats(state, plan) - _consenting(state, chosen)
    if not state.policy.by_needs:
        return lacking
    confirmed = confirmers(chosen)
    needs = (each for each in coverage(state, plan, accepters(chosen)) if each.need.essential)
    return lacking.union(*(each.accepted for each in needs if confirmed.isdisjoint(each.accepted)))


def _consenting(state: Negotiation, round_: Round) -> frozenset[str]:
    """Return whose accept a core seat's may be: where needs decide, by somebody's hand alone."""
    return confirmers(round_) if state.policy.by_needs else accepters(round_)


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
        -len(unagreed_essential(state, staying, accepted)),
        len(core_seats(state, plan) & _consenting(state, each)),
        Fraction(len(accepted), max(1, each.counted.total)),
        each.number,
    )


def is_held_back(state: Negotiation, round_: Round) -> bool:
    return bool(held_back_by(state, round_))


def held_back_by(state: Negotiation, round_: Round) -> frozenset[str]:
    """Return the agent ids of the core seats whose accept the version of a round lacks; where it lacks none, of
    everybody who covers an essential need that nobody of them has accepted.

    The requester's word counts for more: then only the seats that they have chosen hold it back.
    """
    plan, accepted, left = state.proposals[round_.version - 1], _consenting(state, round_), _left(state, round_)
    lacking = core_seats(state, plan) - accepted - left
    if lacking or state.core_choice is not None or not state.policy.core_gate:
        return lacking
    needs = (each for each in coverage(state, plan, accepted) if each.need.essential and not each.accepted)
    return frozenset().union(*(each.covered_by for each in needs)) - left


def _left(state: Negotiation, round_: Round) -> set[str]:
    """Return who leaves with this round and holds nothing back any more, where needs decide."""
    return {agent_id for agent_id, seat in round_.seats.items() if state.policy.by_needs and seat.leaves}


def consent(state: Negotiation, round_: Round, gone: Collection[str]) -> Consent | None:
    """Return what there is of consent to the version of a round, need by need, without those who have left."""
    plan = without(state, state.proposals[round_.version - 1], gone)
    core, confirmed = core_seats(state, plan), confirmers(round_)
    said = {agent_id for agent_id, seat in round_.seats.items() if seat.vote and seat.vote.source is not Source.ASSUMED}
    if core & (said - confirmed):
        return Consent.REFUSED
    needs = [each for each in coverage(state, plan, confirmed) if each.need.essential]
    if any(each.covered_by and said.issuperset(each.covered_by) and not each.accepted for each in needs):
        return Consent.REFUSED
    if not needs_of(state):
        return None
    return Consent.GIVEN if core <= confirmed and all(each.is_agreed for each in needs) else Consent.UNSAID


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
