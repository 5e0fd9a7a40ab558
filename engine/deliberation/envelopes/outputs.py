"""What agents say (seed 001, section 2)."""

from typing import Annotated, Final, Literal, Self

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from engine.deliberation.answers import SlotKind
from engine.deliberation.envelopes.fields import (
    LONGEST_LIST,
    MOST_ROUNDS,
    OPTIONAL,
    AgentId,
    Count,
    Debater,
    Envelope,
    Fraction,
    HostAction,
    Id,
    Ids,
    IsoDate,
    Level,
    Number,
    OutputType,
    Pair,
    RoundNumber,
    SimilarityMatrix,
    Text,
    Texts,
    Timestamp,
    Truth,
    check_most_different,
)
from engine.deliberation.terms import Agent


class SlotValue(Envelope):
    """What is said, and of what; an empty name stands for whatever the position is about."""

    name: Text
    value: Text


SlotValues = Annotated[tuple[SlotValue, ...], Field(max_length=LONGEST_LIST)]


class Slots(Envelope):
    """What of a position can be compared as data."""

    decision: Annotated[Text, OPTIONAL] = ""
    choice: Annotated[Text, OPTIONAL] = ""
    """The option that it is for, where there are several to choose from."""
    dates: Annotated[SlotValues, OPTIONAL] = ()
    """Days, times of day, and spans of both with a slash: ISO 8601, or in the position's own words."""
    quantities: Annotated[SlotValues, OPTIONAL] = ()
    owners: Annotated[SlotValues, OPTIONAL] = ()


class PositionChanges(Envelope):
    conclusion_changed: Truth
    reasons_added: Texts
    confidence_delta: Annotated[float, Field(strict=True, ge=-1, le=1)]


class PositionSummary(Envelope):
    conclusion: Text
    """One sentence."""
    key_reasons: Texts
    assumptions: Texts
    confidence: Fraction
    changes_from_last_round: Annotated[PositionChanges | None, OPTIONAL] = None
    uncertainties: Annotated[Texts, OPTIONAL] = ()
    """Those that remain, asked for before the Reporter."""
    worst_case: Annotated[Text, OPTIONAL] = ""
    slots: Annotated[Slots | None, OPTIONAL] = None
    because: Annotated[Ids, OPTIONAL] = ()
    """The ids of the facts and arguments that it rests on."""


class Move(Envelope):
    """Something of a position or plan that changed, and the argument that moved it."""

    slot: SlotKind
    task_id: Annotated[Id, OPTIONAL] = ""
    argument: Id
    why: Annotated[Text, OPTIONAL] = ""


class PointAnswer(Envelope):
    """What is said to somebody else's argument."""

    argument: Id
    answer: Text


class Flaw(Envelope):
    """A gap in what the other one argues."""

    argument: Id
    flaw: Text


Moves = Annotated[tuple[Move, ...], Field(max_length=LONGEST_LIST)]
Answers = Annotated[tuple[PointAnswer, ...], Field(max_length=LONGEST_LIST)]
Flaws = Annotated[tuple[Flaw, ...], Field(max_length=LONGEST_LIST)]


class Risk(Envelope):
    risk: Text
    severity: Level
    impact: Text
    argument_id: Annotated[Id, OPTIONAL] = ""
    """By which a move names it."""


class Suggestion(Envelope):
    issue: Text
    solution: Text
    priority: Level
    argument_id: Annotated[Id, OPTIONAL] = ""
    """By which a move names it."""


class ValidityCheck(Envelope):
    feasible: Truth
    realistic: Truth
    complete: Truth


class Critique(Envelope):
    target_agent: AgentId
    target_round: RoundNumber
    risks: Annotated[tuple[Risk, ...], Field(max_length=LONGEST_LIST)]
    suggestions: Annotated[tuple[Suggestion, ...], Field(max_length=LONGEST_LIST)]
    validity_check: ValidityCheck
    moves: Annotated[Moves, OPTIONAL] = ()
    answers: Annotated[Answers, OPTIONAL] = ()
    flaws: Annotated[Flaws, OPTIONAL] = ()


MOST_PHASES: Final = 20
MOST_TASKS: Final = 100
"""Of one phase."""


