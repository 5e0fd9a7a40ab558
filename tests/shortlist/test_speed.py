"""What keeps a search fast, and few bytes: without a clock, which would measure the machine."""

import numpy as np

from engine.llm.encoder import meaning
from engine.shortlist.order import FIRST, Order
from engine.shortlist.rows import BLOCK, Rows
from engine.shortlist.texts import DIMENSION, VECTORS


def test_products_of_small_matrices_do_not_wait_for_other_processors() -> None:
    from threadpoolctl import threadpool_info

    meaning().vectors(["loads it"])
    assert {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"} <= {1}


def test_everybody_is_in_the_order_however_few_are_sorted_first() -> None:
    ids = [f"user_agent_{number:04}" for number in range(4 * FIRST)]
    scores = np.random.default_rng(1).integers(0, 40, len(ids)).astype(np.float32)  # many are equal
    order = Order(ids, np.arange(len(ids)), scores)
    assert list(order) == [name for _, name in sorted(zip(-scores, ids, strict=True))]
    assert len(order) == len(ids)


def test_rows_of_bytes_rank_as_floats_do() -> None:
    dice = np.random.default_rng(2)
    total, kinds = BLOCK + 100, 7
    vectors = dice.standard_normal((total, VECTORS, DIMENSION), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    of_kinds = dice.random((total, kinds), dtype=np.float32)
    rows = Rows(kinds)
    rows.grow(total)
    for row in range(total):
        rows.mean(row, vectors[row])
        rows.be_of(row, of_kinds[row])
    queries, wanted = vectors[:3, 0], of_kinds[:3]
    near = vectors @ queries.T
    exact = ((near.max(axis=1) + near.mean(axis=1)) / 2 + 2.0 * of_kinds @ wanted.T).T
    found = rows.near(queries, wanted, 2.0, total)
    assert found.shape == (3, total)
    assert float(np.abs(found - exact).max()) < 0.05
    assert float(np.abs(rows.meant([1, BLOCK + 1]) - vectors[[1, BLOCK + 1]]).max()) < 0.01
