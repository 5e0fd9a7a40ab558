"""Prompt 4: lay side by side who brings what; nothing is invented, and what nobody brings stays open."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from engine.errors import InvalidAnswer
from engine.facts.circumstances import When
from engine.facts.language import Language
from engine.facts.shortening import shorten
from engine.negotiation import answers as shapes
from engine.offline.negotiation.conditions import answer_conditions
from engine.offline.negotiation.nearness import nearest
from engine.offline.negotiation.shortlist import needs_of
from engine.offline.phrasing import join_list, phrase
from engine.offline.reading.circumstances import asked_on
from engine.offline.reading.script import language_of_tag

LONGEST_ROLE, LONGEST_OBJECTIVE = 80, 300  # characters
CLEARLY = 0.2  # who is so much nearer to a need than another is, by what both say that they bring


def draft_proposal(
    demand: shapes.Understanding, offers: Sequence[shapes.OfferMade], today: dict[str, str], **_: Any
) -> shapes.ProposalDraft:
    """Raise `InvalidAnswer` where nobody offers anything."""
    language = language_of_tag(demand.language, demand.surface_demand)
    needs, when, reason = needs_of(demand), time_of(demand), phrase("plan.not_chosen", language)
    chosen = _chosen(needs, offers)
    seats: list[shapes.Assignment] = []
    left_out = [each.agent_id for each in offers if each.covers and each.agent_id not in chosen]
    conditions: list[shapes.ConditionAnswer] = []
    for each in sorted(offers, key=lambda each: (not each.covers, len(each.covers))):
        if each.agent_id in left_out:
            continue
        seats.append(seat_of(each.agent_id, each.display_name, each.contribution, chosen[each.agent_id], demand))
        conditions += answer_conditions(
            each.agent_id, each.conditions, demand, when, asked_on(today), language, is_own_time=seats[-1].attends
        )
    if not seats:
        raise InvalidAnswer("Nobody offers anything.")
    return described(
        shapes.ProposalDraft(
            summary="-",
            objective=shorten(demand.surface_demand, LONGEST_OBJECTIVE),
            assignments=tuple(seats),
            when=when,
            timeline=shapes.Timeline(milestones=tuple(_due(demand, needs, seats))),
            rationale=phrase("plan.rationale", language),
            not_chosen=tuple(shapes.NotChosen(agent_id=each, reason=reason) for each in left_out),
            conditions=tuple(conditions),
        ),
        demand,
        language,
    )


def _chosen(needs: Sequence[shapes.Need], offers: Sequence[shapes.OfferMade]) -> defaultdict[str, list[str]]:
    """Return the needs of each: one goes to who covers the fewest; of these not to who is clearly farther from it."""
    chosen = defaultdict[str, list[str]](list)
    for need in needs:
        able = [each for each in offers if need.need_id in each.covers]
        near = {each.agent_id: nearest(need, each.contribution) for each in able}
        far = {each for each, how in near.items() if how < max(near.values()) - CLEARLY}
        able.sort(key=lambda each: (len(each.covers), each.agent_id in far))
        for each in able[: _wanted(need)]:
            chosen[each.agent_id].append(need.need_id)
    return chosen


def _wanted(need: shapes.Need) -> int:
    return max(1, need.quantity if need.counts == "people" else 1)


def _due(
    demand: shapes.Understanding, needs: Sequence[shapes.Need], seats: Sequence[shapes.Assignment]
) -> Iterator[shapes.Milestone]:
    """What somebody brings by a day that the demand names."""
    covered = {need_id: each.agent_id for each in seats for need_id in each.covers}
    for each in needs:
        if each.need_id in covered and (day := each.deadline or demand.context.deadline):
            who = covered[each.need_id]
            yield shapes.Milestone(name=each.what, day=day, date=day, agent_id=who, need_id=each.need_id)


def time_of(demand: shapes.Understanding) -> When:
    """Return the time of a plan: the demand's own, or none."""
    when = demand.context.when
    return (
        when if when.first and when.exact in ("day", "span") else When(said=when.said, start=when.start, end=when.end)
    )


def open_needs(needs: Sequence[shapes.Need], held: Counter[str]) -> set[str]:
    """Return the needs whose number is not met yet: of three photographers, two are missing with one."""
    return {each.need_id for each in needs if held[each.need_id] < _wanted(each)}


def seat_of(
    agent_id: str, name: str, contribution: str, covers: Sequence[str], demand: shapes.Understanding
) -> shapes.Assignment:
    """Return the seat of somebody: their own words, and the words of the needs that they cover."""
    needs = needs_of(demand)
    covered = [each for each in needs if each.need_id in covers]
    role = ", ".join(each.what for each in covered)
    is_all = len(needs) == 1 and bool(covered) and demand.context.when.exact in ("day", "span")
    return shapes.Assignment(
        agent_id=agent_id,
        display_name=name,
        role=shorten(role, LONGEST_ROLE),
        responsibility=contribution,
        covers=tuple(each.need_id for each in covered),
        core=any(each.essential for each in covered),
        attends=is_all and bool(demand.context.when.first),
    )


def described(draft: shapes.ProposalDraft, demand: shapes.Understanding, language: Language) -> shapes.ProposalDraft:
    """Return a draft with what is said of all of it: who brings what, when it is, and what is open."""
    held = Counter(need_id for each in draft.assignments for need_id in each.covers)
    missing = [each for each in needs_of(demand) if each.need_id in open_needs(needs_of(demand), held)]
    said = [
        phrase("plan.brings", language, name=each.display_name, what=each.responsibility) for each in draft.assignments
    ]
    if draft.when.said:
        said.append(phrase("plan.when", language, when=draft.when.said))
    elif not (draft.when.first or demand.context.deadline):
        said.append(phrase("plan.no_time", language))
    gaps = tuple(each.what for each in missing)
    if gaps:
        said.append(phrase("plan.open", language, what=join_list(gaps, language)))
    aside = demand.deep_understanding.likely_preferences
    is_whole = not any(each.essential for each in missing) and bool(draft.when.first)
    return replace(
        draft,
        summary=("" if language == "zh" else " ").join(said),
        gaps=gaps,
        risks=tuple(phrase("plan.not_checked", language, what=each) for each in aside),
        confidence="medium" if is_whole else "low",
    )
