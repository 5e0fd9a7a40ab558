"""How near two positions are: mostly whether their slots agree, and to a smaller part whether they mean the same.

An encoder of sentences finds "feasible" and "not feasible" nearer than two ways to say either, so what decides is where
the positions stand (`engine.lexicon.stances`) and what they name. Vectors and cosines are given: nothing here computes
one.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from engine.deliberation.agreement import SlotAgreement, agreement
from engine.deliberation.calibration import Calibration
from engine.deliberation.nearness import nearness
from engine.deliberation.slots import Slots, read_slots
from engine.kernel.message import Message

SLOTS_WEIGHT: Final = 0.7
MEANING_WEIGHT: Final = 0.3
SAME_IN_OTHER_WORDS: Final = 0.975
"""The cosine from which on two words in the same sentence are taken for the same."""


class Likeness(Message):
    """How near two positions are."""

    level: float
    slots: SlotAgreement
    meaning: float | None
    """The calibrated cosine; None where there was none."""
    by_keywords: bool = False
    """Whether words stood in for the cosine."""


class Comparison(Message):
    """The result of ``compare_positions``."""

    embeddings: tuple[tuple[float, ...], ...]
    """As long as the encoder makes them; empty where there is none."""
    similarity_matrix: tuple[tuple[float, ...], ...]
    mean_similarity: float
    """Over the pairs; 1 where there is only one position."""
    most_different_pair: tuple[int, int] | None
    most_different_similarity: float
    by_keywords: bool = False


def compare(positions: Sequence[str | Slots], vectors: Sequence[Sequence[float]] | None = None) -> Comparison:
    """Compare every position with every other one.

    Args:
        vectors: of length one, one for each position; None without an encoder.

    Raises:
        ValueError: there are not as many vectors as positions.
    """
    if vectors is not None and len(vectors) != len(positions):
        raise ValueError(f"{len(positions)} positions take as many vectors, not {len(vectors)}")
    matrix = [[1.0] * len(positions) for _ in positions]
    pairs = [*combinations(range(len(positions)), 2)]
    for one, other in pairs:
        near = cosine(vectors[one], vectors[other]) if vectors is not None else None
        matrix[one][other] = matrix[other][one] = similarity(positions[one], positions[other], near).level
    apart = min(pairs, key=lambda pair: matrix[pair[0]][pair[1]], default=None)
    return Comparison(
        embeddings=tuple(tuple(float(number) for number in each) for each in vectors or ()),
        similarity_matrix=tuple(tuple(row) for row in matrix),
        mean_similarity=sum(matrix[one][other] for one, other in pairs) / len(pairs) if pairs else 1.0,
        most_different_pair=apart,
        most_different_similarity=matrix[apart[0]][apart[1]] if apart else 1.0,
        by_keywords=vectors is None,
    )


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Of two vectors of length one."""
    return sum(float(a) * float(b) for a, b in zip(one, other, strict=True))


def similarity(
    one: str | Slots, other: str | Slots, cosine: float | None, calibrated: Calibration | None = None
) -> Likeness:
    """Compare two positions.

    Args:
        cosine: between the vectors of their texts; None where there is no encoder, so that words stand in.
        calibrated: what a cosine says; by default what was fitted on the committed pairs.
    """
    mine, theirs = (read_slots(each) if isinstance(each, str) else each for each in (one, other))
    near = nearness(mine.conclusion, theirs.conclusion, cosine, calibrated)
    slots = agreement(mine, theirs, near, may_be_substituted=cosine is None or cosine < SAME_IN_OTHER_WORDS)
    level = SLOTS_WEIGHT * slots.level + MEANING_WEIGHT * near
    return Likeness(
        level=min(1.0, max(0.0, level)),
        slots=slots,
        meaning=None if cosine is None else near,
        by_keywords=cosine is None,
    )
