"""The state of a session (seed 001, section 4)."""

import json
from datetime import datetime
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Discriminator, Field, Tag, TypeAdapter, model_validator

from engine.deliberation.envelopes.fields import (
    LONGEST_LIST,
    MOST_ROUNDS,
    OPTIONAL,
    QUOTES_NOTHING,
    AgentId,
    Envelope,
    Fraction,
    HostAction,
    Id,
    RoundNumber,
    Text,
    Timestamp,
    ToolName,
)
from engine.deliberation.envelopes.outputs import AgentOutput, HostDecision, Plan, PositionSummary
from engine.deliberation.terms import LONGEST_GOAL, Agent


class AgentTimeout(Envelope):
    error: Literal["agent_timeout"]
    agent: AgentId
    round: RoundNumber
    action: Literal["skip_agent"]
    fallback: Text


class MaxRoundsReached(Envelope):
    status: Literal["max_rounds_reached"]
    action: Literal["force_summary"]
    reporter_instruction: Text


class ToolExecutionFailed(Envelope):
    error: Literal["tool_execution_failed"]
    tool: ToolName
    fallback: Text
    round: Annotated[RoundNumber | None, OPTIONAL] = None


class AgentFailed(Envelope):
    """It answered with nothing that can be used."""

    error: Literal["agent_failed"]
    agent: AgentId
    round: RoundNumber
    action: Literal["skip_agent"]
    fallback: Text


class ContentWithheld(Envelope):
    """A part of what it said is not shown."""

    error: Literal["content_withheld"]
    agent: AgentId
    round: RoundNumber
    action: Literal["withhold_content"]
    fallback: Text


def _name(failure: Any) -> Any:
    """Return what tells them apart: one has a status, the others an error."""
    if isinstance(failure, dict):
        return failure.get("error") or failure.get("status")
    return getattr(failure, "error", None) or getattr(failure, "status", None)


Failure = Annotated[
    Annotated[AgentTimeout, Tag("agent_timeout")]
    | Annotated[MaxRoundsReached, Tag("max_rounds_reached")]
    | Annotated[ToolExecutionFailed, Tag("tool_execution_failed")]
    | Annotated[AgentFailed, Tag("agent_failed")]
    | Annotated[ContentWithheld, Tag("content_withheld")],
    Discriminator(_name),
]


class AgentState(Envelope):
    status: Literal["idle", "waiting", "completed"]
    last_output: AgentOutput | None


class AgentStates(Envelope):
    planner: AgentState
    critic: AgentState
    host: AgentState
    reporter: AgentState

    @model_validator(mode="after")
    def _have_outputs_of_their_own(self) -> Self:
        for name, agent in self:
            if agent.last_output is not None and agent.last_output.agent_id != name:
                raise ValueError(f"last_output of {name} is one of {agent.last_output.agent_id}")
        return self


class RoundHistory(Envelope):
    round: RoundNumber
    outputs: Annotated[tuple[AgentOutput, ...], Field(max_length=LONGEST_LIST)]

    @model_validator(mode="after")
    def _is_one_round(self) -> Self:
        if others := {each.round for each in self.outputs} - {self.round}:
            raise ValueError(f"round {self.round} has outputs of other rounds: {sorted(others)}")
        return self


class SessionState(Envelope):
    session_id: Id
    user_query: Text
    mode: Literal["multi_agent"]
    status: Literal["in_progress", "converged", "terminated"]
    current_round: RoundNumber
    max_rounds: RoundNumber
    agents: AgentStates
    history: Annotated[tuple[RoundHistory, ...], Field(max_length=MOST_ROUNDS)]
    """Oldest first."""
    consensus_trend: Annotated[tuple[Fraction, ...], Field(max_length=MOST_ROUNDS)]
    """A value for each round that was analysed."""
    created_at: Timestamp
    updated_at: Timestamp
    reason: Annotated[Text, OPTIONAL] = ""
    """Why it ended."""
    errors: Annotated[tuple[Failure, ...], Field(max_length=2 * LONGEST_LIST), OPTIONAL] = ()

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if self.current_round > self.max_rounds:
            raise ValueError(f"current_round {self.current_round} of {self.max_rounds}")
        if len(self.consensus_trend) > self.current_round:
            raise ValueError(f"consensus_trend has {len(self.consensus_trend)} values in round {self.current_round}")
        told = [each.round for each in self.history]
        if told != sorted({*told}) or any(each > self.current_round for each in told):
            raise ValueError(f"history tells of rounds {told} in round {self.current_round}")
        if datetime.fromisoformat(self.updated_at) < datetime.fromisoformat(self.created_at):
            raise ValueError(f"updated_at {self.updated_at} is before created_at {self.created_at}")
        return self


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
    """Read a line that `format_line` has written, with or without its end."""
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
