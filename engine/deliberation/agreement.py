"""How far the slots of two positions agree, and in what they differ."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from engine.deliberation.contradictions import contradictions, names_the_condition, substitutions
from engine.deliberation.nearness import nearness
from engine.deliberation.slots import NamedValue, Slots, split_decision
from engine.deliberation.values import Pair, pairs_of, same_date, same_owner, same_quantity
from engine.kernel.message import PRIVATE, Message
from engine.lexicon.stances import stances_in

ONE_SIDED: Final = 0.975
"""What a value counts that only one position has; a contradiction counts 0. A slot of nothing else agrees to 0.93."""
SHARPNESS: Final = 3
"""A slot agrees by this power of what its values count on average: one contradiction of two weighs heavily, and one of
twenty does not."""

SlotName = Literal["conclusion", "decision", "dates", "quantities", "owners"]


class Difference(Message):
    """A slot in which two positions differ. One of the values is empty where only the other position has one."""

    slot: SlotName
    name: Annotated[str, PRIVATE]
    one: Annotated[str, PRIVATE]
    other: Annotated[str, PRIVATE]

    @property
    def is_contradiction(self) -> bool:
        return bool(self.one and self.other)


class SlotLevel(Message):
    slot: SlotName
    level: float
    """From 0, all of it contradicts, to 1."""


class SlotAgreement(Message):
    """How far the slots of two positions agree."""

    level: float
    by_slot: tuple[SlotLevel, ...]
    """Without the slots that both leave empty."""
    differences: tuple[Difference, ...] = ()


def agreement(one: Slots, other: Slots, near: float | None = None, *, may_be_substituted: bool = True) -> SlotAgreement:
    """Compare the slots of two positions.

    Slots that both leave empty do not count. A value that only one position has counts nearly as one that agrees, since
    nobody said otherwise. The whole is the mean of the slots, times the middle between 1 and the lowest of them: one
    slot that contradicts makes it less than a half.

    Args:
        near: how near their conclusions are in meaning, from 0 to 1; by default by their words.
        may_be_substituted: whether another word in the same sentence may be another option, and not a synonym.
    """
    if one == other:
        return SlotAgreement(level=1.0, by_slot=tuple(SlotLevel(slot=each, level=1.0) for each in _filled(one)))
    if repr(other) < repr(one):  # which is which makes no difference
        found = _compared(other, one, near, may_be_substituted)
        turned = (msgspec.structs.replace(each, one=each.other, other=each.one) for each in found.differences)
        return msgspec.structs.replace(found, differences=tuple(turned))
    return _compared(one, other, near, may_be_substituted)


def _filled(slots: Slots) -> Iterator[SlotName]:
    for slot in ("conclusion", *_COMPARED):
        if getattr(slots, slot):
            yield slot


def _compared(one: Slots, other: Slots, near: float | None, may_be_substituted: bool) -> SlotAgreement:
    if near is None:
        near = nearness(one.conclusion, other.conclusion, None)
    items = [*_items(one, other)]
    if may_be_substituted and not any(each.score == 0 for each in items):
        items += (_contradiction(*each) for each in substitutions(one.conclusion, other.conclusion))
    levels = []
    if one.conclusion or other.conclusion:
        both = one.conclusion and other.conclusion
        levels.append(SlotLevel(slot="conclusion", level=near if both else ONE_SIDED**SHARPNESS))
    for slot in _COMPARED:
        scores = [each.score for each in items if each.slot == slot]
        if scores:
            levels.append(SlotLevel(slot=slot, level=(sum(scores) / len(scores)) ** SHARPNESS))
    found = [each.level for each in levels]
    return SlotAgreement(
        level=sum(found) / len(found) * (1 + min(found)) / 2 if found else 1.0,
        by_slot=tuple(levels),
        differences=tuple(
            Difference(slot=each.slot, name=each.name, one=each.one, other=each.other)
            for each in items
            if each.score < 1
        ),
    )


_COMPARED: Final[tuple[SlotName, ...]] = ("decision", "dates", "quantities", "owners")


class _Item(NamedTuple):
    """What one position says of something, and the other."""

    slot: SlotName
    name: str
    one: str
    other: str
    score: float


def _contradiction(name: str, one: str, other: str) -> _Item:
    return _Item("decision", name, one, other, 0.0)


def _items(one: Slots, other: Slots) -> Iterator[_Item]:
    yield from _decisions(one, other)
    yield from _paired("dates", pairs_of(one.dates, other.dates, same_date))
    yield from _paired("quantities", pairs_of(one.quantities, other.quantities, same_quantity))
    yield from _paired("owners", pairs_of(one.owners, other.owners, same_owner))


def _paired(slot: SlotName, pairs: Iterable[Pair]) -> Iterator[_Item]:
    for pair in pairs:
        mine, theirs = pair.one or _NOTHING, pair.other or _NOTHING
        score = 1.0 if pair.agrees else 0.0 if pair.one and pair.other else ONE_SIDED
        yield _Item(slot, mine.name or theirs.name, mine.value, theirs.value, score)


_NOTHING: Final = NamedValue(name="", value="")


def _decisions(one: Slots, other: Slots) -> Iterator[_Item]:
    (mine, my_option), (theirs, their_option) = split_decision(one.decision), split_decision(other.decision)
    both = stances_in(one.conclusion), stances_in(other.conclusion)
    is_text = bool(one.conclusion and other.conclusion)
    if mine == theirs:
        if mine:
            yield _Item("decision", "", mine, theirs, 1.0)
    elif "conditional" in (mine, theirs):
        is_regardless = any("none" in side.said for each in both if (side := each.sides.get("proviso")))
        if is_regardless or not (is_text and names_the_condition(*both)):
            yield _contradiction("condition", mine or "unconditional", theirs or "unconditional")
    else:
        yield _Item("decision", "", mine, theirs, 0.0 if mine and theirs else ONE_SIDED)
    if my_option and their_option:
        is_same = not set(my_option).isdisjoint(their_option)
        yield _Item("decision", "option", " / ".join(my_option), " / ".join(their_option), float(is_same))
    if is_text:
        yield from (_contradiction(*each) for each in contradictions(*both))
