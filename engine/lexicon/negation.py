"""Finds which words of a text its negations deny."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import or_
from typing import Final, NamedTuple

from engine.lexicon.stance_words import Entry, Unit
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
_MUST: Final = Entry("must", "must")
""" "They do not have to pay": what is not required does not take place."""
_UNDONE: Final = (("没",), ("没", "有"), ("未",), ("还", "没"), ("还", "没", "有"), ("尚", "未"))
_MODAL: Final = frozenset(("can", "must", "should", "may", "shall"))
_CALENDAR: Final = """
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday spring summer autumn winter next noon lunch christmas
    """
_TIMES: Final = frozenset(map(stemmed, _CALENDAR.split()))
_UNLESS: Final = (("unless",), ("除", "非"))
"""With a negation they make a condition: not unless it is dry is only if it is."""
_LACKING: Final = (("没", "有"), ("没",), ("未",))
_FORBIDDING: Final = frozenset(
    map(tuple, ("不能", "不得", "不可", "不可以", "不许", "不准", "不要", "不应", "不应该", "不该", "无法"))
)
_CHOOSING: Final = frozenset(map(stemmed, ("prefer", "choose", "favour", "favor", "pick", "select")))


class Negation(NamedTuple):
    """Of each word: whether it is denied, whether it denies another one, and whether it makes a condition instead."""

    denied: list[bool]
    denying: list[bool]
    waiting: list[bool]
    """ "Do not hire until", "without a nurse it cannot open": what it is about takes place, later or if so."""
    settled: list[bool]
    """Of each negation: whether it denies nothing, for it is part of a condition."""


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
            if mark == "not" and each.mark != "not" and _MUST not in each.entries:
                break
    return Negation(denied, denying, waiting, settled)


def _waiting(units: Sequence[Unit]) -> tuple[list[bool], list[bool]]:
    """Return the negations that make a condition, and all those that deny nothing for it."""
    until = _from_here_on([each.words == ("until",) for each in units])
    before = _from_here_on([each.words == (stemmed("before"),) for each in units])
    before_done = _from_here_on(
        [
            each.words == (stemmed("before"),) and at + 1 < len(units) and not _is_of_time(units[at + 1])
            for at, each in enumerate(units)
        ]
    )
    denial = _from_here_on([each.mark == "not" for each in units])
    then = _from_here_on([each.words == ("就",) for each in units])
    until_done = _from_here_on([each.mark == "before" and is_chinese(each.words[0]) for each in units])
    before_zh = [*accumulate((each.mark == "before" and is_chinese(each.words[0]) for each in units), or_)]
    waiting, settled = [False] * len(units), [False] * len(units)
    has_unless = any(each.words in _UNLESS for each in units)
    is_without = False
    earlier: int | None = None  # the last negation of this clause
    for at, unit in enumerate(units):
        if unit.mark == "end":
            earlier = None
        if unit.mark != "not" or unit.words in _UNLESS:
            continue
        if unit.words == ("without",) and earlier is not None:  # nobody goes without it
            waiting[at] = settled[at] = settled[earlier] = True
            continue
        earlier = at
        is_order = unit.words in _ORDERS or (unit.words == ("not",) and at > 0 and units[at - 1].words == ("do",))
        is_order = is_order or (before_done[at] and _is_modal(units, at))
        others = at + 1 < len(units) and denial[at + 1]
        is_undone = unit.words in _UNDONE and until_done[at]  # 没签之前
        is_lacking = unit.words in _LACKING and (then[at] or _is_forbidden_then(units, at))
        makes_one = (is_undone or unit.words == ("without",) or is_lacking) and others
        is_without = is_without or makes_one
        waiting[at] = makes_one or until[at] or (is_order and (before[at] or before_zh[at]))
        settled[at] = waiting[at] or is_without or has_unless
    return waiting, settled


def _is_modal(units: Sequence[Unit], at: int) -> bool:
    """ "Cannot", "must not"."""
    words = (*(units[at - 1].words if at else ()), *units[at].words)[-2:]
    return len(words) == 2 and words[0] in _MODAL and words[1] == "not"


def _is_of_time(unit: Unit) -> bool:
    return unit.words[0].isdigit() or unit.words[0] in _TIMES


def _is_forbidden_then(units: Sequence[Unit], at: int) -> bool:
    """Whether the clause after this one begins with what may not be: 没有批准，不能开工."""
    end = next((each for each in range(at + 1, len(units)) if units[each].mark == "end"), len(units))
    return end + 1 < len(units) and units[end + 1].words in _FORBIDDING


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
