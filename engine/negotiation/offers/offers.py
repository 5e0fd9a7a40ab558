"""Offers: twins make them, and people may correct them. `collecting` says how long they are waited for."""

from typing import Any, Final

from msgspec.structs import replace

from engine.errors import IllegalStep, NotAllowed, UnknownAgent
from engine.facts.shortening import without_surrogates
from engine.negotiation.answers import Need, OfferDecision
from engine.negotiation.commands import CorrectOffer, RecordOffer
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.errors import InvalidOffer
from engine.negotiation.events import OfferOverridden, OfferSubmitted
from engine.negotiation.offers import limit_rules
from engine.negotiation.plan.coverage import needs_of, wanted
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Asked, Claim, OfferedData

OFFERS: Final = "offers"
"""The scope of the twins' offers, and the alarm that ends the collecting."""

AGGREGATE: Final = "aggregate"
"""Name and scope of the effect that asks for the first proposal."""

LONGEST_TEXT: Final = 2_000
"""Characters, of a correction's contribution or reason."""
MOST_CONDITIONS: Final = 10
LONGEST_CONDITION: Final = 500
"""Characters."""

COMPARED: Final = tuple(each for each in OfferedData.__struct_fields__ if each != "agent_id")
"""What an offer says as data, to be held against the demand."""


def as_data(offer: OfferSubmitted) -> OfferedData:
    return OfferedData(agent_id=offer.agent_id, **{name: getattr(offer, name) for name in COMPARED})


def record_offer(draft: NegotiationDraft, command: RecordOffer) -> None:
    invited, answer = draft.state.invited[command.agent_id], command.answer
    stated = tuple(each for each in answer.conditions if each.text.strip())
    takes_part = answer.decision is not OfferDecision.DECLINE
    draft.degrade("respond", command, agent_id=command.agent_id)
    draft.happens(
        OfferSubmitted(
            **draft.ids,
            offer_id=next_id(draft.state),
            agent_id=invited.agent_id,
            display_name=invited.display_name,
            # Whoever takes part and names conditions takes part on them, whatever the model calls it; of whoever
            # declines they are what would make it a yes.
            decision=OfferDecision.CONDITIONAL if stated and takes_part else answer.decision,
            contribution=answer.contribution,
            conditions=tuple(each.text for each in stated),
            reasoning=answer.reasoning,
            decline_reason=answer.decline_reason,
            confidence=answer.confidence,
            degraded=command.degraded is not None,
            claims=command.claims if takes_part else (),
            stated=stated if any(each.data is not None for each in stated) else (),
            **({name: getattr(answer, name) for name in COMPARED} if takes_part else {}),
            broken_limit=command.broken_limit,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )
    limit_rules.weigh_offer(draft, command)


def record_correction(draft: NegotiationDraft, command: CorrectOffer) -> bool:
    """Record a person's own offer, in place of their twin's or before it. The latest one counts.

    Returns:
        whether it is another offer than before.
    """
    state = draft.state
    asked = check_offer(state, command.by, command.agent_id, as_admin=command.as_admin)
    before = state.offers.get(asked.agent_id)
    if command.decision is not OfferDecision.DECLINE:
        limit_rules.check_correction(state, command.by, asked.agent_id)
    corrected = OfferOverridden(
        **draft.ids,
        offer_id=before.offer_id if before else next_id(state),
        agent_id=asked.agent_id,
        display_name=asked.display_name,
        by=command.by,
        claims=_own_claims(state, asked, command),
        **_checked_texts(command),
    )
    if corrected.offer == before:
        return False  # the very same answer once more: it stands already
    draft.happens(corrected)
    return True


def _own_claims(state: Negotiation, asked: Asked, command: CorrectOffer) -> tuple[Claim, ...]:
    """Return what a person says that they cover. Their own word needs no proof.

    Where they were not asked, what their twin has claimed stands, or what they were asked for.
    """
    if command.decision is OfferDecision.DECLINE:
        return ()
    needs = needs_of(state)
    count = command.brings
    if command.covers is not None:
        return tuple(_own_claim(state, each, count) for each in needs if each.need_id in command.covers)
    before = state.offers.get(asked.agent_id)
    if before and before.decision is not OfferDecision.DECLINE:
        return tuple(replace(each, count=max(each.count, count)) if count > 1 else each for each in before.claims)
    return tuple(_own_claim(state, each, count) for each in needs if each.need_id in asked.covers)


def _own_claim(state: Negotiation, need: Need, count: int) -> Claim:
    """So many people come for it, where people are counted for it."""
    return Claim(need_id=need.need_id, basis="explicit", count=count if wanted(state, need) > 1 else 1)


def check_offer(state: Negotiation, by: str, agent_id: str, *, as_admin: bool = False) -> Asked:
    """Return who was asked, if ``by`` may correct their offer.

    Args:
        as_admin: whether they may speak for people who are linked to nobody.
    """
    if not state.invited:
        raise IllegalStep("Nobody was asked yet, so there is no offer to correct.")
    asked = state.invited.get(agent_id)
    if asked is None:
        raise UnknownAgent(f"{agent_id} was not asked for an offer, so there is none to correct.")
    speaks_for = as_admin and agent_id in limit_rules.guarded_offers(state, by)
    if by not in state.actors_for(agent_id) and not speaks_for:
        raise NotAllowed(
            f"Only {asked.display_name} can correct this offer."
            if asked.user_id
            else f"{asked.display_name} is not linked to anyone here; only the person who asked can correct this offer."
        )
    if not state.is_open:
        raise IllegalStep("This negotiation is over; there is no offer to correct any more.")
    if not state.takes_offer_of(agent_id):
        raise IllegalStep("A proposal has been made of the offers, so they stand as they are. Vote on it instead.")
    return asked


def _checked_texts(command: CorrectOffer) -> dict[str, Any]:
    """Return the decision with the texts that belong to it, after checking them."""
    contribution = _text(command.contribution, "what you contribute")
    reason = _text(command.reason, "your reason")
    conditions = tuple(text for each in command.conditions if (text := without_surrogates(each).strip()))
    if len(conditions) > MOST_CONDITIONS or any(len(each) > LONGEST_CONDITION for each in conditions):
        raise InvalidOffer(f"Name at most {MOST_CONDITIONS} conditions of {LONGEST_CONDITION} characters each.")
    if command.decision is OfferDecision.DECLINE:
        return {"decision": command.decision, "decline_reason": reason}
    if not contribution:
        raise InvalidOffer("Say in a few words what you contribute.")
    if command.decision is OfferDecision.PARTICIPATE:
        return {"decision": command.decision, "contribution": contribution}
    if not conditions:
        raise InvalidOffer("Name at least one condition, or take part without any.")
    return {"decision": command.decision, "contribution": contribution, "conditions": conditions}


def _text(text: str, what: str) -> str:
    text = without_surrogates(text).strip()
    if len(text) > LONGEST_TEXT:
        raise InvalidOffer(f"Shorten {what}: {len(text):,} characters are too many, {LONGEST_TEXT:,} can be read.")
    return text


def next_id(state: Negotiation) -> str:
    return f"offer_{state.discarded + len(state.offers) + 1:03d}"
