"""What the tools are given and give back (seed 001, section 3)."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Discriminator, Field, Tag, TypeAdapter, model_validator

from engine.deliberation.envelopes.fields import (
    MOST_COMPARED,
    OPTIONAL,
    QUOTES_NOTHING,
    Envelope,
    Fraction,
    IsoDate,
    LocalTime,
    Pair,
    SimilarityMatrix,
    Text,
    Timestamp,
    Weekday,
    check_most_different,
    check_weekday,
    similarities,
)
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

MOST_DIMENSIONS: Final = 8_192
ROUNDING: Final = 0.005
"""Half of the last digit of what is told with two."""
FARTHEST: Final = 1_000_000
"""Of any unit: more leads out of the calendar, or is a slip."""


class ComparePositions(Envelope):
    tool: Literal["compare_positions"]
    texts: Annotated[tuple[Text, ...], Field(min_length=2, max_length=MOST_COMPARED)]


_Component = Annotated[float, Field(strict=True)]
_Vector = Annotated[tuple[_Component, ...], Field(min_length=1, max_length=MOST_DIMENSIONS)]


class Comparison(Envelope):
    embeddings: Annotated[tuple[_Vector, ...], Field(min_length=2, max_length=MOST_COMPARED)]
    """One for each text, all of the embedder's own dimension."""
    similarity_matrix: SimilarityMatrix
    mean_similarity: Fraction
    """Over every pair."""
    most_different_pair: Pair
    most_different_similarity: Fraction

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        matrix, (i, j) = self.similarity_matrix, self.most_different_pair
        if len(self.embeddings) != len(matrix):
            raise ValueError(f"{len(self.embeddings)} embeddings, and a similarity_matrix of {len(matrix)}")
        if len(dimensions := {len(each) for each in self.embeddings}) > 1:
            raise ValueError(f"embeddings of one embedder have one dimension, not {sorted(dimensions)}")
        check_most_different(matrix, self.most_different_pair)
        if not _rounds_to(matrix[i][j], self.most_different_similarity):
            raise ValueError(f"most_different_similarity is {matrix[i][j]}, not {self.most_different_similarity}")
        pairs = similarities(matrix)
        if not _rounds_to(mean := sum(pairs) / len(pairs), self.mean_similarity):
            raise ValueError(f"mean_similarity is {mean:.4f}, not {self.mean_similarity}")
        return self


def _rounds_to(exact: float, told: float) -> bool:
    return abs(exact - told) <= ROUNDING + 1e-9


class ComparisonDone(Envelope):
    success: Literal[True]
    data: Comparison


class GetNow(Envelope):
    tool: Literal["get_now"]


class Now(Envelope):
    now: LocalTime
    """In the zone."""
    timezone: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$", max_length=64)]
    """IANA's name of it."""
    weekday: Weekday
    date: IsoDate

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if not self.now.startswith(self.date):
            raise ValueError(f"now is on {self.now[:10]}, not on {self.date}")
        check_weekday(self.date, self.weekday)
        return self


class NowDone(Envelope):
    success: Literal[True]
    data: Now


_Units = Annotated[
    Annotated[int, Field(strict=True, ge=-FARTHEST, le=FARTHEST)] | None, Field(exclude_if=lambda value: value is None)
]


class DateOffset(Envelope):
    """Forwards, or where negative backwards. What is left out is none."""

    weeks: _Units = None
    days: _Units = None
    years: _Units = None
    months: _Units = None
    hours: _Units = None


class CalculateDate(Envelope):
    tool: Literal["calculate_date"]
    base_date: IsoDate | LocalTime | Timestamp
    offset: DateOffset


class CalculatedDate(Envelope):
    result_date: IsoDate
    weekday: Weekday
    result_time: Annotated[str, Field(pattern="^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$"), OPTIONAL] = ""
    """On the clock there; left out where only days were counted."""

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        check_weekday(self.result_date, self.weekday)
        return self


class DateDone(Envelope):
    success: Literal[True]
    data: CalculatedDate


class ToolError(Envelope):
    success: Literal[False]
    error: Text


ToolCall = Annotated[ComparePositions | GetNow | CalculateDate, Field(discriminator="tool")]


def _outcome(result: Any) -> str | None:
    succeeded = result.get("success") if isinstance(result, dict) else getattr(result, "success", None)
    return "done" if succeeded is True else "error" if succeeded is False else None


_Failed = Annotated[ToolError, Tag("error")]
ComparePositionsResult = Annotated[Annotated[ComparisonDone, Tag("done")] | _Failed, Discriminator(_outcome)]
GetNowResult = Annotated[Annotated[NowDone, Tag("done")] | _Failed, Discriminator(_outcome)]
CalculateDateResult = Annotated[Annotated[DateDone, Tag("done")] | _Failed, Discriminator(_outcome)]


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
