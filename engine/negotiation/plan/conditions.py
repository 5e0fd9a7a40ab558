"""Holds what people ask for against a version of the plan: conditions of their offers, and requests of their votes.

A model says what it did about each; where what was asked for is data, code says whether the version keeps it. What is
broken is never shown as met, whatever the model says, and what is already true is settled without another round.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from engine.facts.data import Datum
from engine.facts.holding import UNKNOWN, Finding
from engine.facts.language import Language, catalogue_of
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    ConditionAnswer,
    FeedbackAnswer,
    ProposalDraft,
    RequestAddressed,
    RequestDeclined,
    StatedCondition,
)
from engine.negotiation.events import OfferSubmitted
from engine.negotiation.plan.parts import held
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import HeldCondition
from engine.negotiation.voting.kinds import FeedbackType


def language(state: Negotiation) -> Language:
    """Return the catalogue of the interface in which a whole thread is told of a demand."""
    return catalogue_of(state.language)


# ── conditions of offers ──────────────────────────────────────────────────────────────────────────────────────────


def held_conditions(
    state: Negotiation,
    draft: ProposalDraft,
    seats: Sequence[Assignment],
    offers: Iterable[OfferSubmitted],
    *answered: Sequence[ConditionAnswer],
) -> tuple[HeldCondition, ...]:
    """Return an answer to each condition of the offers; one that the draft forgot counts as not met.

    Args:
        answered: what the draft says of them; then what the version before did, where there is one.
    """
    made = []
    for offer in offers:
        if not offer.conditions:
            continue
        answers = _matched(offer, [[each for each in one if each.agent_id == offer.agent_id] for one in answered])
        for number, (said, answer) in enumerate(zip(stated(offer), answers, strict=True), 1):
            found = held(state, said.data, offer.agent_id, said.scope, draft, seats, answer.where)
            met = {"met": True, "broken": False}.get(found.status, answer.met)
            made.append(
                HeldCondition(
                    agent_id=offer.agent_id,
                    condition_id=number,
                    condition=said.text,
                    met=met,
                    reason=answer.reason if met == answer.met else "",
                    where=answer.where,
                    status=found.status,
                    wanted=said.data,
                    found=found.found,
                )
            )
    return tuple(made)


def stated(offer: OfferSubmitted) -> tuple[StatedCondition, ...]:
    """Return the conditions of an offer with their data, as far as there is any."""
    if len(offer.stated) == len(offer.conditions):
        return offer.stated
    return tuple(StatedCondition(text=each) for each in offer.conditions)


def _matched(offer: OfferSubmitted, answered: Sequence[list[ConditionAnswer]]) -> list[ConditionAnswer]:
    """Return the answer to each condition of an offer, in their order; the newest there is."""
    found: dict[int, ConditionAnswer] = {}
    for answers in answered:
        open_still = {number: each for number, each in enumerate(offer.conditions, 1) if number not in found}
        found |= _matched_once(open_still, answers, len(offer.conditions))
    nothing = ConditionAnswer(agent_id=offer.agent_id)
    return [found.get(number, nothing) for number in range(1, len(offer.conditions) + 1)]


def _matched_once(
    conditions: Mapping[int, str], answers: list[ConditionAnswer], count: int
) -> dict[int, ConditionAnswer]:
    """Return the answer to each condition that has one.

    An answer belongs to a condition by its number, where the numbers can be those of this offer, else by its text, else
    as the only one that is left on either side.

    Args:
        conditions: those that are open still, by their number.
        count: of the offer's conditions.
    """
    found: dict[int, ConditionAnswer] = {}
    texts = {number: letters(each) for number, each in conditions.items()}

    def take(fits: Callable[[int, ConditionAnswer], bool]) -> None:
        for number in texts:
            for each in answers:
                if number not in found and fits(number, each):
                    found[number] = each
                    answers.remove(each)
                    break

    numbers = [each.condition_id for each in answers if each.condition_id]
    if len({*numbers}) == len(numbers) and max(numbers, default=0) <= count:
        take(lambda number, each: each.condition_id == number)
    take(lambda number, each: bool(texts[number]) and letters(each.condition) == texts[number])
    take(lambda number, each: each.condition_id == number and letters(each.condition) not in texts.values())
    answers[:] = [each for each in answers if letters(each.condition) not in texts.values()]
    if len(answers) == len(texts) - len(found) == 1:
        take(lambda _number, _each: True)
    return found


def letters(text: str) -> str:
    """Return a text without its marks and spaces, so that one full stop more makes no other text of it."""
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    return "".join(filter(str.isalnum, folded))


# ── requests of votes ─────────────────────────────────────────────────────────────────────────────────────────────


def found_of(
    state: Negotiation, wanted: Datum | None, agent_id: str, draft: ProposalDraft, seats: Sequence[Assignment]
) -> Finding:
    """Hold what somebody wants to be changed against a version: in their own part, and where that is open in the
    whole, of which the requester alone speaks.
    """
    if wanted is None:
        return UNKNOWN
    own = held(state, wanted, agent_id, "own", draft, seats)
    return own if own.status != "unknown" else held(state, wanted, agent_id, "whole", draft, seats)


def settled(state: Negotiation, agent_id: str, answer: FeedbackAnswer) -> FeedbackAnswer:
    """Make an accept of a twin's vote that asks for nothing but what the version says already, as data."""
    proposal = state.proposal
    if not answer.feedback_type.kind.asks or proposal is None:
        return answer
    if found_of(state, answer.change, agent_id, proposal, proposal.assignments).status != "met":
        return answer
    return replace(answer, feedback_type=FeedbackType.ACCEPT, adjustment_request="", change=None)


def held_requests(
    state: Negotiation,
    draft: ProposalDraft,
    seats: Sequence[Assignment],
    summary: AdjustmentSummary,
    asked: Mapping[str, str],
    wanted: Mapping[str, Datum],
) -> AdjustmentSummary:
    """Correct what a draft says of the requests that are data: one that its version breaks is open, one that it keeps
    addressed.

    Args:
        summary: with an answer to every request.
        asked: the requests, by the id of whoever asks.
        wanted: what they come to, where they can be compared.
    """
    addressed = {each.agent_id: each for each in summary.requests_addressed}
    declined = {each.agent_id: each for each in summary.requests_declined}
    for who, request in asked.items():
        found = found_of(state, wanted.get(who), who, draft, seats)
        if found.status == "met" and who in declined:
            declined.pop(who)
            addressed[who] = RequestAddressed(agent_id=who, request=request)
        elif found.status == "broken" and who in addressed:
            addressed.pop(who)
            declined[who] = RequestDeclined(agent_id=who, request=request)
    return replace(summary, requests_addressed=tuple(addressed.values()), requests_declined=tuple(declined.values()))
