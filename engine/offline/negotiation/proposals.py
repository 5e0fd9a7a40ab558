"""Prompt 4: lay side by side who brings what; nothing is invented, and what nobody brings stays open."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from engine.errors import InvalidAnswer
from engine.facts.circumstances import When
from engine.facts.language import Language
from engine.facts.places import same_city
from engine.facts.shortening import shorten
from engine.negotiation import answers as shapes
from engine.negotiation.given import EligibleProfile
from engine.offline.model import join_list, phrase
from engine.offline.negotiation.conditions import answer_conditions
from engine.offline.negotiation.limits import work_asked
from engine.offline.negotiation.nearness import closeness
from engine.offline.negotiation.shortlist import SAME_CITY, needs_of, placed
from engine.offline.reading.circumstances import asked_on
from engine.offline.reading.grammar import rule
from engine.offline.reading.script import language_of_tag

LONGEST_ROLE, LONGEST_OBJECTIVE = 80, 300  # characters
OF_MANY: Final = 0.2  # what it weighs against somebody, in closeness, that they cover one need more


def draft_proposal(
    demand: shapes.Understanding,
    offers: Sequence[shapes.OfferMade],
    today: dict[str, str],
    times: Sequence[shapes.TimeGiven] = (),
    people: Callable[[], Sequence[EligibleProfile]] = tuple,
    **_: Any,
) -> shapes.ProposalDraft:
    """Raise `InvalidAnswer` where nobody offers anything; of ``people``, who offer, all may read what is public."""
    language = language_of_tag(demand.language, demand.surface_demand)
    needs = needs_of(demand)
    seats: list[shapes.Assignment] = []
    not_chosen: list[shapes.NotChosen] = []
    conditions: list[shapes.ConditionAnswer] = []
    steps: list[shapes.Milestone] = []
    when = demand.context.when
    if not (when.first and when.exact in ("day", "span")):
        when = When(said=when.said, start=when.start, end=when.end)
    when = next((each.when for each in times if each.fits), when)
    asked = asked_on(today)
    given = _given(demand, offers, {each.agent_id: each for each in people()})
    for each in offers:
        covers = given.get(each.agent_id, ())
        if each.covers and not covers:
            not_chosen.append(shapes.NotChosen(agent_id=each.agent_id, reason=phrase("plan.not_chosen", language)))
            continue
        seat = seat_of(each, covers, demand)
        seats.append(replace(seat, hours=work_asked(demand, asked)[0] if each.hours else 0))
        conditions += answer_conditions(each, demand, when, asked, language, steps, is_own_time=seats[-1].attends)
    if not seats:
        raise InvalidAnswer("Nobody offers anything.")
    return described(
        shapes.ProposalDraft(
            summary="-",
            objective=shorten(demand.surface_demand, LONGEST_OBJECTIVE),
            assignments=tuple(seats),
            when=when,
            timeline=shapes.Timeline(milestones=(*steps, *_due(demand, needs, seats))),
            rationale=phrase("plan.rationale", language),
            not_chosen=tuple(not_chosen),
            conditions=tuple(conditions),
        ),
        demand,
        language,
    )


def _given(
    demand: shapes.Understanding, offers: Sequence[shapes.OfferMade], known: Mapping[str, EligibleProfile]
) -> dict[str, tuple[str, ...]]:
    """Return which needs each person has: each goes to whose words are nearest, and rather to who does one thing."""
    given: dict[str, tuple[str, ...]] = {}
    for need in needs_of(demand):
        fits = []
        for each in (each for each in offers if need.need_id in each.covers):
            who = known.get(each.agent_id)
            near = placed(need, demand, who)[0] if who else closeness(need, each.contribution)
            near -= SAME_CITY * (who is not None and same_city(demand.context.place.city, who.location) is False)
            own = round(closeness(need, each.contribution), 1)  # then to the need alone, else who was asked first
            fits.append((round(near - OF_MANY * len(each.covers), 1), own, each.agent_id))
        many = max(1, need.quantity if need.counts == "people" else 1)
        for *_, agent_id in sorted(fits, key=lambda each: each[:2], reverse=True)[:many]:
            given[agent_id] = (*given.get(agent_id, ()), need.need_id)
    return given


def _due(
    demand: shapes.Understanding, needs: Sequence[shapes.Need], seats: Sequence[shapes.Assignment]
) -> Iterator[shapes.Milestone]:
    """What somebody brings by a day that the demand names."""
    covered = {need_id: each.agent_id for each in seats for need_id in each.covers}
    for each in needs:
        who, day = covered.get(each.need_id), each.deadline or demand.context.deadline
        if who and day:
            yield shapes.Milestone(name=each.what, day=day, date=day, agent_id=who, need_id=each.need_id)


def open_needs(needs: Sequence[shapes.Need], held: Counter[str]) -> set[str]:
    """Return the needs whose number is not met yet: of three photographers, two are missing with one."""
    return {
        each.need_id for each in needs if held[each.need_id] < max(1, each.quantity if each.counts == "people" else 1)
    }


def seat_of(
    offer: shapes.OfferMade | shapes.SubstituteOffer, covers: Sequence[str], demand: shapes.Understanding
) -> shapes.Assignment:
    """Return the seat of somebody: their own words, and the words of the needs that they cover."""
    needs = needs_of(demand)
    covered = [each for each in needs if each.need_id in covers]
    role = ", ".join(each.what for each in covered)
    before = [each for each in covered if each.deadline or rule("asking_before").search(each.what)]
    is_then = bool(covered) and not before and demand.context.when.exact in ("day", "span")
    return shapes.Assignment(
        agent_id=offer.agent_id,
        display_name=offer.display_name,
        role=shorten(role, LONGEST_ROLE),
        responsibility=offer.contribution,
        covers=tuple(each.need_id for each in covered),
        core=any(each.essential for each in covered),
        attends=is_then and bool(demand.context.when.first),
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
    elif not (draft.when.first or demand.context.deadline or any(each.deadline for each in demand.needs)):
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