class PlannedTask(Envelope):
    title: Text
    estimated_hours: Number | None
    """Null where nobody has estimated it."""
    deadline: IsoDate | None
    """Null where there is none."""
    tags: Texts
    task_id: Annotated[Id, OPTIONAL] = ""
    owner: Annotated[Id, OPTIONAL] = ""
    starts: Annotated[IsoDate | None, OPTIONAL] = None
    depends_on: Annotated[Ids, OPTIONAL] = ()
    """Task ids."""
    expected_output: Annotated[Text, OPTIONAL] = ""
    acceptance_criteria: Annotated[Texts, OPTIONAL] = ()
    because: Annotated[Ids, OPTIONAL] = ()
    """The ids of the facts that it rests on."""


class Phase(Envelope):
    phase_name: Text
    duration: Text
    """In the plan's own words."""
    tasks: Annotated[tuple[PlannedTask, ...], Field(max_length=MOST_TASKS)]


Phases = Annotated[tuple[Phase, ...], Field(max_length=MOST_PHASES)]


class Schedule(Envelope):
    """A plan without its title and goal, which stand beside it."""

    phases: Phases
    total_estimated_hours: Number


class Plan(Envelope):
    title: Text
    goal: Text
    phases: Phases
    total_estimated_hours: Number


Agents = Annotated[tuple[AgentId, ...], Field(max_length=4)]


class Constraints(Envelope):
    must_address: Texts
    avoid: Texts


class HostDecision(Envelope):
    action: HostAction
    reason: Text
    next_agents: Agents
    """Who speaks in the next round."""
    constraints: Constraints


class HostAnalysis(Envelope):
    consensus_level: Fraction
    """How alike the debaters' latest positions are; more than their texts count, so it is not the matrix's mean."""
    similarity_matrix: SimilarityMatrix
    most_different_pair: Pair
    stubborn_agents: Agents

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        check_most_different(self.similarity_matrix, self.most_different_pair)
        return self


# ── instructions ──────────────────────────────────────────────────────────────────────────────────────────────────


class ConvergeOrders(Envelope):
    to_all_agents: Text
    next_step: Literal["reporter_summary"]


class ContinueOrders(Envelope):
    to_agents: Agents
    focus_on: Texts
    rounds_remaining: Annotated[int, Field(strict=True, ge=1, le=MOST_ROUNDS - 1)]


class OppositionOrders(Envelope):
    role: Literal["devils_advocate"]
    requirement: Text
    target: Debater


class ConvergeInstruction(Envelope):
    action: Literal["converge"]
    instructions: ConvergeOrders


class ContinueInstruction(Envelope):
    action: Literal["continue"]
    instructions: ContinueOrders


class OppositionInstruction(Envelope):
    action: Literal["force_opposition"]
    instructions: OppositionOrders


class UpdateInstruction(Envelope):
    """To an agent that does not move."""

    action: Literal["update_command"]
    target_agent: Debater
    reason: Text
    requirement: Text


HostInstruction = Annotated[
    ConvergeInstruction | ContinueInstruction | OppositionInstruction | UpdateInstruction,
    Field(discriminator="action"),
]


class FinalPlan(Envelope):
    title: Text
    goal: Text
    consensus_level: Level
    participating_agents: Agents
    rounds: RoundNumber
    plan: Schedule


class RejectedOption(Envelope):
    option: Text
    reason: Text


class Cost(Envelope):
    model_calls: Count
    input_tokens: Count
    output_tokens: Count
    cost_usd: Number


class DecisionSummary(Envelope):
    decided: Text
    decided_by: Ids
    arguments: Texts
    """What it rests on."""
    rejected: Annotated[tuple[RejectedOption, ...], Field(max_length=LONGEST_LIST)]
    assumptions: Texts
    dissent: Texts
    cost: Annotated[Cost | None, OPTIONAL] = None
    """Left out where nothing was counted."""


class ReportSummary(Envelope):
    key_agreements: Texts
    resolved_concerns: Texts
    remaining_uncertainties: Texts
    open_disagreements: Annotated[Texts, OPTIONAL] = ()
    """With what would settle each."""
    dissent: Annotated[Texts, OPTIONAL] = ()
    todo: Annotated[Texts, OPTIONAL] = ()
    decision_record: Annotated[DecisionSummary | None, OPTIONAL] = None


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
