"""``compare_positions``: vectors, the matrix, the mean and the most different pair."""

from math import cos, sin
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.deliberation.rounds.positions import compare, similarity

UNIT = st.floats(0, 6.3).map(lambda angle: (cos(angle), sin(angle)))


def test_every_position_is_compared_with_every_other_one() -> None:
    found = compare([(1.0, 0.0), (0.8, 0.6), (0.96, 0.28)])
    assert [len(row) for row in found.similarity_matrix] == [3, 3, 3]
    assert [found.similarity_matrix[at][at] for at in range(3)] == [1, 1, 1]
    assert found.embeddings[1] == (0.8, 0.6)
    upper = [found.similarity_matrix[one][other] for one, other in ((0, 1), (0, 2), (1, 2))]
    assert found.mean_similarity == pytest.approx(sum(upper) / 3)
    assert found.most_different_pair == (0, 1)
    assert found.most_different_similarity == min(upper)


def test_one_position_agrees_with_itself() -> None:
    found = compare([(1.0, 0.0)])
    assert (found.mean_similarity, found.most_different_pair) == (1, None)


def test_what_points_the_other_way_is_as_far_as_it_can_be() -> None:
    assert similarity((1.0, 0.0), (-1.0, 0.0)) == 0


@given(UNIT, UNIT)
def test_any_two_are_as_near_as_the_other_way_round(one: Any, other: Any) -> None:
    assert 0 <= similarity(one, other) == similarity(other, one) <= 1
    assert similarity(one, one) == pytest.approx(1)
