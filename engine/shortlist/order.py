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
    """

    def __init__(self, ids: Sequence[str], rows: Any, scores: Any) -> None:
        self._ids = ids
        self._rows = rows
        self._scores = scores

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[str]:
        if len(self) <= FIRST:
            yield from self._sorted(np.arange(len(self)))
            return
        least = np.partition(self._scores, -FIRST)[-FIRST]
        yield from self._sorted(np.flatnonzero(self._scores >= least))
        yield from self._sorted(np.flatnonzero(self._scores < least))

    def _sorted(self, places: Any) -> list[str]:
        scored = zip(self._scores[places].tolist(), self._rows[places].tolist(), strict=True)
        return [name for _, name in sorted((-score, self._ids[row]) for score, row in scored)]
