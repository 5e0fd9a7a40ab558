"""Finds profiles that were made from one template: introductions that share much of their wording."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

from engine.directory.profile import Profile

ALIKE: Final = 0.2
"""The share of the shorter introduction's phrases from which on two are alike; people share next to none."""
WORDS, CHARACTERS = 3, 5
"""A phrase is so many English words, or so many Chinese characters, in a row."""
_PART: Final = re.compile(r"[a-z0-9']+|[\u3400-\u9fff]")


class Alike(NamedTuple):
    one: str
    other: str
    """Agent ids, in order."""
    share: float


def alike(profiles: Iterable[Profile]) -> Iterator[Alike]:
    """Yield every pair whose introductions are near duplicates."""
    phrases = {each.agent_id: _phrases(each.profile_summary) for each in profiles}
    having: defaultdict[str, list[str]] = defaultdict(list)
    for agent_id in sorted(phrases):
        for phrase in phrases[agent_id]:
            having[phrase].append(agent_id)
    pairs = {pair for people in having.values() if len(people) > 1 for pair in combinations(people, 2)}
    for one, other in sorted(pairs):
        fewest = min(len(phrases[one]), len(phrases[other]))
        share = len(phrases[one] & phrases[other]) / fewest
        if share >= ALIKE:
            yield Alike(one, other, share)


def _phrases(text: str) -> frozenset[str]:
    parts = _PART.findall(text.casefold())
    size = CHARACTERS if sum(not each.isascii() for each in parts) * 2 > len(parts) else WORDS
    return frozenset(" ".join(parts[at : at + size]) for at in range(max(1, len(parts) - size + 1)))
