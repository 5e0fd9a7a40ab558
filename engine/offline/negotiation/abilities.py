"""Finds what a person can do, by their profile."""

from collections.abc import Sequence

from engine.facts.language import Language, language_of
from engine.lexicon.carrying import how_carried
from engine.lexicon.matching import Described
from engine.lexicon.mentions import topics_in, topics_of
from engine.offline.negotiation.needs import Needs


def abilities(profile: Described) -> tuple[str, ...]:
    """The topics of the profile's tags, in their order."""
    return topics_of(profile.tags)


def useful_abilities(profile: Described, needs: Needs) -> tuple[str, ...]:
    """Their abilities that are needed, else those that are welcome, in the order of their tags."""
    able = abilities(profile)
    if needs.subject and "speaker" in able and how_carried(profile, (needs.subject,)) is None:
        able = tuple(key for key in able if key != "speaker")  # their talks are about something else
    return _common(able, needs.topics) or _common(able, needs.welcome)


def own_description(profile: Described, topic: str, language: Language) -> str:
    """Their own description of what they do on that topic, preferably in that language."""
    said = [words for tag, words in profile.capabilities.items() if topic in topics_in(tag)]
    return next((words for words in said if language_of(words) == language), said[0] if said else "")


def shared_interests(profile: Described, text: str) -> tuple[str, ...]:
    """The person's interests that a text names."""
    low = text.lower()
    return tuple(each for each in profile.interests if not each.isascii() and each in low)


def concerns(profile: Described, tag: str | None, topics: Sequence[str], texts: Sequence[str] = ()) -> bool:
    """Whether a tag of the person belongs to these topics, or one of these texts names it; without a tag, always."""
    if tag is None:
        return True
    meant = topics_in(tag)
    return bool(set(meant).intersection(topics)) or any(tag.lower() in text.lower() for text in texts)


def _common(able: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    return tuple(key for key in able if key in wanted)
