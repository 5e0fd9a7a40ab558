"""Prompt 2: choose whom to ask, by what they say of themselves."""

import re
from collections.abc import Sequence
from typing import Any, Final

from engine.facts.language import Language
from engine.facts.places import same_city
from engine.facts.shortening import shorten
from engine.negotiation.answers import Candidate, Need, Shortlist, Understanding
from engine.negotiation.given import EligibleProfile as Colleague
from engine.offline.negotiation.nearness import Near, is_sure, nearness
from engine.offline.phrasing import join_list, phrase
from engine.offline.reading.numbers import heads_in
from engine.offline.reading.script import language_of_tag

MOST_A_NEED: Final = 3
LEADING, LEAD = 0.76, 0.15  # whoever is so near is asked where everybody else is so much farther
CLOSE: Final = 0.25  # who is so much farther than the nearest is asked only when somebody drops out
SAME_CITY: Final = 0.1
LONGEST_QUOTE: Final = 120
_NUMBER: Final = re.compile(r"\d+")

_Ranked = tuple[float, Near, Colleague]


def choose_people(
    demand: Understanding, profiles: Sequence[Colleague], max_candidates: int = 10, **_: Any
) -> Shortlist:
    """Return those who are near enough, at most three a need; where nobody is, nobody: the nearest are only told."""
    language = language_of_tag(demand.language, demand.surface_demand)
    if demand.kind != "demand":
        return Shortlist(analysis=demand.reply, definitely_related=())
    needs = needs_of(demand)
    ranked = {each.need_id: _ranked(each, demand, profiles, language) for each in needs}
    close = {each.need_id: _close(ranked[each.need_id], demand, each) for each in needs}
    chosen: dict[str, tuple[Need, _Ranked]] = {}
    for turn in range(max(map(_how_many, needs))):
        for need in needs:
            found = close[need.need_id]
            if turn < min(_how_many(need), len(found)) and len(chosen) < max_candidates:
                chosen.setdefault(found[turn][2].agent_id, (need, found[turn]))
    reserve = {each[2].agent_id: (need, each) for need in reversed(needs) for each in reversed(close[need.need_id])}
    reserve = {agent_id: each for agent_id, each in reserve.items() if agent_id not in chosen}
    nearest = [] if chosen else [each for need in needs for each in ranked[need.need_id][:MOST_A_NEED]]
    away = [each for need in needs for each in ranked[need.need_id] if is_sure(each[1], "") and not each[2].on_site]
    return Shortlist(
        analysis=_analysis(demand, chosen, [] if chosen else away, nearest, language),
        definitely_related=tuple(_candidate(*each, language) for each in chosen.values()),
        possibly_related=tuple(_candidate(*each, language) for each in [*reserve.values()][:max_candidates]),
    )


def needs_of(demand: Understanding) -> tuple[Need, ...]:
    """Return its needs, or one for all of it where none is told."""
    return demand.needs or (Need(need_id="need_1", what=demand.surface_demand),)


def _how_many(need: Need) -> int:
    return max(MOST_A_NEED, need.quantity + 1 if need.counts == "people" else 0)


def _ranked(need: Need, demand: Understanding, profiles: Sequence[Colleague], language: Language) -> list[_Ranked]:
    found, city = [], demand.context.place.city
    for each in profiles:
        near = nearness(need, each, language)
        found.append((near.score + SAME_CITY * bool(city and same_city(city, each.location)), near, each))
    return sorted(found, key=lambda each: (-each[0], each[2].agent_id))


def _close(ranked: Sequence[_Ranked], demand: Understanding, need: Need) -> list[_Ranked]:
    """Return those who are near, can be there, and are not much farther than the first; too small a number is last."""
    there = [each for each in ranked if each[2].on_site]
    is_one = len(ranked) > 1 and need.what != demand.surface_demand  # in a whole demand something is always nearest
    is_one = is_one and ranked[0][0] >= max(LEADING, ranked[1][0] + LEAD)
    if not there or not (is_one or is_sure(there[0][1], demand.language)) or there[0][0] < 0.75 * ranked[0][0]:
        return []  # whoever is nearer cannot be there, and nobody is asked in their stead who is so much farther
    sure = [each for each in there if is_sure(each[1], demand.language, is_first=False)]
    close = [each for each in sure if each[0] >= sure[0][0] - CLOSE]
    return sorted(close, key=lambda each: is_too_small(each[1].words, demand))


def is_too_small(words: str, demand: Understanding) -> bool:
    """Whether what somebody says of it is for fewer people than will come."""
    heads = demand.context.people.at_least
    capacity = capacity_in(words, heads)
    return bool(0 < capacity < heads)


def capacity_in(words: str, heads: int = 0) -> int:
    """Return for how many it is, by its own words: of several numbers one that is enough, or the most; 0 where none."""
    found = sorted(each.people.at_most for each in heads_in(words) if each.people.at_most)
    others = [each for each in _NUMBER.findall(words) if found and int(each) > found[-1]]
    return 0 if others or not found else next((each for each in found if each >= heads), found[-1])


def _candidate(need: Need, ranked: _Ranked, language: Language) -> Candidate:
    score, near, profile = ranked
    words = shorten(near.words, LONGEST_QUOTE)
    return Candidate(
        agent_id=profile.agent_id,
        display_name=profile.user_name,
        reason=phrase("filter.reason", language, what=shorten(need.what, LONGEST_QUOTE), words=words),
        match_type="inferred",
        confidence=round(max(0.0, min(0.99, score)), 2),
    )


def _analysis(
    demand: Understanding,
    chosen: dict[str, tuple[Need, _Ranked]],
    away: Sequence[_Ranked],
    nearest: Sequence[_Ranked],
    language: Language,
) -> str:
    found = {need.need_id for need, _ in chosen.values()}
    missing = [shorten(each.what, LONGEST_QUOTE) for each in needs_of(demand) if each.need_id not in found]
    said = []
    if chosen:
        names = [ranked[2].user_name for _, ranked in chosen.values()]
        said.append(phrase("filter.asked", language, people=join_list(names, language)))
        if missing:
            said.append(phrase("filter.missing", language, what=join_list(missing, language)))
    else:
        what = join_list(missing, language)
        said.append(phrase("filter.away" if away else "filter.nobody", language, what=what))
        for _, near, profile in {each[2].agent_id: each for each in (away or nearest)[:MOST_A_NEED]}.values():
            words = shorten(near.words, LONGEST_QUOTE)
            said.append(phrase("filter.nearest", language, name=profile.user_name, words=words))
    return ("" if language == "zh" else " ").join(said)
