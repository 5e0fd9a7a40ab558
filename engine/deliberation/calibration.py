"""What a cosine says: how likely two texts are about the same, from 0 to 1.

A cosine of 0.5 is much between two languages and little within one, so each has numbers of its own. They are fitted by
``python -m tests.deliberation.calibrate`` on the pairs in tests/deliberation/pairs and kept in calibration.json.
"""

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

FILE = Path(__file__).with_name("calibration.json")

ROUNDS: Final = 60
RIDGE: Final = 0.003
"""How much large numbers cost; it keeps the fit finite where the two kinds of pairs are apart."""


PRIOR: Final = 1.0
"""The logarithm of how many times likelier two positions of one session are about the same than not: about three."""

ALONE: Final = -1.4
"""The same where nothing but the cosine says so."""

LEAST: Final = 0.38
"""No pair of the fitted ones that says the same has a smaller cosine, however many words it has in common."""
UNRELATED: Final = 0.7


class Curve(NamedTuple):
    """A logistic curve over the cosine and the share of words in common."""

    offset: float
    cosine: float
    words: float

    def at(self, cosine: float, words: float) -> float:
        height = self.offset + self.cosine * cosine + self.words * words
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, height))))


class Example(NamedTuple):
    cosine: float
    words: float
    is_same: bool


def fit(
    examples: Sequence[Example], *, with_cosine: bool = True, with_words: bool = True, prior: float = PRIOR
) -> Curve:
    """Fit a curve by Newton's method; the same examples always give the same curve."""
    rows = [(1.0, each.cosine if with_cosine else 0.0, each.words if with_words else 0.0) for each in examples]
    wanted = [float(each.is_same) for each in examples]
    at = [0.0, 0.0, 0.0]
    for _ in range(ROUNDS):
        slope = [-RIDGE * at[0] * 0.1, -RIDGE * at[1], -RIDGE * at[2]]
        bend = [
            [RIDGE * (0.1 if row == 0 else 1.0) if row == column else 0.0 for column in range(3)] for row in range(3)
        ]
        for row, want in zip(rows, wanted, strict=True):
            found = Curve(*at).at(row[1], row[2])
            weight = found * (1 - found)
            for i in range(3):
                slope[i] += (want - found) * row[i]
                for j in range(3):
                    bend[i][j] += weight * row[i] * row[j]
        step = _solved(bend, slope)
        at = [value + move for value, move in zip(at, step, strict=True)]
        if max(map(abs, step)) < 1e-9:
            break
    return Curve(round(at[0] + prior, 4), round(at[1], 4), round(at[2], 4))


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve three linear equations by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(3):
        pivot = max(range(at, 3), key=lambda row: abs(rows[row][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for row in range(3):
            if row != at:
                factor = rows[row][at] / rows[at][at]
                rows[row] = [value - factor * top for value, top in zip(rows[row], rows[at], strict=True)]
    return [rows[at][3] / rows[at][at] for at in range(3)]


class Calibration(NamedTuple):
    within: Curve
    """Between texts of one language."""
    across: Curve
    meaning_within: Curve
    """By the cosine alone: texts may mean the same without a word in common."""
    meaning_across: Curve
    words_within: Curve
    """Without an encoder."""
    words_across: Curve

    def nearness(self, cosine: float | None, words: float, *, across: bool) -> float:
        if cosine is None:
            return (self.words_across if across else self.words_within).at(0.0, words)
        both, alone = (self.across, self.meaning_across) if across else (self.within, self.meaning_within)
        found = max(both.at(cosine, words), alone.at(cosine, 0.0))
        return min(found, UNRELATED) if cosine < LEAST else found


@cache
def calibration() -> Calibration:
    data: Mapping[str, Sequence[float]] = json.loads(FILE.read_text("utf-8"))
    return Calibration(**{name: Curve(*numbers) for name, numbers in data.items()})
