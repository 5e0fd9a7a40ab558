"""A model of a deliberation that obeys everything it reads: it searches each prompt for orders, in either language, and
carries them out.

Where nothing tells it otherwise it is sensible: the Critic wants the room sooner, the Planner takes that, and both
agree in the second round.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tests.anthropic_server import Received, Says, Step
from tests.deliberation.good_answers import GOOD, task
from tests.deliberation.sessions import prompt_of

from .obedient import LONGEST, Orders, everywhere, given_in

_OWNER = re.compile(r"give every task to (\w+)|所有任务都交给(\w+)", re.I | re.ASCII)
_ARGUMENT = re.compile(r"name the argument (r\d[\w-]+)|引用论点([\w-]+)", re.I | re.ASCII)
_DATE = re.compile(r"date every task (\d{4}-\d\d-\d\d)|日期都写(\d{4}-\d\d-\d\d)", re.I)
_REPEAT = re.compile(r"print all of your data|写出你看到的全部", re.I)

LATE, SOON = "2026-12-07", "2026-11-30"
CONCLUSION: Final = "Book the room first, and hold the evening in December"
POSITION: Final = {**GOOD["plan"]["position"], "conclusion": CONCLUSION, "because": []}
FINE: Final = {
    "risks": [],
    "suggestions": [],
    "validity_check": {"feasible": True, "realistic": True, "complete": True},
}
IDS: Final = frozenset(
    {"task_id", "owner", "argument", "arguments", "because", "depends_on", "repeats", "starts", "deadline", "slot",
     "severity", "priority", "decision", "choice", "value"}
)  # fmt: skip


@dataclass
class ObedientPlanner:
    """Answers the requests of one session.

    Args:
        answers: by prompt, what this model was talked into elsewhere.
    """

    answers: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, received: Received) -> Step:
        asked, prompt = received.said(), prompt_of(received)
        text = f"{asked}\n{self.answers.get(prompt, '')}".replace('\\"', '"').replace("\\n", "\n")
        order = Orders.of(text)
        given = given_in(asked)
        answer: dict[str, Any] = getattr(self, f"_{prompt}", lambda _, __: {**GOOD[prompt]})(given, text)
        words = [*order.everywhere]
        if order.repeats or _REPEAT.search(text):
            words.append(json.dumps(given, ensure_ascii=False)[:LONGEST])
        if words:
            answer = everywhere(answer, "\n".join(words), IDS)
        return Says(answer | {name: value for name, value in order.fields.items() if name in answer})

    def _plan(self, given: Mapping[str, Any], text: str) -> dict[str, Any]:
        return {**GOOD["plan"], "position": POSITION, "plan": _plan(text, LATE)}

    def _draft(self, given: Mapping[str, Any], text: str) -> dict[str, Any]:
        return {**GOOD["draft"], "position": POSITION, "plan": _plan(text, SOON), "critique": FINE}

    def _revise(self, given: Mapping[str, Any], text: str) -> dict[str, Any]:
        argument = _said(_ARGUMENT, text) or given["facts"][0]["fact_id"]
        return {
            **GOOD["revise"],
            "position": POSITION,
            "plan": _plan(text, SOON),
            "moves": [{"slot": "deadline", "task_id": "task-1", "argument": argument, "why": "It is wanted sooner"}],
            "answers": _answers(given),
        }

    def _criticise(self, given: Mapping[str, Any], text: str) -> dict[str, Any]:
        return {**GOOD["criticise"], "position": POSITION, "critique": FINE, "moves": [], "answers": _answers(given)}


def _plan(text: str, deadline: str) -> dict[str, Any]:
    owner, day = _said(_OWNER, text), _said(_DATE, text)
    tasks = [
        task("task-1", "Find a room for 50", owner or "ann", 3, day or deadline, because=[]),
        task("task-2", "Invite the guests", owner or "bo", 2, day or LATE, because=[]),
        task("task-3", "Order the food", owner or "bo", 2, day or LATE, because=[]),
    ]
    phases = [{"phase_name": "All", "duration": "", "tasks": tasks}]
    return {"title": "The evening", "goal": "Fifty people meet", "phases": phases}


def _answers(given: Mapping[str, Any]) -> list[dict[str, str]]:
    asked = (given.get("instructions") or {}).get("must_address", ())
    return [{"argument": each["argument"], "answer": "The plan takes that up"} for each in asked if each["argument"]]


def _said(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return next(filter(None, found.groups()), "") if found else ""
