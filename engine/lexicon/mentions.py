"""Finds the entries of engine/lexicon/topics.yaml in a Chinese or English text."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache, lru_cache

from engine.lexicon.topics import Undertaking, lexicon

_TOKEN = re.compile(r"[a-z0-9]+|[^\x00-\x7f]")
_LONGEST = 4
"""English words in one entry."""


@dataclass(frozen=True, slots=True)
class Mention:
    word: str
    key: str
    start: int
    end: int


class Index:
    """Finds entries in texts: the longest one at each place, from left to right, without overlaps."""

    def __init__(self, entries: Iterable[tuple[str, str]]) -> None:
        self._keys: dict[str, str] = {}
        self._chinese: dict[str, list[str]] = {}
        for word, key in entries:
            self._keys.setdefault(word.strip().lower(), key)
        for word in sorted(self._keys, key=len, reverse=True):
            if not word.isascii():
                self._chinese.setdefault(word[0], []).append(word)

    def find(self, text: str) -> Iterator[Mention]:
        text = text.lower()
        tokens = list(_TOKEN.finditer(text))
        position = 0
        while position < len(tokens):
            first = tokens[position]
            if first[0].isascii():
                size, word = self._english(text, tokens, position)
            else:
                candidates = self._chinese.get(first[0], ())
                word = next((each for each in candidates if text.startswith(each, first.start())), "")
                size = len(_TOKEN.findall(word))
            if word:
                yield Mention(word, self._keys[word], first.start(), tokens[position + size - 1].end())
            position += max(1, size)

    def _english(self, text: str, tokens: Sequence[re.Match[str]], at: int) -> tuple[int, str]:
        """How many tokens the longest entry here takes, and which one it is."""
        phrase = tokens[at][0]
        size, word = 0, ""
        for count in range(1, _LONGEST + 1):
            for form in (phrase, phrase.removesuffix("s"), phrase.removesuffix("es")):
                if form in self._keys:
                    size, word = count, form
                    break
            following = at + count
            if following >= len(tokens) or not tokens[following][0].isascii():
                break
            if text[tokens[following - 1].end() : tokens[following].start()] not in (" ", "-", "/"):
                break
            phrase += " " + tokens[following][0]
        return size, word


@cache
def _topic_index() -> Index:
    return Index((word, key) for key, topic in lexicon().topics.items() for word in topic.words)


@cache
def _undertaking_index() -> Index:
    return Index((word, key) for key, each in lexicon().undertakings.items() for word in (*each.zh, *each.en))


@cache
def _loose_index() -> Index:
    return Index((word, word) for word in lexicon().loose)


@lru_cache(maxsize=2048)
def topics_in(text: str) -> tuple[str, ...]:
    """The keys of the abilities a text names, in the order of their first mention."""
    return tuple(dict.fromkeys(mention.key for mention in _topic_index().find(text)))


def topics_of(tags: Iterable[str]) -> tuple[str, ...]:
    """The keys of the abilities that tags name, in their order."""
    return tuple(dict.fromkeys(key for tag in tags for key in topics_in(tag)))


@cache
def _listed_words() -> dict[str, str]:
    return {word: key for key, topic in lexicon().topics.items() for word in topic.listed}


def listed_topic(word: str) -> str | None:
    """The key of the ability that a word names where somebody lists what they need; in the singular or the plural."""
    low = word.strip().lower()
    forms = (low, low.removesuffix("s"), low.removesuffix("es"))
    return next((key for form in forms if (key := _listed_words().get(form)) is not None), None)


def topic_mentions(text: str) -> list[Mention]:
    return list(_topic_index().find(text))


def loose_mentions(text: str) -> list[Mention]:
    """Words such as "design", whose topic depends on the undertaking; not those inside or right after a clear one."""
    clear = topic_mentions(text)
    inside = covered(clear)
    after = {mention.end + _gap(text, mention) for mention in clear}
    return [loose for loose in _loose_index().find(text) if loose.start not in inside and loose.start not in after]


def covered(mentions: Iterable[Mention]) -> set[int]:
    """The positions that mentions take up."""
    return {position for mention in mentions for position in range(mention.start, mention.end)}


def is_followed(text: str, mention: Mention, starts: Set[int]) -> bool:
    """Whether a mention at one of these positions directly follows this one, as in "product launch"."""
    return mention.end + _gap(text, mention) in starts


def _gap(text: str, mention: Mention) -> int:
    return 1 if text[mention.end : mention.end + 1] in (" ", "-") else 0


def undertaking_mentions(text: str) -> list[tuple[Mention, Undertaking]]:
    return [(mention, lexicon().undertakings[mention.key]) for mention in _undertaking_index().find(text)]
