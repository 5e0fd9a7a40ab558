"""For each prompt of a deliberation a good answer, as a model sends it."""

from collections.abc import Mapping
from typing import Any, Final


def task(task_id: str, title: str, owner: str, hours: float, deadline: str, **fields: Any) -> dict[str, Any]:
    return {
        "task_id": task_id,
        "title": title,
        "owner": owner,
        "estimated_hours": hours,
        "starts": "",
        "deadline": deadline,
        "stage": "before",
        "tags": ["venue"],
        "depends_on": [],
        "expected_output": "A signed booking",
        "acceptance_criteria": ["The date is confirmed in writing"],
        "because": ["need-1"],
        **fields,
    }


PLAN: Final = {
    "title": "An evening about bridges",
    "goal": "Fifty people hear two talks",
    "phases": [
        {
            "phase_name": "Preparing",
            "duration": "two weeks",
            "tasks": [
                task("task-1", "Book the room", "aya", 4, "2026-12-07"),
                task("task-2", "Invite the speakers", "bo", 6, "2026-12-11", depends_on=["task-1"]),
            ],
        }
    ],
}
POSITION: Final = {
    "conclusion": "Book the room by 7 December and invite the speakers then",
    "key_reasons": ["The room is taken on most evenings"],
    "assumptions": ["Bo has six hours"],
    "confidence": 0.7,
    "decision": "go",
    "choice": "",
    "because": ["need-1"],
    "uncertainties": ["How many come"],
    "worst_case": "No room is free, and the evening is moved to January",
    "dates": [{"name": "task-1", "day": "2026-12-07"}],
    "owners": [{"name": "task-1", "person_id": "aya"}],
    "quantities": [{"name": "guests", "number": 50}],
    "open_risks": [{"risk": "The room is gone by 7 December", "severity": "medium"}],
}
CRITIQUE: Final = {
    "risks": [
        {
            "risk": "The room is gone by 7 December",
            "severity": "high",
            "impact": "The evening is a month later",
            "task_id": "task-1",
            "repeats": "",
        }
    ],
    "suggestions": [
        {
            "issue": "It is booked too late",
            "solution": "Aya books the room by 30 November",
            "priority": "high",
            "changes": [{"slot": "deadline", "task_id": "task-1", "value": "2026-11-30"}],
            "repeats": "",
        }
    ],
    "validity_check": {"feasible": True, "realistic": False, "complete": True},
}
MOVED: Final = {
    "moves": [{"slot": "deadline", "task_id": "task-1", "argument": "need-1", "why": "The room is wanted by many"}],
    "answers": [{"argument": "need-1", "answer": "The room is booked first"}],
    "flaws": [],
}
NOT_MOVED: Final[Mapping[str, Any]] = {"moves": [], "answers": [], "flaws": []}

GOOD: Final[Mapping[str, Mapping[str, Any]]] = {
    "brief": {
        "language": "en",
        "options": [],
        "facts": [
            {
                "fact_id": "limit-1",
                "person_id": "ann",
                "option_id": "",
                "task_id": "",
                "before": "",
                "demands": [{"kind": "days", "weekdays": ["mon"], "first": "", "last": "", "allowed": False}],
                "people": 0,
                "cost": {"kind": "money", "amount": 0, "currency": "", "none": False, "per_head": 0},
            }
        ],
    },
    "plan": {"content": "Room first, then speakers.", "position": POSITION, "plan": PLAN, **NOT_MOVED},
    "draft": {
        "content": "Begin with the room.",
        "position": POSITION,
        "plan": PLAN,
        "critique": CRITIQUE,
        **NOT_MOVED,
    },
    "revise": {"content": "The room is booked earlier.", "position": POSITION, "plan": PLAN, **MOVED},
    "criticise": {"content": "The room comes too late.", "position": POSITION, "critique": CRITIQUE, **MOVED},
    "host": {"content": "Both are near each other; the room's date is next.", "pairs": []},
    "close": {"uncertainties": ["How many come"], "worst_case": "No room is free"},
    "report": {
        "content": "# An evening about bridges\n\nAya books the room by 30 November.",
        "key_agreements": ["The room comes first"],
        "resolved_concerns": ["Booked too late -> a week earlier"],
        "remaining_uncertainties": ["How many come"],
        "open_disagreements": [],
        "dissent": [],
    },
    "reply": {"content": "The room's date is the weakest spot.", "arguments": ["need-1"]},
}
