"""How each event before the first proposal changes what a negotiation knows: the demand, the people, their offers."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from engine.kernel import Event, Millis
from engine.negotiation.answers import Need, OfferDecision
from engine.negotiation.events import (
    DemandBroadcast,
    DemandEdited,
    DemandSubmitted,
    DemandUnclear,
    DemandUnderstood,
    FilterCompleted,
    NeedSought,
    OfferOverridden,
    OffersHeld,
    OfferSubmitted,
    PeopleAsked,
    RequesterAsked,
    RequesterDecided,
)
from engine.negotiation.plan.coverage import SEAT, needs_of
from engine.negotiation.state import Decision, Negotiation, Volunteer, Wait
from engine.negotiation.terms import MissingChoice
from engine.negotiation.voting.opinions_fold import with_lifted


def _submitted(state: Negotiation, event: DemandSubmitted) -> Negotiation:
    return replace(
        state,
        demand_id=event.demand_id,
        channel_id=event.channel_id,
        requester_id=event.requester_id,
        raw_input=event.raw_input,
        place=event.place,
        policy=event.policy,
        until=event.until,
        parent=event.parent,
        reopened_from=event.reopened_from,
        also_ask=event.also_ask,
        ask_first=event.ask_first,
        not_again=event.not_again,
        asked_at=event.asked_at,
        time_zone=event.time_zone,
        locale=event.locale,
        own_votes=event.own_votes,
        workflow_run=event.workflow_run,
    )


def _edited(state: Negotiation, event: DemandEdited) -> Negotiation:
    return replace(
        state,
        raw_input=event.raw_input,
        asked_at=event.asked_at or state.asked_at,
        until=event.until or state.until,
        own_votes=state.own_votes if event.own_votes is None else event.own_votes,
        understanding=None,
        early=None,
        candidates=(),
        reserve=(),
        preparing=frozenset(),
        analysis="",
        unclear=None,
        invited={},
        wait=Wait.TWINS,
        offers_due=0,
        asked_twins=(),
        was_held=False,
        held_offers=(),
        first_draft=None,
        asked_in_person=(),
        unreached=(),
        sought=(),
        has_decided=False,
        offers={},
        delegates={},  # they were named for what was asked then, by people who may not be asked now
        discarded=state.discarded + len(state.offers),
        volunteers={agent_id: _undecided(each) for agent_id, each in state.volunteers.items()},
        degraded=(),
        weighed={},
        lifted={},
        was_asked_otherwise=state.was_asked_otherwise or bool(state.invited),
    )


def _undecided(volunteer: Volunteer) -> Volunteer:
    """What they said stays, and whoever asked decides anew; the needs are others now."""
    return Volunteer(replace(volunteer.offered, covers=()))


def _understood(state: Negotiation, event: DemandUnderstood) -> Negotiation:
    return replace(state, understanding=event.understanding, counted=event.counted)


def _unclear(state: Negotiation, event: DemandUnclear) -> Negotiation:
    return replace(state, unclear=event, questions=(*state.questions, event), until=_people_keep_theirs(state, event))


def _filtered(state: Negotiation, event: FilterCompleted) -> Negotiation:
    return replace(
        state,
        candidates=event.candidates,
        reserve=event.possibly_related,
        preparing=frozenset(event.preparing),
        analysis=event.analysis,
    )


def _broadcast(state: Negotiation, event: DemandBroadcast) -> Negotiation:
    known = {each.agent_id: each for each in (*state.candidates, *state.reserve)}
    invited = {agent_id: known[agent_id] for agent_id in event.recipients}
    reserve = tuple(each for each in state.reserve if each.agent_id not in invited)
    return replace(
        state,
        invited=invited,
        reserve=reserve,
        wait=Wait.TWINS,
        asked_twins=event.recipients,
        offers_due=event.deadline,
    )


def _offered(state: Negotiation, event: OfferSubmitted) -> Negotiation:
    return replace(state, offers={**state.offers, event.agent_id: event})


def _corrected(state: Negotiation, event: OfferOverridden) -> Negotiation:
    offers = {**state.offers, event.agent_id: event.offer}
    if event.decision is not OfferDecision.DECLINE:
        state = with_lifted(state, event.agent_id)
    return replace(state, offers=offers, corrections=state.corrections + 1)


def _asked_in_person(state: Negotiation, event: PeopleAsked) -> Negotiation:
    asked = (*state.asked_in_person, *event.agent_ids)
    return replace(_waits(state, Wait.PEOPLE, event), asked_in_person=asked)


def _held(state: Negotiation, event: OffersHeld) -> Negotiation:
    held = _waits(state, Wait.CORRECTIONS, event)
    return replace(held, was_held=True, held_offers=state.counted_offers)


def _sought(state: Negotiation, event: NeedSought) -> Negotiation:
    known = {each.agent_id: each for each in state.reserve}
    asked = {agent_id: known[agent_id] for agent_id in event.recipients}
    return replace(
        state,
        invited={**state.invited, **asked},
        reserve=tuple(each for each in state.reserve if each.agent_id not in asked),
        sought=event.need_ids,
        held_offers=(),
        wait=Wait.TWINS,
        asked_twins=event.recipients,
        offers_due=event.deadline,
    )


def _to_decide(state: Negotiation, event: RequesterAsked) -> Negotiation:
    known = needs_of(state)
    if SEAT in event.need_ids:  # what it is called stands for a need that nobody has said
        left = [each for each in state.proposals[-1].assignments if each.agent_id in state.withdrawn]
        called = " / ".join(dict.fromkeys(each.role or each.responsibility for each in left))
        known = (*known, Need(need_id=SEAT, what=called))
    asked = Decision(event, tuple(each for each in known if each.need_id in event.need_ids), round=state.round)
    return replace(_waits(state, Wait.REQUESTER, event), decisions=(*state.decisions, asked))


def _decided(state: Negotiation, event: RequesterDecided) -> Negotiation:
    return replace(
        state,
        decisions=(*state.decisions[:-1], replace(state.decisions[-1], made=event)),
        has_decided=True,
        wait=Wait.SUBNETS if event.choice is MissingChoice.LOOK_WIDER else state.wait,
        offers_due=event.deadline or state.offers_due,
        until=_people_keep_theirs(state, event),
    )


def _waits(state: Negotiation, wait: Wait, event: PeopleAsked | OffersHeld | RequesterAsked) -> Negotiation:
    until = _people_keep_theirs(state, event)
    return replace(state, wait=wait, offers_due=event.deadline, until=until, held_offers=())


def _people_keep_theirs(
    state: Negotiation, event: DemandUnclear | PeopleAsked | OffersHeld | RequesterAsked | RequesterDecided
) -> Millis:
    """Return when it ends at the latest: not before their deadline, however late it was set."""
    return max(event.until or state.until, event.deadline)


CHANGES: Final[Mapping[type[Event], Callable[[Negotiation, Any], Negotiation]]] = {
    DemandSubmitted: _submitted,
    DemandEdited: _edited,
    DemandUnderstood: _understood,
    DemandUnclear: _unclear,
    FilterCompleted: _filtered,
    DemandBroadcast: _broadcast,
    OfferSubmitted: _offered,
    OfferOverridden: _corrected,
    PeopleAsked: _asked_in_person,
    OffersHeld: _held,
    NeedSought: _sought,
    RequesterAsked: _to_decide,
    RequesterDecided: _decided,
}
