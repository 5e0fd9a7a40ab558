"""The export of a deliberation for programs: a shape that is written down and stays."""

import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from jsonschema_rs import Draft202012Validator, meta

import bot.views.deliberation.export.shape
from bot.texts import texts_in
from bot.views.deliberation.export.data import as_json
from bot.views.deliberation.export.markdown import markdown
from bot.views.deliberation.export.shape import schema
from engine.deliberation.state import Deliberation
from tests.deliberation.generated import SESSIONS
from tests.deliberation.scenario import (
    ANN,
    PLANNER,
    REQUESTER,
    Scenario,
    criticised,
    drafted,
    in_round,
    opened,
    plan,
    planned,
    task,
)
from tests.examples import examples

SCHEMA = Path(bot.views.deliberation.export.shape.__file__).with_name("schema.json")
SHAPE = Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))


def read(state: Deliberation) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(as_json(state))
    assert [each.message for each in SHAPE.iter_errors(found)] == []
    return found


def test_the_schema_that_is_shipped_is_a_schema_and_says_what_the_code_says() -> None:
    assert meta.is_valid(json.loads(SCHEMA.read_text("utf-8")))
    assert SCHEMA.read_text("utf-8") == schema()


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SESSIONS)
def test_whatever_was_said_it_has_its_shape(scenario: Scenario) -> None:
    found = read(scenario.state)

    assert found["session"]["current_round"] == len(scenario.state.rounds)
    assert {each["point_id"] for each in found["points"]} <= scenario.state.arguments.keys()


def test_what_was_planned_is_there_with_whose_it_is_and_what_it_rests_on() -> None:
    made = plan(task("room", deadline="2027-02-03", because=("need-1",)))
    found = read(opened().both(planned(made), drafted(made)).compared(0.95).reports().state)

    assert (found["asked_by"], found["brief"]["facts"][1]["by"]) == (REQUESTER, ANN)
    assert [each["user_id"] for each in found["brief"]["people"]] == [ANN, None]
    assert (found["plan"]["by"], found["plan"]["round"]) == ("planner", 1)
    [phase] = found["plan"]["plan"]["phases"]
    assert [(each["owner"], each["deadline"]) for each in phase["tasks"]] == [("ann", "2027-02-03")]
    assert found["decision_record"]["by"] == "agents"
    assert [each["argument_id"] for each in found["decision_record"]["because"]] == ["need-1"]
    assert found["session"]["status"] == "converged"


def test_objections_and_the_requester_s_choice_are_told_by_name() -> None:
    scenario = in_round(2).objects("No lift <b>?", by=ANN).round(0.75, critic=criticised(decision="no_go"))
    found = read(scenario.chooses(PLANNER, why="It is near.").state)

    assert found["points"] == [{"point_id": "point-1", "by": ANN, "text": "No lift <b>?", "answers": {}}]
    assert (found["choice"]["by"], found["choice"]["chosen"]) == (REQUESTER, "planner")
    assert found["decision_record"]["decided_by"] == REQUESTER


def test_the_file_to_read_tells_the_plan_once_and_without_escaped_headings() -> None:
    made = plan(task("room", title="Find a room"))
    content = "# The evening\n\nBoth agree at once.\n\n## The plan\n- Find a room"
    ended = opened().both(planned(made), drafted(made)).compared(0.95).reports(content=content)

    said = markdown(ended.state, "Ann", texts_in("en"))

    assert "Both agree at once." in said
    assert "\\#" not in said
    assert said.count("Find a room") == 1
