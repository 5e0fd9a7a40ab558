"""Which trades somebody is likely of by what their profile means: for profiles without the words of trades.yaml.

The words of those who can help are put together to lines, as in `engine.shortlist.trade_lines`. Their vectors come with
the code.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from engine.files.yaml_locations import read_yaml
from engine.llm.encoder import Meaning, meaning
from engine.shortlist.trade_lines import NEIGHBOURS, USUAL, Line, lines_of
from engine.shortlist.trades import WORDS
from engine.shortlist.vector_text import lengthened, shrunk

VECTORS: Final = WORDS.with_name("trade_abilities.npz")
SURE: Final = 0.06
"""Temperature: by how much nearer the nearest trade has to be to count more than the next."""
SURELY: Final = 0.5
"""Whose words make this sure of a trade is of no other by what they mean."""
AT_MOST: Final = 0.6
"""How sure the nearest trade is."""
MOST: Final = 3
"""Trades of one profile, by what it means."""
LEAST: Final = 0.25
"""What is less likely than this share of the nearest is left out."""


class TradeAbilities:
    """
    Args:
        lines: each trade has some, one behind the other.
        vectors: shape (lines, dimension), each of length one.
    """

    def __init__(self, lines: Sequence[Line], vectors: Any) -> None:
        self._trades = [*dict.fromkeys(each.trade for each in lines)]
        numbers = np.array([self._trades.index(each.trade) for each in lines])
        self._starts = np.flatnonzero(np.diff(numbers, prepend=-1))
        self._vectors = vectors
        self._usual = USUAL * np.sort(vectors @ vectors.T, axis=0)[-NEIGHBOURS:].mean(axis=0)

    def likely(self, vectors: Any) -> list[dict[str, float]]:
        """Return, for each profile, how likely it is of the few trades that it is nearest to; from 0 to 1.

        Args:
            vectors: shape (profiles, vectors of each, dimension), each of length one.
        """
        flat = vectors.reshape(-1, vectors.shape[-1])
        nearest = np.maximum.reduceat(flat @ self._vectors.T - self._usual, self._starts, axis=1)
        of_each = nearest.reshape(*vectors.shape[:2], -1)
        near = (of_each.mean(axis=1) + of_each.max(axis=1)) / 2
        shares = np.exp((near - near.max(axis=1, keepdims=True)) / SURE)
        return [
            {self._trades[at]: AT_MOST * float(each[at]) for at in np.argsort(-each)[:MOST] if each[at] > LEAST}
            for each in shares
        ]


@cache
def trade_abilities() -> TradeAbilities:
    """Return those that come with the code."""
    with np.load(VECTORS) as stored:
        return TradeAbilities(lines(), lengthened(stored["vectors"]))


def lines() -> tuple[Line, ...]:
    trades: Mapping[str, Mapping[str, str]] = read_yaml(WORDS, WORDS.read_text("utf-8")).data
    return tuple(Line(trade, text) for trade, said in trades.items() for text in lines_of(said["can"]))


def made(encoder: Meaning) -> Any:
    """Return the vectors of all lines, a byte a number."""
    return shrunk(np.array(encoder.computed([each.text for each in lines()]), dtype=np.float32))


if __name__ == "__main__":
    np.savez_compressed(VECTORS, vectors=made(meaning()))
