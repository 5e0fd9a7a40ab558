"""Prompt 8: whether a gap is worth a negotiation of its own, and what is asked in it."""

from collections.abc import Sequence
from typing import Final

from engine.lexicon.language import Language
from engine.lexicon.mentions import topics_in, topics_of
from engine.llm.offline.negotiation.gaps import ASKED_FOR, TOO_FEW
from engine.llm.offline.negotiation.needs import needs_of
from engine.llm.offline.negotiation.phrasing import listed, say
from engine.llm.offline.negotiation.proposals import title
from engine.negotiation.answers import (
    EstimatedCost,
    Gap,
    ProposalDraft,
    RecursionAnswer,
    SubDemand,
    Understanding,
)

MOST_TOKENS: Final = 20_000
"""What filling the gaps of one plan is worth."""


def weigh(
    demand: Understanding, gaps: Sequence[Gap], proposal: ProposalDraft, estimated_cost: EstimatedCost
) -> RecursionAnswer:
    language = needs_of(demand).language
    missed = any(each.importance >= TOO_FEW for each in gaps)
    others = any(not _has(proposal, each) for each in gaps)
    worth = 0 < estimated_cost.tokens <= MOST_TOKENS
    names = listed([each.gap_type for each in gaps], language)
    holds = missed and others and worth
    return RecursionAnswer(
        should_recurse=holds,
        condition_1_met=missed,
        condition_1_analysis=_said("satisfaction", missed, language, names),
        condition_2_met=others,
        condition_2_analysis=_said("stakeholders", others, language, names),
        condition_3_met=worth,
        condition_3_analysis=_said("cost", worth, language, names),
        sub_demands=tuple(_asked(each, demand, language) for each in gaps if holds and not _has(proposal, each)),
    )


def _has(proposal: ProposalDraft, gap: Gap) -> bool:
    """Whether the plan's people do it already; of hands there are never enough."""
    if gap.importance < ASKED_FOR:
        return False
    done = {key for seat in proposal.assignments for key in topics_in(f"{seat.role}\n{seat.responsibility}")}
    wanted = topics_of(gap.suggested_capability_tags)
    return bool(wanted) and done.issuperset(wanted)


def _asked(gap: Gap, demand: Understanding, language: Language) -> SubDemand:
    return SubDemand(
        gap_type=gap.gap_type,
        description=say("recurse.demand", language, gap=gap.gap_type, demand=title(demand)),
        capability_tags=gap.suggested_capability_tags,
        priority="high" if gap.importance >= ASKED_FOR else "medium",
    )


def _said(condition: str, holds: bool, language: Language, gaps: str) -> str:
    return say(f"recurse.{condition}.{'yes' if holds else 'no'}", language, gaps=gaps)
