"""BM25 over many texts by an inverted list, which grows without being made anew."""

import math
from array import array
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

K1: Final = 1.2
B: Final = 0.5
"""How much a long text counts for less. Those who write much about themselves can do no less than others."""


class Postings:
    """Rows of words. A row is never changed: whoever changes a text adds a row, and leaves the old one out."""

    def __init__(self) -> None:
        self._rows: dict[str, array[int]] = {}
        self._counts: dict[str, array[float]] = {}
        self._lengths = array("f")

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, words: Mapping[str, float]) -> int:
        """Return the number of the new row."""
        row = len(self._lengths)
        self._lengths.append(sum(words.values()))
        for word, count in words.items():
            self._rows.setdefault(word, array("i")).append(row)
            self._counts.setdefault(word, array("f")).append(count)
        return row

    def scores(self, query: Counter[str]) -> Any:
        """Return the score of every row, an array of shape (rows,); 0 for those that share no word."""
        total = len(self._lengths)
        found = np.zeros(total, dtype=np.float32)
        if not total:
            return found
        lengths = np.array(self._lengths, dtype=np.float32)
        norm = K1 * (1 - B + B * lengths / max(1.0, float(lengths.mean())))
        for word, times in query.items():
            if word not in self._rows:
                continue
            rows = np.array(self._rows[word], dtype=np.int32)
            counts = np.array(self._counts[word], dtype=np.float32)
            rarity = math.log(1 + (total - len(rows) + 0.5) / (len(rows) + 0.5))
            found[rows] += min(times, 2) * rarity * counts * (K1 + 1) / (counts + norm[rows])
        return found
