"""Prompt 3: a twin answers a demand from its profile alone."""

from engine.directory.profile import Profile, Words
from engine.lexicon.language import Language
from engine.lexicon.matching import shortlist
from engine.lexicon.topics import topic
from engine.llm.offline.negotiation.abilities import abilities, fitting, own_words, shared_interests, touches
from engine.llm.offline.negotiation.circumstances import has_money
from engine.llm.offline.negotiation.limits import breach, can_be_there
from engine.llm.offline.negotiation.needs import Needs, needs_of
from engine.llm.offline.negotiation.phrasing import listed, say
from engine.llm.offline.negotiation.places import place_in, place_name
from engine.negotiation.answers import OfferAnswer, OfferDecision, Understanding

MOST_ABILITIES = 2


def offer(demand: Understanding, profile: Profile, filter_reason: str = "") -> OfferAnswer:
    needs = needs_of(demand)
    topics = fitting(profile, needs)
    tags = () if topics or needs.topics else _shared_tags(demand, profile)
    broken = breach(profile, topics, demand)
    if broken is not None:
        values = {key: _said(value, needs.language) for key, value in broken.values.items()}
        return _decline(broken.name, profile, needs.language, 90, **values)
    if not topics and not tags:
        needed = listed([topic(key).tag.said_in(needs.language) for key in needs.topics[:3]], needs.language)
        mine = listed([topic(key).tag.said_in(needs.language) for key in abilities(profile)[:2]], needs.language)
        needed, mine = needed or demand.surface_demand[:20], mine or listed(profile.tags[:2], needs.language)
        return _decline("unfit", profile, needs.language, 75, needed=needed, mine=mine)
    possible = tuple(key for key in topics if can_be_there(profile, (key,), demand))[:MOST_ABILITIES]
    conditions = _conditions(profile, possible, demand, needs.language)
    decision = OfferDecision.CONDITIONAL if conditions else OfferDecision.PARTICIPATE
    return OfferAnswer(
        decision=decision,
        contribution=_contribution(profile, possible, tags, needs.language),
        conditions=conditions,
        reasoning=say(f"offer.{decision}", needs.language, profile.agent_id),
        confidence=_confidence(needs, possible, conditions),
    )


def _said(value: object, language: Language) -> object:
    """A person's words, or a place's name, in that language."""
    if isinstance(value, Words):
        return value.said_in(language)
    place = place_in(value) if isinstance(value, str) else None
    return place_name(place, language) if place else value


def _shared_tags(demand: Understanding, profile: Profile) -> tuple[str, ...]:
    """Tags or interests that match by their words, for what the topics do not know."""
    matched = next((match.matched for match in shortlist(demand.search_terms, [profile], 1)), ())
    return matched or shared_interests(profile, demand.surface_demand)


def _decline(why: str, profile: Profile, language: Language, confidence: int, /, **values: object) -> OfferAnswer:
    return OfferAnswer(
        decision=OfferDecision.DECLINE,
        reasoning=say("decline.reasoning", language, profile.agent_id),
        decline_reason=say(f"decline.{why}", language, profile.agent_id, **values),
        confidence=confidence,
    )


def _conditions(
    profile: Profile, topics: tuple[str, ...], demand: Understanding, language: Language
) -> tuple[str, ...]:
    own = [
        each.text.said_in(language)
        for each in profile.preferences.conditions
        if touches(profile, each.about, topics, demand.capability_tags)
    ]
    if profile.limits.paid_only and not has_money(demand.context.budget):
        own.append(say("offer.paid", language, profile.agent_id))
    return tuple(dict.fromkeys(own))


def _contribution(profile: Profile, topics: tuple[str, ...], tags: tuple[str, ...], language: Language) -> str:
    parts: list[str] = []
    for position, key in enumerate(topics):
        phrase = "offer.contribution.more" if position else "offer.contribution"
        words = own_words(profile, key, language) or profile.availability
        parts.append(say(phrase, language, profile.agent_id, tag=topic(key).tag.said_in(language), words=words))
    for tag in tags[:MOST_ABILITIES] if not parts else ():
        words = profile.capabilities.get(tag, profile.availability)
        parts.append(say("offer.contribution", language, profile.agent_id, tag=tag, words=words))
    return ("；" if language == "zh" else "; ").join(parts)


def _confidence(needs: Needs, topics: tuple[str, ...], conditions: tuple[str, ...]) -> int:
    return 65 + 15 * bool(needs.explicit.intersection(topics)) + 5 * (len(topics) > 1) - 5 * len(conditions)
