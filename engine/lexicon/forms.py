"""Forms of words: patterns that are looked for only in a text that may have them.

A text is read with some two hundred patterns, of which a dozen find anything, and one that finds nothing tries every
letter of the text. What every match of a pattern must hold follows from the pattern, so most are left out at once. So
does with which letters a match may begin, and the others are left out as soon as each is met.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise, starmap
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple, TypeVar

_LONGEST: Final = 3
"""Letters of a word that are looked for."""
_TELLING: Final = 2.0
"""Words that are together expected this often in a text, or more often, say nothing."""
_MOST_CHARACTERS: Final = 40
"""Of a class of characters that is taken letter by letter."""
_OTHERWISE: Final = re.compile(r"[İıſ]|(?![0-9])\d")
"""Letters that are others to a pattern without regard to case than to `str.lower`, and digits that are not 0 to 9."""

Piece = str | tuple[str, ...]
"""A letter, or two or three in a row: to make a tuple of letters takes less than to make another text of them."""
Pieces = frozenset[Piece]
_NOTHING: Final[Pieces] = frozenset(("",))
"""What a form needs that needs nothing: it is among the pieces of every text."""
_REPEATS: Final = (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT)
Parsed = Any
"""What the standard library makes of a pattern: a sequence of operators and their arguments."""


class Form:
    """A pattern that knows what a text has to hold for it to be found there.

    Args:
        pattern: with ``flags`` as of `re.compile`.
    """

    __slots__ = ("_needed", "_needed_too", "pattern")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        parsed = _parser.parse(pattern, flags)
        self.pattern = re.compile(_only_where_it_may_begin(pattern, parsed), flags)
        told = sorted(_needed(parsed), key=_frequency)
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
    return _NOTHING.union(low, pairwise(low), zip(low, low[1:], low[2:], strict=False))


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
    if operator in _REPEATS:
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


def _rarest_piece(word: str) -> Piece:
    """Return a piece of a word that few texts have. Those between two words of English are in many: " of"."""
    pieces = [word[start : start + _LONGEST] for start in range(max(1, len(word) - _LONGEST + 1))]
    rarest = max(pieces, key=lambda piece: (" " not in piece, sum(map(_rarity, piece))))
    return rarest if len(rarest) == 1 else tuple(rarest)


def _rarity(letter: str) -> int:
    """Return a number that is higher for what is rarer; what is no English letter is rarest."""
    at = _FROM_COMMON_TO_RARE.find(letter)
    return len(_FROM_COMMON_TO_RARE) if at < 0 else at


# ── with what a match begins ──────────────────────────────────────────────────────────────────────────────────────


_CATEGORIES: Final = {ops.CATEGORY_DIGIT: r"\d", ops.CATEGORY_SPACE: r"\s"}
_HAS_FLAGS: Final = re.compile(r"\(\?[aiLmsux-]")


def _only_where_it_may_begin(pattern: str, parsed: Parsed) -> str:
    """Return the pattern behind a look ahead at the letter that it begins with.

    Where it begins with a look behind, or with what may be missing, all of that is tried at every letter otherwise. One
    that plainly begins with some letter is left as it is, since that is quick.
    """
    leading = [each for each in parsed if each[0] is not ops.AT]
    first = None if _begins_plainly(leading) or _HAS_FLAGS.match(pattern) else _first(parsed)
    if first is None or first.may_be_nothing:
        return pattern
    return f"(?=[{''.join(dict.fromkeys(first.members))}])(?:{pattern})"


def _begins_plainly(parsed: Parsed) -> bool:
    """Whether there is nothing to be tried before the first letter."""
    if not parsed:
        return False
    operator, argument = parsed[0]
    if operator is ops.BRANCH:
        return all(map(_begins_plainly, argument[1]))
    if operator is ops.SUBPATTERN:
        return _begins_plainly(argument[-1])
    if operator in _REPEATS:
        return bool(argument[0]) and _begins_plainly(argument[2])
    return operator in (ops.LITERAL, ops.IN)


class _First(NamedTuple):
    """With what a match begins."""

    members: tuple[str, ...]
    """Of a class of characters."""
    may_be_nothing: bool


def _first(parsed: Parsed) -> _First | None:
    """Return with what the matches of a pattern begin; None where that is not known."""
    members: tuple[str, ...] = ()
    for operator, argument in parsed:
        if operator in (ops.AT, ops.ASSERT, ops.ASSERT_NOT):
            continue  # it takes no letter
        found = _first_of(operator, argument)
        if found is None:
            return None
        members += found.members
        if not found.may_be_nothing:
            return _First(members, may_be_nothing=False)
    return _First(members, may_be_nothing=True)


def _first_of(operator: Any, argument: Any) -> _First | None:
    match operator:
        case ops.LITERAL:
            return _First((re.escape(chr(argument)),), may_be_nothing=False)
        case ops.IN:
            members = tuple(filter(None, starmap(_member, argument)))
            return _First(members, may_be_nothing=False) if len(members) == len(argument) else None
        case ops.SUBPATTERN:
            _, flags, flags_not, inside = argument
            return None if flags or flags_not else _first(inside)
        case ops.ATOMIC_GROUP:
            return _first(argument)
        case _ if operator in _REPEATS:
            least, _, repeated = argument
            found = _first(repeated)
            return found and _First(found.members, found.may_be_nothing or not least)
        case ops.BRANCH:
            branches = [_first(each) for each in argument[1]]
            known = [each for each in branches if each is not None]
            if len(known) < len(branches):
                return None
            members = tuple(member for each in known for member in each.members)
            return _First(members, any(each.may_be_nothing for each in known))
    return None


def _member(operator: Any, argument: Any) -> str | None:
    """Return a member of a class as it is written; None where it says which letters are not in it."""
    match operator:
        case ops.LITERAL:
            return re.escape(chr(argument))
        case ops.RANGE:
            return "-".join(re.escape(chr(each)) for each in argument)
        case ops.CATEGORY:
            return _CATEGORIES.get(argument)
    return None
