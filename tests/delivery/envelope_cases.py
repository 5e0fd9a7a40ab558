"""For each payload type of the catalogue a good one, and what is wrong in a bad one."""

import json
from typing import Any, Final

SESSION: Final = "deliver-1"
DIGEST: Final = "sha256:" + "a" * 64

GOOD: Final[dict[str, dict[str, Any]]] = {
    "clarification": {"questions": [{"question_id": "q1", "text": "By when?"}], "status": "needed"},
    "clarification_response": {"answers": [{"question_id": "q1", "text": "March"}], "status": "answered"},
    "clarification_needed": {"goal": "Meet."},
    "plan": {
        "tasks": [
            {
                "task_id": "t1", "description": "Book", "dependencies": [], "status": "pending",
                "expected_outputs": [{"label": "Booking"}], "assigned_to": {"role_id": "worker_claude"},
            }
        ]
    },
    "ticket": {
        "ticket_id": "T-1", "task_id": "t1", "owner": "U1", "status": "pending",
        "history": [{"timestamp": "2025-12-06T20:34:56+08:00", "event": "created"}],
    },
    "instruction_proposal": {
        "ticket_id": "T-1", "summary": "Slowly", "open_questions": ["Why?"], "risks": [], "draft_steps": ["One"],
    },
    "instruction": {"ticket_id": "T-1", "summary": "Do it", "steps": ["One"], "acceptance_criteria": ["It is there"]},
    "dispatch": {
        "ticket_id": "T-1", "task_id": "t1", "title": "Book", "expected_outputs": [{"label": "a", "path": "a.md"}],
    },
    "report": {"ticket_id": "T-1", "status": "completed", "outputs": ["a.md"], "evidence": [DIGEST]},
    "review_request": {"ticket_id": "T-1", "report": 1},
    "review": {"ticket_id": "T-1", "decision": "approved", "notes": "Good."},
    "artifact_ref": {
        "label": "Plan", "uri": "artifacts/T-1/1/plan.md", "digest": DIGEST, "content_type": "text/markdown",
        "size_bytes": 12, "description": "",
    },
    "update": {"ticket_id": "T-1", "status": "done"},
    "final_report": {"status": "completed", "reason": "all_done", "summary": "Done."},
    "error": {"code": "timeout", "message": "It took too long.", "resolution_hint": "Ask for less."},
}  # fmt: skip

BAD: Final[dict[str, dict[str, Any]]] = {
    "clarification": {"questions": [], "status": "perhaps"},
    "clarification_response": {"answers": "all of them"},
    "clarification_needed": {},
    "plan": {"tasks": []},
    "ticket": {
        "ticket_id": "T-1", "task_id": "t1", "status": "pending",
        "history": [{"timestamp": "2025-12-06T20:34:56", "event": "x"}],
    },
    "instruction_proposal": {"ticket_id": "T-1", "summary": 1},
    "instruction": {"ticket_id": "T-1", "summary": "x", "steps": [""]},
    "dispatch": {"ticket_id": "T-1", "task_id": "t1"},
    "report": {"ticket_id": "T-1", "status": "great"},
    "review_request": {"ticket_id": "T-1", "report": 0},
    "review": {"ticket_id": "T-1", "decision": "fine"},
    "artifact_ref": {"label": "Plan", "uri": "x", "digest": "md5:abc"},
    "update": {"ticket_id": "T-1", "status": "finished"},
    "final_report": {"status": "done", "reason": "x", "summary": "x"},
    "error": {"message": "no code"},
}  # fmt: skip


def sent(kind: str, said: dict[str, Any], **fields: Any) -> bytes:
    envelope = {
        "session_id": SESSION, "timestamp": "2025-12-06T12:34:56Z", "source": "manager", "target": "scheduler",
        "payload_type": kind, "version": "1.0", "payload": said,
    }  # fmt: skip
    return json.dumps(envelope | fields).encode()
