"""Envelopes are what the catalogue says, in and out; what is none is named, and quotes nothing."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.delivery.envelopes.payloads import DIALECT, PAYLOADS, Read, error_envelope, read_envelope, schemas
from engine.delivery.terms import LONGEST_TEXT
from engine.delivery.work.work_orders import work_envelope
from engine.workers.port import Fault
from tests.deliberation.schema_values import values
from tests.examples import examples

from .envelope_cases import BAD, GOOD, SESSION, sent
from .scenario import FOR_SCRIPT, NOON, STREAM, instructed, task
from .schema_files import FOLDER, SUFFIX, path

SEEDS = {
    "clarification", "clarification_response", "plan", "ticket", "instruction_proposal", "instruction", "report",
    "review", "artifact_ref", "error",
}  # fmt: skip
FLOWS = {"dispatch", "update", "review_request", "final_report", "clarification_needed"}


def test_the_catalogue_is_the_seeds_and_what_the_flow_needs() -> None:
    assert set(PAYLOADS) == SEEDS | FLOWS == set(GOOD) == set(BAD)


@pytest.mark.parametrize("name", GOOD)
def test_a_good_one_is_read_and_written_as_it_was(name: str) -> None:
    read = read_envelope(sent(name, GOOD[name]), SESSION)
    assert isinstance(read, Read), read
    again = read_envelope(sent(name, read.payload.model_dump(mode="json")), SESSION)
    assert isinstance(again, Read)
    assert again.payload == read.payload


CATALOGUE: dict[str, dict[str, Any]] = {
    "clarification": {"questions": ["By when?"], "status": "needed", "intent_summary": "An evening."},
    "clarification_response": {"answers": ["March"], "status": "answered"},
    "plan": {
        "tasks": [
            {
                "task_id": "t1", "description": "Book", "dependencies": [], "expected_outputs": ["Booking"],
                "assigned_to": {"role_id": "worker_claude"}, "status": "pending",
            }
        ]
    },
    "ticket": {"ticket_id": "T-1", "task_id": "t1", "owner": "worker_claude", "status": "pending", "history": []},
    "instruction_proposal": {"summary": "Slowly", "open_questions": ["Why?"], "risks": [], "draft_steps": ["One"]},
    "instruction": {"summary": "Do it", "steps": ["One"], "resources": ["A map"], "acceptance_criteria": ["Done"]},
    "report": {"status": "completed", "outputs": ["a.md"], "evidence": [], "issues": [], "next_actions": []},
    "review": {"decision": "approved", "notes": "Good.", "requested_changes": []},
    "artifact_ref": {
        "label": "Plan", "uri": "plan.md", "digest": "sha256:" + "a" * 64, "content_type": "text/markdown",
        "size_bytes": 12, "description": "",
    },
    "error": {"code": "timeout", "message": "It took too long.", "resolution_hint": "Ask for less."},
}  # fmt: skip
"""Each payload with the fields of seed 002's catalogue (section 5.1) alone."""


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_catalogues_fields_alone_are_enough(name: str) -> None:
    assert set(CATALOGUE) == SEEDS
    read = read_envelope(sent(name, CATALOGUE[name]), SESSION)
    assert isinstance(read, Read), read
    assert jsonschema_rs.is_valid(json.loads(path(name).read_text("utf-8")), CATALOGUE[name])


@pytest.mark.parametrize("name", BAD)
def test_a_bad_one_is_a_fault_that_names_its_field(name: str) -> None:
    fault = read_envelope(sent(name, BAD[name]), SESSION)
    assert isinstance(fault, Fault)
    assert fault.payload_type == name
    assert fault.message.startswith("payload.")


@pytest.mark.parametrize("name", GOOD)
def test_an_unknown_field_is_refused(name: str) -> None:
    assert isinstance(read_envelope(sent(name, {**GOOD[name], "also": 1}), SESSION), Fault)


@pytest.mark.parametrize(
    "fields",
    [
        {"timestamp": "2025-12-06T12:34:56"},
        {"timestamp": 1_700_000_000},
        {"timestamp": "yesterday"},
        {"timestamp": "1700000000"},
        {"timestamp": "2025-12-06 12:34:56Z"},
        {"timestamp": "2025-12-06T24:00:00Z"},
        {"timestamp": "2025-02-30T12:00:00Z"},
        {"timestamp": "0001-01-01T00:00:00+08:00"},
        {"timestamp": "9999-12-31T23:00:00-08:00"},
        {"timestamp": "٢٠٢٥-12-06T12:34:56Z"},
        {"session_id": "deliver-2"},
        {"payload_type": "promise"},
        {"version": "9.0"},
        {"source": ""},
        {"payload": []},
        {"extra": True},
    ],
    ids=str,
)
def test_the_envelope_itself_is_held_to_its_fields(fields: dict[str, Any]) -> None:
    fault = read_envelope(sent("update", GOOD["update"], **fields), SESSION)
    assert isinstance(fault, Fault)


