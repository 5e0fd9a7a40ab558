"""What happens in the yardstick: each event as long as the engine's of that name."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from benchmarks.stub import SEATS, crowd

Body = Mapping[str, Any]


class Event(NamedTuple):
    type: str
    public: Body
    private: Body | None = None


AGENTS: Final = tuple(sorted(crowd()))[:SEATS]
_ASKED: Final = {"model": "stub", "prompt_hash": "495eab56da823620"}


def _plan(**more: Any) -> Body:
    """As long as a proposal."""
    assignment = {
        "display_name": "P0",
        "role": "helper",
        "responsibility": "Brings what was promised, on time, and stays.",
        "dependencies": [],
        "notes": "",
        "core": False,
        "source": "offer",
    }
    return {
        "summary": "An evening of short talks",
        "objective": "Fifty people learn something",
        "assignments": [{"agent_id": each, **assignment} for each in AGENTS],
        "timeline": {"start_date": "", "milestones": []},
        "rationale": "",
        "gaps": [],
        "success_criteria": [],
        "risks": [],
        "conditions": [],
        "confidence": "medium",
        "proposal_id": "prop_001",
        "created_at": "2026-01-01T00:00:00.000Z",
        "digest": "5bd58359bba9",
        **more,
    }


_DECLINED: Final = [{"agent_id": each, "request": "Half an hour later, please.", "reason": ""} for each in AGENTS[6:]]
_CHANGES: Final = {"round": 3, "changes_made": [], "requests_addressed": [], "requests_declined": _DECLINED}

SUBMITTED: Final = Event(
    "demand.submitted",
    {
        "requester_id": "U_ASKS",
        "policy": {f"setting_{number:02}": 300.0 for number in range(21)},
        "place": {"channel": "", "thread": "", "shared": False},
        "until": 1_800_000_000_000,
    },
    {"raw_input": "A meetup for fifty people, with a venue and speakers"},
)
UNDERSTOOD: Final = Event(
    "demand.understood",
    {
        "surface_demand": "A meetup for fifty people",
        "capability_tags": ["venue", "speaker"],
        "understanding": {
            "surface_demand": "A meetup for fifty people",
            "deep_understanding": {"motivation": "", "likely_preferences": [], "emotional_context": ""},
            "capability_tags": ["venue", "speaker"],
            "context": {"location": None, "expected_attendees": None, "date": None, "budget": None},
            "uncertainties": [],
        },
        **_ASKED,
    },
)
SHORTLISTED: Final = Event(
    "filter.completed",
    {
        "candidates": [
            {
                "agent_id": each,
                "display_name": "P0",
                "user_id": None,
                "reason": "can help with the meetup",
                "match_type": "inferred",
                "confidence": 0.5,
            }
            for each in AGENTS
        ],
        **_ASKED,
    },
)
BROADCAST: Final = (
    Event("channel.created", {"participants_count": SEATS}),
    Event("demand.broadcast", {"recipients": AGENTS, "deadline": 1_800_000_000_000}),
)
OFFERED: Final = Event(
    "offer.submitted",
    {
        "demand_id": "d-00000000",
        "offer_id": "offer_001",
        "agent_id": "user_agent_p0",
        "display_name": "P0",
        "decision": "participate",
        "confidence": 50,
        "source": "agent",
        "degraded": False,
        **_ASKED,
    },
    {"contribution": "I bring a projector and two friends.", "conditions": [], "reasoning": "", "decline_reason": ""},
)
COLLECTED: Final = (Event("aggregation.started", {"demand_id": "d-00000000", "offers_count": SEATS}),)
STARTED: Final = Event("negotiation.round_started", {"demand_id": "d-00000000", "round": 1, "max_rounds": 5})
PROPOSED: Final = Event("proposal.distributed", {"proposal": _plan(), "round": 1, **_ASKED})
ADJUSTED: Final = Event("proposal.distributed", {"proposal": _plan(adjustment_summary=_CHANGES), "round": 2, **_ASKED})
DUE: Final = Event(
    "feedback.due",
    {
        "demand_id": "d-00000000",
        "round": 1,
        **dict.fromkeys(("deadline", "twins", "people", "requester"), 1_800_000_000_000),
    },
)
VOTED: Final = Event(
    "proposal.feedback",
    {
        "demand_id": "d-00000000",
        "agent_id": "user_agent_p0",
        "display_name": "P0",
        "feedback_type": "accept",
        "round": 1,
        "version": 1,
        "source": "agent",
        "by": None,
        **_ASKED,
    },
    {"reasoning": "Fits my week.", "adjustment_request": "", "concerns": []},
)
EVALUATED: Final = Event(
    "feedback.evaluated",
    {
        "demand_id": "d-00000000",
        "round": 1,
        "total": SEATS,
        **dict.fromkeys(("accepts", "rejects", "negotiates", "withdraws", "silent"), 2),
        "accept_rate": 0.6,
        "decision": "next_round",
    },
)
FINALIZED: Final = Event(
    "proposal.finalized",
    {
        "final_proposal": _plan(adjustment_summary=_CHANGES),
        "participants_count": SEATS,
        "rounds_taken": 3,
        "confirmed_participants": AGENTS,
        "optional_participants": [],
        "open_requests": [],
    },
)
COMPLETE: Final = Event(
    "gap.identified", {"demand_id": "d-00000000", "gaps": [], "is_complete": True, "analysis": "", **_ASKED}
)
