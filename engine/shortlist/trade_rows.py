"""Rows of trades, found by trade: a demand reads only those whose trades it is about."""

from array import array
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

_NOBODY: Final = (array("i"), array("f"))


class TradeRows:
    """A row is never changed: whoever changes a profile adds a row, and leaves the old one out."""

    def __init__(self) -> None:
        self._of: dict[str, tuple[array[int], array[float]]] = {}

    def add(self, row: int, trades: Mapping[str, float]) -> None:
        """Keep how likely somebody is of each trade."""
        for trade, likely in trades.items():
            rows, likelies = self._of.setdefault(trade, (array("i"), array("f")))
            rows.append(row)
            likelies.append(likely)

    def scores(self, wanted: Mapping[str, float], total: int) -> Any:
        """Return how well each of the first `total` rows fits, an array of shape (total,); 0 for those of other trades.

        Args:
            wanted: how likely each trade is wanted.
        """
        found = np.zeros(total, dtype=np.float32)
        for trade, likely in wanted.items():
            rows, likelies = self._of.get(trade, _NOBODY)
            # A row has a trade once, so that no place is added to twice. Copies, as an array that is lent cannot grow.
            found[np.array(rows, dtype=np.int32)] += likely * np.array(likelies, dtype=np.float32)
        return found
