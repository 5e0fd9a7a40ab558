"""What the delivery's part of the HTTP interface is sent and answers with, besides seed 002's own envelopes."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, RootModel, StrictBool, StringConstraints, model_validator

from bot.api.schemas import WHOLE, ApiModel, UserId
from engine.delivery.envelopes.payloads import PlanTask, TicketState
from engine.delivery.state import Status
from engine.delivery.terms import LONGEST_GOAL, LONGEST_TEXT, MOST_OUTPUTS, MOST_QUESTIONS, MOST_TICKETS

WORDS: str = r"[^\s\x1c-\x1f\x85]"
"""At least one character that is no space."""
Words = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TEXT, pattern=WORDS)]
Few = Annotated[str, StringConstraints(max_length=LONGEST_TEXT)]
Number = Annotated[int, Field(ge=1, le=10_000), WHOLE]
TicketId = Annotated[str, StringConstraints(pattern=r"^T-\d{1,6}$")]
ActsFor = Annotated[UserId | None, Field(alias="userId")]

# ── what is sent ──────────────────────────────────────────────────────────────────────────────────────────────────────


class NewDelivery(ApiModel):
    """Something that is to be carried out."""

    goal: Annotated[str, Field(max_length=LONGEST_GOAL)] = ""
    """In somebody's own words. Needed unless `origin` says it."""
    tasks: Annotated[tuple[PlanTask, ...], Field(max_length=MOST_TICKETS)] = ()
    """The plan, where somebody has made one; left out: the Manager plans it."""
    origin: Annotated[str, Field(max_length=80)] = ""
    """The stream of an agreed negotiation or of a deliberation: its plan is carried out, once."""
    user_id: ActsFor = None
    """Who asks. Left out: the token's own user; another than that user is refused."""
    conversation_id: Annotated[str, Field(alias="conversationId", max_length=200)] = ""

    @model_validator(mode="after")
    def _says_what_is_done(self) -> Self:
        if self.origin and (self.goal.strip() or self.tasks):
            raise ValueError("an origin says what is done itself; leave goal and tasks out")
        if not self.origin and not self.goal.strip():
            raise ValueError("say in goal what is to be done")
        return self


class OfLeader(ApiModel):
    user_id: ActsFor = None
    """Who decides. Left out: the token's own user; another than that user is refused."""


class NewAnswers(OfLeader):
    number: Number
    """Which questions are answered, counted from 1."""
    answers: Annotated[tuple[Few, ...], Field(max_length=MOST_QUESTIONS)]
    """In the order of the questions; an empty one leaves it to the Manager."""


class NewTicket(OfLeader):
    title: Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=WORDS)]
    description: Few = ""
    owner_user_id: UserId | None = None
    role_id: Annotated[str, Field(max_length=64)] = ""
    depends_on: Annotated[tuple[TicketId, ...], Field(max_length=MOST_TICKETS)] = ()
    deadline: Annotated[str, StringConstraints(pattern=r"^(\d{4}-\d{2}-\d{2})?$")] = ""
    expected_output: Annotated[str, Field(max_length=300)] = ""
    risk: Literal["low", "high"] = "low"
    """With `high`, how it is done is discussed first."""
    risk_reason: Annotated[str, Field(max_length=300)] = ""
    checked_by: UserId | None = None
    """Who approves it; the Manager does, or whoever asked, without."""

    @model_validator(mode="after")
    def _names_one_at_most(self) -> Self:
        if self.owner_user_id is not None and self.role_id:
            raise ValueError("name owner_user_id or role_id, and not both")
        return self


class OfDecider(OfLeader):
    decision_number: Number | None = None
    """The ticket's `decision_number` that was read: refused where that has been settled since."""


class NewReview(OfDecider):
    decision: Literal["approved", "changes_requested"]
    changes: Few = ""
    """What is to be changed; needed with `changes_requested`."""
    report: Number | None = None
    """The newest report that was read: refused where a newer one has come since."""


class NewAnswer(OfDecider):
    text: Words


class NewPermission(OfLeader):
    digest: Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]
    choice: Literal["allow_once", "allow_for_ticket", "refuse"]


class NewChecking(OfDecider):
    risk: Literal["low", "high"]
    risk_reason: Annotated[str, Field(max_length=300)] = ""
    checked_by: UserId | None = None


class NewOwner(OfDecider):
    owner_user_id: UserId | None = None
    role_id: Annotated[str, Field(max_length=64)] = ""

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        if (self.owner_user_id is None) is not bool(self.role_id):
            raise ValueError("name either owner_user_id or role_id")
        return self


