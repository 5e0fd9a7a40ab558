"""The numbers by which an index compares people: a byte each, in blocks, so that growing copies nothing.

They are turned into floats a block at a time while they are compared, which takes no longer than reading four times as
many bytes would.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from engine.shortlist.texts import DIMENSION, VECTORS
from engine.shortlist.vector_text import shrunk

BLOCK: Final = 512
"""Rows of a block. As floats they fit into the cache of a processor."""
_MEANT: Final = VECTORS * DIMENSION
_FULL: Final = 127


class Rows:
    """
    Args:
        kinds: how many kinds of help there are.
    """

    def __init__(self, kinds: int) -> None:
        self._width = _MEANT + kinds
        self._blocks: list[Any] = []
        self._scales: list[Any] = []

    def grow(self, rows: int) -> None:
        """Make room for so many rows, of zeros: a row of zeros is near nothing."""
        while rows > len(self._blocks) * BLOCK:
            self._blocks.append(np.zeros((BLOCK, self._width), dtype=np.int8))
            self._scales.append(np.zeros((BLOCK, VECTORS), dtype=np.float32))

    def mean(self, row: int, vectors: Any) -> None:
        """Keep what somebody means: shape (`VECTORS`, `DIMENSION`), each of length one."""
        small = shrunk(vectors)
        lengths = np.linalg.norm(small.astype(np.float32), axis=1)
        self._blocks[row // BLOCK][row % BLOCK, :_MEANT] = small.reshape(-1)
        self._scales[row // BLOCK][row % BLOCK] = 1 / np.maximum(lengths, 1e-9)

    def meant(self, rows: Any) -> Any:
        """Return what was kept of some rows: shape (rows, `VECTORS`, `DIMENSION`), each of length one."""
        small = np.stack([self._blocks[row // BLOCK][row % BLOCK, :_MEANT] for row in rows]).astype(np.float32)
        scales = np.stack([self._scales[row // BLOCK][row % BLOCK] for row in rows])
        return small.reshape(-1, VECTORS, DIMENSION) * scales[..., np.newaxis]

    def be_of(self, row: int, kinds: Any) -> None:
        """Keep of which kinds of help somebody is: shape (kinds,), from 0 to 1."""
        self._blocks[row // BLOCK][row % BLOCK, _MEANT:] = np.round(kinds * _FULL).astype(np.int8)

    def copy_from(self, other: "Rows", row: int, to: int) -> None:
        """Keep what others keep in a row of theirs."""
        self._blocks[to // BLOCK][to % BLOCK] = other._blocks[row // BLOCK][row % BLOCK]
        self._scales[to // BLOCK][to % BLOCK] = other._scales[row // BLOCK][row % BLOCK]

    def near(self, queries: Any, kinds: Any, weight: float, total: int) -> Any:
        """Return how near each of the first `total` rows is to each query: shape (queries, total).

        Args:
            queries: shape (queries, `DIMENSION`), each of length one.
            kinds: how likely each is about each kind of help, shape (queries, kinds).
            weight: what a kind that is certain on both sides is worth beside a cosine.
        """
        found = np.empty((len(queries), len(self._blocks) * BLOCK), dtype=np.float32)
        ways, kinds_ways = np.ascontiguousarray(queries.T), np.ascontiguousarray(kinds.T) * (weight / _FULL)
        for start, meant, of_kinds, scales in self._each():
            near = (meant @ ways).reshape(BLOCK, VECTORS, -1)
            near *= scales[..., np.newaxis]
            found[:, start : start + BLOCK] = ((near.max(axis=1) + near.mean(axis=1)) / 2 + of_kinds @ kinds_ways).T
        return found[:, :total]

    def _each(self) -> Iterator[tuple[int, Any, Any, Any]]:
        """Yield of each block its first row, what it means and its kinds as floats, and its scales.

        The floats are in the same place of memory every time.
        """
        meant = np.empty((BLOCK * VECTORS, DIMENSION), dtype=np.float32)
        kinds = np.empty((BLOCK, self._width - _MEANT), dtype=np.float32)
        for number, (small, scales) in enumerate(zip(self._blocks, self._scales, strict=True)):
            np.copyto(meant.reshape(BLOCK, _MEANT), small[:, :_MEANT])
            np.copyto(kinds, small[:, _MEANT:])
            yield number * BLOCK, meant, kinds, scales
