"""The commands of a delivery. They come from people, from the Manager's answers, and from what workers have done."""

from engine.delivery.answers import (
    AdviseAnswer,
    ClarifyAnswer,
    DiscussAnswer,
    FinalReportAnswer,
    InstructAnswer,
    PlanAnswer,
    ProposeAnswer,
    ReviewAnswer,
    WorkAnswer,
)
from engine.delivery.policy import Policy
from engine.delivery.terms import (
    Artifact,
    Brief,
    CheckRun,
    Cost,
    Evidence,
    FailureCode,
    Owner,
    Permission,
    PermissionChoice,
    Role,
    Task,
)
from engine.kernel import Command, Place

# ── people ────────────────────────────────────────────────────────────────────────────────────────────────────────


class OpenDelivery(Command, kw_only=True):
    session_id: str
    """Also the stream's name."""
    by: str
    brief: Brief
    tasks: tuple[Task, ...] = ()
    """Where somebody has written the plan down; else it is made of the brief's tasks, or by the Manager."""
    roles: tuple[Role, ...] = ()
    """The registry as it is now."""
    policy: Policy = Policy()
    place: Place = Place()
    conversation_id: str = ""


class AnswerClarification(Command, kw_only=True):
    by: str
    number: int
    """Which questions they were shown, counted from 1."""
    answers: tuple[str, ...]
    """In the order of the questions; an empty one leaves it to the Manager."""
    as_admin: bool = False


class OwnersCommand(Command, kw_only=True):
    """What the owner of a ticket does; whoever leads the delivery may do it for them."""

    by: str
    ticket_id: str
    as_admin: bool = False


class StartTicket(OwnersCommand, kw_only=True):
    pass


class BlockTicket(OwnersCommand, kw_only=True):
    why: str


class FinishTicket(OwnersCommand, kw_only=True):
    evidence: tuple[Evidence, ...]
    summary: str = ""


class AnswerProposal(OwnersCommand, kw_only=True):
    agrees: bool
    text: str = ""
    number: int = 0
    """The proposal that they were shown, counted from 1; 0 where nobody says."""


class HandTicketOver(OwnersCommand, kw_only=True):
    to: str
    """A colleague's user id, who is asked first."""


class TakeTicket(Command, kw_only=True):
    by: str
    ticket_id: str
    number: int = 0
    """As which one's answer, of those who were ever asked to take it, counted from 1; 0 where nobody says."""


class DeclineTicket(Command, kw_only=True):
    by: str
    ticket_id: str
    number: int = 0
    """As in `TakeTicket`."""


class LeadersCommand(Command, kw_only=True):
    """What whoever asked for the delivery may do, and admins."""

    by: str
    as_admin: bool = False


class DecidersCommand(LeadersCommand, kw_only=True):
    """What they decide about one ticket."""

    ticket_id: str
    decision: int = 0
    """Which decision they were shown (`AskedDecision.number`); 0 where the ticket waited for none, or nobody says."""


class ReviewTicket(DecidersCommand, kw_only=True):
    """Overrules the Manager, or decides where it does not."""

    approves: bool
    changes: str = ""
    """What is to be changed."""
    report: int = 0
    """The newest report that they were shown, counted from 1; 0 where nobody says."""


class OpenEvidence(LeadersCommand, kw_only=True):
    """They have opened what was shown for a ticket."""

    ticket_id: str
    report: int
    output: int
    """Both counted from 1."""


class AnswerBlock(DecidersCommand, kw_only=True):
    text: str


class AnswerPermission(LeadersCommand, kw_only=True):
    ticket_id: str
    digest: str
    choice: PermissionChoice


class AddTicket(LeadersCommand, kw_only=True):
    title: str
    description: str = ""
    owner: Owner = Owner()
    depends_on: tuple[str, ...] = ()
    """Ticket ids."""
    deadline: str = ""
    expected_output: str = ""
    is_high_risk: bool = False
    risk_reason: str = ""
    checked_by: str = ""
    """A user's id."""


