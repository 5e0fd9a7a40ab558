"""Ranks profiles by how well their words fit a text, without a model.

BM25 over the texts of profiles, by word in English and by pairs of characters in Chinese; the topics of
engine/lexicon/topics.yaml connect the languages.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Generic, NamedTuple, Protocol, TypeVar

from engine.lexicon.mentions import topics_in
from engine.lexicon.topics import lexicon, topic

K1, B = 1.2, 0.75
TAG_WEIGHT, CAPABILITY_WEIGHT = 4, 2
"""How often a word in a tag or a capability counts; anywhere else it counts once."""
TAG_BONUS = 10.0
"""Added for a matching tag; it outweighs any number of words in a text."""
RARE = 0.2
"""A word is distinctive if at most this share of the profiles contains it."""

_RUN = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]+")


class Described(Protocol):
    """Somebody as they describe themselves to everybody: a profile, or the public part of one."""

    @property
    def agent_id(self) -> str: ...
    @property
    def profile_summary(self) -> str: ...
    @property
    def location(self) -> str: ...
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def capabilities(self) -> dict[str, str]: ...
    @property
    def interests(self) -> tuple[str, ...]: ...


Somebody = TypeVar("Somebody", bound=Described)


class Match(NamedTuple, Generic[Somebody]):
    profile: Somebody
    score: float
    matched: tuple[str, ...]
    """Those of the profile's tags that match."""


def rank_profiles(wanted: str | Iterable[str], profiles: Iterable[Somebody], most: int) -> list[Match[Somebody]]:
    """The best matches first, equal ones by agent id; profiles that have nothing in common with the text are left out.

    Args:
        wanted: one text, or several.
    """
    text = wanted if isinstance(wanted, str) else "\n".join(wanted)
    topics = frozenset(topics_in(text))
    query = Counter(tokens(text))
    for key in topics:
        query.update(tokens(f"{topic(key).tag.zh} {topic(key).tag.en}"))
    documents = [(profile, _document(profile)) for profile in profiles]
    spread = Counter(word for _, document in documents for word in document)
    average = sum(document.total() for _, document in documents) / max(1, len(documents))
    matches = []
    for profile, document in documents:
        tags = tuple(tag for tag in profile.tags if _tag_matches(tag, topics, query))
        shared = [word for word in query if word in document]
        telling = [word for word in shared if spread[word] <= max(1, RARE * len(documents))]
        if not tags and len(telling) < 2:
            continue
        score = sum(
            _weight(document[word], document.total() / average, spread[word], len(documents)) for word in shared
        )
        matches.append(Match(profile, round(score + TAG_BONUS * len(tags), 6), tags))
    return sorted(matches, key=lambda match: (-match.score, match.profile.agent_id))[:most]


def _weight(count: int, length: float, in_profiles: int, profiles: int) -> float:
    rarity = math.log(1 + (profiles - in_profiles + 0.5) / (in_profiles + 0.5))
    return rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * length))


def _tag_matches(tag: str, topics: frozenset[str], query: Mapping[str, int]) -> bool:
    own = tokens(tag)
    return bool(topics.intersection(topics_in(tag))) or (bool(own) and all(word in query for word in own))


def _document(profile: Described) -> Counter[str]:
    tags, capabilities = "\n".join(profile.tags), "\n".join(profile.capabilities.values())
    rest = "\n".join((profile.profile_summary, *profile.interests))
    return _counted(tags, capabilities, rest)


@lru_cache(maxsize=4096)
def _counted(tags: str, capabilities: str, rest: str) -> Counter[str]:
    counter: Counter[str] = Counter()
    for text, weight in ((tags, TAG_WEIGHT), (capabilities, CAPABILITY_WEIGHT), (rest, 1)):
        for word in tokens(text):
            counter[word] += weight
    return counter


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """English words, and pairs of Chinese characters; without the most common ones."""
    found: list[str] = []
    for run in _RUN.findall(text.lower()):
        if run.isascii() or len(run) == 1:
            found.append(run)
        else:
            found += (run[at : at + 2] for at in range(len(run) - 1))
    return tuple(word for word in found if word not in lexicon().common)
