"""Prompt 6: take up what is data and fits; leave every other wish to whoever asked."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from engine.errors import InvalidAnswer
from engine.facts.circumstances import When
from engine.facts.language import Language
from engine.facts.shortening import shorten
from engine.negotiation import answers as shapes
from engine.offline.model import join_list, phrase
from engine.offline.negotiation.conditions import Ruling, answer_conditions, ruling
from engine.offline.negotiation.proposals import described, open_needs, seat_of
from engine.offline.negotiation.shortlist import needs_of
from engine.offline.reading.circumstances import asked_on
from engine.offline.reading.script import language_of_tag


def revise_proposal(
    demand: shapes.Understanding,
    proposal: shapes.ProposalDraft,
    feedbacks: Sequence[shapes.VoteMade],
    today: dict[str, str],
    requester_requests: Sequence[shapes.RequestAddressed] = (),
    granted: Sequence[shapes.RequestAddressed] = (),
    withdrawn: Sequence[str] = (),
    substitutes: Sequence[shapes.SubstituteOffer] = (),
    times: Sequence[shapes.TimeGiven] = (),
    round: int = 2,  # noqa: A002 - the prompt's own name for it
    **_: Any,
) -> shapes.ProposalDraft:
    """Raise `InvalidAnswer` where everybody has left."""
    language = language_of_tag(demand.language, demand.surface_demand)
    asked = asked_on(today)
    left = {each.agent_id for each in feedbacks if each.feedback_type.kind.leaves}
    changes: list[shapes.Change] = []
    seats, conditions = _seats(demand, proposal, left, withdrawn, substitutes, changes, language)
    if not seats:
        raise InvalidAnswer("Nobody is left in this proposal.")
    staying = {each.agent_id for each in seats}
    wishes = [(each.agent_id, each.request, True) for each in requester_requests]
    stay = [each for each in feedbacks if each.adjustment_request.strip() and each.agent_id in staying]
    wishes += [(each.agent_id, each.adjustment_request, False) for each in stay]
    addressed: list[shapes.RequestAddressed] = []
    declined: list[shapes.RequestDeclined] = []
    when = proposal.when
    for agent_id, request, by_requester in wishes:
        chosen = next((Ruling(True, "when", each.when) for each in times if each.words == request), None)
        decided = chosen or ruling(request, demand, when, asked, by_requester=by_requester)
        if not decided.is_met:
            reason = phrase("open", language)
            declined.append(shapes.RequestDeclined(agent_id=agent_id, request=request, reason=reason))
            continue
        addressed.append(shapes.RequestAddressed(agent_id=agent_id, request=request, where=decided.where))
        if decided.when is not None:
            moved = {"aspect": phrase("change.when", language), "before": _said(when), "after": _said(decided.when)}
            by, reason = "" if by_requester else agent_id, phrase("change.asked", language)
            changes.append(shapes.Change(agent_id=by, reason=reason, **moved))
            when = decided.when
    steps = [*proposal.timeline.milestones]
    for each in substitutes:
        conditions += answer_conditions(each, demand, when, asked, language, steps, is_own_time=False)
    draft = replace(
        proposal,
        assignments=tuple(seats),
        when=when,
        conditions=tuple(conditions),
        timeline=replace(proposal.timeline, milestones=tuple(steps)),
        not_chosen=(),
        adjustment_summary=shapes.AdjustmentSummary(
            round=round,
            changes_made=tuple(changes),
            requests_addressed=tuple(addressed),
            requests_declined=tuple(declined),
        ),
    )
    return described(draft, demand, language)


def _said(when: When) -> str:
    days = " – ".join(dict.fromkeys(filter(None, (when.first, when.last))))
    hours = " – ".join(filter(None, (when.start, when.end)))
    return ", ".join(filter(None, (days, hours)))


def _seats(
    demand: shapes.Understanding,
    proposal: shapes.ProposalDraft,
    left: set[str],
    withdrawn: Sequence[str],
    substitutes: Sequence[shapes.SubstituteOffer],
    changes: list[shapes.Change],
    language: Language,
) -> tuple[list[shapes.Assignment], list[shapes.ConditionAnswer]]:
    """Return who sits there now, and the answers to their conditions."""
    had: dict[str, shapes.Assignment] = {}
    taken = {each.replaces: each for each in substitutes}
    for each in proposal.assignments:
        if each.agent_id not in left and each.display_name not in withdrawn:
            had[each.agent_id] = shapes.Assignment(**shapes.Assignment.fields_of(each))
            continue
        by = taken.get(each.display_name)
        after = phrase("change.taken", language, name=by.display_name) if by else phrase("change.gap", language)
        aspect = phrase("change.left", language, name=each.display_name)
        changes.append(shapes.Change(aspect=aspect, before=each.responsibility, after=after))
    for new in substitutes:
        seat = seat_of(new, new.covers, demand)
        had[new.agent_id] = replace(seat, responsibility=had.get(new.agent_id, seat).responsibility)
    kept = [
        shapes.ConditionAnswer(**shapes.ConditionAnswer.fields_of(each))
        for each in proposal.conditions
        if each.agent_id in had
    ]
    return list(had.values()), kept


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
