"""Prompt 2: choose whom to ask, by what they say of themselves."""

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from engine.facts.language import Language
from engine.facts.places import same_city
from engine.facts.shortening import shorten
from engine.negotiation.answers import Candidate, Need, Shortlist, Understanding
from engine.negotiation.given import EligibleProfile as Colleague
from engine.offline.model import join_list, phrase
from engine.offline.negotiation.limits import unfit_size
from engine.offline.negotiation.nearness import NEAR_BESIDES, Near, is_sure, nearness, needs_subject, share
from engine.offline.reading.grammar import rule
from engine.offline.reading.numbers import heads_in
from engine.offline.reading.script import language_of_tag

MOST_A_NEED: Final = 3
LEADING, LEAD = 0.76, 0.13  # whoever is so near is asked where everybody else is so much farther
ELSE_ALL, CLOSE = 0.74, 0.25  # less near: all that is said counts; so much farther than the first: only a reserve
SAME_CITY, SAME_STREET = 0.2, 0.6
SURELY: Final = 1.0  # from here on what somebody does says, by its tag, who else does it
LONGEST_QUOTE: Final = 120

_Ranked = tuple[float, Near, Colleague]


def choose_people(
    demand: Understanding,
    profiles: Sequence[Colleague],
    max_candidates: int = 10,
    left_out: Callable[[], Sequence[Colleague]] = tuple,
    early: Callable[[], Sequence[Colleague]] | None = None,
    **_: Any,
) -> Shortlist:
    """Return those who are near enough, at most three a need; where nobody is, nobody: the nearest are only shown.

    Of ``left_out``, whom a limit that is data keeps from being asked, only what is public is told.
    """
    language = language_of_tag(demand.language, demand.surface_demand)
    if early is not None or demand.kind != "demand":  # early, no needs are known that people could be matched to
        return Shortlist(analysis=demand.reply, definitely_related=())
    needs, kept = needs_of(demand), {each.agent_id: each for each in left_out()}
    ranked = {each.need_id: _ranked(each, demand, [*profiles, *kept.values()]) for each in needs}
    close = {each.need_id: _close(ranked[each.need_id], demand, each, kept) for each in needs}
    asked_for: dict[str, list[Need]] = {}
    for need in needs:
        for each in close[need.need_id]:
            asked_for.setdefault(each[2].agent_id, []).append(need)
    chosen: dict[str, _Ranked] = {}
    for turn in range(max(map(_how_many, needs))):
        for need in needs:
            found = close[need.need_id]
            if turn < min(_how_many(need), len(found)) and len(chosen) < max_candidates:
                chosen.setdefault(found[turn][2].agent_id, found[turn])
    reserve = {each[2].agent_id: each for found in close.values() for each in found if each[2].agent_id not in chosen}
    rows = [each for found in ranked.values() for each in found if each[0] >= found[0][0] - 2 * CLOSE]
    near = [each for each in rows if is_sure(each[1], demand.language)]
    held = {_why(each, demand, language) for each in near if each[2].on_site and each[2].agent_id in kept} - {""}
    away = [each for each in near if each[2].agent_id not in kept and not each[2].on_site]
    missing = [shorten(each.what, LONGEST_QUOTE) for each in needs if not close[each.need_id]]
    shown = away or [each for each in rows if not held and each[2].agent_id not in kept]
    key = "away" if away else "nobody" if shown else "held"
    told = [*_lines_of_missing(missing, chosen, shown, key, language), *sorted(held)]
    return Shortlist(
        analysis=("" if language == "zh" else " ").join(told),
        definitely_related=tuple(_candidate(asked_for[each[2].agent_id], each, language) for each in chosen.values()),
        possibly_related=tuple(
            _candidate(asked_for[each[2].agent_id], each, language) for each in [*reserve.values()][:max_candidates]
        ),
    )


def needs_of(demand: Understanding) -> tuple[Need, ...]:
    """Return its needs, or one for all of it where none is told."""
    return demand.needs or (Need(need_id="need_1", what=demand.surface_demand),)


def _how_many(need: Need) -> int:
    return max(MOST_A_NEED, need.quantity + 1 if need.counts == "people" else 0)


