"""How likely a text is about each kind of help: situations.yaml, as vectors.

"My knees shake when I stand before people" shares no word with a rhetoric coach, and little meaning. Both are near a
line of the same kind. The vectors of those lines come with the code, so that no start has to make them.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from engine.files.yaml_locations import read_yaml
from engine.lexicon.matching import Described, tokens
from engine.llm.encoder import Meaning, meaning
from engine.shortlist.vector_text import lengthened, shrunk

LINES: Final = Path(__file__).with_name("situations.yaml")
VECTORS: Final = LINES.with_suffix(".npz")

SURE_OF_A_PROFILE: Final = 0.06
SURE_OF_A_DEMAND: Final = 0.04
"""Temperatures: by how much nearer the nearest kind has to be to count more than the next."""
WORD_OF_A_PROFILE: Final = 0.35
WORD_OF_A_DEMAND: Final = 0.05
"""What a word that only one kind has adds to the cosine. In what somebody can do, it says more than what is near."""


class Line(NamedTuple):
    """One line of situations.yaml."""

    kind: int
    text: str
    is_ability: bool
    """Whether it is how profiles say it; else it is how demands do."""


class Situations:
    """
    Args:
        vectors: shape (lines, dimension), each of length one.
    """

    def __init__(self, lines: Sequence[Line], vectors: Any) -> None:
        kinds = np.array([each.kind for each in lines])
        self._abilities = _weights(each for each in lines if each.is_ability)
        self._words = _weights(lines)
        self.vectors = vectors
        self._starts = np.flatnonzero(np.diff(kinds, prepend=-1))

    @property
    def count(self) -> int:
        """How many kinds there are."""
        return len(self._starts)

    def of_demands(self, texts: Sequence[str], vectors: Any) -> Any:
        """Return how likely each demand is about each kind: shape (demands, kinds), each row sums up to 1."""
        said = np.stack([self._said(tokens(text), self._words) for text in texts])
        return _shares(self._nearest(vectors) + WORD_OF_A_DEMAND * said, SURE_OF_A_DEMAND)

    def of_profiles(self, profiles: Sequence[Described], vectors: Any) -> Any:
        """Return how much each is of each kind: shape (profiles, kinds), each row of length one.

        Args:
            vectors: shape (profiles, vectors of each, dimension).
        """
        tags = np.stack([self._said(tokens("\n".join(each.tags)), self._abilities) for each in profiles])
        rest = np.stack([self._said(tokens(each.profile_summary), self._abilities) for each in profiles])
        said = WORD_OF_A_PROFILE * np.maximum(tags, rest / 2)
        nearest = self._nearest(vectors.reshape(-1, vectors.shape[-1])).reshape(*vectors.shape[:2], -1)
        together = (nearest.mean(axis=1) + said, nearest.max(axis=1) + said)
        found = np.maximum(*(_shares(each, SURE_OF_A_PROFILE) for each in together))
        return found / np.linalg.norm(found, axis=1, keepdims=True)

    def _said(self, words: Iterable[str], weights: Mapping[str, Mapping[int, float]]) -> Any:
        """Return what the most telling of these words says for each kind, up to 1 for a word that no other kind has."""
        found = np.zeros(self.count, dtype=np.float32)
        for word in words:
            for kind, weight in weights.get(word, _NONE).items():
                found[kind] = max(found[kind], weight)
        return found

    def _nearest(self, vectors: Any) -> Any:
        """Return the cosine of the nearest line of each kind."""
        return np.maximum.reduceat(vectors @ self.vectors.T, self._starts, axis=1)


_NONE: Final[Mapping[int, float]] = {}


def _weights(lines: Iterable[Line]) -> Mapping[str, Mapping[int, float]]:
    """Return the kinds that each word stands for, with one divided by their number."""
    kinds: dict[str, set[int]] = {}
    for each in lines:
        for word in tokens(each.text):
            kinds.setdefault(word, set()).add(each.kind)
    return {word: dict.fromkeys(of, 1 / len(of)) for word, of in kinds.items()}


def _shares(near: Any, temperature: float) -> Any:
    powers = np.exp((near - near.max(axis=1, keepdims=True)) / temperature)
    return powers / powers.sum(axis=1, keepdims=True)


@cache
def situations() -> Situations:
    """Return those that come with the code."""
    with np.load(VECTORS) as stored:
        return Situations(lines(), lengthened(stored["vectors"]))


def lines() -> tuple[Line, ...]:
    kinds: Mapping[str, Mapping[str, list[str]]] = read_yaml(LINES, LINES.read_text("utf-8")).data
    return tuple(
        Line(number, str(text), part == "can")
        for number, each in enumerate(kinds.values())
        for part in ("can", "need")
        for text in each[part]
    )


def made(encoder: Meaning) -> Any:
    """Return the vectors of all lines, a byte a number."""
    return shrunk(np.array(encoder.computed([each.text for each in lines()]), dtype=np.float32))


if __name__ == "__main__":
    np.savez_compressed(VECTORS, vectors=made(meaning()))
