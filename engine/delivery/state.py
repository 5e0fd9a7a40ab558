"""What a delivery knows. `fold` says how events change it, `rules` what may happen, and `outstanding` what follows."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property

from msgspec import Struct, field

from engine.delivery.events import (
    AdviceGiven,
    EnvelopeRejected,
    FinalReportWritten,
    ProposalAnswered,
    ProposalMade,
    ReviewGiven,
)
from engine.delivery.policy import Policy
from engine.delivery.terms import (
    Artifact,
    Brief,
    CheckRun,
    Cost,
    EndReason,
    Evidence,
    FailureCode,
    Owner,
    Permission,
    PermissionChoice,
    PersonNeed,
    PlannedBy,
    Question,
    Role,
    Steps,
    Task,
    WorkerKind,
)
from engine.kernel import Millis, Place


class Status(StrEnum):
    NEW = "new"
    CLARIFYING = "clarifying"
    PLANNING = "planning"
    WORKING = "working"
    REPORTING = "reporting"
    COMPLETED = "completed"
    INCOMPLETE = "incomplete"
    """It ended, and something that was not dropped is not done."""


ENDED = frozenset({Status.COMPLETED, Status.INCOMPLETE})


class TicketStatus(StrEnum):
    """Seed 002, section 7.3; a ticket that is no longer wanted is dropped."""

    PENDING = "pending"
    DISCUSSING = "discussing"
    IN_PROGRESS = "in_progress"
    BLOCKED = "blocked"
    AWAITING_REVIEW = "awaiting_review"
    DONE = "done"
    ERROR = "error"
    DROPPED = "dropped"


SETTLED = frozenset({TicketStatus.DONE, TicketStatus.DROPPED})


class Clarification(Struct, frozen=True, kw_only=True):
    number: int
    questions: tuple[Question, ...]
    intent_summary: str
    until: Millis
    answers: tuple[str, ...] | None = None
    """In the order of the questions; None while nobody has answered."""
    by: str = ""


class Attempt(Struct, frozen=True, kw_only=True):
    """One attempt to carry a ticket out."""

    number: int
    by: str
    """Whose it is: a user's id, or a role's."""
    started_at: Millis
    started_by: str = ""
    """The user who started it for them; empty where they did."""
    ended_at: Millis = 0
    """0 while it is under way."""
    outcome: str = ""
    """``reported``, ``blocked``, ``permission``, or a `FailureCode`; empty while it is under way."""
    detail: str = ""
    cost: Cost = Cost()
    worker: str = ""


class Claim(Struct, frozen=True, kw_only=True):
    """What somebody says is done, while it is checked."""

    attempt: int
    by: str
    evidence: tuple[Evidence, ...]
    summary: str
    next_actions: tuple[str, ...] = ()

    @property
    def hand(self) -> str:
        """Who showed it, also for somebody else: a user's id, or a role's."""
        return self.by


class WorkReport(Struct, frozen=True, kw_only=True):
    """What was reported with proof."""

    number: int
    attempt: int
    by: str
    """Whose attempt it was: a user's id, or a role's."""
    at: Millis
    summary: str
    artifacts: tuple[Artifact, ...]
    shown_by: str = ""
    """The user who showed it for them; empty where they did."""
    checks: tuple[CheckRun, ...] = ()
    issues: tuple[str, ...] = ()
    next_actions: tuple[str, ...] = ()
    review: ReviewGiven | None = None
    """The latest one."""
    opened: frozenset[tuple[str, int]] = frozenset()
    """Who has opened which artifact, counted from 1."""

    @property
    def hand(self) -> str:
        """Who showed it, also for somebody else: a user's id, or a role's."""
        return self.shown_by or self.by


class AskedPermission(Struct, frozen=True, kw_only=True):
    permission: Permission
    attempt: int
    by: str
    at: Millis
    choice: PermissionChoice | None = None
    """None while nobody has answered."""
    answered_by: str = ""
    answered_at: Millis = 0
    expires: Millis = 0
    told_to: int = 0
    """The first attempt that has begun since, which was told the choice: one that holds once is told to no other."""


class HandOver(Struct, frozen=True, kw_only=True):
    """A colleague was asked to take a ticket over."""

    by: str
    to: str
    at: Millis
    is_taken: bool | None = None
    """None while they have not answered; it is open only while the ticket's ``hand_over_to`` names them."""


