"""What went wrong in a session, and what was done about it (seed 001, section 7, and two more)."""

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Tag

from engine.deliberation.envelopes.fields import OPTIONAL, AgentId, Envelope, RoundNumber, Text, ToolName


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
