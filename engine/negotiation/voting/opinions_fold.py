"""How what is said of limits, of claims and of wishes changes what a negotiation knows."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from engine.kernel import Event
from engine.negotiation.events import (
    LimitsWeighed,
    ProposalFeedback,
    RequestCorrected,
    RequestUnderstood,
    SecondOpinionAsked,
    SecondOpinionGiven,
)
from engine.negotiation.state import Negotiation, Seat, Unread
from engine.negotiation.terms import Source


def in_round(state: Negotiation, **changes: Any) -> Negotiation:
    """Change the latest round."""
    return replace(state, rounds=(*state.rounds[:-1], replace(state.rounds[-1], **changes)))


def in_seat(state: Negotiation, agent_id: str, **changes: Any) -> Negotiation:
    """Change one seat of the latest round."""
    seats = state.rounds[-1].seats
    return in_round(state, seats={**seats, agent_id: replace(seats[agent_id], **changes)})


def limits_of_seat(state: Negotiation, seat: Seat, version: int) -> Seat:
    """Return a seat of a new round with what is known of its person's limits.

    A version that is sent once more has been read already.
    """
    if seat.agent_id not in state.weighed:
        return seat
    said = [each for each in state.weighed[seat.agent_id] if each.version == version and each.by == "reader"]
    return replace(
        seat,
        is_limited=any(each.in_words for each in state.weighed[seat.agent_id]),
        was_read=bool(said),
        reader_doubts=any(each.waits for each in said),
    )


def _weighed(state: Negotiation, event: LimitsWeighed) -> Negotiation:
    known = {**state.weighed, event.agent_id: (*state.weighed.get(event.agent_id, ()), event)}
    state = replace(state, weighed=known)
    seat = state.rounds[-1].seats.get(event.agent_id) if event.round and state.rounds else None
    if seat is None:
        return state
    if event.by == "reader":
        twin = seat.twin
        if event.waits and twin is not None and twin.feedback_type.kind.agrees:
            twin = replace(twin, waits=True)
        return in_seat(state, event.agent_id, twin=twin, was_read=True, is_limited=True, reader_doubts=event.waits)
    changes: dict[str, Any] = {"is_limited": seat.is_limited or event.in_words, "twin_doubts": event.waits}
    if event.abstains:
        changes |= {"twin_asked": False, "twin": None}
    return in_seat(state, event.agent_id, **changes)


def lifted(state: Negotiation, event: ProposalFeedback) -> Negotiation:
    """Keep that somebody has said yes where limits of theirs were in doubt."""
    if event.source is not Source.HUMAN or not event.feedback_type.kind.agrees or event.carried:
        return state
    return with_lifted(state, event.agent_id)


def with_lifted(state: Negotiation, agent_id: str) -> Negotiation:
    said = state.weighed.get(agent_id, ())
    words = dict.fromkeys(each.words for event in said for each in event.doubts if each.words)
    if not words:
        return state
    return replace(state, lifted={**state.lifted, agent_id: tuple(words)})


def _opinion_asked(state: Negotiation, event: SecondOpinionAsked) -> Negotiation:
    due = state.rounds[-1].opinions_due
    return in_round(state, opinions_due=(*due, *(each for each in event.about if each not in due)))


def _opinion_given(state: Negotiation, event: SecondOpinionGiven) -> Negotiation:
    latest = state.rounds[-1]
    due = tuple(each for each in latest.opinions_due if each != event.about)
    if event.about == "claims":
        return replace(in_round(state, opinions_due=due), opinions={**state.opinions, event.version: event})
    seats = {agent_id: replace(seat, was_read=True) for agent_id, seat in latest.seats.items()}
    return in_round(state, opinions_due=due, seats=seats)


def _understood(state: Negotiation, event: RequestUnderstood) -> Negotiation:
    who = event.agent_id or event.by
    return replace(read(state, who), understood={**state.understood, who: event})


def _corrected(state: Negotiation, event: RequestCorrected) -> Negotiation:
    who = event.agent_id or event.by
    known = {each: said for each, said in state.understood.items() if each != who}
    is_later = event.text and state.current is None
    later = tuple(each for each in state.later_wishes if (each.agent_id or each.by) != who)
    return replace(state, understood=known, later_wishes=(*later, event) if is_later else later)


def wished(state: Negotiation, vote: ProposalFeedback) -> Negotiation:
    """Keep what a person asks for with their vote until it is read, and nothing of what they asked for before."""
    if vote.carried:
        return state
    if not vote.adjustment_request or vote.change is not None:
        return read(state, vote.agent_id)
    said = Unread(agent_id=vote.agent_id, text=vote.adjustment_request, round=vote.round)
    return replace(state, unread={**state.unread, vote.agent_id: said})


def read(state: Negotiation, who: str) -> Negotiation:
    """Nothing is left to be read of what somebody asks for."""
    if who not in state.unread:
        return state
    return replace(state, unread={each: said for each, said in state.unread.items() if each != who})


def asked_for(state: Negotiation, agent_id: str) -> Negotiation:
    """Forget what somebody has meant otherwise and is asked for now.

    Args:
        agent_id: empty for the requester's own wish.
    """
    if not state.later_wishes:
        return state
    return replace(state, later_wishes=tuple(each for each in state.later_wishes if each.agent_id != agent_id))


CHANGES: Final[Mapping[type[Event], Callable[[Negotiation, Any], Negotiation]]] = {
    LimitsWeighed: _weighed,
    SecondOpinionAsked: _opinion_asked,
    SecondOpinionGiven: _opinion_given,
    RequestUnderstood: _understood,
    RequestCorrected: _corrected,
}