class NewDrop(OfDecider):
    why: Few = ""


class NewBudget(OfLeader):
    tokens: Annotated[int, Field(ge=0, le=1_000_000_000), WHOLE] = 0
    usd: Annotated[float, Field(ge=0, le=1_000_000)] = 0


class NewBlock(ApiModel):
    why: Words


class NewEvidence(ApiModel):
    label: Annotated[str, StringConstraints(min_length=1, max_length=300)]
    """The expected output that it shows."""
    text: Few = ""
    link: Annotated[str, Field(max_length=2_000)] = ""


class NewResult(ApiModel):
    evidence: Annotated[tuple[NewEvidence, ...], Field(min_length=1, max_length=MOST_OUTPUTS)]
    summary: Few = ""


class NewOpinion(ApiModel):
    agrees: StrictBool
    text: Few = ""
    number: Number | None = None
    """The proposal that was read, counted from 1: refused where a newer one has come since."""


class NewHandOver(ApiModel):
    to: UserId


class NewTaking(ApiModel):
    hand_over_number: Number | None = None
    """The ticket's `hand_over_number` that was read: refused where somebody was asked anew since."""


class SentEnvelope(RootModel[dict[str, Any]]):
    """An envelope of seed 002, section 5; see docs/schemas/delivery."""


# ── what is answered ──────────────────────────────────────────────────────────────────────────────────────────────────


class OwnerTold(ApiModel):
    kind: str
    user_id: str = ""
    role_id: str = ""
    name: str = ""


class ArtifactTold(ApiModel):
    number: int
    """By which it is downloaded, counted from 1."""
    label: str
    uri: str
    digest: str
    content_type: str
    size_bytes: int
    is_link: bool


class PermissionTold(ApiModel):
    digest: str
    kind: str
    title: str
    detail: str
    choice: str | None
    """Null while nobody has answered."""
    answered_by: str


class ReviewTold(ApiModel):
    decision: str
    by: str
    notes: str
    requested_changes: tuple[str, ...]
    unread: tuple[str, ...]
    """Labels of what a person who has approved it had not opened."""


class TicketTold(ApiModel):
    ticket_id: str
    task_id: str
    title: str
    description: str
    status: TicketState
    owner: OwnerTold
    depends_on: tuple[str, ...]
    """Ticket ids."""
    waits_for: tuple[str, ...]
    expected_outputs: tuple[str, ...]
    acceptance_criteria: tuple[str, ...]
    risk: Literal["low", "high"]
    """With `high`, how it is done is discussed first."""
    risk_reason: str
    checked_by: str
    """Who is to approve it, a user's id; empty where the Manager or whoever asked does."""
    checker: str
    """Who alone can approve it: they, or whoever does instead where they did it, showed it, or are gone; empty where
    nobody was named, or somebody else has to be."""
    deadline: str
    is_overdue: bool
    needs: str | None
    """Why a person has to decide about it; null where nobody has to."""
    decision_number: int
    """What has to be decided, counted from 1; 0 where nothing has to."""
    hand_over_to: str
    """A colleague who is asked to take it; empty where nobody is."""
    hand_over_number: int
    """How often somebody was asked to take it."""
    question: str
    issues: tuple[str, ...]
    attempts: int
    reports: int
    artifacts: tuple[ArtifactTold, ...]
    review: ReviewTold | None
    permissions: tuple[PermissionTold, ...]
    tokens: int
    usd: float


class QuestionsAsked(ApiModel):
    number: int
    questions: tuple[str, ...]


class FinalTold(ApiModel):
    summary: str
    learned: tuple[str, ...]
    next_steps: tuple[str, ...]


class DeliveryTold(ApiModel):
    session_id: str
    status: Status
    title: str
    goal: str
    origin: str
    requester_id: str
    conversation_id: str
    reason: str | None
    """Why nothing more is done; null before."""
    clarification: QuestionsAsked | None
    """What the requester is asked at the moment."""
    tickets: tuple[TicketTold, ...]
    tokens: int
    usd: float
    report: FinalTold | None


class DeliveriesAsked(ApiModel):
    count: Annotated[int, Field(ge=1, le=500)] = 50
    """Of those that go on, and of those that have ended."""


class DeliveryListed(ApiModel):
    session_id: str
    status: Status
    since: str
    """When it began; of one that has ended, when that was."""
    requester_id: str


class DeliveriesTold(ApiModel):
    deliveries: tuple[DeliveryListed, ...]
    """Those that go on, and then those that have ended, the latest of each first."""


class EnvelopeTaken(ApiModel):
    payload_type: str
    session_id: str
