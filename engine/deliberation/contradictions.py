"""Finds where two texts contradict each other: by what they assert and deny, what comes first, and other options."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from engine.lexicon.language import language_of
from engine.lexicon.negation import JUDGING
from engine.lexicon.stance_words import are_opposite_forms
from engine.lexicon.stances import Side, Stances, stances_in
from engine.lexicon.stems import NUMBER_WORDS, content_words, is_chinese


class Contradiction(NamedTuple):
    """What two texts say of something that cannot both be so."""

    name: str
    one: str
    other: str


def contradictions(one: Stances, other: Stances) -> Iterator[Contradiction]:
    """Return where one text asserts what excludes what the other one does."""
    for axis in sorted(one.sides.keys() & other.sides.keys()):
        mine, theirs = one.sides[axis], other.sides[axis]
        if (_excludes(mine, theirs) or _excludes(theirs, mine)) and not _is_denied_in_other_words(axis, one, other):
            yield Contradiction(axis, _told(mine), _told(theirs))
    if _denies(one, other):
        yield Contradiction("negation", _denial(one), "asserted")
    elif _denies(other, one):
        yield Contradiction("negation", "asserted", _denial(other))
    if _is_only_part(one, other) or _is_only_part(other, one):
        yield Contradiction("whole", *(("all", "part") if _is_all(one) else ("part", "all")))
    for thing in sorted(one.things - other.things):
        if opposite := next((each for each in other.things - one.things if are_opposite_forms(thing, each)), None):
            yield Contradiction("negation", thing, opposite)
    for earlier, later in one.orders:
        for first, then in other.orders:
            if len(earlier & then) + len(later & first) > len(earlier & first) + len(later & then):
                yield Contradiction("order", " ".join(sorted(earlier)), " ".join(sorted(first)))
                return


def _is_denied_in_other_words(axis: str, one: Stances, other: Stances) -> bool:
    """ "You cannot pass with so little", "it is not enough to pass": both deny, and not the same word."""
    if axis in JUDGING or (axis in one.turned) == (axis in other.turned):
        return False
    rest = other if axis in one.turned else one
    return rest.negations > 0 or _is_negative(rest)


_AWAY: Final = (("change", "change"), ("go", "no"), ("direction", "exclude"), ("use", "avoid"), ("must", "may"))
_NEGATIVE: Final = frozenset(("no", "never", "none"))
SHORT: Final = 16
"""Words up to which a text is one statement, so that any negation in it is the statement's."""


def _denies(one: Stances, other: Stances) -> bool:
    """Whether a text denies what the other one asserts, and the other one does not say so without a negation."""
    if not one.negations or other.negations or _is_negative(other):
        return False
    if one.denied & other.things:
        return True
    if any(axis in other.sides and not _excludes(one.sides[axis], other.sides[axis]) for axis in one.turned):
        return False
    return one.negations % 2 == 1 and max(one.length, other.length) <= SHORT


def _is_negative(stances: Stances) -> bool:
    """Whether a text is against something, or gives it up, in words that are no negation."""
    moves_away = any(value in side.said for axis, value in _AWAY if (side := stances.sides.get(axis)))
    return moves_away or stances.is_excessive or any(side.said & _NEGATIVE for side in stances.sides.values())


def _denial(stances: Stances) -> str:
    return "not " + " ".join(sorted({*stances.denied, *stances.turned}))


def _is_all(stances: Stances) -> bool:
    return any("all" in side.said for axis in ("whole", "everyone") if (side := stances.sides.get(axis)))


def _is_only_part(one: Stances, other: Stances) -> bool:
    """Whether one text says "all", and the other "only" of something that the first does not name."""
    only = other.sides.get("whole")
    is_only = only is not None and "part" in only.said and not _is_all(other)
    return is_only and _is_all(one) and "whole" not in one.sides and bool(other.things - one.things)


def _excludes(one: Side, other: Side) -> bool:
    if one.said and other.said:
        return one.said.isdisjoint(other.said) or bool(one.said - other.said and other.said - one.said)
    return bool(one.said & other.denied)


def _told(side: Side) -> str:
    return " / ".join((*sorted(side.said), *(f"not {each}" for each in sorted(side.denied))))


CONDITION: Final = 0.4
"""The share of what a condition is about from which on a position without one names it in other words."""


def names_the_condition(one: Stances, other: Stances) -> bool:
    """Whether the position without a condition names what the other one makes its condition."""
    with_it, without = (other, one) if other.is_conditional else (one, other)
    named = subjects(without)
    about = [
        frozenset(each.partition("=")[0] + "=" if "=" in each else each for each in one) for one in with_it.conditions
    ]
    return any(each and len(each & named) >= CONDITION * len(each) for each in about)


SAME_SENTENCE: Final = 0.65
"""The share of their words, in their order, from which on two texts are one sentence with some words replaced."""
SAME_BUT_ONE: Final = 0.5
"""The same where only one place differs."""
_MOST_WORDS: Final = 80
_MOST_CHANGES: Final = 2
"""Who says the same in other words changes more places of a sentence."""


def substitutions(one: str, other: str) -> Iterator[Contradiction]:
    """The same sentence with one thing in place of another: another option, however it is called."""
    if language_of(one) != language_of(other):
        return
    mine, theirs = content_words(one)[:_MOST_WORDS], content_words(other)[:_MOST_WORDS]
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    changes = [each for each in matcher.get_opcodes() if each[0] != "equal"]
    least = SAME_SENTENCE if len(changes) > 1 else SAME_BUT_ONE
    if matcher.ratio() < least or len(changes) > _MOST_CHANGES:
        return
    left, right = {*_named_in(one), *mine}, {*_named_in(other), *theirs}
    for tag, start, end, begin, stop in changes:
        gone, new = _meant(mine[start:end]) - right, _meant(theirs[begin:stop]) - left
        if tag == "replace" and gone and new:
            yield Contradiction("option", " ".join(sorted(gone)), " ".join(sorted(new)))
            return


def _named_in(text: str) -> frozenset[str]:
    """The things, and the values on the axes."""
    read = stances_in(text)
    return read.things | {f"{axis}={value}" for axis, side in read.sides.items() for value in side.said}


def _meant(words: Sequence[str]) -> set[str]:
    """What these words name, and those that nobody knows, without what only counts or joins."""
    if not words:
        return set()
    named = _named_in(("" if is_chinese(words[0]) else " ").join(words))
    unknown = () if named else (each for each in words if is_chinese(each) and each not in _COUNTING)
    return {*named, *unknown} - {*NUMBER_WORDS}


_COUNTING: Final = frozenset(
    "的了着过得地是在和与及并把将被对向从到给为由以于个名位家间台套份次场项件条要应该当就都也还会能可以让去来做上下里中这那此其一二三四五六七八九十两百千万几第"
)


def subjects(stances: Stances) -> frozenset[str]:
    """What a text is about, whichever side it takes."""
    return stances.things | {f"{axis}=" for axis in stances.sides}
