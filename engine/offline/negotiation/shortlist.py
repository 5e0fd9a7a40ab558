"""Prompt 2: choose whom to ask. Each needed ability gets its best person before any ability gets a second one."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from engine.facts.language import Language
from engine.facts.shortening import shorten
from engine.lexicon.carrying import how_carried, nearness
from engine.lexicon.matching import Match, rank_profiles
from engine.lexicon.reading.places import place_in
from engine.lexicon.topics import lexicon, topic
from engine.negotiation.answers import Candidate, Shortlist, Understanding
from engine.negotiation.given import EligibleProfile as Colleague
from engine.offline.negotiation.abilities import abilities, own_description, shared_interests, useful_abilities
from engine.offline.negotiation.needs import Needs, needs_beyond_topics, needs_of
from engine.offline.negotiation.phrasing import join_list, phrase

PER_NAMED_ABILITY, PER_IMPLIED_ABILITY = 3, 2
LONGEST_QUOTE = 80
MOST_OFFERED = 12
"""Abilities that whoever finds nobody is told of; those come first that most people have."""


def choose_people(demand: Understanding, profiles: Sequence[Colleague], max_candidates: int) -> Shortlist:
    needs = needs_of(demand)
    profiles = profiles if demand.context.location else _in_one_place(profiles, needs)
    ranked = rank_profiles(demand.search_terms, profiles, len(profiles))
    free = [each for each in profiles if _can_do_any(each, _useful(each, needs))]
    unbound = {each.agent_id for each in free}
    reachable = [match for match in ranked if match.profile.agent_id in unbound]
    chosen = _cover_needs(demand, needs, reachable, max_candidates)
    named = {profile.agent_id for profile, _ in chosen}
    chosen += [
        (profile, each) for profile, each in _people_for_things(demand, needs, free) if profile.agent_id not in named
    ][: max_candidates - len(chosen)]
    if not chosen and not needs.topics:  # something the topics do not know: whoever says the same words
        matching = [match.profile for match in reachable if match.matched]
        keen = [profile for profile in free if shared_interests(profile, demand.surface_demand)]
        chosen = [(profile, "") for profile in (matching or keen)[:max_candidates]]
    taken = {profile.agent_id for profile, _ in chosen}
    extra = [match.profile for match in reachable if match.profile.agent_id not in taken]
    extra += _welcome_people(needs, free, demand, taken | {profile.agent_id for profile in extra})
    reserve = [(profile, key) for profile in extra if (key := _reachable(profile, needs, demand))]
    return Shortlist(
        analysis=_analysis(demand, needs, [profile for profile, _ in chosen])
        if chosen
        else _why_nobody(demand, profiles, needs.language),
        definitely_related=tuple(_candidate(profile, key, needs, 0.9) for profile, key in chosen),
        possibly_related=tuple(_candidate(profile, key, needs, 0.5) for profile, key in reserve[:max_candidates]),
    )


def _in_one_place(profiles: Sequence[Colleague], needs: Needs) -> Sequence[Colleague]:
    """Where no place is named, the people of the place that has most of what takes being there can be there.

    A room in one city and a photographer in another are no event.
    """
    on_site = [key for key in needs.topics if topic(key).on_site]
    able: dict[str, set[str]] = {}
    for each in profiles:
        if each.on_site:
            able.setdefault(_place(each), set()).update(key for key in abilities(each) if key in on_site)
    if not on_site or not any(able.values()):
        return profiles
    people = Counter(_place(each) for each in profiles)
    best = max(able, key=lambda place: (len(able[place] & needs.essential), len(able[place]), people[place], place))
    return [replace(each, on_site=each.on_site and _place(each) == best) for each in profiles]


def _place(profile: Colleague) -> str:
    place = place_in(profile.location)
    return place.said_in("en") if place else profile.location.strip().lower()


def _can_do_any(profile: Colleague, keys: Sequence[str]) -> bool:
    """Whether they can use at least one of these abilities where the demand is."""
    return profile.on_site or any(not topic(key).on_site for key in keys)


def _useful(profile: Colleague, needs: Needs) -> tuple[str, ...]:
    return useful_abilities(profile, needs) or abilities(profile)


def _people_for_things(
    demand: Understanding, needs: Needs, profiles: Sequence[Colleague]
) -> list[tuple[Colleague, str]]:
    """The people for what no topic knows: whose profiles say it, else whose abilities are near it in meaning."""
    found: dict[str, tuple[Colleague, str]] = {}
    for each in needs_beyond_topics(demand):
        wanted = each.tags or (each.what,)
        able = [profile for profile in profiles if how_carried(profile, wanted) is not None]
        able.sort(key=lambda profile: (-nearness(profile, wanted), profile.agent_id))
        for profile in able[:PER_NAMED_ABILITY]:
            found.setdefault(profile.agent_id, (profile, each.what))
    return list(found.values())


def _reachable(profile: Colleague, needs: Needs, demand: Understanding) -> str | None:
    """The best ability to ask them for that they can use where the demand is."""
    wanted = (*useful_abilities(profile, needs), *(key for key in abilities(profile) if key in needs.welcome))
    return next((key for key in wanted if _can_do_any(profile, (key,))), None)


def _cover_needs(
    demand: Understanding, needs: Needs, ranked: Sequence[Match[Colleague]], most: int
) -> list[tuple[Colleague, str]]:
    """The people to ask, each with the ability that they are asked for."""
    chosen: dict[str, tuple[Colleague, str]] = {}
    queues = {key: _ranked_for(demand, needs, ranked, key) for key in needs.topics}
    for turn in range(PER_NAMED_ABILITY):
        for key, queue in queues.items():
            if turn >= PER_IMPLIED_ABILITY and key not in needs.explicit:
                continue
            following = next((profile for profile in queue if profile.agent_id not in chosen), None)
            if following is not None and len(chosen) < most:
                chosen[following.agent_id] = (following, key)
    return list(chosen.values())


def _ranked_for(demand: Understanding, needs: Needs, ranked: Sequence[Match[Colleague]], key: str) -> list[Colleague]:
    """The people who can do it where the demand is, the most suitable first."""

    def suitability(match: Match[Colleague]) -> tuple[bool, int, float, str]:
        able = abilities(match.profile)
        return (not needs.themes.intersection(able), able.index(key), -match.score, match.profile.agent_id)

    able = [
        match
        for match in ranked
        if key in useful_abilities(match.profile, needs) and _can_do_any(match.profile, (key,))
    ]
    return [match.profile for match in sorted(able, key=suitability)]


def _welcome_people(
    needs: Needs, profiles: Sequence[Colleague], demand: Understanding, taken: set[str]
) -> list[Colleague]:
    """One person for each welcome ability that nobody covers yet."""
    found: list[Colleague] = []
    covered = {key for profile in profiles if profile.agent_id in taken for key in abilities(profile)}
    for key in needs.welcome:
        able = [each for each in profiles if key in abilities(each) and _can_do_any(each, (key,))]
        if able and key not in covered:
            found.append(min(able, key=lambda each: (abilities(each).index(key), each.agent_id)))
            covered.update(abilities(found[-1]))
    return found


def _candidate(profile: Colleague, key: str, needs: Needs, confidence: float) -> Candidate:
    is_topic = key in lexicon().topics
    words = own_description(profile, key, needs.language) if is_topic else ""
    tag = topic(key).tag.said_in(needs.language) if is_topic else key or join_list(profile.tags[:2], needs.language)
    how: Literal["explicit", "inferred"] = "explicit" if words else "inferred"
    return Candidate(
        agent_id=profile.agent_id,
        display_name=profile.user_name,
        reason=phrase(f"filter.{how}", needs.language, profile.agent_id, tag=tag, words=shorten(words, LONGEST_QUOTE)),
        match_type=how,
        confidence=confidence if key in needs.essential else confidence - 0.15,
    )


def _why_nobody(demand: Understanding, profiles: Sequence[Colleague], language: Language) -> str:
    """What nobody's profile fits, and what people here can do instead: it may be what was meant, in other words."""
    wanted = join_list(demand.capability_tags or [each.what for each in demand.needs], language)
    wanted = shorten(wanted or demand.surface_demand, LONGEST_QUOTE)
    said = [phrase("filter.nobody", language, wanted=wanted)]
    offered = Counter(key for profile in profiles for key in abilities(profile))
    if offered:
        tags = [topic(key).tag.said_in(language) for key, _ in offered.most_common(MOST_OFFERED)]
        said.append(phrase("filter.offered", language, what=join_list(tags, language)))
    return ("" if language == "zh" else " ").join(said)


def _analysis(demand: Understanding, needs: Needs, chosen: Sequence[Colleague]) -> str:
    language = needs.language
    tags = [topic(key).tag.said_in(language) for key in needs.topics] or list(demand.capability_tags)
    able = {key for profile in chosen for key in abilities(profile)}
    missing = [topic(key).tag.said_in(language) for key in needs.topics if key not in able]
    people = join_list([profile.user_name for profile in chosen], language)
    said = [phrase("filter.analysis", language, needed=join_list(tags, language), people=people)]
    said += [phrase("filter.missing", language, missing=join_list(missing, language))] if missing else []
    return ("" if language == "zh" else " ").join(said)
