"""How many of those who can help are among the first twenty, with the encoder that is installed."""

from itertools import islice

import numpy as np
import pytest

from engine.lexicon.meaning import meaning
from engine.shortlist.index import Index, vectors_of
from engine.shortlist.situations import made, situations
from engine.shortlist.vector_text import lengthened
from tests.shortlist.cases import cases, people

FIRST = 20


@pytest.fixture(scope="module")
def index() -> Index:
    found = Index(meaning())
    for each in people():
        found.put(each, vectors_of(meaning(), each))
    return found


def recall(index: Index, name: str) -> float:
    every = cases(name)
    orders = (index.orders([each.demand])[0] for each in every)
    return sum(
        len(each.wanted.intersection(islice(order, FIRST))) / len(each.wanted)
        for each, order in zip(every, orders, strict=True)
    ) / len(every)


def test_the_set_is_as_large_as_it_is_said_to_be() -> None:
    everybody = {each.agent_id for each in people()}
    every = [*cases("demands_tuned"), *cases("demands_seen")]
    assert len(everybody) >= 300
    assert len(every) >= 60
    assert all(each.wanted <= everybody for each in every)


@pytest.mark.parametrize(("name", "least"), [("demands_tuned", 0.95), ("demands_seen", 0.85), ("demands_new", 0.5)])
def test_those_who_can_help_are_found(index: Index, name: str, least: float) -> None:
    assert recall(index, name) >= least


def test_the_vectors_of_situations_are_of_the_lines_that_there_are() -> None:
    stored = situations().vectors
    now = lengthened(made(meaning()))
    assert stored.shape == now.shape
    assert float(np.abs(stored - now).max()) < 0.02, "run: python -m engine.shortlist.situations"
