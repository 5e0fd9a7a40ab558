"""What a version says that is no data, as numbered claims for the second reader."""

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from engine.kernel import Message
from engine.negotiation.answers import AdjustmentSummary
from engine.negotiation.plan.coverage import needs_of
from engine.negotiation.remembering import remembered
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Proposal
from engine.negotiation.voting.wishes_read import is_settled_by_data


class VersionClaim(Message, kw_only=True):
    number: int
    """Counted from 1."""
    about: Literal["need", "condition", "request", "complete"]
    agent_id: str = ""
    need_id: str = ""
    place: int = 0
    """Of the condition of its person, or of the wish among those that are said to be taken up; counted from 1."""
    claim: str = ""
    """The need that is covered, or the condition or wish that is met, in their words."""
    quote: str = ""
    """The words that it rests on."""
    where: str = ""
    """What of the version meets it, where the drafter says so."""


@remembered
def claims_of(state: Negotiation, proposal: Proposal) -> tuple[VersionClaim, ...]:
    """Return the claims of a version; nothing where all of them are data."""
    found = [*_needs(state, proposal), *_conditions(proposal), *_requests(state, proposal)]
    if found and needs_of(state) and not proposal.gaps:
        found.append(VersionClaim(number=0, about="complete"))
    return tuple(_numbered(found))


def _numbered(claims: list[VersionClaim]) -> Iterator[VersionClaim]:
    return (replace(each, number=number) for number, each in enumerate(claims, 1))


def _needs(state: Negotiation, proposal: Proposal) -> Iterator[VersionClaim]:
    what = {each.need_id: each.what for each in needs_of(state)}
    for seat in proposal.assignments:
        offer = state.offers.get(seat.agent_id)
        quotes = {each.need_id: each.quote for each in offer.claims} if offer else {}
        for need_id in seat.covers:
            if need_id in what:
                yield VersionClaim(
                    number=0,
                    about="need",
                    agent_id=seat.agent_id,
                    need_id=need_id,
                    claim=what[need_id],
                    quote=quotes.get(need_id, ""),
                )


def _conditions(proposal: Proposal) -> Iterator[VersionClaim]:
    for each in proposal.conditions:
        if each.met and each.status not in ("met", "broken"):
            yield VersionClaim(
                number=0,
                about="condition",
                agent_id=each.agent_id,
                place=each.condition_id,
                claim=each.condition,
                where=each.where,
            )


def _requests(state: Negotiation, proposal: Proposal) -> Iterator[VersionClaim]:
    summary = proposal.adjustment_summary or AdjustmentSummary()
    for place, each in enumerate(summary.requests_addressed, 1):
        if not is_settled_by_data(state, proposal, each.agent_id, each.request):
            yield VersionClaim(
                number=0,
                about="request",
                agent_id=each.agent_id,
                place=place,
                claim=each.request,
                where=each.where,
            )
