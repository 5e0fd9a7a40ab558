"""Prompts 7 to 9: what a plan lacks, whether to look for it, and what is left where there was no agreement."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from engine.facts.shortening import shorten
from engine.negotiation import answers as shapes
from engine.offline.model import join_list, phrase
from engine.offline.negotiation.proposals import open_needs, seat_of
from engine.offline.negotiation.shortlist import needs_of
from engine.offline.reading.script import language_of_tag

ESSENTIAL, OPTIONAL = 80, 40  # of 100: how much it matters that a need is not covered; above 59 it is looked for
LONGEST: Final = 120  # characters of what somebody said


def find_gaps(demand: shapes.Understanding, proposal: shapes.ProposalDraft, **_: Any) -> shapes.GapAnalysis:
    """Only what was asked for and nobody covers is missing; whether anything else is, rules cannot tell."""
    language = language_of_tag(demand.language, demand.surface_demand)
    held = Counter(need_id for each in proposal.assignments for need_id in each.covers)
    gaps = tuple(
        shapes.Gap(
            gap_type=each.what,
            importance=ESSENTIAL if each.essential else OPTIONAL,
            reason=phrase("gap.reason", language),
            suggested_capability_tags=each.phrases[:1],
        )
        for each in needs_of(demand)
        if each.need_id in open_needs((each,), held)
    )
    analysis = phrase("gap.some" if gaps else "gap.none", language)
    return shapes.GapAnalysis(is_complete=not gaps, analysis=analysis, gaps=gaps)


def judge_recursion(demand: shapes.Understanding, gaps: Sequence[shapes.Gap], **_: Any) -> shapes.RecursionAnswer:
    """Look once more for each essential need that is open: it costs nothing, and asks only who is near."""
    language = language_of_tag(demand.language, demand.surface_demand)
    wanted = [each for each in gaps if each.importance >= ESSENTIAL]
    where = [each for each in (demand.context.date, demand.context.location) if each]
    return shapes.RecursionAnswer(
        should_recurse=bool(wanted),
        condition_1_met=bool(wanted),
        condition_1_analysis=phrase("gap.some" if wanted else "gap.none", language),
        condition_2_met=bool(wanted),
        condition_3_met=bool(wanted),
        sub_demands=tuple(
            shapes.SubDemand(
                gap_type=each.gap_type,
                description=", ".join((each.gap_type, *where)),
                capability_tags=each.suggested_capability_tags,
                priority="high",
            )
            for each in wanted
        ),
    )


def propose_compromise(
    demand: shapes.Understanding,
    failure: shapes.FailureFacts,
    available_resources: Sequence[shapes.OfferMade] = (),
    gaps: Sequence[str] = (),
    **_: Any,
) -> shapes.Compromise:
    """Say who still offers what, and what is open; no alternative is thought out."""
    language = language_of_tag(demand.language, demand.surface_demand)
    offers = [each for each in available_resources if each.decision is not shapes.OfferDecision.DECLINE]
    names = join_list([each.display_name for each in offers], language)
    key = "compromise.some" if offers else "compromise.nobody" if failure.asked else "compromise.unfound"
    return shapes.Compromise(
        summary=phrase(key, language, names=names),
        facts=tuple(
            phrase("plan.brings", language, name=each.display_name, what=shorten(each.contribution, LONGEST))
            for each in offers
            if each.contribution
        ),
        assignments=tuple(seat_of(each, each.covers, demand) for each in offers),
        unresolved=tuple(gaps),
        suggestions=(phrase("compromise.next", language),),
        confidence="low",
    )
