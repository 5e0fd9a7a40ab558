"""Fits what a cosine says on the committed pairs: ``python -m tests.deliberation.calibrate``."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from engine.deliberation.calibration import ALONE, FILE, Calibration, Example, fit
from engine.deliberation.nearness import words_in_common
from engine.facts.language import language_of

PAIRS = Path(__file__).with_name("pairs")

Kind = Literal["paraphrase", "opposite", "unrelated"]


class PairOfTexts(NamedTuple):
    kind: Kind
    how: str
    """Of opposites: in what they differ."""
    one: str
    other: str
    cosine: float
    """By the encoder that is installed with ToWow."""

    @property
    def is_across(self) -> bool:
        return language_of(self.one) != language_of(self.other)


@cache
def example(of: PairOfTexts) -> Example:
    """Opposites count as being about the same: whether they say the same is not for the cosine to tell."""
    return Example(of.cosine, words_in_common(of.one, of.other), of.kind != "unrelated")


FITTED = ("fitted", *(f"held_out_{number}" for number in range(1, 6)))
"""The rounds were held out until they had been measured once; what they missed was then learned."""
HELD_OUT = tuple(f"held_out_{number}" for number in range(6, 19))
"""These take no part in the fit."""


@cache
def pairs(*names: str) -> list[PairOfTexts]:
    """The pairs of some files."""
    lines = [line for name in names for line in (PAIRS / f"{name}.jsonl").read_text("utf-8").splitlines()]
    return [PairOfTexts(**json.loads(line)) for line in lines]


def fitted(of: Sequence[PairOfTexts]) -> Calibration:
    within = [example(each) for each in of if not each.is_across]
    across = [example(each) for each in of if each.is_across]
    return Calibration(
        within=fit(within),
        across=fit(across),
        meaning_within=fit(within, with_words=False, prior=ALONE),
        meaning_across=fit(across, with_words=False, prior=ALONE),
        words_within=fit(within, with_cosine=False),
        words_across=fit(across, with_cosine=False),
    )


if __name__ == "__main__":
    found = fitted(pairs(*FITTED))
    lines = (f'  "{name}": {json.dumps(list(curve))}' for name, curve in found._asdict().items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    print(FILE.read_text("utf-8"))
