"""What of a negotiation is erased where somebody is forgotten, or all of it.

What somebody asked for is forgotten as a whole, with whatever was answered to it. Of a negotiation in which they only
take part, it is what they and their twin have said, and what models have written since they could quote it: plans,
votes of twins, gaps. What other people have said by hand stays.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from typing import Final

from engine.kernel import OPERATOR, Command, Event, Forgetter, Link, Millis, Part, Whose
from engine.negotiation.afterwards.commitments import commitments
from engine.negotiation.answers import OfferDecision, Shortlist
from engine.negotiation.commands import Cancel, CorrectOffer, EraseWords
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import (
    AgentWithdrawn,
    DemandSubmitted,
    DemandUnclear,
    DemandUnderstood,
    NegotiationCancelled,
    OfferSubmitted,
    ProposalDistributed,
    ProposalFeedback,
    VotePrepared,
    WordsErased,
)
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Asked, NegotiationEvent, Person, Source

DAY: Final[Millis] = 86_400_000
REASON: Final = "Words that this plan was made of were erased."

OF_THE_PLAN: Final[tuple[type[Event], ...]] = (DemandSubmitted, DemandUnderstood, DemandUnclear, OfferSubmitted)
"""What is written in a subnet about the plan whose gap it fills."""


def _twins_of(state: Negotiation, user_id: str) -> frozenset[str]:
    known = (*_known(state), *state.joined.values())
    return frozenset(each.agent_id for each in known if each.user_id == user_id)


def _known(state: Negotiation) -> tuple[Asked, ...]:
    helping = (each.person for each in state.volunteers.values())
    return (*state.invited.values(), *state.candidates, *state.reserve, *state.also_ask, *state.ask_first, *helping)


def _part_of(state: Negotiation, whose: Whose) -> Part | None:
    if whose.user_id and state.requester_id == whose.user_id:
        return Part.WHOLE
    early = state.early.shortlist if state.early is not None else Shortlist(definitely_related=())
    chosen = {each.agent_id for each in (*early.definitely_related, *early.possibly_related)}
    named = {each.agent_id for each in _known(state)} | chosen | state.joined.keys() | state.delegates.keys()
    is_delegate = whose.user_id in state.delegates.values() or any(
        whose.user_id in (seat.delegate, *seat.former_delegates, seat.human.by if seat.human else None)
        for each in state.rounds
        for seat in each.seats.values()
    )
    return Part.OWN if whose.agent_ids & named or (whose.user_id and is_delegate) else None


def _links(state: Negotiation) -> tuple[Link, ...]:
    reopened = (state.reopened.next_channel_id,) if state.reopened else ()
    parent = (state.parent.channel_id,) if state.parent else ()
    return (
        *(Link(each, is_later=True, is_part=True) for each in state.subnets),
        *(Link(each, is_later=True, is_part=False) for each in reopened),
        *(Link(each, is_later=False, is_part=True) for each in parent),
    )


def _quotes(state: Negotiation, whose: Whose) -> bool:
    """Whether anybody's words can have come here: before there is a plan, everybody speaks for themselves."""
    return bool(state.proposals) or state.parent is not None


def _leave(state: Negotiation, part: Part, whose: Whose, *, command_id: str, at: Millis) -> tuple[Command, ...]:
    """Stop what goes on without the words it was made of. Before there is a plan, whoever takes part declines."""
    if part is Part.OWN and state.takes_offers:
        return tuple(_declined(state, each, f"{command_id}:{each}", at) for each in _taking_part(state, whose))
    if state.is_searching or (state.is_open and (part is not Part.OWN or bool(state.proposals))):
        reason = REASON if state.is_open else ""
        return (Cancel(command_id=command_id, at=at, by=OPERATOR, as_admin=True, reason=reason),)
    return ()


def _taking_part(state: Negotiation, whose: Whose) -> list[str]:
    """Those of their twins that take part so far, or are asked."""
    offers = state.offers
    declined = {agent_id for agent_id in offers if offers[agent_id].decision is OfferDecision.DECLINE}
    return [agent_id for agent_id in state.invited if agent_id in whose.agent_ids - declined]


