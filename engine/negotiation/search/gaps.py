"""Finds what an agreed plan lacks, and decides whether to look for it. The plan stands meanwhile."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.negotiation.answers import Gap, RecursionAnswer, SubDemand, normalized_gap
from engine.negotiation.commands import RecordGaps, RecordRecursion
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import GapsIdentified, RecursionDecided
from engine.negotiation.plan.coverage import uncovered
from engine.negotiation.search import subnets
from engine.negotiation.state import Negotiation, Subnet

GAPS: Final = "gaps"
RECURSE: Final = "recurse"
"""Names and scopes of the questions."""


def identify(draft: NegotiationDraft, command: RecordGaps) -> None:
    """Record the gaps that a model found. A second answer changes nothing."""
    if not _may_seek(draft.state) or draft.state.gaps is not None:
        return
    draft.degrade("gaps", command)
    said = command.analysis
    missing = _missing(draft.state)
    draft.happens(
        GapsIdentified(
            **draft.ids,
            gaps=_each_once([*missing, *_others(said.gaps, missing)]),
            is_complete=said.is_complete and not missing,
            analysis=said.analysis,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )


def decide_recursion(draft: NegotiationDraft, command: RecordRecursion) -> None:
    """Decide whether gaps are looked for. A model weighs three conditions; code demands all three, and one demand a
    gap.
    """
    state = draft.state
    if not _may_seek(state) or state.gaps is None or state.recursion is not None:
        return
    draft.degrade("recurse", command)
    said = command.answer
    holds = said.condition_1_met and said.condition_2_met and said.condition_3_met
    asked = _one_for_each(important_gaps(state), said)[: state.policy.max_subnets] if holds else []
    draft.happens(
        RecursionDecided(
            **draft.ids,
            condition_1_met=said.condition_1_met,
            condition_1_analysis=said.condition_1_analysis,
            condition_2_met=said.condition_2_met,
            condition_2_analysis=said.condition_2_analysis,
            condition_3_met=said.condition_3_met,
            condition_3_analysis=said.condition_3_analysis,
            should_recurse=holds,
            sub_demands=tuple(asked),
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )
    subnets.trigger(draft, asked, command.at)


def important_gaps(state: Negotiation) -> tuple[Gap, ...]:
    gaps = state.gaps.gaps if state.gaps else ()
    return tuple(each for each in gaps if each.importance >= state.policy.gap_importance)


class GapSearch(Struct, frozen=True):
    """A gap, and the search for somebody who fills it."""

    gap: Gap
    matters: bool
    subnet: Subnet | None


def gap_searches(state: Negotiation) -> tuple[GapSearch, ...]:
    by_gap = {each.triggered.gap_type: each for each in state.subnets.values()}
    found = state.gaps.gaps if state.gaps else ()
    mattering = important_gaps(state)
    return tuple(GapSearch(each, each in mattering, by_gap.get(each.gap_type)) for each in found)


def _may_seek(state: Negotiation) -> bool:
    return state.final is not None and state.parent is None


def _missing(state: Negotiation) -> list[Gap]:
    """Return a gap for each need that nobody in the plan covers, whatever a model says of it."""
    final = state.final
    assert final is not None, "there is no plan"  # noqa: S101 - gaps are sought behind one alone
    least = max(0, state.policy.gap_importance - 1)
    return [
        Gap(
            gap_type=each.what,
            importance=100 if each.essential else least,
            suggested_capability_tags=each.tags,
        )
        for each in uncovered(state, final.final_proposal)
    ]


def _others(said: Sequence[Gap], missing: Sequence[Gap]) -> list[Gap]:
    """Return what a model has found besides the needs that are missing, which it may call otherwise."""
    tags = {normalized_gap(tag) for each in missing for tag in each.suggested_capability_tags}
    return [each for each in said if tags.isdisjoint(map(normalized_gap, each.suggested_capability_tags))]


def _each_once(gaps: Sequence[Gap]) -> tuple[Gap, ...]:
    """Sort gaps by importance; of two with the same name, keep the more important one."""
    found: dict[str, Gap] = {}
    for each in sorted(gaps, key=lambda gap: -gap.importance):
        if name := normalized_gap(each.gap_type):
            found.setdefault(name, each)
    return tuple(found.values())


def _one_for_each(gaps: Sequence[Gap], said: RecursionAnswer) -> list[SubDemand]:
    """Return one demand for each important gap, in their order. Other demands are dropped."""
    first = {normalized_gap(each.gap_type): each for each in reversed(said.sub_demands) if each.description.strip()}
    return [
        replace(first[normalized_gap(gap.gap_type)], gap_type=gap.gap_type)
        for gap in gaps
        if normalized_gap(gap.gap_type) in first
    ]
