"""The events of a delivery.

Whatever holds or quotes people's words, also in what a model or a worker has written, is marked PRIVATE and can be
erased; numbers, ids and codes are not.
"""

from typing import Annotated, ClassVar, Final

from engine.delivery.policy import Policy
from engine.delivery.terms import (
    AdviceAction,
    Artifact,
    Brief,
    CheckRun,
    Cost,
    DeliveryEvent,
    EndReason,
    Evidence,
    FailureCode,
    Owner,
    Permission,
    PermissionChoice,
    PersonNeed,
    PlannedBy,
    PrivateText,
    PrivateTexts,
    Question,
    ReviewDecision,
    Role,
    Steps,
    Task,
    TicketEvent,
)
from engine.kernel import SPARSE, Millis, Place, events_in

# ── the whole ─────────────────────────────────────────────────────────────────────────────────────────────────────


class DeliveryOpened(DeliveryEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.opened"
    requester_id: str
    brief: Brief
    policy: Policy
    roles: tuple[Role, ...] = ()
    place: Place
    is_planned: bool
    """Whether its tasks are known, and `PlanReceived` follows at once."""
    at: Millis
    conversation_id: str = ""


class ClarificationAsked(DeliveryEvent, kw_only=True):
    """The Manager asks the requester."""

    event_type: ClassVar[str] = "towow.delivery.clarification_asked"
    number: int
    questions: tuple[Question, ...]
    intent_summary: PrivateText = ""
    language: Annotated[str, SPARSE] = ""
    """BCP 47, as the Manager has told it."""
    until: Millis
    at: Millis
    model: str = ""
    prompt_hash: str = ""


class ClarificationAnswered(DeliveryEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.clarification_answered"
    number: int
    by: str
    answers: PrivateTexts
    at: Millis


class ClarificationClosed(DeliveryEvent, kw_only=True):
    """It is planned with what is known."""

    event_type: ClassVar[str] = "towow.delivery.clarification_closed"
    why: str
    """``clear``, ``answered``, ``time_is_up`` or ``no_model``."""
    intent_summary: PrivateText = ""
    language: Annotated[str, SPARSE] = ""
    """BCP 47, as the Manager has told it."""
    at: Millis


class PlanRefused(DeliveryEvent, kw_only=True):
    """A plan cannot be carried out: a cycle, an unknown task, nothing in it."""

    event_type: ClassVar[str] = "towow.delivery.plan_refused"
    number: int
    faults: PrivateTexts
    at: Millis
    model: str = ""
    prompt_hash: str = ""


class PlanReceived(DeliveryEvent, kw_only=True):
    """Each task has a ticket from now on: ``T-1`` is the first one's."""

    event_type: ClassVar[str] = "towow.delivery.plan_received"
    tasks: tuple[Task, ...]
    by: PlannedBy
    until: Millis
    """When it ends at the latest."""
    at: Millis
    model: str = ""
    prompt_hash: str = ""


class RolesChanged(DeliveryEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.roles_changed"
    roles: tuple[Role, ...]
    policy: Policy
    at: Millis


class BudgetRaised(DeliveryEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.budget_raised"
    by: str
    tokens: int = 0
    usd: float = 0.0
    at: Millis


class BudgetSpent(DeliveryEvent, kw_only=True):
    """The whole has cost what it may: no further command or model begins to work."""

    event_type: ClassVar[str] = "towow.delivery.budget_spent"
    at: Millis


class EnvelopeRejected(DeliveryEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.envelope_rejected"
    source: str
    payload_type: str
    code: str
    message: PrivateText
    ticket_id: str = ""
    at: Millis


class ReportBegun(DeliveryEvent, kw_only=True):
    """Nothing more is done: what came of it is summed up."""

    event_type: ClassVar[str] = "towow.delivery.report_begun"
    reason: EndReason
    by: str = ""
    """Who stopped it."""
    at: Millis


class FinalReportWritten(DeliveryEvent, kw_only=True):
    """What was done, and by whom, is the state's: no report changes it."""

    event_type: ClassVar[str] = "towow.delivery.final_report_written"
    summary: PrivateText
    learned: PrivateTexts = ()
    next_steps: PrivateTexts = ()
    at: Millis
    model: str = ""
    """Empty where code wrote it."""
    prompt_hash: str = ""


class DeliveryEnded(DeliveryEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.ended"
    is_complete: bool
    """Whether every ticket that was not dropped is done."""
    reason: EndReason
    at: Millis


class WordsErased(DeliveryEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.words_erased"
    by: str
    whose: str = ""
    former_chain: str = ""


class PlaceChanged(DeliveryEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.place_changed"
    channel: str
    shared: bool


# ── one ticket ────────────────────────────────────────────────────────────────────────────────────────────────────


class TicketAdded(TicketEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.ticket_added"
    by: str
    task: Task


class TicketDropped(TicketEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.ticket_dropped"
    by: str
    why: PrivateText = ""


class CheckingChanged(TicketEvent, kw_only=True):
    """Somebody has said how risky it is, and who approves it."""

    event_type: ClassVar[str] = "towow.delivery.checking_changed"
    by: str
    is_high_risk: bool
    risk_reason: PrivateText = ""
    checked_by: str = ""


class OwnerChanged(TicketEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.owner_changed"
    by: str
    owner: Owner
    why: str = ""
    """``chosen`` by code from the roles, ``taken`` after a hand-over, ``reassigned`` by the Manager; empty by a
    leader."""


class HandOverAsked(TicketEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.hand_over_asked"
    by: str
    to: str


class HandOverDeclined(TicketEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.hand_over_declined"
    by: str


class ProposalNeeded(TicketEvent, kw_only=True):
    """High risk: how it will be done is discussed first."""

    event_type: ClassVar[str] = "towow.delivery.proposal_needed"


class ProposalMade(TicketEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.proposal_made"
    number: int
    summary: PrivateText
    draft_steps: PrivateTexts = ()
    open_questions: PrivateTexts = ()
    risks: PrivateTexts = ()
    model: str = ""
    prompt_hash: str = ""


class ProposalAnswered(TicketEvent, kw_only=True):
    """The worker's word on it (``report`` with status ``proposal``)."""

    event_type: ClassVar[str] = "towow.delivery.proposal_answered"
    number: int
    by: str
    """A user's id, or a role's; ``scheduler`` in deliveries of before, where silence was taken for consent."""
    agrees: bool
    answers: PrivateTexts = ()
    model: str = ""
    prompt_hash: str = ""


class ProposalUnanswered(TicketEvent, kw_only=True):
    """A machine was asked about a proposal, and no word came that could be read."""

    event_type: ClassVar[str] = "towow.delivery.proposal_unanswered"
    number: int
    """The proposal's."""
    by: str
    """The role's id."""


class InstructionGiven(TicketEvent, kw_only=True):
    """Work on it may begin."""

    event_type: ClassVar[str] = "towow.delivery.instruction_given"
    instruction: Steps
    by: str
    """``manager``, or ``scheduler`` where code wrote it."""
    model: str = ""
    prompt_hash: str = ""


class WorkStarted(TicketEvent, kw_only=True):
    """An attempt begins: a person starts, or a command is dispatched."""

    event_type: ClassVar[str] = "towow.delivery.work_started"
    attempt: int
    by: str
    """Whose attempt it is: a user's id, or a role's."""
    started_by: Annotated[str, SPARSE] = ""
    """The user who started it for them; empty where they did."""


class WorkClaimed(TicketEvent, kw_only=True):
    """Somebody says that it is done; what they show is registered and checked."""

    event_type: ClassVar[str] = "towow.delivery.work_claimed"
    attempt: int
    by: str
    evidence: tuple[Evidence, ...]
    summary: PrivateText = ""
    next_actions: PrivateTexts = ()
    cost: Cost = Cost()
    model: str = ""
    prompt_hash: str = ""


class WorkReported(TicketEvent, kw_only=True):
    """It is done, with proof for each expected output; now it is reviewed."""

    event_type: ClassVar[str] = "towow.delivery.work_reported"
    attempt: int
    by: str
    summary: PrivateText = ""
    artifacts: tuple[Artifact, ...]
    checks: tuple[CheckRun, ...] = ()
    issues: PrivateTexts = ()
    next_actions: PrivateTexts = ()
    cost: Cost = Cost()
    agent_session: str = ""
    worker: str = ""


class WorkBlocked(TicketEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.work_blocked"
    attempt: int
    by: str
    issues: PrivateTexts
    summary: PrivateText = ""
    cost: Cost = Cost()
    agent_session: str = ""
    worker: str = ""


class AttemptFailed(TicketEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.attempt_failed"
    attempt: int
    by: str
    code: FailureCode
    detail: PrivateText = ""
    artifacts: tuple[Artifact, ...] = ()
    """What is there all the same."""
    checks: tuple[CheckRun, ...] = ()
    retry_at: Millis = 0
    """When the next attempt begins; 0 where none does by itself."""
    cost: Cost = Cost()
    agent_session: str = ""
    worker: str = ""


class PermissionAsked(TicketEvent, kw_only=True):
    """An agent has stopped and waits for leave; no process waits."""

    event_type: ClassVar[str] = "towow.delivery.permission_asked"
    attempt: int
    by: str
    permission: Permission
    cost: Cost = Cost()
    agent_session: str = ""
    worker: str = ""


class PermissionAnswered(TicketEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.permission_answered"
    by: str
    digest: str
    choice: PermissionChoice
    expires: Millis = 0
    """Until when it holds for the ticket; 0 where it holds once."""


class AdviceGiven(TicketEvent, kw_only=True):
    """The Manager has looked at a ticket that is blocked or has failed too often. What it leads to follows at once."""

    event_type: ClassVar[str] = "towow.delivery.advice_given"
    number: int
    action: AdviceAction
    text: PrivateText = ""
    model: str = ""
    """Empty where no model answered, and code leaves it to the requester."""
    prompt_hash: str = ""


class Unblocked(TicketEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.unblocked"
    by: str
    """A user's id, or ``manager``."""
    text: PrivateText


class PersonNeeded(TicketEvent, kw_only=True):
    """It waits for the requester's decision, or an admin's."""

    event_type: ClassVar[str] = "towow.delivery.person_needed"
    need: PersonNeed
    text: PrivateText = ""
    """The Manager's question, where it asks one."""
    gone: Annotated[str, SPARSE] = ""
    """The user who was to approve it, and whose account was closed."""
    is_together: bool = False
    """Whether it is asked in one card with the others that were asked at the same time."""


class ReviewGiven(TicketEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.review_given"
    decision: ReviewDecision
    by: str
    """``manager``, or a user's id."""
    report: int
    """Which report, counted from 1."""
    notes: PrivateText = ""
    requested_changes: PrivateTexts = ()
    model: str = ""
    prompt_hash: str = ""


class EvidenceOpened(TicketEvent, kw_only=True):
    """Somebody who may approve it has opened a link or a file that was shown for it."""

    event_type: ClassVar[str] = "towow.delivery.evidence_opened"
    by: str
    report: int
    """Which report, counted from 1."""
    output: int
    """Which one of what was shown, counted from 1."""


class TicketFailed(TicketEvent, kw_only=True):
    """It was tried as often as it may be. A person can reset it."""

    event_type: ClassVar[str] = "towow.delivery.ticket_failed"
    code: FailureCode | None = None
    text: PrivateText = ""


class TicketReset(TicketEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.ticket_reset"
    by: str


class DependencyLate(TicketEvent, kw_only=True):
    """It has waited for long for what it depends on."""

    event_type: ClassVar[str] = "towow.delivery.dependency_late"
    waits_for: tuple[str, ...]
    """Ticket ids."""


class OwnerReminded(TicketEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.delivery.owner_reminded"


class TicketOverdue(TicketEvent, kw_only=True):
    """Its last day is over."""

    event_type: ClassVar[str] = "towow.delivery.ticket_overdue"


EVENTS: Final = events_in(vars())
