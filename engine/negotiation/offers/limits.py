"""Holds the limits of somebody's profile that are data against a demand, and against a plan.

A limit that its owner has typed into a field or confirmed is not weighed by a model: an offer that breaks one is a
decline, and no twin accepts a plan that does. Limits that stand in words alone are asked about one by one.
"""

from collections.abc import Iterator

from engine.directory.profile import Profile
from engine.facts.data import Datum, Notice, Place
from engine.facts.holding import UNKNOWN, Finding, Part, holds
from engine.facts.places import same_city
from engine.negotiation.answers import OfferAnswer, OfferDecision, ProposalDraft, Understanding
from engine.negotiation.demand.reading import asked
from engine.negotiation.plan.parts import Scope, demanded, held, part_of
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import HeldFinding

SURE = 90
"""The confidence of a decision that no model made."""


def broken_by_demand(profile: Profile, demand: Understanding) -> HeldFinding | None:
    """Return the first limit that the demand breaks by itself, whatever somebody's own part in it would be."""
    return next(_broken_by_demand(profile, demand), None)


def _broken_by_demand(profile: Profile, demand: Understanding) -> Iterator[HeldFinding]:
    if profile.limits.busy is not None:
        yield HeldFinding(source="busy")
    yield from _unpaid(profile, demand)
    part = demanded(demand.context)
    for each in profile.data_limits:
        if each.data is not None and each.scope == "whole" and (found := holds(each.data, part)).status == "broken":
            yield HeldFinding(words=each.words, source=each.source, wanted=each.data, found=found.found)


def broken_limits(state: Negotiation, profile: Profile, version: ProposalDraft) -> tuple[HeldFinding, ...]:
    """Return the limits of somebody that a version breaks: in their own part, or in the whole."""
    found = [*_unpaid(profile, state.understanding)] if state.understanding else []
    for each in profile.data_limits:
        if each.data is None:
            continue
        finding = _held(state, each.data, profile.agent_id, each.scope, version)
        if finding.status == "broken":
            found.append(HeldFinding(words=each.words, source=each.source, wanted=each.data, found=finding.found))
    return tuple(found)


def _held(state: Negotiation, wanted: Datum, agent_id: str, scope: Scope, version: ProposalDraft) -> Finding:
    """Hold a limit against a version; how long ahead its owner is asked counts from the day of asking."""
    if not isinstance(wanted, Notice):
        return held(state, wanted, agent_id, scope, version, version.assignments)
    days = part_of(state, version, version.assignments, agent_id, scope).when.days
    ahead = [holds(wanted, Part(days_ahead=(day - asked(state).day).days)) for day in days or ()]
    return ahead[0] if ahead and ahead[0].status == ahead[1].status else UNKNOWN


def _unpaid(profile: Profile, demand: Understanding) -> Iterator[HeldFinding]:
    money = demand.context.money
    if profile.limits.paid_only and money.none:
        yield HeldFinding(source="field", found=money)


def kept_offer(profile: Profile, demand: Understanding, offer: OfferAnswer) -> tuple[OfferAnswer, HeldFinding | None]:
    """Return a decline in place of an offer that breaks a limit, and the limit."""
    broken = None if offer.decision is OfferDecision.DECLINE else broken_by_demand(profile, demand)
    if broken is None:
        return offer, None
    return OfferAnswer(decision=OfferDecision.DECLINE, confidence=SURE), broken


# ── who can be asked ──────────────────────────────────────────────────────────────────────────────────────────────


def is_free(profile: Profile, demand: Understanding) -> bool:
    """Whether somebody can be asked at all: no limit of theirs that is data is broken by the demand itself.

    That they work for money alone their twin says, where there is none.
    """
    return not any(each.source == "busy" or each.wanted is not None for each in _broken_by_demand(profile, demand))


def is_near(profile: Profile, demand: Understanding) -> bool:
    """Whether somebody can be where the demand is, as far as both are known."""
    place, context = demand.context.place, demand.context
    city = place.city or ("" if place != Place() else context.location or "")
    if place.online or not city or not profile.limits.locations:
        return True
    return any(same_city(city, each) is not False for each in profile.limits.locations)
