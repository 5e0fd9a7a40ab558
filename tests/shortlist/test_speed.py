"""What keeps a search fast, and few bytes: without a clock, which would measure the machine."""

import numpy as np

from engine.llm.encoder import meaning
from engine.shortlist.described import DIMENSION, VECTORS
from engine.shortlist.index import BLOCK, Rows
from engine.shortlist.keywords import FIRST, Order


def test_products_of_small_matrices_do_not_wait_for_other_processors() -> None:
    from threadpoolctl import threadpool_info

    meaning().vectors(["loads it"])
    assert {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"} <= {1}


def test_everybody_is_in_the_order_however_few_are_sorted_first() -> None:
    ids = [f"user_agent_{number:04}" for number in range(4 * FIRST)]
    scores = np.random.default_rng(1).integers(0, 40, len(ids)).astype(np.float32)  # many are equal
    order = Order(ids, np.arange(len(ids)), scores, scores, -scores)
    assert list(order) == [name for _, name in sorted(zip(-scores, ids, strict=True))]
    assert len(order) == len(ids)
    assert all(score == near == -words == scores[int(name[-4:])] for name, score, near, words in order.scored())


def test_rows_of_bytes_rank_as_floats_do() -> None:
    dice = np.random.default_rng(2)
    total = BLOCK + 100
    vectors = dice.standard_normal((total, VECTORS, DIMENSION), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    rows = Rows()
    rows.grow(total)
    for row in range(total):
        rows.mean(row, vectors[row])
    queries = vectors[:3, 0]
    near = vectors @ queries.T
    exact = ((near.max(axis=1) + near.mean(axis=1)) / 2).T
    found = rows.near(queries, total)
    assert found.shape == (3, total)
    assert float(np.abs(found - exact).max()) < 0.05
