"""Prompt 7: find what a plan lacks, by what was asked for and what its people do."""

from collections.abc import Sequence
from typing import Final

from engine.facts.language import Language
from engine.lexicon.mentions import topics_in
from engine.lexicon.topics import topic
from engine.negotiation.answers import Gap, GapAnalysis, ProposalDraft, Understanding, VoteMade
from engine.negotiation.reading import Today
from engine.offline.negotiation.needs import Needs, needs_of
from engine.offline.negotiation.phrasing import join_list, phrase

NAMED_IMPORTANCE: Final = 80
TOO_FEW_IMPORTANCE: Final = 70
IMPLIED_IMPORTANCE: Final = 50
"""How important a gap is: something that was named, too few people, something that such an undertaking takes anyway."""

GUESTS_PER_PERSON: Final = 20
ENOUGH_PEOPLE: Final = 3
"""People, for any event that we know of."""


def find_gaps(
    demand: Understanding,
    proposal: ProposalDraft,
    feedbacks: Sequence[VoteMade] = (),
    today: Today | None = None,
) -> GapAnalysis:
    needs = needs_of(demand)
    done = {key for seat in proposal.assignments for key in topics_in(f"{seat.role}\n{seat.responsibility}")}
    found = [_missing(key, needs) for key in needs.topics if key not in done]
    seats = len(proposal.assignments)
    if _are_too_few(needs, seats, demand.context.expected_attendees):
        found.append(_too_few_people(needs, seats, demand.context.expected_attendees or 0))
    found.sort(key=lambda gap: -gap.importance)
    is_complete = not any(gap.importance >= TOO_FEW_IMPORTANCE for gap in found)
    return GapAnalysis(is_complete=is_complete, analysis=_analysis(found, needs.language), gaps=tuple(found))


def _missing(key: str, needs: Needs) -> Gap:
    name, tag = topic(key).role.said_in(needs.language), topic(key).tag.said_in(needs.language)
    asked = key in needs.explicit
    reason = phrase("gap.asked" if asked else "gap.implied", needs.language, tag=tag)
    importance = NAMED_IMPORTANCE if asked else IMPLIED_IMPORTANCE
    return Gap(gap_type=name, importance=importance, reason=reason, suggested_capability_tags=(tag,))


def _are_too_few(needs: Needs, seats: int, attendees: int | None) -> bool:
    return needs.kind == "event" and seats < ENOUGH_PEOPLE and seats * GUESTS_PER_PERSON <= (attendees or 0)


def _too_few_people(needs: Needs, seats: int, attendees: int) -> Gap:
    language = needs.language
    return Gap(
        gap_type=phrase("gap.hands", language),
        importance=TOO_FEW_IMPORTANCE,
        reason=phrase("gap.hands.reason", language, seats=seats, attendees=attendees),
        suggested_capability_tags=tuple(topic(key).tag.said_in(language) for key in ("planning", "volunteers")),
    )


def _analysis(found: Sequence[Gap], language: Language) -> str:
    if not found:
        return phrase("gap.none", language)
    return phrase("gap.analysis", language, gaps=join_list([each.gap_type for each in found], language))
