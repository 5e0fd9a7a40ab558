"""What models answer in a deliberation, and what is kept of it: the schemas of its prompts.

Fields and names are seed 001's, sections 2 and 8, and what the design adds to them. Ids that a model has written are
kept only where they exist (`engine.deliberation.rounds.reading`).
"""

from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BeforeValidator, Field

from engine.facts.answer_fields import (
    MOST_TEXTS,
    Fraction,
    Id,
    Ids,
    Level,
    Needed,
    Text,
    Texts,
    lower,
    no_null,
)
from engine.facts.circumstances import Count, Day, Money, People, Said
from engine.facts.data import Days, Deadline, Effort
from engine.kernel import PRIVATE, ModelAnswer

MOST_TASKS: Final = 30
"""Of one plan."""
MOST_PHASES: Final = 20
MOST_LISTED: Final = 12
"""Risks, suggestions, moves, answers and flaws of one output."""
MOST_READ: Final = 160
"""Data read out of one brief: two for each fact that there may be."""
LONGEST_OUTPUT: Final = 6_000
"""Characters of what one output says to people: 2,000 tokens, of which one is worth three characters or more."""


def _few(value: Any) -> Any:
    return value[:MOST_LISTED] if isinstance(value, list | tuple) else () if value is None else value


def _tasks(value: Any) -> Any:
    """As many as may be told to a model to be too many."""
    return value[: 2 * MOST_TASKS] if isinstance(value, list | tuple) else () if value is None else value


def _phases(value: Any) -> Any:
    return value[:MOST_PHASES] if isinstance(value, list | tuple) else () if value is None else value


def _many(value: Any) -> Any:
    return value[:MOST_TEXTS] if isinstance(value, list | tuple) else () if value is None else value


def _facts(value: Any) -> Any:
    return value[:MOST_READ] if isinstance(value, list | tuple) else () if value is None else value


def _stage(value: Any) -> Any:
    said = lower(value)
    return said if said in ("event", "after") else "before"


def _hours(value: Any) -> Any:
    return min(10_000.0, max(0.0, float(value))) if isinstance(value, int | float) else value


Stage = Annotated[Literal["before", "event", "after"], BeforeValidator(_stage)]
"""Whether a task prepares what is planned, is what is planned itself, or comes after it and may be past the end."""

Decision = Literal["go", "go_with_changes", "no_go"]
"""Whether the plan should be carried out."""

SlotKind = Literal["conclusion", "decision", "choice", "start", "deadline", "hours", "owner", "task"]
"""What of a plan two positions can differ in, and what an argument can change."""


class SlotChange(ModelAnswer):
    """One thing of a plan that is to be otherwise."""

    slot: SlotKind
    task_id: Id = ""
    """Of which task; empty for the decision and the choice. A new task has a new id."""
    value: Text = ""
    """An ISO date, hours, a person's id, a decision, an option, or the title of a new task; empty to take it away."""


class PlanTask(ModelAnswer):
    """One task of a plan."""

    task_id: Annotated[str, BeforeValidator(no_null)]
    """Short, such as ``task-3``; the same in every version of the plan."""
    title: Needed
    owner: Id = ""
    """A ``person_id`` of the brief; empty where nobody has taken it."""
    estimated_hours: Annotated[float, BeforeValidator(_hours)] = 0
    starts: Id = ""
    """ISO date."""
    deadline: Id = ""
    """ISO date."""
    stage: Stage = "before"
    tags: Texts = ()
    depends_on: Ids = ()
    """Ids of tasks that have to be done before."""
    expected_output: Text = ""
    acceptance_criteria: Texts = ()
    because: Ids = ()
    """Ids of the facts and arguments that it rests on, and of the option that it carries out."""


class PlanPhase(ModelAnswer):
    phase_name: Needed
    duration: Text = ""
    tasks: Annotated[tuple[PlanTask, ...], BeforeValidator(_tasks)] = ()


