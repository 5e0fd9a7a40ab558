"""What a client sends, and what it is sent (seed 001, section 6)."""

import json
from typing import Annotated, Final, Literal

from pydantic import Field, TypeAdapter

from engine.deliberation.envelopes.fields import (
    LONGEST_LIST,
    MOST_ROUNDS,
    OPTIONAL,
    QUOTES_NOTHING,
    AgentId,
    Envelope,
    HostAction,
    Id,
    RoundNumber,
    Text,
)
from engine.deliberation.envelopes.host import HostDecision
from engine.deliberation.envelopes.plan import Plan
from engine.deliberation.envelopes.position import PositionSummary
from engine.deliberation.terms import LONGEST_GOAL, Agent


class StartRequest(Envelope):
    message: Annotated[str, Field(min_length=1, max_length=LONGEST_GOAL, pattern=r"\S")]
    mode: Literal["multi_agent"]
    user_id: Id = Field(alias="userId")
    conversation_id: Id = Field(alias="conversationId")


# ── lines ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class AgentOutputEvent(Envelope):
    type: Literal["agent_output"]
    agent: AgentId
    round: RoundNumber
    content: Text


class HostDecisionEvent(Envelope):
    type: Literal["host_decision"]
    action: HostAction | Literal["update_command"]
    reason: Text


class FinalReportEvent(Envelope):
    type: Literal["final_report"]
    agent: Literal[Agent.REPORTER]
    content: Text
    plan: Plan


StreamEvent = Annotated[AgentOutputEvent | HostDecisionEvent | FinalReportEvent, Field(discriminator="type")]

DONE: Final = "[DONE]"
"""What the last line holds: nothing follows."""

_FIELD: Final = "data:"
_EVENT: Final[TypeAdapter[AgentOutputEvent | HostDecisionEvent | FinalReportEvent]] = TypeAdapter(
    StreamEvent, config=QUOTES_NOTHING
)


def format_line(event: AgentOutputEvent | HostDecisionEvent | FinalReportEvent | Literal["[DONE]"]) -> str:
    """Return a line of server-sent events, with the empty one that ends it."""
    said = event if isinstance(event, str) else json.dumps(event.model_dump(mode="json"), ensure_ascii=False)
    return f"{_FIELD} {said}\n\n"


def parse_line(line: str) -> AgentOutputEvent | HostDecisionEvent | FinalReportEvent | Literal["[DONE]"]:
    """Read a line that `format_line` has written, with or without its end.

    Raises:
        ValueError: it is none; what it holds is no event (`pydantic.ValidationError`).
    """
    if not line.startswith(_FIELD):
        raise ValueError("A line of the stream begins with 'data:'; comments and other fields are none.")
    said = line.removeprefix(_FIELD).strip(" \r\n")
    return DONE if said == DONE else _EVENT.validate_json(said)


# ── what a client shows ───────────────────────────────────────────────────────────────────────────────────────────


class ShownOutput(Envelope):
    agent: AgentId
    content: Text
    position: Annotated[PositionSummary | None, OPTIONAL] = None


class ShownRound(Envelope):
    round: RoundNumber
    outputs: Annotated[tuple[ShownOutput, ...], Field(max_length=LONGEST_LIST)]
    host_decision: Annotated[HostDecision | None, OPTIONAL] = Field(None, alias="hostDecision")


class ShownReport(Envelope):
    content: Text
    plan: Plan


class MultiAgentMessage(Envelope):
    type: Literal["multi_agent_session"]
    session_id: Id = Field(alias="sessionId")
    rounds: Annotated[tuple[ShownRound, ...], Field(max_length=MOST_ROUNDS)]
    final_report: Annotated[ShownReport | None, OPTIONAL] = Field(None, alias="finalReport")
