"""What agents say (seed 001, section 2)."""

from typing import Annotated, Final, Literal, Self

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from engine.deliberation.envelopes.critique import Critique
from engine.deliberation.envelopes.fields import (
    OPTIONAL,
    AgentId,
    Debater,
    Envelope,
    OutputType,
    RoundNumber,
    Text,
    Timestamp,
)
from engine.deliberation.envelopes.host import HostAnalysis, HostDecision
from engine.deliberation.envelopes.plan import Plan
from engine.deliberation.envelopes.position import Answers, Flaws, Moves, PositionSummary
from engine.deliberation.envelopes.report import FinalPlan, ReportSummary
from engine.deliberation.terms import Agent

DEEPEST: Final = 20
MOST_VALUES: Final = 10_000


def _is_bounded(value: object) -> object:
    """Look level by level: whatever is nested deeper than a stack is refused like anything else."""
    level, seen = [value], 0
    for _ in range(DEEPEST + 1):
        seen += len(level)
        if seen > MOST_VALUES:
            raise ValueError(f"metadata has more than {MOST_VALUES} values")
        inside = [each for each in level if isinstance(each, dict | list | tuple)]
        level = [one for each in inside for one in (each.values() if isinstance(each, dict) else each)]
        if not level:
            return value
    raise ValueError(f"metadata is nested deeper than {DEEPEST} levels")


class BaseOutput(Envelope):
    """What every output has, whoever speaks. `AgentOutput` knows what each one's metadata is."""

    agent_id: AgentId
    round: RoundNumber
    output_type: OutputType
    content: Text
    """What people see."""
    metadata: Annotated[dict[str, JsonValue], BeforeValidator(_is_bounded)]
    timestamp: Timestamp


class PositionMetadata(Envelope):
    position: PositionSummary


class PositionOutput(Envelope):
    """A debater's position by itself: of the devil's advocate, or before the Reporter."""

    agent_id: Debater
    round: RoundNumber
    output_type: Literal["position"]
    content: Text
    metadata: PositionMetadata
    timestamp: Timestamp


class PlannerMetadata(Envelope):
    position: PositionSummary
    plan: Plan
    moves: Annotated[Moves, OPTIONAL] = ()
    answers: Annotated[Answers, OPTIONAL] = ()
    flaws: Annotated[Flaws, OPTIONAL] = ()


class PlannerOutput(Envelope):
    agent_id: Literal[Agent.PLANNER]
    round: RoundNumber
    output_type: Literal["plan"]
    content: Text
    metadata: PlannerMetadata
    timestamp: Timestamp


class CriticMetadata(Envelope):
    position: PositionSummary
    critique: Critique
    plan: Annotated[Plan | None, OPTIONAL] = None
    """The Critic's own, of a blind first round."""


class CriticOutput(Envelope):
    agent_id: Literal[Agent.CRITIC]
    round: RoundNumber
    output_type: Literal["critique"]
    content: Text
    metadata: CriticMetadata
    timestamp: Timestamp

    @model_validator(mode="after")
    def _is_about_something_said(self) -> Self:
        if (target := self.metadata.critique.target_round) > self.round:
            raise ValueError(f"target_round {target} comes after round {self.round}")
        return self


class HostMetadata(Envelope):
    decision: HostDecision
    analysis: Annotated[HostAnalysis | None, OPTIONAL] = None
    """Left out where there are no two positions to compare: somebody stopped it before."""


class HostOutput(Envelope):
    agent_id: Literal[Agent.HOST]
    round: RoundNumber
    output_type: Literal["control"]
    content: Text
    metadata: HostMetadata
    timestamp: Timestamp


class ReporterMetadata(Envelope):
    final_plan: FinalPlan
    summary: ReportSummary


class ReporterOutput(Envelope):
    agent_id: Literal[Agent.REPORTER]
    round: RoundNumber
    output_type: Literal["report"]
    content: Text
    """Markdown."""
    metadata: ReporterMetadata
    timestamp: Timestamp


AgentOutput = Annotated[
    PlannerOutput | CriticOutput | HostOutput | ReporterOutput | PositionOutput,
    Field(discriminator="output_type"),
]
