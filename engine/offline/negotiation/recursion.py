"""Prompt 8: judge whether a gap is worth a negotiation of its own, and what it asks for."""

from collections.abc import Sequence
from typing import Final

from engine.facts.language import Language
from engine.lexicon.mentions import topics_in, topics_of
from engine.negotiation.answers import (
    EstimatedCost,
    Gap,
    ProposalDraft,
    RecursionAnswer,
    SubDemand,
    Understanding,
)
from engine.negotiation.reading import Today
from engine.offline.negotiation.gaps import NAMED_IMPORTANCE, TOO_FEW_IMPORTANCE
from engine.offline.negotiation.needs import needs_of
from engine.offline.negotiation.phrasing import join_list, phrase
from engine.offline.negotiation.proposals import short_title

MOST_TOKENS: Final = 20_000
"""Tokens that filling the gaps of one plan may cost."""


def judge_recursion(
    demand: Understanding,
    gaps: Sequence[Gap],
    proposal: ProposalDraft,
    estimated_cost: EstimatedCost,
    today: Today | None = None,
) -> RecursionAnswer:
    language = needs_of(demand).language
    missed = any(each.importance >= TOO_FEW_IMPORTANCE for each in gaps)
    others = any(not _is_covered(proposal, each) for each in gaps)
    worth = 0 < estimated_cost.tokens <= MOST_TOKENS
    names = join_list([each.gap_type for each in gaps], language)
    holds = missed and others and worth
    return RecursionAnswer(
        should_recurse=holds,
        condition_1_met=missed,
        condition_1_analysis=_analysis("satisfaction", missed, language, names),
        condition_2_met=others,
        condition_2_analysis=_analysis("stakeholders", others, language, names),
        condition_3_met=worth,
        condition_3_analysis=_analysis("cost", worth, language, names),
        sub_demands=tuple(
            _sub_demand(each, demand, language) for each in gaps if holds and not _is_covered(proposal, each)
        ),
    )


def _is_covered(proposal: ProposalDraft, gap: Gap) -> bool:
    """Whether the plan's people cover the gap already; nobody covers a lack of people."""
    if gap.importance < NAMED_IMPORTANCE:
        return False
    done = {key for seat in proposal.assignments for key in topics_in(f"{seat.role}\n{seat.responsibility}")}
    wanted = topics_of(gap.suggested_capability_tags)
    return bool(wanted) and done.issuperset(wanted)


def _sub_demand(gap: Gap, demand: Understanding, language: Language) -> SubDemand:
    return SubDemand(
        gap_type=gap.gap_type,
        description=phrase("recurse.demand", language, gap=gap.gap_type, demand=short_title(demand)),
        capability_tags=gap.suggested_capability_tags,
        priority="high" if gap.importance >= NAMED_IMPORTANCE else "medium",
    )


def _analysis(condition: str, holds: bool, language: Language, gaps: str) -> str:
    return phrase(f"recurse.{condition}.{'yes' if holds else 'no'}", language, gaps=gaps)
