"""Pairs the named values of two positions: dates, quantities and owners, however they are named."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

from engine.deliberation.slots import NamedValue
from engine.lexicon.measures import amounts_in, counts_in
from engine.lexicon.reading.numbers import amount
from engine.lexicon.stance_words import known_things
from engine.lexicon.stances import things_in
from engine.lexicon.surnames import may_be_same_person

SAME_NAME: Final = 0.5
"""The share of the words of two names that both have, from which on they name the same."""
NEARLY: Final = 0.03
"""By how much two quantities of one unit may differ: twelve months are a year."""
_KINDS: Final = frozenset(("duration", "every", "percent", "money", "times", "time of day"))


class Pair(NamedTuple):
    """What two positions say of the same thing; None where only the other one says anything."""

    one: NamedValue | None
    other: NamedValue | None
    agrees: bool


def pairs_of(one: Sequence[NamedValue], other: Sequence[NamedValue], same: Callable[[str, str], bool]) -> list[Pair]:
    """Pair each value with at most one of the other position: first those that agree, then those of the same name."""
    left, right = [*one], [*other]
    found: list[Pair] = []
    for agrees in (True, False):
        for exactly in (True, False):
            for each in [*left]:
                mate = next(
                    (
                        rest
                        for rest in right
                        if _same_name(each.name, rest.name, exactly=exactly, agrees=agrees)
                        and same(each.value, rest.value) == agrees
                    ),
                    None,
                )
                if mate is not None:
                    found.append(Pair(each, mate, agrees))
                    left.remove(each)
                    right.remove(mate)
    return [*found, *(Pair(each, None, False) for each in left), *(Pair(None, each, False) for each in right)]


def _same_name(one: str, other: str, *, exactly: bool, agrees: bool) -> bool:
    if one == other:
        return True
    if exactly or {one, other} & _KINDS:
        return False
    if not one or not other or "things" in (one, other):
        return True
    if agrees and "number" in (one, other):
        return True
    if "people" in (one, other) and not {one, other} & known_things():
        return True  # a job that is not known as one
    if one.isascii() != other.isascii() and not {one, other} & known_things():
        return True  # a noun in two languages, neither of which is known
    return alike(one, other) >= SAME_NAME


@lru_cache(maxsize=4096)
def alike(one: str, other: str) -> float:
    """How many of the words of two names both have, of the shorter one's."""
    if one.casefold().strip() == other.casefold().strip():
        return 1.0
    mine, theirs = things_in(one), things_in(other)
    return len(mine & theirs) / min(len(mine), len(theirs)) if mine and theirs else 0.0


# ── values ────────────────────────────────────────────────────────────────────────────────────────────────────────


def same_date(one: str, other: str) -> bool:
    """Whether two dates may be the same: equal, one within the other, or deadlines that end together."""
    if one == other:
        return True
    mine, theirs = _span(one), _span(other)
    if mine is None or theirs is None:
        return one.strip().casefold() == other.strip().casefold()
    if mine[1] == theirs[1] and None not in (mine[1], theirs[1]):
        return True
    if mine[0] is None or theirs[0] is None or mine[1] is None or theirs[1] is None:
        return mine[0] == theirs[0] and mine[0] is not None
    first, last = max(mine[0], theirs[0]), min(mine[1], theirs[1])
    is_within = first <= last and (first, last) in (mine, theirs)
    return is_within or 2 * (last - first).days >= (mine[1] - mine[0]).days > 0


@lru_cache(maxsize=4096)
def _span(said: str) -> tuple[date | None, date | None] | None:
    first, slash, last = said.partition("/")
    try:
        begin = date.fromisoformat(first.strip()[:10]) if first.strip() else None
        end = (date.fromisoformat(last.strip()[:10]) if last.strip() else None) if slash else begin
    except ValueError:
        return None
    return (begin, end) if begin or end else None


def same_quantity(one: str, other: str) -> bool:
    if one.strip().casefold() == other.strip().casefold():
        return True
    mine, theirs = _measured(one), _measured(other)
    if mine is None or theirs is None or mine[0] != theirs[0]:
        return False
    return abs(mine[1] - theirs[1]) <= NEARLY * max(mine[1], theirs[1]) and mine[1] * theirs[1] >= 0


@lru_cache(maxsize=4096)
def _measured(said: str) -> tuple[str, float] | None:
    """A unit and a number of it: 42, "42 hours", "50000 CNY"."""
    number, _, unit = said.strip().partition(" ")
    try:
        plain = float(number.replace(",", ""))
    except ValueError:
        plain = -1.0
    if plain >= 0 and not unit:
        return "", plain
    for each in (*amounts_in(said), *counts_in(said)):
        value = amount(each.value.partition(" ")[0])
        if value is not None:
            return each.what, value
    return None


def same_owner(one: str, other: str) -> bool:
    return may_be_same_person(one.strip().casefold(), other.strip().casefold())
