"""What the stub answers, to whoever asks in these frameworks: as much as `benchmarks/stub.py` says, as plain values."""

from typing import Any

from benchmarks.flow import AGENTS

Said = dict[str, Any]

DEMAND = "A meetup for fifty people, with a venue and speakers"


def understanding() -> Said:
    return {
        "surface_demand": "A meetup for fifty people",
        "deep_understanding": {"motivation": "", "likely_preferences": [], "emotional_context": ""},
        "capability_tags": ["venue", "speaker"],
        "context": {"location": None, "expected_attendees": None, "date": None, "budget": None},
        "uncertainties": [],
        "confidence": "low",
    }


def shortlist() -> list[Said]:
    return [
        {
            "agent_id": each,
            "display_name": each.removeprefix("user_agent_"),
            "reason": "can help with the meetup",
            "match_type": "inferred",
            "confidence": 0.5,
        }
        for each in AGENTS
    ]


def offer(agent: str) -> Said:
    return {
        "agent_id": agent,
        "decision": "participate",
        "contribution": "I bring a projector and two friends.",
        "conditions": [],
        "reasoning": "",
        "confidence": 50,
        "source": "agent",
        "model": "stub",
    }


def plan(version: int) -> Said:
    return {
        "summary": "An evening of short talks",
        "objective": "Fifty people learn something",
        "assignments": [
            {
                "agent_id": each,
                "display_name": each.removeprefix("user_agent_"),
                "role": "helper",
                "responsibility": "Brings what was promised, on time, and stays.",
                "dependencies": [],
                "notes": "",
                "core": False,
                "source": "offer",
            }
            for each in AGENTS
        ],
        "timeline": {"start_date": "", "milestones": []},
        "success_criteria": [],
        "risks": [],
        "conditions": [],
        "confidence": "medium",
        "version": version,
    }


def vote(agent: str, number: int) -> Said:
    return {
        "agent_id": agent,
        "feedback_type": "accept",
        "reasoning": "Fits my week.",
        "adjustment_request": "",
        "concerns": [],
        "round": number,
        "source": "agent",
        "model": "stub",
    }


def gaps() -> Said:
    return {"is_complete": True, "gaps": [], "analysis": "", "model": "stub"}
