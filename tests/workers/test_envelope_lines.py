"""What a line of a command says, or what is wrong with it: the field and what it must be, and nothing of its words."""

import json
from typing import Any

import pytest

from engine.workers.envelope_lines import LONGEST, Envelope, ErrorPayload, TicketArtifact, TicketReport, read_line
from engine.workers.port import Fault

ENVELOPE = {
    "session_id": "s-1", "timestamp": "2025-12-06T12:34:56Z", "source": "script", "target": "scheduler",
    "payload_type": "report", "version": "1.0", "payload": {"status": "completed"},
}  # fmt: skip


def line(**fields: Any) -> bytes:
    return json.dumps(ENVELOPE | fields).encode()


@pytest.mark.parametrize(
    ("payload_type", "payload", "kind"),
    [
        ("report", {"status": "blocked", "issues": ["Which room?"]}, TicketReport),
        ("artifact_ref", {"label": "The plan", "uri": "plan.md", "digest": "sha256:" + "0" * 64}, TicketArtifact),
        ("error", {"code": "x", "message": "It broke."}, ErrorPayload),
    ],
)
def test_a_worker_sends_three_kinds(payload_type: str, payload: dict[str, Any], kind: type) -> None:
    said = read_line(line(payload_type=payload_type, payload=payload), "s-1")
    assert not isinstance(said, Fault)
    assert (said[0], type(said[1])) == (payload_type, kind)


@pytest.mark.parametrize(
    ("spoilt", "fault"),
    [
        pytest.param(b"all good", "the whole: ", id="no JSON"),
        pytest.param(b"[]", "the whole: ", id="a list"),
        pytest.param(b"\xff\xfe", "the whole: ", id="no text"),
        pytest.param(b"[" * 200_000, "the whole: ", id="endless brackets"),
        pytest.param(b" " * (LONGEST + 1), "at most", id="too long"),
        pytest.param(line(timestamp="2025-12-06T12:34:56"), "timestamp: ", id="a naive timestamp"),
        pytest.param(line(timestamp=1765024496), "timestamp: ", id="a timestamp that is a number"),
        pytest.param(line(session_id="s-2"), "session_id: ", id="another session's"),
        pytest.param(line(version="2.0"), "version: ", id="another version"),
        pytest.param(line(payload_type="plan"), "payload_type: ", id="a kind that is the Manager's"),
        pytest.param(line(payload={"status": "great"}), "payload.status: ", id="a status that there is not"),
        pytest.param(line(payload={}), "payload.status: ", id="no status"),
        pytest.param(line(payload={"status": "completed", "cost": 3}), "payload.cost: ", id="a field too many"),
        pytest.param(line(more="x"), "more: ", id="an envelope's field that there is not"),
        pytest.param(
            line(payload_type="artifact_ref", payload={"label": "a", "uri": "a", "digest": "md5:secret"}),
            "payload.digest: ",
            id="another digest",
        ),
    ],
)
def test_a_fault_is_named(spoilt: bytes, fault: str) -> None:
    said = read_line(spoilt, "s-1")
    assert isinstance(said, Fault)
    assert fault in said.message
    assert len(said.message) <= 500
    assert "secret" not in said.message


def test_a_line_may_name_its_own_ticket_and_no_other() -> None:
    said = line(payload={"status": "completed", "ticket_id": "T-1"})
    assert not isinstance(read_line(said, "s-1", "T-1"), Fault)
    fault = read_line(said, "s-1", "T-2")
    assert isinstance(fault, Fault)
    assert fault.message == "payload.ticket_id: it is another ticket's."


def test_a_timestamp_with_an_offset_becomes_utc() -> None:
    envelope = Envelope.model_validate_json(line(timestamp="2025-12-06T20:34:56+08:00"))
    assert envelope.timestamp.isoformat() == "2025-12-06T12:34:56+00:00"
