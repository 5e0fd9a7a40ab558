"""Who fits best, without sorting everybody: of a hundred thousand people, a few dozen are looked at."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

FIRST: Final = 256
"""So many are sorted at first. The others are only when somebody goes on reading."""


class Order:
    """The agent ids of everybody, those who fit best first, equal ones by id. Read it as often as you like.

    Args:
        ids: by row.
        rows: those of people who are still there, whole numbers.
        scores: of these rows, in the same order.
        nearness: by row, the cosine that stands behind a score.
        words: by row, what the shared words count that stand behind it.
    """

    def __init__(self, ids: Sequence[str], rows: Any, scores: Any, nearness: Any, words: Any) -> None:
        self._ids = ids
        self._rows = rows
        self._scores = scores
        self._nearness = nearness
        self._words = words

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[str]:
        return (self._ids[self._rows[place]] for place in self._places())

    def scored(self) -> Iterator[tuple[str, float, float, float]]:
        """Yield each agent id with its score, its nearness and what its words count."""
        for place in self._places():
            row = self._rows[place]
            yield self._ids[row], float(self._scores[place]), float(self._nearness[row]), float(self._words[row])

    def _places(self) -> Iterator[int]:
        if len(self) <= FIRST:
            yield from self._sorted(np.arange(len(self)))
            return
        least = np.partition(self._scores, -FIRST)[-FIRST]
        yield from self._sorted(np.flatnonzero(self._scores >= least))
        yield from self._sorted(np.flatnonzero(self._scores < least))

    def _sorted(self, places: Any) -> list[int]:
        scored = zip(self._scores[places].tolist(), self._rows[places].tolist(), places.tolist(), strict=True)
        return [place for *_, place in sorted((-score, self._ids[row], place) for score, row, place in scored)]
