"""Essential needs that nobody who offered covers. Before a plan is made without them, the reserve is asked for them;
then whoever asked decides whether others are looked for, or it goes on without. Silence goes on.
"""

from typing import Final

from engine.errors import IllegalStep
from engine.kernel import Millis, later
from engine.negotiation.answers import Need, OfferDecision
from engine.negotiation.commands import DecideMissing
from engine.negotiation.demand.clarification import time_to_decide
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import NeedSought, OfferSubmitted, RequesterAsked, RequesterDecided
from engine.negotiation.offers.offers import next_id
from engine.negotiation.plan.coverage import brought, claimed_by, needs_of, wanted
from engine.negotiation.search import subnets
from engine.negotiation.state import Negotiation, Subnet
from engine.negotiation.terms import Asked, Claim, MissingChoice

MOST_ASKED: Final = 3
"""People of the reserve who are asked where no profile is known to carry what is missing."""


def missing_needs(state: Negotiation) -> tuple[Need, ...]:
    """Return the essential needs that nobody covers who takes part, or too few."""
    return tuple(each for each in _uncovered(state) if each.essential)


def _uncovered(state: Negotiation) -> tuple[Need, ...]:
    claimed = {each.agent_id: claimed_by(state, each.agent_id) for each in state.participants}

    def is_missing(need: Need) -> bool:
        return brought(state, need, (each for each in claimed if need.need_id in claimed[each])) < wanted(state, need)

    return tuple(each for each in needs_of(state) if is_missing(each))


def ask_the_others(draft: NegotiationDraft, at: Millis) -> bool:
    """Ask whoever else fits for what is left open by those whom the demand says to ask first, or for all of it where
    none of them takes part. Return whether anybody is asked.
    """
    state = draft.state
    first = {each.agent_id for each in state.ask_first}
    if not first or not first.issuperset(state.asked_twins):
        return False
    uncovered = _uncovered(state) if state.participants else ()
    if state.participants and not uncovered:
        return False
    ranked = sorted(state.reserve, key=lambda each: -each.confidence)
    others = _reserve_for(state, uncovered) if uncovered else tuple(ranked[: state.policy.max_candidates])
    if others:
        _seek(draft, uncovered, others, at)
    return bool(others)


def resolve(draft: NegotiationDraft, at: Millis) -> bool:
    """Do the next thing about what is missing. Return whether somebody is waited for.

    A subnet does not: it looks for one thing alone, and has found it or not.
    """
    state = draft.state
    missing = missing_needs(state)
    if not missing or state.parent is not None or state.has_decided:
        return False
    if not state.sought and (recipients := _reserve_for(state, missing)):
        _seek(draft, missing, recipients, at)
        return True
    return _ask_requester(draft, missing, at)


def decide(draft: NegotiationDraft, command: DecideMissing) -> None:
    """Take the decision of whoever asked, before there is a plan."""
    state = draft.state
    if command.choice is MissingChoice.SEND_AGAIN:
        raise IllegalStep("No version is out yet that could be sent again. Go on without, or say it otherwise.")
    if command.choice is MissingChoice.LOOK_WIDER:
        if not may_look_wider(state):
            raise IllegalStep("Nobody else is looked for under this policy. Go on without, or say it otherwise.")
        subnets.look_wider(draft, missing_needs(state), command.by, command.at)
    else:
        draft.happens(RequesterDecided(**draft.ids, choice=command.choice, by=command.by))


def may_look_wider(state: Negotiation) -> bool:
    return bool(state.policy.max_depth and state.policy.max_subnets)


def give_up_waiting(draft: NegotiationDraft) -> None:
    """Go on without what is missing, since nobody has decided in time."""
    draft.happens(RequesterDecided(**draft.ids, choice=MissingChoice.GO_ON))


def joins(draft: NegotiationDraft, subnet: Subnet) -> None:
    """Take those whom a subnet has found as offers: they have agreed to it there."""
    if subnet.completed is None:
        return
    for each in subnet.completed.found.assignments:
        if each.agent_id in draft.state.offers:
            continue
        draft.happens(
            OfferSubmitted(
                **draft.ids,
                offer_id=next_id(draft.state),
                agent_id=each.agent_id,
                display_name=each.display_name,
                decision=OfferDecision.PARTICIPATE,
                contribution=each.responsibility or each.role or subnet.triggered.gap_type,
                confidence=100,
                claims=tuple(Claim(need_id=need_id) for need_id in each.covers),
            )
        )


def _reserve_for(state: Negotiation, missing: tuple[Need, ...]) -> tuple[Asked, ...]:
    """Return those whose profile carries what is missing; where no profile does, the best of the reserve."""
    wanted = {each.need_id for each in missing}
    ranked = sorted(state.reserve, key=lambda each: -each.confidence)
    fitting = [each for each in ranked if wanted.intersection(each.covers)]
    return tuple(fitting[: state.policy.max_candidates] or ranked[:MOST_ASKED])


def _seek(draft: NegotiationDraft, missing: tuple[Need, ...], recipients: tuple[Asked, ...], at: Millis) -> None:
    deadline = later(at, draft.state.policy.response_timeout)
    draft.happens(
        NeedSought(
            **draft.ids,
            need_ids=tuple(each.need_id for each in missing),
            recipients=tuple(each.agent_id for each in recipients),
            deadline=deadline,
        )
    )


def _ask_requester(draft: NegotiationDraft, missing: tuple[Need, ...], at: Millis) -> bool:
    window = time_to_decide(draft.state)
    need_ids = tuple(each.need_id for each in missing)
    draft.happens(RequesterAsked(**draft.ids, need_ids=need_ids, **draft.time_for_people(window, at)))
    if not window:
        give_up_waiting(draft)
        return False
    return True
