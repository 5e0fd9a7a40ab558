"""How many of those who can help are among the first twenty, with the encoder that is installed."""

from functools import cache
from itertools import islice

import pytest

from engine.directory.profile import PublicProfile
from engine.llm.encoder import Meaning, meaning
from engine.shortlist import WHOLE
from engine.shortlist.index import Index, vectors_of
from tests.shortlist.cases import Case, cases, people, phrases
from tests.shortlist.test_keeper import WordsEmbedder, profile

FIRST = 20

SETS = {
    "people": {"demands_other": 0.75},
    "people_fresh": {"demands_fresh": 0.85},
    "people_later": {"demands_last": 0.8, "demands_later": 0.9},
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


def recall(people_name: str, every: list[Case]) -> float:
    said = phrases()
    orders = (index(people_name).orders([said[each.demand]])[0] for each in every)
    return sum(
        len(each.wanted.intersection(islice(order, FIRST))) / len(each.wanted)
        for each, order in zip(every, orders, strict=True)
    ) / len(every)


@pytest.mark.parametrize(
    ("people_name", "name", "least"),
    [(people_name, name, least) for people_name, demands in SETS.items() for name, least in demands.items()],
)
def test_those_who_can_help_are_found(people_name: str, name: str, least: float) -> None:
    known = {each.agent_id for each in everybody(people_name)}
    every = [each for each in cases(name) if each.demand in phrases()]
    assert len(known) >= 300
    assert len(every) >= 10
    assert all(each.wanted <= known for each in every)
    assert recall(people_name, every) >= least


def test_whoever_alone_has_a_rare_word_is_put_to_a_model_however_far_they_are_by_meaning() -> None:
    encoder = Meaning(WordsEmbedder)
    found = Index(encoder)
    for number in range(300):
        each = profile(number, "assembler of old mainframes" if number == 299 else "for the bank's payroll")
        found.put(each, vectors_of(encoder, each))
    [order] = found.orders([["somebody for the bank's payroll", "mainframes"]])
    assert "user_agent_299" in islice(order, WHOLE)
