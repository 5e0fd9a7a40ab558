"""Gives back the seat that a model has left out although the demand takes it.

An offer may say that others are not to be chosen, and a model may obey it. So for each essential need that a draft
leaves uncovered, code seats the first who has offered to cover it.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from engine.negotiation.answers import Assignment, ProposalDraft
from engine.negotiation.plan.coverage import claimed_by, needs_of
from engine.negotiation.state import Negotiation


def with_needed_seats(state: Negotiation, draft: ProposalDraft) -> ProposalDraft:
    """Give a seat to whoever alone has offered to cover an essential need, in the words of their offer."""
    seats = [*draft.assignments]
    covered = _claimed(state, (each.agent_id for each in seats))
    for need in needs_of(state):
        if not need.essential or need.need_id in covered:
            continue
        offer = next((each for each in state.participants if need.need_id in claimed_by(state, each.agent_id)), None)
        if offer is not None:
            claims = claimed_by(state, offer.agent_id)
            seats.append(
                Assignment(
                    agent_id=offer.agent_id,
                    role=need.what,
                    responsibility=offer.contribution,
                    covers=tuple(sorted(claims)),
                )
            )
            covered |= claims
    if len(seats) == len(draft.assignments):
        return draft
    seated = {each.agent_id for each in seats}
    others = tuple(each for each in draft.not_chosen if each.agent_id not in seated)
    return replace(draft, assignments=tuple(seats), not_chosen=others)


def _claimed(state: Negotiation, agent_ids: Iterable[str]) -> set[str]:
    return {need_id for each in agent_ids for need_id in claimed_by(state, each)}
