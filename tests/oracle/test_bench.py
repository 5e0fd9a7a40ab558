"""The oracle bench: perfect answers come out right, planted errors are caught, and in cipher all is the same."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from bot.commands.oracle import oracle_parts, scenarios_in
from bot.demo.oracle.bench import Report, measured
from bot.demo.oracle.part import OraclePart
from bot.demo.oracle.scenarios import Named
from bot.models import needed_prompts
from bot.registry import PROTOCOLS

FOLDER: Final = Path(__file__).parent / "scenarios"
PARTS: Final[Mapping[str, OraclePart]] = oracle_parts(PROTOCOLS)
FILES: Final = sorted(FOLDER.rglob("*.yaml"))
LEAST_CAUGHT: Final = 95
"""Percent."""


def scenarios(path: Path = FOLDER) -> tuple[Named, ...]:
    return scenarios_in(path, PARTS)


@cache
def played(path: Path) -> Report:
    return measured(scenarios(path), PARTS, needed_prompts(PROTOCOLS), in_cipher=True)


@pytest.fixture(params=[pytest.param(each, id=f"{each.parent.name}-{each.stem}") for each in FILES])
def report(request: pytest.FixtureRequest) -> Report:
    return played(request.param)


def test_no_right_outcome_is_made_wrong(report: Report) -> None:
    assert report.wrong == {}


def test_in_cipher_everything_is_as_in_clear(report: Report) -> None:
    assert report.differing == {}


def test_there_are_as_many_scenarios_as_promised_and_every_kind_of_error() -> None:
    found = scenarios()
    counted = Counter(each.scenario.protocol for each in found)
    languages = {each.scenario.language for each in found if each.scenario.protocol == "negotiation"}
    planted = Counter(error.kind for each in found for error in each.scenario.planted)

    assert counted["negotiation"] >= 40
    assert counted["deliberation"] >= 20
    assert counted["delivery"] >= 6
    assert len(languages) >= 8
    assert {*planted} == {"day", "hour", "sum", "head", "id", "name", "secret", "cycle"}
    assert planted.total() >= 60


def test_planted_errors_are_caught() -> None:
    reports = [played(each) for each in FILES]
    planted, missed = sum(each.as_json()["planted"] for each in reports), [it for each in reports for it in each.missed]

    assert 100 * (planted - len(missed)) >= LEAST_CAUGHT * planted, missed