class Plan(ModelAnswer):
    title: Needed
    goal: Text = ""
    phases: Annotated[tuple[PlanPhase, ...], BeforeValidator(_phases)] = ()

    @property
    def tasks(self) -> tuple[PlanTask, ...]:
        return tuple(task for phase in self.phases for task in phase.tasks)

    @property
    def total_estimated_hours(self) -> float:
        return sum(task.estimated_hours for task in self.tasks)


class NamedDay(ModelAnswer):
    """A day on which a position stands or falls."""

    name: Needed
    day: Day = ""


class NamedOwner(ModelAnswer):
    name: Needed
    """Of what is to be done."""
    person_id: Id = ""


class NamedNumber(ModelAnswer):
    name: Needed
    """Of what is counted, with its unit."""
    number: float = 0


class OpenRisk(ModelAnswer):
    risk: Needed
    severity: Level = "medium"


class Position(ModelAnswer):
    """What an agent holds, in short (seed 001, section 8), as data that can be compared. What has changed since is
    computed, not asked for.
    """

    conclusion: Needed
    key_reasons: Texts = ()
    assumptions: Texts = ()
    confidence: Fraction = 0.5
    decision: Annotated[Decision, BeforeValidator(lower)] = "go"
    choice: Text = ""
    """The option that it is for: by its id or in the brief's words, and kept in these. Empty where there is nothing to
    choose."""
    because: Ids = ()
    """Ids of the facts and arguments that it rests on."""
    uncertainties: Texts = ()
    worst_case: Text = ""
    dates: Annotated[tuple[NamedDay, ...], BeforeValidator(_few)] = ()
    """The days, owners and numbers that the position would be another one without. Where it names none, those of its
    plan's tasks stand for them (`engine.deliberation.rounds.positions`)."""
    owners: Annotated[tuple[NamedOwner, ...], BeforeValidator(_few)] = ()
    quantities: Annotated[tuple[NamedNumber, ...], BeforeValidator(_few)] = ()
    open_risks: Annotated[tuple[OpenRisk, ...], BeforeValidator(_few)] = ()
    """What could make it fail, and nothing in it is done about."""


class Move(ModelAnswer, kw_only=True):
    """Why something of a position changed: which argument moved it."""

    slot: SlotKind
    task_id: Id = ""
    argument: Id
    """The id of a risk, a suggestion, a point, or a fact."""
    why: Text = ""


class PointAnswer(ModelAnswer):
    """What an agent says to an objection that somebody raised, or to what it has to address."""

    argument: Id
    answer: Text


class Flaw(ModelAnswer):
    """A gap in what the other one argues."""

    argument: Id
    flaw: Text


class Risk(ModelAnswer, kw_only=True):
    risk: Needed
    severity: Level = "medium"
    impact: Text = ""
    task_id: Id = ""
    repeats: Id = ""
    """The id of the risk that was named before, where this is still the same one."""


class Suggestion(ModelAnswer, kw_only=True):
    issue: Text = ""
    solution: Needed
    priority: Level = "medium"
    changes: Annotated[tuple[SlotChange, ...], BeforeValidator(_few)] = ()
    """What it would change, as data."""
    repeats: Id = ""


class ValidityCheck(ModelAnswer):
    feasible: bool = True
    realistic: bool = True
    complete: bool = True

    @property
    def has_no(self) -> bool:
        """Whether one of the three is a no."""
        return not (self.feasible and self.realistic and self.complete)


class Critique(ModelAnswer):
    risks: Annotated[tuple[Risk, ...], BeforeValidator(_few)] = ()
    suggestions: Annotated[tuple[Suggestion, ...], BeforeValidator(_few)] = ()
    validity_check: ValidityCheck = ValidityCheck()


class DebaterAnswer(ModelAnswer, kw_only=True):
    """What the Planner and the Critic have in common."""

    content: Needed
    """To be read by people."""
    position: Position
    moves: Annotated[tuple[Move, ...], BeforeValidator(_few)] = ()
    answers: Annotated[tuple[PointAnswer, ...], BeforeValidator(_few)] = ()
    flaws: Annotated[tuple[Flaw, ...], BeforeValidator(_few)] = ()


class PlannerAnswer(DebaterAnswer, kw_only=True):
    """A plan: the first one, or one that answers the critique."""

    plan: Plan


