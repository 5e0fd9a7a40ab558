"""What each prompt of a delivery is given, as a type: its fields are the names that the prompt's header declares.

Nobody's profile is among it, and no user's id.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.kernel import FactKind, Message


class PersonGiven(Message, kw_only=True):
    person_id: str
    name: str
    role: str = ""
    brings: str = ""


class RoleGiven(Message, kw_only=True):
    """A worker that is no person."""

    role_id: str
    name: str
    kind: str
    """``agent``, ``command``, or ``model``, which can only write."""
    capabilities: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()


class FactGiven(Message, kw_only=True):
    kind: FactKind
    text: str
    by: str = ""


class BriefGiven(Message, kw_only=True):
    """What is to be carried out. It is the same in every question of a delivery."""

    title: str
    goal: str
    today: str
    language: str = ""
    """BCP 47, where it is known."""
    ends: str = ""
    intent: str = ""
    """The goal in the Manager's words, once there are any."""
    facts: tuple[FactGiven, ...] = ()


class AnsweredQuestion(Message, kw_only=True):
    question: str
    answer: str
    """Empty where it is left to the Manager."""


class TaskGiven(Message, kw_only=True):
    """A ticket, as far as it has come."""

    ticket_id: str
    title: str
    description: str = ""
    worker: str = ""
    """A name."""
    worker_kind: str = ""
    """``person``, ``agent``, ``command`` or ``model``."""
    expected_outputs: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """Where each expected output is to lie, in their order."""
    acceptance_criteria: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()
    risk: str = "low"
    """``high``: it is discussed before anybody begins."""
    risk_reason: str = ""
    starts: str = ""
    deadline: str = ""


class StepsGiven(Message, kw_only=True):
    summary: str
    steps: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    acceptance_criteria: tuple[str, ...] = ()


class ResultGiven(Message, kw_only=True):
    """What a ticket that this one depends on has come to."""

    ticket_id: str
    title: str
    summary: str = ""
    results: tuple[str, ...] = ()
    """Each with its file."""


class ProposalGiven(Message, kw_only=True):
    summary: str
    draft_steps: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()
    worker_agrees: bool | None = None
    worker_says: tuple[str, ...] = ()


class ProofGiven(Message, kw_only=True):
    """One thing that is there: registered, read back, and of this size."""

    output: str
    file: str
    size_bytes: int
    content_type: str
    excerpt: str = ""
    """The beginning of a text; empty of anything else."""
    is_link: bool = False


class ReportGiven(Message, kw_only=True):
    """What a worker has reported."""

    summary: str
    proof: tuple[ProofGiven, ...]
    checks: tuple[str, ...] = ()
    """Each with how it ended."""
    issues: tuple[str, ...] = ()


class TroubleGiven(Message, kw_only=True):
    """What keeps a ticket from going on."""

    is_blocked: bool
    issues: tuple[str, ...] = ()
    """What its worker lacks."""
    attempts: tuple[str, ...] = ()
    """How each came to nothing."""
    told: tuple[str, ...] = ()
    """What it was told already."""


class OutcomeGiven(Message, kw_only=True):
    """How one ticket ended."""

    ticket_id: str
    title: str
    worker: str
    status: str
    results: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()
    next_actions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """The values of one question."""

    def values(self) -> Mapping[str, Any]:
        """By name."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class ClarifyGiven(Given):
    brief: BriefGiven
    people: tuple[PersonGiven, ...]
    answered: tuple[AnsweredQuestion, ...]


@dataclass(frozen=True, slots=True)
class PlanGiven(Given):
    brief: BriefGiven
    people: tuple[PersonGiven, ...]
    roles: tuple[RoleGiven, ...]
    answered: tuple[AnsweredQuestion, ...]
    faults: tuple[str, ...]
    """Why the last plan could not be carried out."""


@dataclass(frozen=True, slots=True)
class ProposeGiven(Given):
    brief: BriefGiven
    task: TaskGiven
    results: tuple[ResultGiven, ...]
    discussion: tuple[ProposalGiven, ...]


@dataclass(frozen=True, slots=True)
class DiscussGiven(Given):
    brief: BriefGiven
    task: TaskGiven
    proposal: ProposalGiven


@dataclass(frozen=True, slots=True)
class InstructGiven(Given):
    brief: BriefGiven
    task: TaskGiven
    results: tuple[ResultGiven, ...]
    discussion: tuple[ProposalGiven, ...]


@dataclass(frozen=True, slots=True)
class WorkGiven(Given):
    brief: BriefGiven
    task: TaskGiven
    instruction: StepsGiven
    results: tuple[ResultGiven, ...]
    told: tuple[str, ...]
    """Answers to what was lacking, and the changes that are wanted; the newest last."""


@dataclass(frozen=True, slots=True)
class ReviewGiven(Given):
    brief: BriefGiven
    task: TaskGiven
    instruction: StepsGiven
    report: ReportGiven


@dataclass(frozen=True, slots=True)
class AdviseGiven(Given):
    brief: BriefGiven
    task: TaskGiven
    instruction: StepsGiven | None
    trouble: TroubleGiven
    roles: tuple[RoleGiven, ...]


@dataclass(frozen=True, slots=True)
class FinalGiven(Given):
    brief: BriefGiven
    reason: str
    outcomes: tuple[OutcomeGiven, ...]