class ChangeChecking(DecidersCommand, kw_only=True):
    """Say how risky a ticket is, and who approves it."""

    is_high_risk: bool
    risk_reason: str = ""
    checked_by: str = ""
    """A user's id; empty where the Manager or whoever asked approves it."""


class DropTicket(DecidersCommand, kw_only=True):
    why: str = ""


class ChangeOwner(DecidersCommand, kw_only=True):
    owner: Owner


class ResetTicket(DecidersCommand, kw_only=True):
    pass


class RaiseBudget(LeadersCommand, kw_only=True):
    tokens: int = 0
    """More than there is."""
    usd: float = 0.0


class StopDelivery(LeadersCommand, kw_only=True):
    pass


class OwnerUnreachable(Command, kw_only=True):
    """Slack does not take what is written to whoever has a ticket: their account was closed."""

    ticket_id: str
    user_id: str


class CheckerUnreachable(Command, kw_only=True):
    """Slack does not take what is written to whoever is to approve a ticket: their account was closed."""

    ticket_id: str
    user_id: str


# ── the Manager and the workers ───────────────────────────────────────────────────────────────────────────────────


class Answered(Command, kw_only=True):
    """A model's answer; None, with ``error``, where none came."""

    model: str = ""
    prompt_hash: str = ""
    error: str = ""
    """A class of failure."""


class RecordClarification(Answered, kw_only=True):
    number: int
    answer: ClarifyAnswer | None


class RecordPlan(Answered, kw_only=True):
    number: int
    answer: PlanAnswer | None


class TicketAnswered(Answered, kw_only=True):
    ticket_id: str
    number: int
    """Which one of its kind of this ticket, as the effect's name ends."""


class RecordProposal(TicketAnswered, kw_only=True):
    answer: ProposeAnswer | None


class RecordDiscussion(TicketAnswered, kw_only=True):
    answer: DiscussAnswer | None


class RecordInstruction(TicketAnswered, kw_only=True):
    answer: InstructAnswer | None


class RecordWords(TicketAnswered, kw_only=True):
    """What a model wrote as the worker; ``number`` is the attempt's."""

    answer: WorkAnswer | None
    cost: Cost = Cost()


class RecordReview(TicketAnswered, kw_only=True):
    answer: ReviewAnswer | None


class RecordAdvice(TicketAnswered, kw_only=True):
    answer: AdviseAnswer | None


class RecordFinalReport(Answered, kw_only=True):
    answer: FinalReportAnswer | None


class RecordWork(Command, kw_only=True):
    """What became of an attempt, or of the check of what somebody says that they have done."""

    ticket_id: str
    attempt: int
    failure: FailureCode | None = None
    """None where it reported ``completed`` and everything is there, where it is blocked, or where it asks for leave."""
    detail: str = ""
    """Where it failed: what happened, in a sentence for people, with nothing of what it printed."""
    summary: str = ""
    issues: tuple[str, ...] = ()
    """What it lacks: it is blocked, unless it failed."""
    next_actions: tuple[str, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    checks: tuple[CheckRun, ...] = ()
    permission: Permission | None = None
    """What it asks leave for: its process is stopped, and begun again once somebody has answered."""
    agent_session: str = ""
    """By which an agent goes on from where it was."""
    cost: Cost = Cost()
    worker: str = ""
    """Its name and version, as it says."""
    rejected: "tuple[RejectEnvelope, ...]" = ()
    """Envelopes of its that were invalid, in their order."""


class RejectEnvelope(Command, kw_only=True):
    """Somebody sent an envelope that is none: it is written down, and moves nothing."""

    source: str = ""
    payload_type: str = ""
    code: str = "validation_failed"
    message: str
    """Which field is wrong, and what it must be; nothing of its content."""
    ticket_id: str = ""


class ChangeRoles(Command, kw_only=True):
    """The registry or ``scheduler_config.json`` has changed."""

    roles: tuple[Role, ...]
    policy: Policy


class EraseWords(Command, kw_only=True):
    whose: str = ""
    """A user's id; empty where all of it is erased."""
    former_chain: str = ""
