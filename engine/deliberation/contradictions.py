"""Finds where two texts contradict each other: by what they assert and deny, what comes first, and other options."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from engine.facts.language import language_of
from engine.lexicon.negation import JUDGING
from engine.lexicon.reading.numbers import number
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
    is_turned_round = one.compares and other.compares and _is_turned_round(one, other)
    for axis in sorted(one.sides.keys() & other.sides.keys()):
        mine, theirs = one.sides[axis], other.sides[axis]
        if (_excludes(mine, theirs) or _excludes(theirs, mine)) == (is_turned_round and axis in _DEGREES):
            continue
        if not (_is_denied_in_other_words(axis, one, other) or (axis in _HOW and _is_so_by_not(axis, one, other))):
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
    if (leaning := _leans(one)) is not None and _leans(other) is (not leaning) and _is_about_the_same(one, other):
        yield Contradiction("worth", "for" if leaning else "against", "against" if leaning else "for")
    for earlier, later in one.orders:
        for first, then in other.orders:
            if len(earlier & then) + len(later & first) > len(earlier & first) + len(later & then):
                yield Contradiction("order", " ".join(sorted(earlier)), " ".join(sorted(first)))
                return


_DEGREES: Final = frozenset(("cost", "risk", "difficulty", "quality", "size", "length", "speed", "level", "distance"))


def _is_turned_round(one: Stances, other: Stances) -> bool:
    """ "One is cheaper than the other", "the other is dearer than the one"."""
    mine, theirs = ([each for each in dict.fromkeys(of.sequence) if not _is_degree(each)] for of in (one, other))
    shared = [each for each in mine if each in theirs]
    return len(shared) > 1 and theirs.index(shared[0]) > theirs.index(shared[-1])


def _is_degree(named: str) -> bool:
    return named.partition("=")[0] in _DEGREES


_LEANING: Final = frozenset(
    ("feasible", "enough", "slack", "risk", "difficulty", "quality", "benefit", "outlook", "readiness", "likelihood")
)
SAME_THINGS: Final = 0.5
"""The share of the things in two texts that both name, from which on one worth judges the same."""


def _leans(stances: Stances) -> bool | None:
    """Whether everything that is judged is judged well, or badly; None where it is mixed, or nothing is."""
    judged = [
        good in side.said for axis, good in _GOOD.items() if axis in _LEANING and (side := stances.sides.get(axis))
    ]
    return judged[0] if len({*judged}) == 1 else None


def _is_about_the_same(one: Stances, other: Stances) -> bool:
    shared = len(one.things & other.things)
    is_short = max(one.length, other.length) <= SHORT
    return is_short and 2 * shared >= SAME_THINGS * (len(one.things) + len(other.things)) > 0


def _is_denied_in_other_words(axis: str, one: Stances, other: Stances) -> bool:
    """ "You cannot pass with so little", "it is not enough to pass": both deny, and not the same word."""
    if axis in JUDGING or (axis in one.turned) == (axis in other.turned):
        return False
    rest = other if axis in one.turned else one
    return rest.negations > 0 or _is_negative(rest, besides=frozenset((axis,)))


_HOW: Final = ("must", "always", "everyone")


def _is_so_by_not(how: str, one: Stances, other: Stances) -> bool:
    """ "It must be free", "nobody needs to pay"; "always late", "never on time": one affirms what the other denies."""
    return any(
        axis != how and (axis in one.turned) != (axis in other.turned) and one.sides[axis].said & other.sides[axis].said
        for axis in one.sides.keys() & other.sides.keys()
    )


_AWAY: Final = (
    ("change", "change"),
    ("go", "no"),
    ("direction", "exclude"),
    ("use", "avoid"),
    ("must", "may"),
    ("enough", "no"),
)
_GOOD: Final[Mapping[str, str]] = {
    "feasible": "yes",
    "sensible": "yes",
    "go": "yes",
    "direction": "include",
    "use": "use",
    "risk": "low",
    "cost": "low",
    "enough": "yes",
    "slack": "yes",
    "difficulty": "easy",
    "quality": "good",
    "clear": "yes",
    "willing": "yes",
    "allowed": "yes",
    "benefit": "benefit",
    "success": "meet",
    "outlook": "optimistic",
    "readiness": "ready",
    "likelihood": "likely",
    "pass": "pass",
    "must": "must",
}
"""Of axes on which one value speaks for something: that value."""
_NEGATIVE: Final = frozenset(("no", "never", "none"))
SHORT: Final = 16
"""Words up to which a text is one statement, so that any negation in it is the statement's."""


