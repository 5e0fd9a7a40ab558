"""The numbers by which an index compares people: a byte each, in blocks, so that growing copies nothing.

They are turned into floats a block at a time while they are compared, which takes no longer than reading four times as
many bytes would.
"""

from typing import Any, Final

import numpy as np

from engine.shortlist.texts import DIMENSION, VECTORS
from engine.shortlist.vector_text import shrunk

BLOCK: Final = 512
"""Rows of a block. As floats they fit into the cache of a processor."""


class Rows:
    def __init__(self) -> None:
        self._blocks: list[Any] = []
        self._scales: list[Any] = []

    def grow(self, rows: int) -> None:
        """Make room for so many rows, of zeros: a row of zeros is near nothing."""
        while rows > len(self._blocks) * BLOCK:
            self._blocks.append(np.zeros((BLOCK, VECTORS * DIMENSION), dtype=np.int8))
            self._scales.append(np.zeros((BLOCK, VECTORS), dtype=np.float32))

    def mean(self, row: int, vectors: Any) -> None:
        """Keep what somebody means: shape (`VECTORS`, `DIMENSION`), each of length one."""
        small = shrunk(vectors)
        lengths = np.linalg.norm(small.astype(np.float32), axis=1)
        self._blocks[row // BLOCK][row % BLOCK] = small.reshape(-1)
        self._scales[row // BLOCK][row % BLOCK] = 1 / np.maximum(lengths, 1e-9)

    def copy_from(self, other: "Rows", row: int, to: int) -> None:
        """Keep what others keep in a row of theirs."""
        self._blocks[to // BLOCK][to % BLOCK] = other._blocks[row // BLOCK][row % BLOCK]
        self._scales[to // BLOCK][to % BLOCK] = other._scales[row // BLOCK][row % BLOCK]

    def near(self, queries: Any, total: int) -> Any:
        """Return how near each of the first `total` rows is to each query: shape (queries, total).

        Args:
            queries: shape (queries, `DIMENSION`), each of length one.
        """
        found = np.empty((len(queries), len(self._blocks) * BLOCK), dtype=np.float32)
        ways = np.ascontiguousarray(queries.T)
        meant = np.empty((BLOCK * VECTORS, DIMENSION), dtype=np.float32)  # in the same place of memory every time
        for number, (small, scales) in enumerate(zip(self._blocks, self._scales, strict=True)):
            np.copyto(meant.reshape(BLOCK, -1), small)
            near = (meant @ ways).reshape(BLOCK, VECTORS, -1)
            near *= scales[..., np.newaxis]
            start = number * BLOCK
            found[:, start : start + BLOCK] = ((near.max(axis=1) + near.mean(axis=1)) / 2).T
        return found[:, :total]