def _ranked(need: Need, demand: Understanding, profiles: Sequence[Colleague]) -> list[_Ranked]:
    """Return everybody, the nearest first: to the need, or, where nobody is near to it, to all that is said of it."""

    def by(asked: Need) -> list[_Ranked]:
        found = (placed(asked, demand, each) for each in profiles)
        return sorted(found, key=lambda each: (-each[0], each[2].agent_id))

    found = by(need)
    if len(need.phrases) > 1 and found[0][1].score < ELSE_ALL:
        others = by(replace(need, phrases=need.phrases[1:]))
        if is_sure(others[0][1], demand.language) and all(others[0][0] >= each[0] + LEAD for each in others[1:2]):
            return others
    return found


def placed(need: Need, demand: Understanding, profile: Colleague) -> _Ranked:
    """Return how near somebody is to a need, a little nearer where they live, or what they bring is, where it is."""
    near = nearness(need, profile, language_of_tag(demand.language, demand.surface_demand))
    city, where = demand.context.place.city, demand.context.location or ""
    there = SAME_CITY * bool(city and same_city(city, profile.location))
    there += SAME_STREET * share(where, near.words) if where != city else 0
    return near.score + there, near, profile


def _close(ranked: Sequence[_Ranked], demand: Understanding, need: Need, kept: Container[str] = ()) -> list[_Ranked]:
    """Return those who are near, can be there, and are not much farther than the first; too small a number is last.

    Where nobody but those who are left out is near, those who do the same by its tag are.
    """
    first, ranked = ranked[0], [each for each in ranked if each[2].agent_id not in kept]
    there = [each for each in ranked if each[2].on_site]
    is_one = len(ranked) > 1 and need.what != demand.surface_demand  # in a whole demand something is always nearest
    is_one = is_one and ranked[0][1].score >= LEADING and ranked[0][0] >= ranked[1][0] + LEAD
    is_alone = first[2].agent_id in kept and first[0] >= SURELY and not needs_subject(need)
    if is_alone and there and not is_sure(there[0][1], demand.language):
        alike = ((each, each[2].capabilities.get(first[1].tag)) for each in there)
        return [(score, Near(NEAR_BESIDES, words, first[1].tag), who) for (score, _, who), words in alike if words]
    is_near = any(is_sure(near, demand.language) for _, near, _ in there[:MOST_A_NEED])
    if not there or not (is_one or is_near) or there[0][0] < 0.75 * ranked[0][0]:
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
    found = sorted(each.people.at_most for each in heads_in(words) if each.people.at_most > 1)
    others = [each for each in re.findall(r"\d+", words) if found and int(each) > found[-1]]
    return 0 if others or not found else next((each for each in found if each >= heads), found[-1])


def need_told(need: Need, language: Language) -> str:
    """Return how a need is named to whoever is asked for it."""
    return phrase("filter.need", language, what=shorten(need.what, LONGEST_QUOTE))


def _candidate(needs: Sequence[Need], ranked: _Ranked, language: Language) -> Candidate:
    score, near, profile = ranked
    what = "".join(need_told(each, language) for each in needs)
    return Candidate(
        agent_id=profile.agent_id,
        display_name=profile.user_name,
        reason=phrase("filter.reason", language, what=what, words=shorten(near.words, LONGEST_QUOTE)),
        covers=tuple(each.need_id for each in needs),
        match_type="inferred",
        confidence=round(max(0.0, min(0.99, score)), 2),
    )


def _lines_of_missing(
    missing: Sequence[str], chosen: Mapping[str, _Ranked], shown: Sequence[_Ranked], key: str, language: Language
) -> Iterator[str]:
    what = join_list(missing, language)
    if names := [each[2].user_name for each in chosen.values()]:
        yield phrase("filter.asked", language, people=join_list(names, language))
        if missing:
            yield phrase("filter.missing", language, what=what)
    else:
        yield phrase(f"filter.{key}", language, what=what)
        for _, near, who in {each[2].agent_id: each for each in shown[:MOST_A_NEED]}.values():
            yield phrase("filter.line", language, name=who.user_name, words=shorten(near.words, LONGEST_QUOTE))


def _why(ranked: _Ranked, demand: Understanding, language: Language) -> str:
    """Say what of somebody's public words keeps them from being asked, with both data; empty where none does."""
    _, near, profile = ranked
    least = max((each.people.at_least for each in heads_in(near.words) if not each.people.at_most), default=0)
    why = unfit_size(capacity_in(near.words, demand.context.people.at_least), least, demand.context.people, language)
    why = why or (profile.availability if rule("free_not").search(profile.availability) else "")
    return phrase("filter.left_out", language, name=profile.user_name, why=why) if why else ""
