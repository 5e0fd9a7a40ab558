"""How many of those who can help are among the first twenty, with the encoder that is installed."""

from functools import cache
from itertools import islice
from types import ModuleType

import numpy as np
import pytest

from engine.directory.profile import PublicProfile
from engine.llm.encoder import meaning
from engine.shortlist import situations, trade_abilities, trade_lines
from engine.shortlist.index import Index, vectors_of
from engine.shortlist.vector_text import lengthened
from tests.shortlist.cases import cases, people

FIRST = 20


SETS = {
    "people": {"demands_tuned": 0.97, "demands_seen": 0.96, "demands_new": 0.84, "demands_other": 0.68},
    "people_fresh": {"demands_dev": 0.97, "demands_held_out": 0.96, "demands_fresh": 0.92},
    "people_later": {"demands_later": 0.95, "demands_last": 0.84},
}
"""For each set of people the demands upon them, with the least share of those who can help."""
BESIDE = {"people_later": "people_fresh"}
"""Who stands beside a set of fewer than 300."""


def everybody(people_name: str) -> tuple[PublicProfile, ...]:
    return people(people_name) + (people(BESIDE[people_name]) if people_name in BESIDE else ())


@cache
def index(people_name: str) -> Index:
    found = Index(meaning())
    for each in everybody(people_name):
        found.put(each, vectors_of(meaning(), each))
    return found


def recall(people_name: str, name: str) -> float:
    every = cases(name)
    orders = (index(people_name).orders([each.demand])[0] for each in every)
    return sum(
        len(each.wanted.intersection(islice(order, FIRST))) / len(each.wanted)
        for each, order in zip(every, orders, strict=True)
    ) / len(every)


@pytest.mark.parametrize("people_name", SETS)
def test_the_sets_are_as_large_as_they_are_said_to_be(people_name: str) -> None:
    known = {each.agent_id for each in everybody(people_name)}
    every = [case for name in SETS[people_name] for case in cases(name)]
    assert len(known) >= 300
    assert len(every) >= 60
    assert all(each.wanted <= known for each in every)


@pytest.mark.parametrize(
    ("people_name", "name", "least"),
    [(people_name, name, least) for people_name, demands in SETS.items() for name, least in demands.items()],
)
def test_those_who_can_help_are_found(people_name: str, name: str, least: float) -> None:
    assert recall(people_name, name) >= least


@pytest.mark.parametrize("module", [situations, trade_lines, trade_abilities])
def test_the_stored_vectors_are_of_the_lines_that_there_are(module: ModuleType) -> None:
    with np.load(module.VECTORS) as stored:
        kept = lengthened(stored["vectors"])
    now = lengthened(module.made(meaning()))
    assert kept.shape == now.shape
    assert float(np.abs(kept - now).max()) < 0.02, f"run: python -m {module.__name__}"