class CriticDraft(DebaterAnswer, kw_only=True):
    """The Critic's own plan, in a blind first round."""

    plan: Plan
    critique: Critique = Critique()
    """Of what was asked for, as far as the Critic knows it."""


class CriticAnswer(DebaterAnswer, kw_only=True):
    """What the Critic has against the Planner's latest plan."""

    critique: Critique


class SlotPair(ModelAnswer):
    """Two slots of two drafts that are about the same thing."""

    planner: Id = ""
    critic: Id = ""


class HostAnswer(ModelAnswer):
    content: Text = ""
    """The Host's decision in words. The decision itself is made before."""
    pairs: Annotated[tuple[SlotPair, ...], BeforeValidator(_many)] = ()
    """Where two blind drafts are laid side by side: which slots of one are which of the other."""


class OptionRead(ModelAnswer):
    """Something that there is to choose from."""

    option_id: Id
    label: Text = ""
    """In the brief's own words."""


Compared = Days | Deadline | Effort | People | Money
"""What a plan can be held against: its tasks have days, hours of work and owners, and facts have numbers and sums. No
task has a place, an hour of the day or a notice; what demands these stays as it was said."""
COMPARED: Final[tuple[type[ModelAnswer], ...]] = get_args(Compared)


def _compared(value: Any) -> Any:
    if isinstance(value, dict):
        return value if value.get("kind") in {each.__struct_config__.tag for each in COMPARED} else None
    return value if isinstance(value, COMPARED) else None


class FactRead(ModelAnswer, kw_only=True):
    """What one fact demands of a plan, as data."""

    fact_id: Id
    """``brief`` for what the goal itself says."""
    person_id: Id = ""
    """Whom it binds; empty where it holds for the whole."""
    option_id: Id = ""
    """The option that it is about alone."""
    task_id: Id = ""
    """The agreed task that it is about."""
    before: Id = ""
    """The agreed task before which that has to be done."""
    demands: Annotated[tuple[Annotated[Compared | None, BeforeValidator(_compared)], ...], BeforeValidator(_few)] = ()
    """When, by when, how long, for how many at most, how much there is for it."""
    people: Count = 0
    """How many come; 0 where it does not say so."""
    cost: Money = Money()
    """What something takes out of the budget."""


class BriefAnswer(ModelAnswer):
    """A brief and its facts, read once into data."""

    language: Said = ""
    """BCP 47."""
    options: Annotated[tuple[OptionRead, ...], BeforeValidator(_few)] = ()
    facts: Annotated[tuple[FactRead, ...], BeforeValidator(_facts)] = ()


class ClosingAnswer(ModelAnswer):
    """What an agent still does not know, and the worst that can happen (seed 001, section 5.1)."""

    uncertainties: Texts = ()
    worst_case: Text = ""


class ReportAnswer(ModelAnswer, kw_only=True):
    """The report on a plan that stands already."""

    content: Needed
    key_agreements: Texts = ()
    resolved_concerns: Texts = ()
    remaining_uncertainties: Texts = ()
    open_disagreements: Texts = ()
    """With what would settle each."""
    dissent: Texts = ()


class CriticReply(ModelAnswer):
    """The Critic's answer to somebody's question."""

    content: Annotated[str, PRIVATE, Field(min_length=1)]
    arguments: Ids = ()
    """Ids of the arguments that it is about."""


# For the schemas of answers.
__all__ = [
    "LONGEST_OUTPUT", "MOST_LISTED", "MOST_TASKS", "BriefAnswer", "ClosingAnswer", "CriticAnswer", "CriticDraft",
    "CriticReply", "Critique", "DebaterAnswer", "Decision", "FactRead", "Flaw", "HostAnswer", "Move", "NamedDay",
    "NamedNumber", "NamedOwner", "OpenRisk", "OptionRead", "Plan", "PlanPhase", "PlanTask", "PlannerAnswer",
    "PointAnswer", "Position", "ReportAnswer", "Risk", "SlotChange", "SlotKind", "SlotPair", "Suggestion",
    "ValidityCheck",
]  # fmt: skip
