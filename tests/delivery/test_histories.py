"""Recorded deliveries are replayed: yesterday's events give yesterday's state, and it goes on from there."""

from pathlib import Path

import pytest

from engine.delivery.events import EVENTS
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Status
from tests.recorded import assert_folds, read

from .record_histories import FOLDER, RECORDED, ending
from .scenario import Scenario


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_recorded_history_folds_to_what_it_did(path: Path) -> None:
    assert_folds(path, RULEBOOK, EVENTS, ending)


def test_each_that_can_be_recorded_is() -> None:
    assert {each.stem for each in FOLDER.glob("*.jsonl")} == set(RECORDED)


def test_one_that_was_being_reviewed_goes_on() -> None:
    history, _, last = read(FOLDER / "reviewing.jsonl", EVENTS)
    scenario = Scenario(state=RULEBOOK.fold(history), history=history, now=last["now"], _ids=1_000)
    scenario.reviews().instructs("T-2").worked("T-2").reviews(ticket_id="T-2").reports().stands(Status.COMPLETED)