class AskedDecision(Struct, frozen=True, kw_only=True):
    """A decision that was, or is, a person's: whoever asked for the delivery, or an admin."""

    number: int
    """Counted from 1, in its ticket."""
    need: PersonNeed
    text: str
    """The Manager's question, what the worker lacks, or what an agent asks leave for, in a few words."""
    at: Millis
    report: int = 0
    """The newest report then, counted from 1."""
    digest: str = ""
    """Of what an agent asks leave for."""
    is_together: bool = False
    """Whether it is asked in one card with the others that were asked at the same time."""
    outcome: str = ""
    """How it was settled: ``approved``, ``changes_requested``, a `PermissionChoice`, ``answered``, ``owner_changed``,
    ``dropped``, ``reset``, ``budget_raised``, ``agreed``, ``suggested``, or ``moved_on``; empty while it waits."""
    by: str = ""
    """A user's id, ``manager`` or ``scheduler``; empty where it was settled by itself."""
    settled_at: Millis = 0
    given_to: Owner = Owner()
    """Who got the ticket by it; nobody where it was settled otherwise."""


class Ticket(Struct, frozen=True, kw_only=True):
    ticket_id: str
    task: Task
    owner: Owner
    status: TicketStatus = TicketStatus.PENDING
    created_at: Millis = 0
    since: Millis = 0
    """Since when it has this status."""
    added_by: str = ""
    """Whoever added it by hand; empty where it is the plan's."""
    proposals: tuple[ProposalMade, ...] = ()
    proposal_answers: tuple[ProposalAnswered, ...] = ()
    unanswered: tuple[int, ...] = ()
    """The numbers of the proposals on which no readable word of a machine came, once for each time."""
    discussed_until: Millis = 0
    """Until when a person is waited for who was asked about a proposal."""
    instruction: Steps | None = None
    instructions: int = 0
    """How many it was given."""
    attempts: tuple[Attempt, ...] = ()
    checker_gone: str = ""
    """The user who was to approve it, where their account was closed."""
    claim: Claim | None = None
    shown: tuple[Evidence, ...] = ()
    """With what it was last said to be done: its texts are known here, besides where they are registered."""
    reports: tuple[WorkReport, ...] = ()
    issues: tuple[str, ...] = ()
    """What its worker lacks, while it is blocked."""
    blocked_by: str = ""
    """Who said so last, also for its worker: a user's id, or a role's."""
    answers: tuple[str, ...] = ()
    """What its worker was told since, when it was blocked; the newest last."""
    changes: tuple[str, ...] = ()
    """What the latest review wants changed."""
    failures: int = 0
    """Since a person, or the Manager, has last decided something about it."""
    interruptions: int = 0
    cycles: int = 0
    """How often the Manager has requested changes since a person decided."""
    escalations: int = 0
    """How often the Manager has advised since a person decided."""
    advice: tuple[AdviceGiven, ...] = ()
    retry_at: Millis = 0
    """When the next attempt begins; 0 where it may at once."""
    is_stuck: bool = False
    """Its attempts have failed, or it is blocked, and the Manager is asked for advice."""
    permissions: Mapping[str, AskedPermission] = field(default_factory=dict)
    """By digest, in the order in which they were asked."""
    agent_session: str = ""
    need: PersonNeed | None = None
    """Why a person has to decide; None where nobody has to."""
    question: str = ""
    """The Manager's to that person."""
    decisions: tuple[AskedDecision, ...] = ()
    """All that a person had to decide about it; only the last one can be waited for."""
    failure: FailureCode | None = None
    """Why it is in error."""
    hand_over_to: str = ""
    """A colleague who is asked to take it."""
    hand_overs: tuple[HandOver, ...] = ()
    """Whoever was ever asked to take it, in that order."""
    holders: tuple[str, ...] = ()
    """User ids of the people who have had it, in their order: once for each time that it became theirs."""
    late_told: bool = False
    """That it waits for long was told."""
    reminded: bool = False
    overdue: bool = False
    spent: Cost = Cost()
    done_at: Millis = 0
    dropped_by: str = ""
    dropped_why: str = ""

    @property
    def is_open(self) -> bool:
        return self.status not in SETTLED

    @property
    def running(self) -> Attempt | None:
        return self.attempts[-1] if self.attempts and not self.attempts[-1].ended_at else None

    @property
    def report(self) -> WorkReport | None:
        return self.reports[-1] if self.reports else None

    @property
    def is_a_persons(self) -> bool:
        return self.owner.kind is WorkerKind.PERSON

    @property
    def open_decision(self) -> AskedDecision | None:
        return self.decisions[-1] if self.need is not None and self.decisions else None

    @property
    def waiting_permission(self) -> AskedPermission | None:
        """The question that nobody has answered."""
        return next((each for each in self.permissions.values() if each.choice is None), None)

    @property
    def artifacts(self) -> tuple[Artifact, ...]:
        return self.reports[-1].artifacts if self.reports else ()


