"""Recorded deliberations are replayed: yesterday's events give yesterday's state, and it goes on from there."""

from pathlib import Path
from typing import Any

import pytest

from engine.deliberation.events import EVENTS, DeliberationReopened
from engine.deliberation.rounds.plans import plan_of
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Status
from engine.deliberation.terms import Action, Reason
from engine.kernel import decode, encode, payload
from tests.recorded import is_told, read

from .record_histories import FOLDER, RECORDED, ending
from .scenario import CRITIC, PLANNER, Scenario, answering, criticised, planned


def continued(name: str) -> Scenario:
    history, _, last = read(FOLDER / f"{name}.jsonl", EVENTS)
    return Scenario(state=RULEBOOK.fold(history), history=history, now=last["now"], _ids=1_000)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_recorded_history_folds_to_what_it_did(path: Path) -> None:
    history, told, last = read(path, EVENTS)
    assert ending(RULEBOOK.fold(history)) == last["folds_to"]
    for event, recorded in zip(history, told, strict=True):
        assert is_told(recorded, payload(event)), f"what is told of {event} has changed"
        assert decode(encode(event), type(event)) == event, "what is written of it is not what is read"


def test_each_that_can_be_recorded_is() -> None:
    assert {each.stem for each in FOLDER.glob("*.jsonl")} == set(RECORDED)


def test_one_that_was_being_argued_goes_on() -> None:
    scenario = continued("arguing").says(CRITIC, criticised()).compared(0.95)
    scenario.decided(Action.CONVERGE, Reason.AGREED).closes().reports().stands(Status.CONVERGED, number=2)


@pytest.mark.parametrize("name", ["agreed", "decided", "skipped_and_stopped"])
def test_one_that_had_ended_can_be_objected_to(name: str) -> None:
    scenario = continued(name).objects()
    point = scenario.state.points[-1].point_id
    assert isinstance(scenario.last.events[0], DeliberationReopened)
    said: dict[str, Any] = {"answers": answering(point)}
    kept = plan_of(scenario.state, PLANNER)
    assert kept is not None
    scenario.both(planned(kept.plan, **said), criticised(**said)).compared(0.95).decided(Action.CONVERGE, Reason.AGREED)
