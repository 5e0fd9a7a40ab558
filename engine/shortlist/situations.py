"""How likely a text is about each kind of help: situations.yaml, as vectors.

"My knees shake when I stand before people" shares no word with a rhetoric coach, and little meaning. Both are near a
line of the same kind. The vectors of those lines come with the code, so that no start has to make them.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from engine.files.yaml_locations import read_yaml
from engine.lexicon.meaning import Meaning, meaning
from engine.shortlist.vector_text import lengthened, shrunk

LINES: Final = Path(__file__).with_name("situations.yaml")
VECTORS: Final = LINES.with_suffix(".npz")

SURE_OF_A_PROFILE: Final = 0.06
SURE_OF_A_DEMAND: Final = 0.04
"""Temperatures: by how much nearer the nearest kind has to be to count more than the next."""


class Situations:
    """
    Args:
        vectors: shape (lines, dimension), each of length one.
        kinds: the number of the kind of each line.
    """

    def __init__(self, vectors: Any, kinds: Any) -> None:
        order = np.argsort(kinds, kind="stable")
        self._vectors = vectors[order].T
        self._starts = np.flatnonzero(np.diff(kinds[order], prepend=-1))

    @property
    def count(self) -> int:
        """How many kinds there are."""
        return len(self._starts)

    def of_demands(self, vectors: Any) -> Any:
        """Return how likely each demand is about each kind: shape (demands, kinds), each row sums up to 1."""
        return _shares(self._nearest(vectors), SURE_OF_A_DEMAND)

    def of_profile(self, vectors: Any) -> Any:
        """Return how much somebody is of each kind, of length one, by all of their vectors."""
        nearest = self._nearest(vectors)
        together = nearest.mean(axis=0, keepdims=True), nearest.max(axis=0, keepdims=True)
        found = np.maximum(*(_shares(each, SURE_OF_A_PROFILE) for each in together))[0]
        return found / np.linalg.norm(found)

    def _nearest(self, vectors: Any) -> Any:
        """Return the cosine of the nearest line of each kind."""
        return np.maximum.reduceat(vectors @ self._vectors, self._starts, axis=1)


def _shares(near: Any, temperature: float) -> Any:
    powers = np.exp((near - near.max(axis=1, keepdims=True)) / temperature)
    return powers / powers.sum(axis=1, keepdims=True)


@cache
def situations() -> Situations:
    """Return those that come with the code."""
    with np.load(VECTORS) as stored:
        return Situations(lengthened(stored["vectors"]), stored["kinds"])


def lines() -> tuple[tuple[int, str], ...]:
    """Return every line with the number of its kind."""
    kinds: Mapping[str, Mapping[str, list[str]]] = read_yaml(LINES, LINES.read_text("utf-8")).data
    return tuple(
        (number, line) for number, each in enumerate(kinds.values()) for part in ("can", "need") for line in each[part]
    )


def made(encoder: Meaning) -> tuple[Any, Any]:
    """Return the vectors of all lines, a byte a number, and their kinds."""
    found = lines()
    vectors = np.array(encoder.computed([line for _, line in found]), dtype=np.float32)
    return shrunk(vectors), np.array([kind for kind, _ in found], dtype=np.int16)


if __name__ == "__main__":
    vectors, kinds = made(meaning())
    np.savez_compressed(VECTORS, vectors=vectors, kinds=kinds)
