"""How near positions are in meaning: seed 001's ``compare_positions``.

It is reported, and drives what a round is about and whether the opposite side is argued. It is never agreement: every
encoder of sentences finds "feasible" and "not feasible" nearer than two ways to say either. Vectors are given.
"""

from collections.abc import Sequence
from itertools import combinations

from engine.kernel.message import Message


class Comparison(Message):
    """The result of ``compare_positions``."""

    embeddings: tuple[tuple[float, ...], ...]
    """As long as the encoder makes them."""
    similarity_matrix: tuple[tuple[float, ...], ...]
    mean_similarity: float
    """Over the pairs; 1 where there is only one position."""
    most_different_pair: tuple[int, int] | None
    most_different_similarity: float


def compare(vectors: Sequence[Sequence[float]]) -> Comparison:
    """Compare every position with every other one, by their vectors of length one."""
    matrix = [[1.0] * len(vectors) for _ in vectors]
    pairs = [*combinations(range(len(vectors)), 2)]
    for one, other in pairs:
        matrix[one][other] = matrix[other][one] = similarity(vectors[one], vectors[other])
    apart = min(pairs, key=lambda pair: matrix[pair[0]][pair[1]], default=None)
    return Comparison(
        embeddings=tuple(tuple(float(number) for number in each) for each in vectors),
        similarity_matrix=tuple(tuple(row) for row in matrix),
        mean_similarity=sum(matrix[one][other] for one, other in pairs) / len(pairs) if pairs else 1.0,
        most_different_pair=apart,
        most_different_similarity=matrix[apart[0]][apart[1]] if apart else 1.0,
    )


def similarity(one: Sequence[float], other: Sequence[float]) -> float:
    """The cosine of two vectors of length one, from 0 to 1: what points the other way is not nearer than nothing."""
    return min(1.0, max(0.0, sum(float(a) * float(b) for a, b in zip(one, other, strict=True))))
