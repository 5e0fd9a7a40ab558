"""Prompt 7: what a plan lacks, by what was asked for and what its people do."""

from collections.abc import Sequence
from typing import Final

from engine.lexicon.language import Language
from engine.lexicon.mentions import topics_in
from engine.lexicon.topics import topic
from engine.llm.offline.negotiation.needs import Needs, needs_of
from engine.llm.offline.negotiation.phrasing import listed, say
from engine.negotiation.answers import Gap, GapAnalysis, ProposalDraft, Understanding, VoteMade

ASKED_FOR: Final = 80
TOO_FEW: Final = 70
IMPLIED: Final = 50
"""Importances: of what was asked for by name, of hands, and of what such an undertaking takes anyway."""

GUESTS_PER_PERSON: Final = 20
ENOUGH: Final = 3
"""People, for any event that we know of."""


def identify(demand: Understanding, proposal: ProposalDraft, feedbacks: Sequence[VoteMade] = ()) -> GapAnalysis:
    needs = needs_of(demand)
    done = {key for seat in proposal.assignments for key in topics_in(f"{seat.role}\n{seat.responsibility}")}
    found = [_missing(key, needs) for key in needs.topics if key not in done]
    seats = len(proposal.assignments)
    if _are_too_few(needs, seats, demand.context.expected_attendees):
        found.append(_hands(needs, seats, demand.context.expected_attendees or 0))
    found.sort(key=lambda gap: -gap.importance)
    is_complete = not any(gap.importance >= TOO_FEW for gap in found)
    return GapAnalysis(is_complete=is_complete, analysis=_analysis(found, needs.language), gaps=tuple(found))


def _missing(key: str, needs: Needs) -> Gap:
    name, tag = topic(key).role.said_in(needs.language), topic(key).tag.said_in(needs.language)
    asked = key in needs.explicit
    reason = say("gap.asked" if asked else "gap.implied", needs.language, tag=tag)
    importance = ASKED_FOR if asked else IMPLIED
    return Gap(gap_type=name, importance=importance, reason=reason, suggested_capability_tags=(tag,))


def _are_too_few(needs: Needs, seats: int, attendees: int | None) -> bool:
    return needs.kind == "event" and seats < ENOUGH and seats * GUESTS_PER_PERSON <= (attendees or 0)


def _hands(needs: Needs, seats: int, attendees: int) -> Gap:
    language = needs.language
    return Gap(
        gap_type=say("gap.hands", language),
        importance=TOO_FEW,
        reason=say("gap.hands.reason", language, seats=seats, attendees=attendees),
        suggested_capability_tags=tuple(topic(key).tag.said_in(language) for key in ("planning", "volunteers")),
    )


def _analysis(found: Sequence[Gap], language: Language) -> str:
    if not found:
        return say("gap.none", language)
    return say("gap.analysis", language, gaps=listed([each.gap_type for each in found], language))
