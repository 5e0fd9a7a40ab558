"""Finds profiles that were made from one template: introductions that share much of their wording."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

from engine.directory.profile import Profile
from engine.facts.quotes import folded

ALIKE: Final = 0.2
"""The share of the shorter introduction's phrases from which on two are alike; people share next to none."""
LONG: Final = 18
"""Bytes in a row that make a phrase, in UTF-8: three or four words of English, six characters of Chinese."""


class Alike(NamedTuple):
    one: str
    other: str
    """Agent ids, in order."""
    share: float


def alike(profiles: Iterable[Profile]) -> Iterator[Alike]:
    """Yield every pair whose introductions are near duplicates."""
    phrases = {each.agent_id: _phrases(each.profile_summary) for each in profiles}
    having: defaultdict[bytes, list[str]] = defaultdict(list)
    for agent_id in sorted(phrases):
        for phrase in phrases[agent_id]:
            having[phrase].append(agent_id)
    pairs = {pair for people in having.values() if len(people) > 1 for pair in combinations(people, 2)}
    for one, other in sorted(pairs):
        fewest = min(len(phrases[one]), len(phrases[other]))
        share = len(phrases[one] & phrases[other]) / fewest
        if share >= ALIKE:
            yield Alike(one, other, share)


def _phrases(text: str) -> frozenset[bytes]:
    """Every phrase that begins with a character, whatever the language."""
    said = folded(text)
    ends = [0]
    for each in said:
        ends.append(ends[-1] + len(each.encode(errors="replace")))
    written = said.encode(errors="replace")
    return frozenset(written[start : start + LONG] for start in ends if start + LONG <= len(written)) or frozenset(
        (written,)
    )
