"""How likely a demand is about each trade by what it means: for demands that use none of the words of trades.yaml.

The words of those who ask are put together to lines, a few words of one language each. The vectors of the lines come
with the code, so that no start has to make them.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from engine.files.yaml_locations import read_yaml
from engine.lexicon.meaning import Meaning, meaning
from engine.shortlist.trades import WORDS
from engine.shortlist.vector_text import lengthened, shrunk

VECTORS: Final = WORDS.with_suffix(".npz")
WORDS_OF_A_LINE: Final = 6
SURE: Final = 0.03
"""Temperature: by how much nearer the nearest trade has to be to count more than the next."""
LEAST: Final = 0.02
"""What is less likely is not worth reading the rows of that trade."""


class Line(NamedTuple):
    trade: str
    text: str


class TradeLines:
    """
    Args:
        vectors: shape (lines, dimension), each of length one.
    """

    def __init__(self, lines: Sequence[Line], vectors: Any) -> None:
        self.vectors = vectors
        self._trades = [*dict.fromkeys(each.trade for each in lines)]
        numbers = np.array([self._trades.index(each.trade) for each in lines])
        self._starts = np.flatnonzero(np.diff(numbers, prepend=-1))

    def likely(self, vectors: Any) -> list[dict[str, float]]:
        """Return, for each demand, how likely it is about each trade; those that it is hardly about are left out.

        Args:
            vectors: of the demands, shape (demands, dimension), each of length one.
        """
        near = np.maximum.reduceat(vectors @ self.vectors.T, self._starts, axis=1)
        powers = np.exp((near - near.max(axis=1, keepdims=True)) / SURE)
        shares = powers / powers.sum(axis=1, keepdims=True)
        return [{self._trades[at]: float(each[at]) for at in np.flatnonzero(each >= LEAST)} for each in shares]


@cache
def trade_lines() -> TradeLines:
    """Return those that come with the code."""
    with np.load(VECTORS) as stored:
        return TradeLines(lines(), lengthened(stored["vectors"]))


def lines() -> tuple[Line, ...]:
    trades: Mapping[str, Mapping[str, str]] = read_yaml(WORDS, WORDS.read_text("utf-8")).data
    return tuple(Line(trade, text) for trade, said in trades.items() for text in _lines_of(said["need"]))


def _lines_of(said: str) -> Iterator[str]:
    words = [each.strip() for each in said.split(",")]
    for is_english, joint in ((False, "，"), (True, ", ")):
        part = [each for each in words if each[0].isascii() == is_english]
        for start in range(0, len(part), WORDS_OF_A_LINE):
            yield joint.join(part[start : start + WORDS_OF_A_LINE])


def made(encoder: Meaning) -> Any:
    """Return the vectors of all lines, a byte a number."""
    return shrunk(np.array(encoder.computed([each.text for each in lines()]), dtype=np.float32))


if __name__ == "__main__":
    np.savez_compressed(VECTORS, vectors=made(meaning()))
