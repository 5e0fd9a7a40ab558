"""A team behind a model's wire: who is found, what they bring, and who wants what, in answers that are easy to read.

What people ask for in a round is taken up in the next version, in the seat of whoever asks. The limits of everybody are
kept, and nobody doubts anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ..anthropic_server import LocalAnthropic, Received, Says, Status, Step
from ..anthropic_server.server import Answering
from .demo import Demo, started

AGENT: Final = "user_agent_"


@dataclass(frozen=True)
class Seat:
    """Whom the team has, and for what."""

    short_name: str
    name: str
    role: str
    task: str
    conditions: tuple[str, ...] = ()
    wish: str = ""
    """What the twin asks for in the first round."""

    @property
    def agent_id(self) -> str:
        return AGENT + self.short_name


@dataclass(frozen=True)
class Team:
    """Answers like a model that knows what it was asked."""

    seats: Sequence[Seat]
    summary: str
    language: str = "en"
    context: Mapping[str, Any] = field(default_factory=dict)
    """What the demand says of time, place, people and money."""
    when: Mapping[str, Any] = field(default_factory=dict)
    """Of the plan."""
    milestones: Sequence[Mapping[str, Any]] = ()
    understood: Mapping[str, Any] = field(default_factory=dict)
    """What a person's own wish comes to."""
    asks_of: Mapping[str, str] = field(default_factory=dict)
    """Short name -> the condition that the plan leaves open."""

    def __call__(self, request: Received) -> Step:
        fields = set(request.schema["properties"])
        if "surface_demand" in fields:
            return Says(self._understanding(request))
        if "definitely_related" in fields:
            return Says({"definitely_related": [{"agent_id": each.agent_id} for each in self.seats]})
        if "decision" in fields:
            return Says(self._offer(request))
        if "gaps" in fields and "is_complete" in fields:
            return Says({"is_complete": True, "gaps": []})
        if "assignments" in fields and "adjustment_summary" in fields:
            return Says(self._plan(_votes(request)))
        if "feedback_type" in fields:
            return Says(self._vote(request))
        if "claims" in fields:
            claims = [{"number": each, "verdict": "yes"} for each in _numbers(request, "claims")]
            return Says({"claims": claims, "limits": _kept(request)})
        if fields == {"limits"}:
            return Says({"limits": []})
        if "understood" in fields:
            return Says({"understood": "", "data": None, **self.understood})
        return Status(400)

    def _understanding(self, request: Received) -> Mapping[str, Any]:
        needs = [
            {"need_id": f"need_{number}", "what": each.role, "essential": True, "quantity": 1}
            for number, each in enumerate(self.seats, 1)
        ]
        said = str(_given(request, "raw_input") or self.summary)
        return {
            "surface_demand": said,
            "language": self.language,
            "kind": "demand",
            "confidence": "high",
            "needs": needs,
            "context": self.context,
        }

    def _offer(self, request: Received) -> Mapping[str, Any]:
        number, seat = self._whose(request)
        return {
            "decision": "conditional" if seat.conditions else "participate",
            "contribution": seat.task,
            "conditions": [{"text": each} for each in seat.conditions],
            "covers": [{"need_id": f"need_{number}", "quote": "", "source": "profile"}],
            "limits": _kept(request),
        }

    def _vote(self, request: Received) -> Mapping[str, Any]:
        _number, seat = self._whose(request)
        is_first = "This is round 1 of" in request.said()
        if seat.wish and is_first:
            return {"feedback_type": "negotiate", "adjustment_request": seat.wish, "limits": _kept(request)}
        return {"feedback_type": "accept", "limits": _kept(request)}

    def _whose(self, request: Received) -> tuple[int, Seat]:
        agent_id = _given(request, "profile")["agent_id"]
        return next((number, each) for number, each in enumerate(self.seats, 1) if each.agent_id == agent_id)

    def _plan(self, votes: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """The plan with what was asked for in the seats of those who asked; who withdrew is gone."""
        gone = {each["agent_id"] for each in votes if each["feedback_type"] == "withdraw"}
        wishes = {each["agent_id"]: each["adjustment_request"] for each in votes if each.get("adjustment_request")}
        seats = [
            {
                "agent_id": each.agent_id,
                "display_name": each.name,
                "role": each.role,
                "responsibility": each.task,
                "notes": wishes.get(each.agent_id, ""),
                "covers": [f"need_{number}"],
                "core": True,
            }
            for number, each in enumerate(self.seats, 1)
            if each.agent_id not in gone
        ]
        conditions = [
            {"agent_id": seat.agent_id, "condition_id": number, "condition": each, "met": True}
            for seat in self.seats
            for number, each in enumerate(seat.conditions, 1)
            if seat.agent_id not in gone
        ]
        for each in conditions:
            if reason := self.asks_of.get(str(each["agent_id"]).removeprefix(AGENT)):
                each |= {"met": False, "reason": reason}
        plan = {
            "summary": self.summary,
            "assignments": seats,
            "conditions": conditions,
            "when": self.when,
            "timeline": {"start_date": "", "milestones": self.milestones},
        }
        if votes:
            addressed = [{"agent_id": who, "request": wish} for who, wish in wishes.items()]
            changes = [
                {"agent_id": who, "aspect": self._role(who), "before": "", "after": wish, "reason": wish}
                for who, wish in wishes.items()
            ]
            plan["adjustment_summary"] = {"requests_addressed": addressed, "changes_made": changes}
        return plan

    def _role(self, agent_id: str) -> str:
        return next((each.role for each in self.seats if each.agent_id == agent_id), "")


@asynccontextmanager
async def started_with(answering: Answering, *arguments: str | Path, cwd: Path) -> AsyncIterator[Demo]:
    """The demo, with a model of this machine that wants no key."""
    async with LocalAnthropic(key="") as model:
        model.always(answering)
        async with started(*arguments, cwd=cwd, ANTHROPIC_BASE_URL=model.url) as demo:
            yield demo


def _given(request: Received, name: str) -> Any:
    """What a prompt was given under this name; None where it was not."""
    found = re.search(rf"<{name} (\w+)>\n(.*?)\n</{name} \1>", request.said(), re.DOTALL)
    if found is None:
        return None
    try:
        return json.loads(found[2])
    except ValueError:
        return found[2]


def _votes(request: Received) -> Sequence[Mapping[str, Any]]:
    votes: Sequence[Mapping[str, Any]] = _given(request, "feedbacks") or []
    return votes


def _numbers(request: Received, name: str) -> list[int]:
    return [each["number"] for each in _given(request, name) or []]


def _kept(request: Received) -> list[Mapping[str, Any]]:
    return [{"number": each, "verdict": "kept"} for each in _numbers(request, "limits")]


PROTOTYPE: Final = Team(
    (
        Seat("maya_patel", "Maya Patel", "Product lead", "Says what is built, and tests it with users every week"),
        Seat(
            "jonas_weber",
            "Jonas Weber",
            "UX design",
            "Flows, wireframes and a clickable prototype",
            wish="Two rounds of feedback are planned",
        ),
        Seat(
            "carlos_mendes",
            "Carlos Mendes",
            "Mobile development",
            "An app for both kinds of phones, in test builds",
            wish="No meetings before 13:00",
        ),
    ),
    "A prototype in six weeks: Maya leads, Jonas draws it, Carlos builds it.",
)
"""Three colleagues for a prototype of a mobile app; two twins ask for something in the first round."""

EVENING: Final = Team(
    (
        Seat("lin_xiao", "林晓", "A venue", "A room for sixty"),
        Seat("chen_mo", "陈默", "A speaker", "A talk with demonstrations"),
        Seat("he_jing", "何静", "A host", "Leads through the evening"),
    ),
    "An evening",
    milestones=(
        {"name": "The room is booked", "day": "2027-05-10"},
        {"name": "The evening", "day": "2027-05-20"},
    ),
)
"""Three colleagues for a meetup, who are content with the first version."""
