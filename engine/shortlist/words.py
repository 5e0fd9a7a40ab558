"""The words by which profiles and demands find each other, across the languages by the topics of the lexicon."""

from collections import Counter
from typing import Final

from engine.lexicon.matching import CAPABILITY_WEIGHT, TAG_WEIGHT, Described, tokens
from engine.lexicon.mentions import topics_in

TOPIC_WEIGHT: Final = 6.0
"""How often the topic of a tag counts as a word of its own."""


def words_of(profile: Described) -> Counter[str]:
    """Return how often each word counts."""
    counted: Counter[str] = Counter()
    parts = (
        ("\n".join(profile.tags), TAG_WEIGHT),
        ("\n".join((*profile.capabilities, *profile.capabilities.values())), CAPABILITY_WEIGHT),
        ("\n".join((profile.profile_summary, *profile.interests, profile.location)), 1),
    )
    for text, weight in parts:
        for word in tokens(text):
            counted[word] += weight
    for key in {key for tag in profile.tags for key in topics_in(tag)}:
        counted[_topic_word(key)] += int(TOPIC_WEIGHT)
    return counted


def words_in(text: str) -> Counter[str]:
    """Return the words of a query."""
    return Counter((*tokens(text), *(_topic_word(key) for key in topics_in(text))))


def _topic_word(key: str) -> str:
    """Nobody writes it: the tokens of texts have no colon."""
    return f"topic:{key}"