def _denies(one: Stances, other: Stances) -> bool:
    """Whether a text denies what the other one asserts, and the other one does not say so without a negation."""
    against = 0 if one.negations else any("no" in side.said for side in _worth(one))
    if not (one.negations or against) or other.negations or _is_negative(other, besides=_said_by_both(one, other)):
        return False
    if one.denied & other.things:
        return True
    if one.turned and all(_GOOD.get(axis, "") in one.sides[axis].said for axis in one.turned):
        return False  # two negations make none: it cannot be left out
    if (
        one.turned
        and one.turned <= _MOVING
        and "keep" in (other.sides["change"].said if "change" in other.sides else ())
    ):
        return False
    if any(axis in other.sides and not _excludes(one.sides[axis], other.sides[axis]) for axis in one.turned):
        return False
    is_one_statement = (one.negations + against) % 2 == 1 and max(one.length, other.length) <= SHORT
    return is_one_statement and (one.language != other.language or _likeness(one, other) >= SAME_SUBJECT)


_MOVING: Final = frozenset(("amount", "shift", "change", "size", "length", "level", "rise", "cost"))
"""Who denies one of them says that something stays as it is."""
SAME_SUBJECT: Final = 0.6
"""The share of what two texts of one language name, from which on what one denies, the other says."""


def _likeness(one: Stances, other: Stances) -> float:
    mine, theirs = (subjects(each) - {f"{axis}=" for axis in JUDGING} for each in (one, other))
    return 2 * len(mine & theirs) / max(1, len(mine) + len(theirs))


def _worth(stances: Stances) -> Iterator[Side]:
    return (side for axis in ("feasible", "sensible", "allowed") if (side := stances.sides.get(axis)))


def _is_negative(stances: Stances, besides: frozenset[str]) -> bool:
    """Whether a text is against something, or gives it up, in words that are no negation, on other axes than these."""
    sides = {axis: side.said for axis, side in stances.sides.items() if axis not in besides}
    moves_away = any(value in sides.get(axis, ()) for axis, value in _AWAY)
    return moves_away or stances.is_excessive or any(said & _NEGATIVE for said in sides.values())


_DOING: Final = frozenset(("change", "direction", "use"))


def _said_by_both(one: Stances, other: Stances) -> frozenset[str]:
    """The axes on which both do the same, so that it is no denial: "change it now", "too early to change it"."""
    shared = _DOING & one.sides.keys() & other.sides.keys() - one.turned - other.turned
    return frozenset(axis for axis in shared if one.sides[axis].said == other.sides[axis].said)


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
        if tag == "replace" and (amounts := _numbers(mine[start:end])) and (others := _numbers(theirs[begin:stop])):
            if amounts != others:
                yield Contradiction("number", *("".join(map(str, each)) for each in (amounts, others)))
                return
            continue
        gone, new = _meant(mine[start:end]) - right, _meant(theirs[begin:stop]) - left
        if tag == "replace" and gone and new and not (_leaning(gone, one) & _leaning(new, other)):
            yield Contradiction("option", " ".join(sorted(gone)), " ".join(sorted(new)))
            return


def _numbers(words: Sequence[str]) -> list[float]:
    """What they are where all of them are numbers, in words or digits; otherwise nothing."""
    found = [number(each) for each in words]
    return [each for each in found if each is not None] if None not in found else []


def _leaning(named: Iterable[str], text: str) -> set[bool]:
    """Whether what is named here speaks for something, or against it, as "too tight" and "not enough" do."""
    sides = stances_in(text).sides
    axes = {each.partition("=")[0] for each in named} & _GOOD.keys() & sides.keys()
    return {_GOOD[axis] in sides[axis].said for axis in axes}


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
    "的了着过得地是在很就太更最又便已和与及并把将被对向从到给为由以于个名位家间台套份次场项件条要应该当就都也还会能可以让去来做上下里中这那此其一二三四五六七八九十两百千万几第"
)


def subjects(stances: Stances) -> frozenset[str]:
    """What a text is about, whichever side it takes."""
    return stances.things | {f"{axis}=" for axis in stances.sides}
