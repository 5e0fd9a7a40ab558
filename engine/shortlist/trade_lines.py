"""How likely a demand is about each trade: by what it means, and by its words.

The words of those who ask (trades.yaml) are put together to lines, a few words of one language each. Beside them are
whole sentences (trade_sentences.txt). The vectors of both come with the code, so that no start has to make them.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from engine.files.yaml_locations import read_yaml
from engine.llm.encoder import Meaning, meaning
from engine.shortlist.trades import WORDS
from engine.shortlist.vector_text import lengthened, shrunk

SENTENCES: Final = WORDS.with_name("trade_sentences.txt")
VECTORS: Final = WORDS.with_suffix(".npz")
WORDS_OF_A_LINE: Final = 6
SURE: Final = 0.15
"""Temperature: by how much nearer the nearest trade has to be to count more than the next."""
OF_WORDS: Final = 0.3
"""What words that are certain of a trade add to how near it is."""
LEAST: Final = 3.5
"""How many times as likely as with all trades equally likely one has to be, so that its rows are worth reading."""
NEIGHBOURS: Final = 20
USUAL: Final = 0.7
"""Some texts are near to nearly all others. So this much of how near a line is to its neighbours does not count."""


class Line(NamedTuple):
    trade: str
    text: str


class TradeLines:
    """
    Args:
        lines: those of words, and behind them the sentences; of each kind, each trade has some, in the same order.
        vectors: shape (lines, dimension), each of length one.
        sentences: how many of them are sentences.
    """

    def __init__(self, lines: Sequence[Line], vectors: Any, sentences: int) -> None:
        self._trades = [*dict.fromkeys(each.trade for each in lines)]
        numbers = np.array([self._trades.index(each.trade) for each in lines])
        among = vectors[-sentences:] @ vectors.T
        self._usual = USUAL * np.sort(among, axis=0)[-NEIGHBOURS:].mean(axis=0)
        self._vectors = vectors
        self._starts = np.flatnonzero(np.diff(numbers, prepend=-1))
        self._least = LEAST / self.count

    @property
    def count(self) -> int:
        """How many trades there are, among which a demand's shares are divided."""
        return len(self._trades)

    def likely(self, vectors: Any, said: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
        """Return, for each demand, how likely it is about each trade; those that it is hardly about are left out.

        Args:
            vectors: of the demands, shape (demands, dimension), each of length one.
            said: how sure the words of each demand make of each trade.
        """
        nearest = np.maximum.reduceat(vectors @ self._vectors.T - self._usual, self._starts, axis=1)
        near = nearest.reshape(len(vectors), 2, len(self._trades)).sum(axis=1)
        near += OF_WORDS * np.array([[each.get(trade, 0.0) for trade in self._trades] for each in said])
        powers = np.exp((near - near.max(axis=1, keepdims=True)) / SURE)
        shares = powers / powers.sum(axis=1, keepdims=True)
        return [{self._trades[at]: float(each[at]) for at in np.flatnonzero(each >= self._least)} for each in shares]


@cache
def trade_lines() -> TradeLines:
    """Return those that come with the code."""
    with np.load(VECTORS) as stored:
        return TradeLines([*lines(), *sentences()], lengthened(stored["vectors"]), len(sentences()))


def lines() -> tuple[Line, ...]:
    trades: Mapping[str, Mapping[str, str]] = read_yaml(WORDS, WORDS.read_text("utf-8")).data
    return tuple(Line(trade, text) for trade, said in trades.items() for text in lines_of(said["need"]))


def sentences() -> tuple[Line, ...]:
    written = (line.partition(": ") for line in SENTENCES.read_text("utf-8").splitlines() if not line.startswith("#"))
    of = {trade: said.split(" | ") for trade, _, said in written}
    trades = dict.fromkeys(each.trade for each in lines())
    return tuple(Line(trade, text) for trade in trades for text in of[trade])


def lines_of(said: str) -> Iterator[str]:
    """Yield a few words of one language each."""
    words = [each.strip() for each in said.split(",")]
    for is_english, joint in ((False, "，"), (True, ", ")):
        part = [each for each in words if each[0].isascii() == is_english]
        for start in range(0, len(part), WORDS_OF_A_LINE):
            yield joint.join(part[start : start + WORDS_OF_A_LINE])


def made(encoder: Meaning) -> Any:
    """Return the vectors of all lines, a byte a number."""
    return shrunk(np.array(encoder.computed([each.text for each in (*lines(), *sentences())]), dtype=np.float32))


if __name__ == "__main__":
    np.savez_compressed(VECTORS, vectors=made(meaning()))
