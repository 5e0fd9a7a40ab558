"""The export of a delivery for programs: a shape that is written down and stays; to read, and for calendars."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from icalendar import Calendar
from jsonschema_rs import Draft202012Validator, meta

import bot.views.delivery.export.shape
from bot.texts import texts_in
from bot.views.delivery.export.data import as_json
from bot.views.delivery.export.ics import calendar, undated
from bot.views.delivery.export.markdown import markdown
from bot.views.delivery.export.shape import schema
from engine.delivery.state import Delivery
from tests.delivery.scenario import ANN, FOR_AGENT, REQUESTER, instructed, task
from tests.examples import examples
from tests.views.deliveries import deliveries

SCHEMA = Path(bot.views.delivery.export.shape.__file__).with_name("schema.json")
SHAPE = Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))


def read(state: Delivery) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(as_json(state))
    assert [each.message for each in SHAPE.iter_errors(found)] == []
    return found


def test_the_schema_that_is_shipped_is_a_schema_and_says_what_the_code_says() -> None:
    assert meta.is_valid(json.loads(SCHEMA.read_text("utf-8")))
    assert SCHEMA.read_text("utf-8") == schema()


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(deliveries())
def test_whatever_was_done_it_has_its_shape(state: Delivery) -> None:
    assert [each["ticket_id"] for each in read(state)["tickets"]] == [*state.tickets]
    assert markdown(state, "Ann", texts_in("en")).startswith("# ")
    Calendar.from_ical(calendar(state, texts_in("zh")))


def test_who_did_what_with_which_proof_and_who_approved_it_is_told() -> None:
    scenario = instructed(task(owner=FOR_AGENT), task("guests", depends_on=("room",), deadline="2027-02-05"))
    scenario.asks_leave().permits().worked(summary="It is booked.").reviews()
    state = scenario.decides(approves=False, changes="A bigger one").state
    room, guests = read(state)["tickets"]

    assert (room["owner"]["role_id"], guests["owner"]["user_id"]) == ("worker_agent", ANN)
    assert guests["depends_on"] == ["T-1"]
    assert (room["summary"], room["approved_by"]) == ("It is booked.", None)
    assert [each["outcome"] for each in room["attempts"]] == ["permission", "reported", ""]
    assert [(each["need"], each["outcome"], each["by"]) for each in room["decisions"]] == [
        ("permission", "allow_once", REQUESTER)
    ]
    assert read(scenario.worked().reviews().state)["tickets"][0]["approved_by"] == "manager"
    assert undated(state) == ["Do room"]


def test_what_a_person_approved_unread_is_told() -> None:
    [room] = read(instructed(task(owner=FOR_AGENT)).worked().decides().state)["tickets"]

    assert (room["approved_by"], room["unread"]) == (REQUESTER, ["Result"])
    [room] = read(instructed(task(owner=FOR_AGENT)).worked().reviews().state)["tickets"]
    assert (room["approved_by"], room["unread"]) == ("manager", [])


@pytest.mark.parametrize(("language", "reads"), [("en", "in progress"), ("zh", "进行中")])
def test_the_file_to_read_is_in_the_language_of_the_goal(language: Any, reads: str) -> None:
    state = instructed(task(owner=FOR_AGENT)).state
    assert reads in markdown(state, "", texts_in(language))