def _declined(state: Negotiation, agent_id: str, command_id: str, at: Millis) -> CorrectOffer:
    by = state.actors_for(agent_id)[0]
    return CorrectOffer(command_id=command_id, at=at, by=by, agent_id=agent_id, decision=OfferDecision.DECLINE)


def _quoting(history: Sequence[Event], part: Part, whose: Whose) -> frozenset[int]:
    found: set[int] = set()
    by_hand: set[str] = set()
    """Agent ids of those whose last vote was a person's."""
    is_planned, is_subnet = False, any(isinstance(each, DemandSubmitted) and each.parent for each in history[:1])
    for number, event in enumerate(history):
        if isinstance(event, ProposalFeedback):
            (by_hand.add if event.source is Source.HUMAN else by_hand.discard)(event.agent_id)
        is_theirs = _is_theirs(event, whose)
        if part is Part.WHOLE or is_theirs or _is_made(event, by_hand, is_planned=is_planned, is_subnet=is_subnet):
            found.add(number)
        if isinstance(event, NegotiationCancelled) and event.by == OPERATOR:
            found.discard(number)  # these are nobody's words
        is_planned = is_planned or isinstance(event, ProposalDistributed)
    return frozenset(found)


def _is_theirs(event: Event, whose: Whose) -> bool:
    """Whether they have said it, or it is about them alone."""
    named = {getattr(event, each, "") for each in ("agent_id", "replaces")}
    named |= {each.agent_id for field in ("also_ask", "ask_first", "people") for each in getattr(event, field, ())}
    by = {getattr(event, each, None) for each in ("by", "requester_id")}
    return not whose.agent_ids.isdisjoint(named) or (bool(whose.user_id) and whose.user_id in by)


def _is_made(event: Event, by_hand: set[str], *, is_planned: bool, is_subnet: bool) -> bool:
    """Whether a model has written it, or it repeats what a model has written, where that may quote everybody."""
    match event:
        case VotePrepared():
            return True
        case ProposalFeedback() | AgentWithdrawn():
            return event.agent_id not in by_hand
        case NegotiationEvent(of_everybody=True):
            return True
        case OfferSubmitted():
            return is_planned or is_subnet
        case _:
            return is_subnet and isinstance(event, OF_THE_PLAN)


def _erase(state: Negotiation, part: Part, whose: Whose, *, command_id: str, at: Millis) -> tuple[EraseWords]:
    kept = () if part is Part.WHOLE else _names(state, whose)
    named = whose.user_id or min(whose.agent_ids, default="")
    return (EraseWords(command_id=command_id, at=at, whose=named, people=kept),)


def _names(state: Negotiation, whose: Whose) -> tuple[Person, ...]:
    helping = (each.person for each in state.volunteers.values())
    others = {each.agent_id: each for each in (*helping, *state.reserve, *state.invited.values())}
    return tuple(
        Person(agent_id=agent_id, display_name=each.display_name, user_id=each.user_id)
        for agent_id, each in others.items()
        if agent_id not in whose.agent_ids and each.display_name
    )


def _needed_until(state: Negotiation) -> Millis:
    """Until the last day for which somebody has promised something, wherever on earth that day is."""
    last = max((each.when.last or each.when.first for each in commitments(state)), default="")
    return round(datetime.combine(date.fromisoformat(last), time(), UTC).timestamp() * 1000) + 2 * DAY if last else 0


FORGETTER: Final = Forgetter(
    twins_of=_twins_of,
    part_of=_part_of,
    links=_links,
    quotes=_quotes,
    leave=_leave,
    quoting=_quoting,
    erase=_erase,
    needed_until=_needed_until,
)


def erase_words(draft: NegotiationDraft, command: EraseWords) -> None:
    draft.happens(
        WordsErased(
            **draft.ids,
            by=OPERATOR,
            whose=command.whose,
            people=command.people,
            former_chain=command.former_chain,
        )
    )