class Delivery(Struct, frozen=True, kw_only=True, dict=True):
    status: Status = Status.NEW
    session_id: str = ""
    requester_id: str = ""
    conversation_id: str = ""
    brief: Brief = Brief(title="", goal="")
    policy: Policy = Policy()
    roles: Mapping[str, Role] = field(default_factory=dict)
    place: Place = Place()
    opened_at: Millis = 0
    updated_at: Millis = 0
    until: Millis = 0
    clarifications: tuple[Clarification, ...] = ()
    intent_summary: str = ""
    plans_refused: int = 0
    plan_faults: tuple[str, ...] = ()
    """Why the last plan was refused."""
    planned_by: PlannedBy | None = None
    planned_at: Millis = 0
    tickets: Mapping[str, Ticket] = field(default_factory=dict)
    """By id, in the order in which they came."""
    added: int = 0
    """Tickets that ever were, which is the number of the newest."""
    tokens_raised: int = 0
    usd_raised: float = 0.0
    spent: Cost = Cost()
    is_spent: bool = False
    rejected: tuple[EnvelopeRejected, ...] = ()
    """The latest ones."""
    reason: EndReason | None = None
    """Why nothing more is done; None before."""
    stopped_by: str = ""
    report: FinalReportWritten | None = None
    ended_at: Millis = 0
    erased: str = ""
    """Whose words were erased: a user's id, or ``*`` for all."""

    @property
    def exists(self) -> bool:
        return self.status is not Status.NEW

    @property
    def is_open(self) -> bool:
        return self.exists and self.status not in ENDED

    @property
    def open_clarification(self) -> Clarification | None:
        """The questions that nobody has answered."""
        if self.status is not Status.CLARIFYING or not self.clarifications:
            return None
        last = self.clarifications[-1]
        return last if last.answers is None else None

    def ticket_of(self, task_id: str) -> Ticket | None:
        return self._by_task.get(task_id)

    @cached_property
    def _by_task(self) -> Mapping[str, Ticket]:
        """Made once for a state, which is asked for each ticket's dependencies several times."""
        return {each.task.task_id: each for each in self.tickets.values()}

    def waits_for(self, ticket: Ticket) -> tuple[Ticket, ...]:
        """The tickets that it depends on and that are not settled."""
        needed = (self.ticket_of(each) for each in ticket.task.depends_on)
        return tuple(each for each in needed if each is not None and each.is_open)
