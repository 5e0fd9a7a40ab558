"""Reads where a text stands, in Chinese and English: what it asserts and denies, on what condition, in which order.

What excludes each other, and what means the same, is in stances.yaml. Two texts about the same thing differ little to
an encoder of sentences whether they say it or its opposite, so this is read from their words.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

from engine.facts.language import Language, language_of
from engine.lexicon.negation import negation
from engine.lexicon.stance_words import Entry, Unit, units_of, values_of
from engine.lexicon.stems import NUMBER_WORDS, STOP_WORDS, is_chinese

LONGEST: Final = 4_000
"""Characters that are read."""
_MOST: Final = 8
"""Conditions and orders of one text."""
_NOBODY: Final = Entry("everyone", "none")
_CLAUSE: Final = 40
"""Words of a clause that are read for what a condition is about."""


@dataclass(frozen=True, slots=True)
class Side:
    """On one axis: the values that a text asserts, and those that it denies."""

    said: frozenset[str]
    denied: frozenset[str]


@dataclass(frozen=True, slots=True)
class Stances:
    """Where a text stands. Things are keys of stances.yaml or topics.yaml, English stems, or pairs of Chinese
    characters."""

    sides: Mapping[str, Side]
    things: frozenset[str]
    denied: frozenset[str]
    """Things that are said not to be; what is asserted as well is not among them."""
    conditions: tuple[frozenset[str], ...]
    """What each of its conditions is about."""
    orders: tuple[tuple[frozenset[str], frozenset[str]], ...]
    """What comes first, and what comes after it."""
    negations: int
    """How many there are, without those that only make a condition."""
    is_excessive: bool
    """Whether something is too much of something."""
    compares: bool
    """Whether it says that something is more than something else."""
    turned: frozenset[str]
    """The axes on which it denies a value."""
    length: int
    """Words."""
    language: Language
    sequence: tuple[str, ...]
    """Every thing and every value in its order, a value as ``axis=value``."""

    @property
    def is_conditional(self) -> bool:
        return bool(self.conditions)


@lru_cache(maxsize=2048)
def stances_in(text: str) -> Stances:
    """Read a text. It never fails."""
    return _read(units_of(text[:LONGEST]), language_of(text))


def things_in(text: str) -> frozenset[str]:
    """What a name or a title is about."""
    read = stances_in(text)
    return read.things | {f"{axis}={value}" for axis, side in read.sides.items() for value in side.said}


# ── what it says ──────────────────────────────────────────────────────────────────────────────────────────────────


def _read(units: Sequence[Unit], language: Language) -> Stances:
    said: dict[str, tuple[set[str], set[str]]] = {}
    things: dict[str, bool] = {}
    sequence: list[str] = []
    found = negation(units)
    negated = found.denied
    is_only_then = ("只", "有") in {unit.words for unit in units} and any(unit.words[0] == "才" for unit in units)
    for at, unit in enumerate(units):
        if is_only_then and unit.words == ("只", "有"):
            continue
        is_denied = negated[at]
        for entry in unit.entries:
            if entry.axis:
                if entry == _NOBODY and found.settled[at]:
                    entry = Entry(entry.axis, "all")  # nobody without it
                yes, no = said.setdefault(entry.axis, (set(), set()))
                _assert(entry, is_denied, yes, no)
                sequence.append(f"{entry.axis}={entry.value}")
            else:
                things[entry.value] = things.get(entry.value, True) and is_denied
                sequence.append(entry.value)
        if not unit.entries and not unit.mark:
            for thing in _unknown(unit, units[at + 1] if at + 1 < len(units) else None):
                things[thing] = things.get(thing, True) and is_denied
                sequence.append(thing)

    def is_condition(at: int) -> bool:
        is_if = units[at].mark == "if" and (units[at].words != ("只", "有") or is_only_then)
        return is_if or found.waiting[at]

    denied = frozenset(thing for thing, is_denied in things.items() if is_denied)
    return Stances(
        sides={axis: Side(frozenset(yes), frozenset(no - yes)) for axis, (yes, no) in said.items()},
        things=frozenset(things),
        denied=denied,
        conditions=tuple(
            _condition(units, at) for at in islice((at for at in range(len(units)) if is_condition(at)), _MOST)
        ),
        orders=tuple(islice(_orders(units), _MOST)),
        negations=sum(found.denying),
        is_excessive=any(unit.words[0] in ("too", "太") or unit.words == ("过", "于") for unit in units),
        compares=_compares(units),
        turned=frozenset(
            entry.axis
            for unit, is_denied in zip(units, negated, strict=True)
            if is_denied
            for entry in unit.entries
            if entry.axis in said  # "nobody … without" was read as "all" above
        ),
        length=sum(bool(each.entries) or not each.mark for each in units),
        language=language,
        sequence=tuple(sequence),
    )


def _compares(units: Sequence[Unit]) -> bool:
    if "comparison" in {entry.axis for unit in units for entry in unit.entries}:
        return False
    first = {unit.words[0] for unit in units if unit.mark != "but not"}
    return "rather" not in first and not first.isdisjoint(("than", "比"))


def _assert(entry: Entry, is_denied: bool, yes: set[str], no: set[str]) -> None:
    """Of an axis of two, whoever denies one value asserts the other."""
    values = values_of()[entry.axis]
    if not is_denied:
        yes.add(entry.value)
    elif len(values) == 2:
        yes.add(values[1 - values.index(entry.value)])
    else:
        no.add(entry.value)


def _unknown(unit: Unit, following: Unit | None) -> tuple[str, ...]:
    word = unit.words[0]
    if is_chinese(word):
        after = following.words[0] if following and not following.entries and not following.mark else ""
        return (word + after,) if is_chinese(after) and _NUMERALS.isdisjoint((word, after)) else ()
    return () if word in STOP_WORDS or word in NUMBER_WORDS or word.isdigit() else (word,)


_NUMERALS: Final = frozenset("零〇一二三四五六七八九十两百千万亿几第")


def _condition(units: Sequence[Unit], at: int) -> frozenset[str]:
    """What stands behind "if", and in front of 的话 and 才."""
    word = units[at].words[0]
    if word in ("的", "为"):
        return _stretch(reversed(units[:at]), is_backwards=True)
    if word not in ("才", "方"):
        return _stretch(units[at + 1 :])
    ends = [each for each in range(max(0, at - _CLAUSE), at) if units[each].mark == "end"]
    return (
        _stretch(reversed(units[: ends[-1]]), is_backwards=True)
        if ends
        else _stretch(reversed(units[:at]), is_backwards=True)
    )


def _orders(units: Sequence[Unit]) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Return what comes before what, for each word that says so; nothing where one of the two is not said."""
    parts: list[tuple[str, list[Unit]]] = [("", [])]
    for unit in units:
        word = " ".join(unit.words) if not is_chinese(unit.words[0]) else "".join(unit.words)
        sign = (
            word
            if unit.mark in ("before", "after") or word in ("first", "and")
            else "end"
            if unit.mark == "end"
            else ""
        )
        if sign:
            parts.append((sign, []))
        else:
            parts[-1][1].append(unit)
    said = [(sign, _about(of)) for sign, of in parts]
    said = [each for at, each in enumerate(said) if each[1] or each[0] not in ("end", "")]
    for at, (sign, right) in enumerate(said):
        left = said[at - 1][1] if at else frozenset[str]()
        following = said[at + 1][1] if at + 1 < len(said) else frozenset[str]()
        match sign:
            case "先":
                found = (right, following)
            case "之前" | "以前" | "前":
                found = (right or following, left)
            case "之后" | "以后" | "后" | "再" | "然后" | "then" | "and then":
                found = (left, right or following)
            case "afterward":
                found = (left, right) if right else (said[at - 2][1] if at > 1 else frozenset(), left)
            case "first":
                found = (left, following) if not right else (right, following)
            case "befor" | "prior to" | "ahead of" | "previou to":
                found = (left or following, right)
            case "after" | "onc" | "follow" | "as soon as":
                found = (right, left or following)
            case _:
                continue
        if found[0] and found[1]:
            yield found


def _about(units: Iterable[Unit]) -> frozenset[str]:
    return frozenset(_things_of([*units]))


def _stretch(units: Iterable[Unit], *, is_backwards: bool = False) -> frozenset[str]:
    """The things up to the end of a clause."""
    found: list[Unit] = []
    for unit in islice(units, _CLAUSE):
        if unit.mark == "end":
            break
        found.append(unit)
    return _about(reversed(found) if is_backwards else found)


def _things_of(units: Sequence[Unit]) -> Iterator[str]:
    for at, unit in enumerate(units):
        for entry in unit.entries:
            yield entry.value if not entry.axis else f"{entry.axis}={entry.value}"
        if not unit.entries and not unit.mark:
            yield from _unknown(unit, units[at + 1] if at + 1 < len(units) else None)