@pytest.mark.parametrize("said", [b"", b"{", b"[]", b"\xff", b"null", b'"x"', b"x" * 2_000_000], ids=repr)
def test_garbage_is_a_fault(said: bytes) -> None:
    assert isinstance(read_envelope(said, SESSION), Fault)


def test_offsets_are_turned_to_utc() -> None:
    read = read_envelope(sent("ticket", GOOD["ticket"], timestamp="2025-12-06T20:34:56+08:00"), SESSION)
    assert isinstance(read, Read)
    dumped = read.envelope.model_dump(mode="json")
    assert dumped["timestamp"] == "2025-12-06T12:34:56Z"
    assert read.payload.model_dump(mode="json")["history"][0]["timestamp"] == "2025-12-06T12:34:56Z"


@given(st.text(min_size=5, alphabet=st.characters(min_codepoint=97, max_codepoint=122)))
def test_a_fault_quotes_nothing(secret: str) -> None:
    secret = f"zz{secret}zz"
    for name in ("review", "update", "report"):
        fault = read_envelope(sent(name, {"ticket_id": "T-1", "status": secret, "decision": secret}), SESSION)
        assert isinstance(fault, Fault)
        assert secret not in fault.message


def test_a_fault_is_answered_by_an_error() -> None:
    fault = Fault(payload_type="plan", message="payload.tasks: too short")
    answered = error_envelope(fault, SESSION, datetime(2026, 1, 1, tzinfo=UTC))
    assert answered.payload["code"] == "validation_failed"
    assert answered.payload["resolution_hint"]
    assert error_envelope(fault, SESSION, datetime(2026, 1, 1, tzinfo=UTC), "T-3").payload["ticket_id"] == "T-3"
    assert isinstance(read_envelope(answered.model_dump_json().encode(), SESSION), Read)


def test_whatever_a_person_may_tell_a_worker_is_in_its_dispatch_whole() -> None:
    told = "x" * LONGEST_TEXT
    scenario = instructed(task("a", FOR_SCRIPT)).worked(issues=(told,)).advises("answer", text=told)
    envelope = work_envelope(scenario.state, scenario.ticket(), at=NOON)
    read = read_envelope(json.dumps(envelope).encode(), STREAM)
    assert isinstance(read, Read), read
    assert told in json.dumps(envelope)


# ── schemas ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_exported_schemas_are_what_the_models_say() -> None:
    made = schemas()
    assert {each.name for each in FOLDER.glob(f"*{SUFFIX}")} == {f"{name}{SUFFIX}" for name in made}
    for name, text in made.items():
        assert path(name).read_text("utf-8") == text, "run: python -m tests.delivery.schema_files"


@pytest.mark.parametrize("name", PAYLOADS)
def test_model_and_schema_accept_and_refuse_the_same(name: str) -> None:
    schema = json.loads(path(name).read_text("utf-8"))
    assert schema["$schema"] == DIALECT
    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    assert validator.is_valid(GOOD[name])
    assert not validator.is_valid({**GOOD[name], "also": 1})
    assert not validator.is_valid(BAD[name])


@pytest.mark.parametrize("name", PAYLOADS)
def test_whatever_the_schema_allows_is_read(name: str) -> None:
    schema = json.loads(path(name).read_text("utf-8"))
    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)

    @settings(
        max_examples=examples(13),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
    @given(values(schema).filter(validator.is_valid))
    def holds(said: Any) -> None:
        read = read_envelope(sent(name, said), SESSION)
        assert isinstance(read, Read), read

    holds()


STRANGE: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1.0,
    1.5,
    10**20,
    "",
    " ",
    "1",
    "x" * 20_001,
    "2025-12-06T12:34:56",
    [],
    [1],
    {},
]


def places(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield (*at, key)
        yield from places(each, (*at, key))


def replaced(value: Any, at: tuple[str | int, ...], new: Any) -> Any:
    if not at:
        return new
    copy = value.copy()
    copy[at[0]] = replaced(value[at[0]], at[1:], new)
    return copy


@pytest.mark.parametrize("name", PAYLOADS)
def test_with_anything_strange_anywhere_in_it_both_say_the_same(name: str) -> None:
    validator = jsonschema_rs.Draft202012Validator(json.loads(path(name).read_text("utf-8")), validate_formats=True)
    for at in places(GOOD[name]):
        for strange in STRANGE:
            said = replaced(GOOD[name], at, strange)
            is_read = isinstance(read_envelope(sent(name, said), SESSION), Read)
            assert is_read == validator.is_valid(said), (at, strange)
