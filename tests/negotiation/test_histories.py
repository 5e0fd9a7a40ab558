"""Recorded histories are replayed: yesterday's events give yesterday's state, whatever the code has become."""

import json
from pathlib import Path

import pytest

from engine.kernel import convert, decode, encode, payload
from engine.negotiation.events import EVENTS
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.terms import Outcome
from tests.negotiation.record_histories import FOLDER, OUTCOMES, ending
from tests.negotiation.scenario import Scenario
from tests.recorded import is_told

HISTORIES = sorted(FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
def test_a_recorded_history_folds_to_what_it_did(path: Path) -> None:
    *recorded, last = path.read_text(encoding="utf-8").splitlines()
    envelopes = [json.loads(line) for line in recorded]
    events = [convert(each["payload"], EVENTS[each["event_type"]]) for each in envelopes]
    state = RULEBOOK.fold(events)

    assert ending(Scenario(state=state)) == json.loads(last)["folds_to"]
    assert [each["seq"] for each in envelopes] == list(range(1, len(events) + 1))
    for event, each in zip(events, envelopes, strict=True):
        assert is_told(each["payload"], payload(event)), f"what is told of {event} has changed"
        assert decode(encode(event), type(event)) == event, "what is written of it is not what is read"


def test_every_outcome_has_a_recorded_history() -> None:
    outcomes = {json.loads(path.read_text().splitlines()[-1])["folds_to"]["outcome"] for path in HISTORIES}

    assert {each.stem for each in HISTORIES} == set(OUTCOMES)
    assert outcomes == {each.value for each in Outcome}


@pytest.mark.parametrize("name", OUTCOMES)
def test_the_same_commands_decide_the_same_today(name: str) -> None:
    recorded = json.loads((FOLDER / f"{name}.jsonl").read_text().splitlines()[-1])["folds_to"]
    today = ending(OUTCOMES[name]())

    # A digest names the words of a version; those may gain fields. How many versions there were may not change.
    assert recorded | {"versions": len(recorded["versions"])} == today | {"versions": len(today["versions"])}
