"""Each protocol has refusals of its own; what was written down as a name and a sentence is refused again like that."""

from types import ModuleType
from typing import Any

import pytest

from engine import errors
from engine.directory import errors as directory_errors
from engine.directory.rules import RULEBOOK as DIRECTORY
from engine.errors import IllegalStep, Refusal
from engine.kernel import Rulebook
from engine.negotiation import errors as negotiation_errors
from engine.negotiation.rules import RULEBOOK as NEGOTIATION

OWN = [
    pytest.param(NEGOTIATION, negotiation_errors, id="negotiation"),
    pytest.param(DIRECTORY, directory_errors, id="directory"),
]


def refusals(module: ModuleType) -> set[type[Refusal]]:
    """Those that are defined there."""
    found = {each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Refusal)}
    return {each for each in found if each.__module__ == module.__name__ and each is not Refusal}


@pytest.mark.parametrize(("rulebook", "module"), OWN)
def test_a_refusal_that_was_written_down_is_of_its_class(rulebook: Rulebook[Any], module: ModuleType) -> None:
    for kind in refusals(module) | refusals(errors):
        again = rulebook.refusal(f"{kind.__name__}: Not: like this.")
        assert (type(again), again.message) == (kind, "Not: like this.")


@pytest.mark.parametrize(("rulebook", "module"), OWN)
def test_every_refusal_is_drawn(rulebook: Rulebook[Any], module: ModuleType) -> None:
    for each in (errors, module):
        for kind in refusals(each):
            assert f" {kind.__name__} " in f"{each.__doc__}".replace("\n", " \n"), kind


def test_a_refusal_that_nobody_knows_any_more_is_an_illegal_step() -> None:
    assert type(NEGOTIATION.refusal("Forgotten: It was once.")) is IllegalStep
