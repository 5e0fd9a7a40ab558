"""The words by which profiles and demands find each other, in whatever language: nothing here knows one.

A word counts whole, and in pieces of at least `PIECE` bytes, one from each of its letters on: five of ASCII, two of
three bytes each. So "databases" finds "database", and a text without spaces is found by the words in it.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from engine.shortlist.described import Described

PIECE: Final = 5
"""Bytes of a piece, in UTF-8, at the least."""
LONGEST_WORD: Final = 200
"""Letters of a word that are read."""


class _Letters(dict[int, str]):
    """Keeps letters, their marks and digits; anything else is a space."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        self[code] = letter if unicodedata.category(letter)[0] in "LMN" else " "
        return self[code]


_LETTERS: Final = _Letters()


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text and their pieces, each as often as it is there."""
    words = unicodedata.normalize("NFKC", text).casefold().translate(_LETTERS).split()
    return tuple(each for word in words for each in _pieces(word[:LONGEST_WORD]))


def _pieces(word: str) -> Iterator[str]:
    yield word
    sizes = [len(letter.encode(errors="replace")) for letter in word]
    for start in range(len(word)):
        length, end = 0, start
        while end < len(word) and length < PIECE:
            length += sizes[end]
            end += 1
        if length < PIECE:
            return
        if end - start < len(word):
            yield word[start:end]


def fields_of(profile: Described) -> tuple[str, str, str]:
    """Return the words of somebody's tags, of their capabilities, and of all else that everybody may read of them."""
    parts = (
        profile.tags,
        (*profile.capabilities, *profile.capabilities.values()),
        (profile.profile_summary, *profile.interests, profile.location),
    )
    tags, capabilities, rest = (" ".join(tokens("\n".join(each))) for each in parts)
    return tags, capabilities, rest
