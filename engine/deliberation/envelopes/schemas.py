"""The envelopes as JSON Schemas, by the name of the file that holds each."""

import json
from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter

from engine.deliberation.envelopes.fields import QUOTES_NOTHING
from engine.deliberation.envelopes.outputs import (
    AgentOutput,
    BaseOutput,
    CriticOutput,
    HostInstruction,
    HostOutput,
    Plan,
    PlannerOutput,
    PositionOutput,
    PositionSummary,
    ReporterOutput,
)
from engine.deliberation.envelopes.session import Failure, MultiAgentMessage, SessionState, StartRequest, StreamEvent
from engine.deliberation.envelopes.tools import CalculateDateResult, ComparePositionsResult, GetNowResult, ToolCall

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

ENVELOPES: Final[Mapping[str, TypeAdapter[Any]]] = {
    "base_output": TypeAdapter(BaseOutput),
    "agent_output": TypeAdapter(AgentOutput, config=QUOTES_NOTHING),
    "planner_output": TypeAdapter(PlannerOutput),
    "critic_output": TypeAdapter(CriticOutput),
    "host_output": TypeAdapter(HostOutput),
    "reporter_output": TypeAdapter(ReporterOutput),
    "position_output": TypeAdapter(PositionOutput),
    "position_summary": TypeAdapter(PositionSummary),
    "plan": TypeAdapter(Plan),
    "tool_call": TypeAdapter(ToolCall, config=QUOTES_NOTHING),
    "compare_positions_result": TypeAdapter(ComparePositionsResult, config=QUOTES_NOTHING),
    "get_now_result": TypeAdapter(GetNowResult, config=QUOTES_NOTHING),
    "calculate_date_result": TypeAdapter(CalculateDateResult, config=QUOTES_NOTHING),
    "session_state": TypeAdapter(SessionState),
    "host_instruction": TypeAdapter(HostInstruction, config=QUOTES_NOTHING),
    "start_request": TypeAdapter(StartRequest),
    "stream_event": TypeAdapter(StreamEvent, config=QUOTES_NOTHING),
    "multi_agent_message": TypeAdapter(MultiAgentMessage),
    "failure": TypeAdapter(Failure, config=QUOTES_NOTHING),
}


def schemas() -> dict[str, str]:
    """Return what each ``<name>.schema.json`` holds."""
    return {name: _written(name, shape.json_schema()) for name, shape in ENVELOPES.items()}


def _written(name: str, schema: dict[str, Any]) -> str:
    # A union has no class that would give it a title.
    titled = {"$schema": DIALECT, "title": "".join(each.capitalize() for each in name.split("_"))} | schema
    return json.dumps(titled, indent=2, ensure_ascii=False) + "\n"
