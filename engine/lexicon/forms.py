"""Forms of words: patterns that are looked for only in a text that may have them.

A text is read with some two hundred patterns, of which a dozen find anything, and one that finds nothing tries every
letter of the text. What every match of a pattern must hold follows from the pattern, so most are left out at once.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from operator import add
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final, TypeVar

_LONGEST: Final = 3
"""Letters of a word that are looked for."""
_TELLING: Final = 2.0
"""Words that are together expected this often in a text, or more often, say nothing."""
_MOST_CHARACTERS: Final = 40
"""Of a class of characters that is taken letter by letter."""
_OTHERWISE: Final = re.compile(r"[İıſ]|(?![0-9])\d")
"""Letters that are others to a pattern without regard to case than to `str.lower`, and digits that are not 0 to 9."""

Pieces = frozenset[str]
_NOTHING: Final[Pieces] = frozenset(("",))
"""What a form needs that needs nothing: it is among the pieces of every text."""
Parsed = Any
"""What the standard library makes of a pattern: a sequence of operators and their arguments."""


class Form:
    """A pattern that knows what a text has to hold for it to be found there.

    Args:
        pattern: with ``flags`` as of `re.compile`.
    """

    __slots__ = ("_needed", "_needed_too", "pattern")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = re.compile(pattern, flags)
        told = sorted(_needed(_parser.parse(pattern, flags)), key=_frequency)
        needed = [frozenset(map(_rarest_piece, each)) for each in told[:2]]
        self._needed, self._needed_too = (*needed, _NOTHING, _NOTHING)[:2]

    def is_possible(self, pieces: Pieces | None) -> bool:
        """Whether it may be found in a text with these `pieces_of`."""
        return pieces is None or not (self._needed.isdisjoint(pieces) or self._needed_too.isdisjoint(pieces))

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self.pattern.finditer(text) if self.is_possible(pieces_of(text)) else iter(())

    def search(self, text: str) -> re.Match[str] | None:
        return self.pattern.search(text) if self.is_possible(pieces_of(text)) else None

    def sub(self, instead: str, text: str) -> str:
        return self.pattern.sub(instead, text) if self.is_possible(pieces_of(text)) else text


def folded(text: str) -> str | None:
    """Return a text in lower case, in which stands whatever a pattern without regard to case finds in the text; None
    where something else may.
    """
    return None if not text.isascii() and _OTHERWISE.search(text) else text.lower()


@lru_cache(maxsize=8)
def pieces_of(text: str) -> Pieces | None:
    """Return everything of up to three letters that stands in a text, in lower case; None where that says nothing.

    Each reader asks for those of the same text, one after the other.
    """
    low = folded(text)
    return None if low is None else _pieces(low)


@lru_cache(maxsize=8)
def _pieces(low: str) -> Pieces:
    """A text is read as it is by some readers, and in lower case by others."""
    pairs = [*map(add, low, low[1:])]
    return _NOTHING.union(low, pairs, map(add, pairs, low[2:]))


def _possible(forms: tuple[Form, ...], text: str) -> list[Form]:
    """Return those of these forms that may be found in a text: mostly none of them."""
    pieces = pieces_of(text)
    if pieces is not None and _needed_by_any(forms).isdisjoint(pieces):
        return []
    return [form for form in forms if form.is_possible(pieces)]


@cache
def _needed_by_any(forms: tuple[Form, ...]) -> Pieces:
    return frozenset().union(*(form._needed for form in forms))


def matches(text: str, forms: tuple[Form, ...]) -> Iterator[re.Match[str]]:
    """Return what each of these forms finds, one form after the other."""
    for form in _possible(forms, text):
        yield from form.pattern.finditer(text)


Meaning = TypeVar("Meaning")


def meant(text: str, forms: tuple[tuple[Form, Meaning], ...]) -> Iterator[tuple[re.Match[str], Meaning]]:
    """Return what each of these forms finds, with its meaning, one form after the other."""
    meanings = dict(forms)
    for form in _possible(tuple(meanings), text):
        for match in form.pattern.finditer(text):
            yield match, meanings[form]


# ── what a pattern needs ──────────────────────────────────────────────────────────────────────────────────────────


def _needed(parsed: Parsed) -> list[frozenset[str]]:
    """Return sets of words: whatever the pattern matches, the text holds one word of each set."""
    found: list[frozenset[str]] = []
    word = ""
    for operator, argument in parsed:
        if operator is ops.LITERAL and _has_usual_cases(chr(argument)):
            word += chr(argument).lower()
            continue
        found += [frozenset((word,))] if word else []
        word = ""
        found += _needed_for(operator, argument)
    found += [frozenset((word,))] if word else []
    return [each for each in found if _frequency(each) < _TELLING]


def _needed_for(operator: Any, argument: Any) -> list[frozenset[str]]:
    if operator is ops.SUBPATTERN:
        return _needed(argument[-1])
    if operator is ops.ATOMIC_GROUP:
        return _needed(argument)
    if operator is ops.ASSERT:
        return _needed(argument[1])
    if operator in (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT):
        least, _, repeated = argument
        return _needed(repeated) if least else []
    if operator is ops.BRANCH:
        told = [_needed(each) for each in argument[1]]
        return [frozenset().union(*(min(each, key=_frequency) for each in told))] if all(told) else []
    if operator is ops.IN:
        characters = _characters(argument)
        return [characters] if characters else []
    return []


def _characters(members: Parsed) -> frozenset[str]:
    """Return the characters of a class, in lower case; none where they are too many."""
    found: set[str] = set()
    for operator, argument in members:
        if operator is ops.LITERAL:
            found.add(chr(argument).lower())
        elif operator is ops.RANGE and argument[1] - argument[0] < _MOST_CHARACTERS:
            found |= {chr(each).lower() for each in range(argument[0], argument[1] + 1)}
        elif operator is ops.CATEGORY and argument is ops.CATEGORY_DIGIT:
            found |= {*"0123456789"}
        else:
            return frozenset()
    return frozenset(found) if all(map(_has_usual_cases, found)) else frozenset()


def _has_usual_cases(character: str) -> bool:
    return character.isascii() or character.lower() == character.upper()


def _frequency(words: frozenset[str]) -> float:
    """Return about how often one of these words, or more of them, are in a short text."""
    return sum(map(_word_frequency, words))


def _word_frequency(word: str) -> float:
    length = min(len(word), _LONGEST)
    if not word.isascii():
        return (0.03, 0.01, 0.005)[length - 1]
    if length > 1:
        return (0.1, 0.02)[length - 2]
    return 1.0 if word.isspace() else 0.5 if word.isalpha() else 0.05


_FROM_COMMON_TO_RARE: Final = " etaoinshrdlcumwfgypbvkjxqz"


def _rarest_piece(word: str) -> str:
    """Return a piece of a word that few texts have. Those between two words of English are in many: " of"."""
    pieces = [word[start : start + _LONGEST] for start in range(max(1, len(word) - _LONGEST + 1))]
    return max(pieces, key=lambda piece: (" " not in piece, sum(map(_rarity, piece))))


def _rarity(letter: str) -> int:
    """Return a number that is higher for what is rarer; what is no English letter is rarest."""
    at = _FROM_COMMON_TO_RARE.find(letter)
    return len(_FROM_COMMON_TO_RARE) if at < 0 else at
