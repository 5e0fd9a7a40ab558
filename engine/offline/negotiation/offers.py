"""Prompt 3: answer a demand from a profile alone, as a twin does."""

from collections.abc import Sequence

from engine.directory.profile import Profile
from engine.facts.language import Language
from engine.lexicon.carrying import how_carried, nearest_ability
from engine.lexicon.matching import rank_profiles
from engine.lexicon.mentions import topics_of
from engine.lexicon.reading.money import has_money
from engine.lexicon.topics import topic
from engine.negotiation.answers import (
    Covering,
    Need,
    OfferAnswer,
    OfferDecision,
    StatedCondition,
    Understanding,
    VacantSeat,
)
from engine.negotiation.reading import Today
from engine.offline.negotiation.abilities import (
    abilities,
    concerns,
    own_description,
    shared_interests,
    useful_abilities,
)
from engine.offline.negotiation.needs import Needs, covered_needs, needs_of
from engine.offline.negotiation.old_limits import SURE, can_be_there, first_broken_limit
from engine.offline.negotiation.phrasing import join_list, phrase

MOST_ABILITIES = 2


def make_offer(
    demand: Understanding,
    profile: Profile,
    filter_reason: str = "",
    seat: VacantSeat | None = None,
    today: Today | None = None,
) -> OfferAnswer:
    needs = needs_of(demand)
    asked = seat.needs if seat else demand.needs
    wanted = topics_of(tag for each in asked for tag in (each.tags or (each.what,))) if seat else needs.topics
    topics = tuple(key for key in abilities(profile) if key in wanted) if seat else useful_abilities(profile, needs)
    things = _things(profile, asked)
    tags = tuple(each.what for each in things)
    if not (seat or topics or tags or needs.topics):
        tags = _shared_tags(demand, profile)
    broken = first_broken_limit(profile, topics, demand)
    if broken is not None:
        return OfferAnswer(
            decision=OfferDecision.DECLINE,
            reasoning=phrase("decline.reasoning", needs.language, profile.agent_id),
            decline_reason=broken.said(profile, needs.language),
            confidence=SURE,
        )
    if not topics and not tags:
        needed = join_list([topic(key).tag.said_in(needs.language) for key in wanted[:3]], needs.language)
        needed = needed or join_list([each.what for each in asked][:3], needs.language) or (seat.role if seat else "")
        mine = join_list([topic(key).tag.said_in(needs.language) for key in abilities(profile)[:2]], needs.language)
        needed, mine = needed or demand.surface_demand[:20], mine or join_list(profile.tags[:2], needs.language)
        return _decline("unfit", profile, needs.language, 75, needed=needed, mine=mine)
    possible = tuple(key for key in topics if can_be_there(profile, (key,), demand))[:MOST_ABILITIES]
    conditions = _conditions(profile, possible, demand, needs.language)
    decision = OfferDecision.CONDITIONAL if conditions else OfferDecision.PARTICIPATE
    return OfferAnswer(
        decision=decision,
        contribution=_contribution(profile, possible, tags, needs.language),
        conditions=tuple(StatedCondition(text=each) for each in conditions),
        reasoning=phrase(f"offer.{decision}", needs.language, profile.agent_id),
        covers=tuple(
            Covering(need_id=each)
            for each in (
                *covered_needs((*demand.needs, *(seat.needs if seat else ())), possible),
                *(each.need_id for each in things),
            )
        ),
        confidence=_confidence(needs, possible, conditions),
    )


def _things(profile: Profile, needs: Sequence[Need]) -> tuple[Need, ...]:
    """The needs that no topic knows and that the profile carries."""
    beyond = (each for each in needs if not topics_of(each.tags or (each.what,)))
    return tuple(each for each in beyond if how_carried(profile, each.tags or (each.what,)) is not None)


def _shared_tags(demand: Understanding, profile: Profile) -> tuple[str, ...]:
    """Tags or interests that match by their words, for demands that name no known topic."""
    matched = next((match.matched for match in rank_profiles(demand.search_terms, [profile], 1)), ())
    return matched or shared_interests(profile, demand.surface_demand)


def _decline(why: str, profile: Profile, language: Language, confidence: int, /, **values: object) -> OfferAnswer:
    return OfferAnswer(
        decision=OfferDecision.DECLINE,
        reasoning=phrase("decline.reasoning", language, profile.agent_id),
        decline_reason=phrase(f"decline.{why}", language, profile.agent_id, **values),
        confidence=confidence,
    )


def _conditions(
    profile: Profile, topics: tuple[str, ...], demand: Understanding, language: Language
) -> tuple[str, ...]:
    own = [
        each.text.said_in(language)
        for each in profile.preferences.conditions
        if concerns(profile, each.about, topics, demand.capability_tags)
    ]
    if profile.limits.paid_only and not has_money(demand.context.budget):
        own.append(phrase("offer.paid", language, profile.agent_id))
    return tuple(dict.fromkeys(own))


def _contribution(profile: Profile, topics: tuple[str, ...], tags: tuple[str, ...], language: Language) -> str:
    parts: list[str] = []
    for position, key in enumerate(topics):
        wording = "offer.contribution.more" if position else "offer.contribution"
        parts.append(
            _part(wording, topic(key).tag.said_in(language), own_description(profile, key, language), profile, language)
        )
    for tag in tags[:MOST_ABILITIES]:
        words = profile.capabilities.get(nearest_ability(profile, tag), "")
        parts.append(_part("offer.contribution", tag, words, profile, language))
    return ("；" if language == "zh" else "; ").join(parts)


def _part(wording: str, tag: str, words: str, profile: Profile, language: Language) -> str:
    """What they take on, with what their profile says of it, if it does."""
    if not words:
        return phrase(f"{wording}.plain", language, profile.agent_id, tag=tag)
    return phrase(wording, language, profile.agent_id, tag=tag, words=words)


def _confidence(needs: Needs, topics: tuple[str, ...], conditions: tuple[str, ...]) -> int:
    return 65 + 15 * bool(needs.explicit.intersection(topics)) + 5 * (len(topics) > 1) - 5 * len(conditions)
