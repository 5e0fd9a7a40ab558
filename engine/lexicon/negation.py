"""Finds which words of a text its negations deny."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import or_
from typing import Final, NamedTuple

from engine.lexicon.stance_words import Unit
from engine.lexicon.stems import is_chinese, stemmed

JUDGING: Final = ("feasible", "sensible", "go")
"""The axes on which a text is for something or against it."""
_REACH: Final = 7
"""Words after a negation in which what it denies stands."""
_LONG_REACH: Final = 14
"""Words after "rather than"; all of them up to the end of the clause are denied."""
_AFTER_TOO: Final = 5
"""Words between "too" and the "to" that it denies."""
_CHOICE: Final = 8
"""Words between "prefer" and "over"."""
_ORDERS: Final = (("不", "要"), ("别",), ("不", "得"), ("勿",), ("不", "能"), ("不", "应"), ("先", "不", "要"))
_UNDONE: Final = (("没",), ("没", "有"), ("未",), ("还", "没"), ("还", "没", "有"), ("尚", "未"))
_CHOOSING: Final = frozenset(map(stemmed, ("prefer", "choose", "favour", "favor", "pick", "select")))


class Negation(NamedTuple):
    """Of each word: whether it is denied, whether it denies another one, and whether it makes a condition instead."""

    denied: list[bool]
    denying: list[bool]
    waiting: list[bool]
    """ "Do not hire until", "without a nurse it cannot open": what it is about takes place, later or if so."""


def negation(units: Sequence[Unit]) -> Negation:
    """Read the negations: each denies the first word after it that says something, and "rather than" all words."""
    size = len(units)
    denied, denying = [False] * size, [False] * size
    waiting, settled = _waiting(units)
    for at, unit in enumerate(units):
        mark = unit.mark
        if unit.words[0] == "too":
            for there in _denied_by_too(units, at):
                denied[there] = not denied[there]
            continue
        if unit.words == ("over",) and any(each.words[0] in _CHOOSING for each in units[max(0, at - _CHOICE) : at]):
            mark = "but not"
        if mark not in ("not", "but not") or (mark == "not" and settled[at]):
            continue
        denying[at] = True
        for there in range(at + 1, min(size, at + 1 + (_LONG_REACH if mark == "but not" else _REACH))):
            each = units[there]
            if each.mark == "end":
                break
            if mark == "not" and _is_light(each):
                continue
            denied[there] = not denied[there]
            if mark == "not" and each.mark != "not":
                break
    return Negation(denied, denying, waiting)


def _waiting(units: Sequence[Unit]) -> tuple[list[bool], list[bool]]:
    """Return the negations that make a condition, and all those that deny nothing for it."""
    until = _from_here_on([each.words == ("until",) for each in units])
    before = _from_here_on([each.words == (stemmed("before"),) for each in units])
    denial = _from_here_on([each.mark == "not" for each in units])
    then = _from_here_on([each.words == ("就",) for each in units])
    until_done = _from_here_on([each.mark == "before" and is_chinese(each.words[0]) for each in units])
    before_zh = [*accumulate((each.mark == "before" and is_chinese(each.words[0]) for each in units), or_)]
    waiting, settled = [False] * len(units), [False] * len(units)
    is_without = False
    for at, unit in enumerate(units):
        if unit.mark != "not":
            continue
        is_order = unit.words in _ORDERS or (unit.words == ("not",) and at > 0 and units[at - 1].words == ("do",))
        others = at + 1 < len(units) and denial[at + 1]
        is_undone = unit.words in _UNDONE and until_done[at]  # 没签之前
        makes_one = (is_undone or unit.words == ("without",) or (unit.words == ("没", "有") and then[at])) and others
        is_without = is_without or makes_one
        waiting[at] = makes_one or until[at] or (is_order and (before[at] or before_zh[at]))
        settled[at] = waiting[at] or is_without
    return waiting, settled


def _from_here_on(found: Sequence[bool]) -> list[bool]:
    """Whether it is found at each place or after it."""
    return [*accumulate(reversed(found), or_)][::-1]


def _denied_by_too(units: Sequence[Unit], at: int) -> Iterator[int]:
    """ "Too optimistic to be realistic": what is judged is denied, and not what is done."""
    near = range(at + 1, min(len(units), at + _AFTER_TOO))
    to = next((each for each in near if units[each].words == ("to",)), None)
    if to is not None:
        for there in range(to + 1, min(len(units), to + 4)):
            if any(entry.axis in JUDGING for entry in units[there].entries):
                yield there


def _is_light(unit: Unit) -> bool:
    return unit.mark in ("plain", "before", "after", "light") and not any(each.axis for each in unit.entries)
