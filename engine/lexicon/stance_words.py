"""The words by which a text says where it stands, in Chinese and English: read from stances.yaml and topics.yaml."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from engine.files.yaml_locations import read_yaml
from engine.lexicon.stems import words_of
from engine.lexicon.topics import lexicon

FILE = Path(__file__).with_name("stances.yaml")


class Entry(NamedTuple):
    """What a word means: a value on an axis, or, without an axis, a thing."""

    axis: str
    value: str


class Unit(NamedTuple):
    """A known word, or one that is not."""

    words: tuple[str, ...]
    entries: tuple[Entry, ...]
    mark: str
    """``end`` of a clause, one of the marks of stances.yaml, or none."""


END = frozenset(",.;!?:，。；！？：、\n()（）")
_CLAUSE_WORDS = frozenset(
    ("but", "so", "because", "since", "although", "while", "因为", "所以", "但", "由于", "而是", "以便")
)


@cache
def _index() -> Mapping[tuple[str, ...], Unit]:
    located = read_yaml(FILE, FILE.read_text("utf-8")).data
    meanings: dict[tuple[str, ...], dict[Entry, None]] = {}
    for axis, values in located["axes"].items():
        for value, words in values.items():
            for word in words.split(","):
                meanings.setdefault(_key(word), {})[Entry(axis, value)] = None
    for thing, words in located["same"].items():
        for word in words.split(","):
            meanings.setdefault(_key(word), {})[Entry("", thing)] = None
    for key, topic in lexicon().topics.items():
        for word in topic.words:
            meanings.setdefault(_key(word), {Entry("", f"topic {key}"): None})
    marks: dict[tuple[str, ...], str] = {}
    for mark, words in located["marks"].items():
        for word in words.split(","):
            if mark != "light":
                marks[_key(word)] = mark
            else:
                marks.setdefault(_key(word), mark)
    marks |= {(each,): "end" for each in (*END, *_CLAUSE_WORDS)}
    return {key: Unit(key, tuple(meanings.get(key, ())), marks.get(key, "")) for key in (*meanings, *marks) if key}


@cache
def _sizes() -> Mapping[str, tuple[int, ...]]:
    """How long the entries are that begin with a word, the longest first."""
    found: dict[str, set[int]] = {}
    for key in _index():
        found.setdefault(key[0], set()).add(len(key))
    return {word: tuple(sorted(sizes, reverse=True)) for word, sizes in found.items()}


@cache
def values_of() -> Mapping[str, tuple[str, ...]]:
    return {axis: tuple(values) for axis, values in read_yaml(FILE, FILE.read_text("utf-8")).data["axes"].items()}


@cache
def known_things() -> frozenset[str]:
    """The names of the things that are known in both languages."""
    return frozenset(entry.value for unit in _index().values() for entry in unit.entries if not entry.axis)


def _key(words: str) -> tuple[str, ...]:
    return tuple(words_of(words))


_PARTICLES: Final = frozenset(("forward", "back", "off", "down", "up", "out", "ahead"))
_APART: Final = 6
"""Words between a verb and its particle."""


def _rejoined(tokens: Sequence[str]) -> Sequence[str]:
    """Put the particle of a verb beside it: "call the trip off"."""
    index, found = _index(), [*tokens]
    if _PARTICLES.isdisjoint(found):
        return found
    for at, word in enumerate(tokens):
        if word in _PARTICLES:
            for verb in range(at - 2, max(-1, at - 2 - _APART), -1):
                if tokens[verb] in END:
                    break
                if (tokens[verb], word) in index:
                    found[at] = ""
                    found[verb] = f"{tokens[verb]} {word}"
                    break
    return " ".join(found).split() if "" in found else found


_VERBS: Final = frozenset("做撑扛顶受赶接跟拿付请租买出干办搬装放容坐学写招找谈看负承应达完卖听修建凑排筹腾挤养送运存")
_RESULTS: Final = frozenset("起了下动到完成上住来掉出满齐够懂")
"""撑不起, 做不完: it cannot be done."""


def units_of(text: str) -> list[Unit]:
    """Return the words of a text, with what is known of each."""
    return [*_units(_rejoined(_without_questions(words_of(text))))]


def _units(tokens: Sequence[str]) -> Iterator[Unit]:
    """The longest known words from left to right."""
    index, sizes = _index(), _sizes()
    at = 0
    while at < len(tokens):
        if at + 2 < len(tokens) and tokens[at + 1] == "不" and tokens[at] in _VERBS and tokens[at + 2] in _RESULTS:
            yield Unit(tuple(tokens[at : at + 3]), (Entry("feasible", "no"),), "")
            at += 3
            continue
        for size in sizes.get(tokens[at], ()):
            unit = index.get(tuple(tokens[at : at + size]))
            if unit is not None:
                yield unit
                at += size
                break
        else:
            yield from _prefixed(tokens[at])
            at += 1


def _without_questions(tokens: Sequence[str]) -> Sequence[str]:
    """能不能 asks; it denies nothing."""
    found: list[str] = []
    at = 0
    while at < len(tokens):
        found.append(tokens[at])
        at += 3 if tokens[at + 1 : at + 2] == ("不",) and tokens[at + 2 : at + 3] == (tokens[at],) else 1
    return tuple(found)


_PREFIXES: Final = ("un", "in", "im", "ir", "dis", "non")


def _prefixed(word: str) -> Iterator[Unit]:
    """ "Unaffordable": the other side of what it is made of, where that has just two."""
    for prefix in _PREFIXES:
        if len(word) >= len(prefix) + 4 and word.startswith(prefix):
            rest = _index().get((word[len(prefix) :],))
            turned = tuple(
                Entry(axis, values[1 - values.index(value)])
                for axis, value in (rest.entries if rest else ())
                if axis and len(values := values_of()[axis]) == 2
            )
            if turned:
                yield Unit((word,), turned, "")
                return
    yield Unit((word,), (), "")


def are_opposite_forms(one: str, other: str) -> bool:
    """Whether one of two stems is the other with a prefix that denies it: "fair" and "unfair"."""
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return len(shorter) >= 4 and any(longer == prefix + shorter for prefix in _PREFIXES)
