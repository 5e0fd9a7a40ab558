"""Brings back whom a model has left out although the demand takes them.

A profile or an offer may say that others are not to be chosen, and a model may obey it. So for each essential need that
nobody on a list carries, or in a draft covers, code adds the first who does.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from engine.facts.language import Language
from engine.negotiation.answers import Assignment, Candidate, Need, ProposalDraft, Shortlist
from engine.negotiation.conditions import language
from engine.negotiation.coverage import claimed_by, needs_of
from engine.negotiation.given import EligibleProfile
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Basis

REASON: Final[dict[Language, str]] = {
    "en": "This is needed, and your profile says it: {what}",
    "zh": "这次需要这一项，而你的介绍里有：{what}",
}

Carried = Mapping[str, Mapping[str, Basis]]
"""By agent id: which of the needs their profile carries, and how."""


def with_needed_people(
    state: Negotiation,
    said: Shortlist,
    profiles: Sequence[EligibleProfile],
    carried: Carried,
    best: Callable[[Need, Sequence[EligibleProfile]], EligibleProfile | None],
) -> Shortlist:
    """Add the best for each essential need that nobody on the list carries, while there is room."""
    listed = [each.agent_id for each in (*said.definitely_related, *said.possibly_related)]
    asked = [*said.definitely_related]
    for need in needs_of(state):
        if not need.essential or len(asked) >= state.policy.max_candidates:
            continue
        if any(need.need_id in carried.get(each, ()) for each in listed):
            continue
        able = [each for each in profiles if each.on_site and carried[each.agent_id].get(need.need_id) == "explicit"]
        found = best(need, able)
        if found is not None:
            agent_id = found.agent_id
            reason = REASON[language(state)].format(what=need.what)
            asked.append(Candidate(agent_id=agent_id, reason=reason, match_type="explicit"))
            listed.append(agent_id)
    return said if len(asked) == len(said.definitely_related) else replace(said, definitely_related=tuple(asked))


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
