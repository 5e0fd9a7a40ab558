"""What the commands and the events of a delivery are made of."""

from enum import StrEnum
from typing import Annotated, Final, Literal, cast, get_args

from engine.kernel import PRIVATE, SPARSE, Event, HandedFact, HandedPerson, HandedTask, Message, Millis

PrivateText = Annotated[str, PRIVATE]
PrivateTexts = Annotated[tuple[str, ...], PRIVATE]

Risk = Literal["low", "high"]

LONGEST_GOAL: Final = 4_000
LONGEST_TEXT: Final = 3_000
"""Characters of what somebody writes about a ticket: evidence, a reason, an answer, a change."""
MOST_TICKETS: Final = 120
MOST_OUTPUTS: Final = 8
"""Expected of one ticket."""
MOST_QUESTIONS: Final = 5
"""Asked of the requester at once."""


class WorkerKind(StrEnum):
    """What carries a ticket out."""

    PERSON = "person"
    ACP = "acp"
    """A command-line agent, over the Agent Client Protocol."""
    ENVELOPE = "envelope"
    """Any other command, which is told and tells by envelopes (seed 002, section 5)."""
    MODEL = "model"
    """A model without tools: words only."""
    NOBODY = "nobody"
    """Nobody has it yet: the requester chooses."""


class Owner(Message, kw_only=True):
    """Who carries a ticket out."""

    kind: WorkerKind = WorkerKind.NOBODY
    user_id: str = ""
    """Of a person."""
    person_id: str = ""
    """As the plan calls a person."""
    name: PrivateText = ""
    role_id: str = ""
    """Of everything that is no person: its role in the registry."""


class Role(Message, kw_only=True):
    """What the rules know of a role in the registry (seed 002, section 4)."""

    role_id: str
    name: str = ""
    kind: WorkerKind
    is_manager: bool = False
    capabilities: tuple[str, ...] = ()
    has_instances: bool = True
    """Whether several of it may work at the same time."""
    checks: tuple[str, ...] = ()
    """Names of the check commands that the registry allows."""
    is_high_risk: bool = False
    """Whatever it does is discussed first: its ``metadata.risk`` is ``high``."""


class ExpectedOutput(Message, kw_only=True):
    """Something that is there when a ticket is done."""

    label: PrivateText
    """What people call it; unique in its ticket."""
    path: PrivateText = ""
    """Where a worker leaves it, relative to its directory; made by code, of the label."""


class Task(Message, kw_only=True):
    """One task of a plan. Its ticket carries it out."""

    task_id: str
    title: PrivateText
    description: PrivateText = ""
    owner: Owner = Owner()
    depends_on: tuple[str, ...] = ()
    """Task ids."""
    outputs: tuple[ExpectedOutput, ...] = ()
    """At least one, once it is in a plan."""
    acceptance: PrivateTexts = ()
    """By what one sees that it is done."""
    risks: PrivateTexts = ()
    needs_proposal: bool = False
    """High risk: how it will be done is discussed first."""
    risk_reason: PrivateText = ""
    """Why its risk is high."""
    checked_by: str = ""
    """Who approves it, a user's id; empty where the Manager or whoever asked does."""
    capabilities: tuple[str, ...] = ()
    """What a worker has to be able to do; where no owner is given, it decides who gets it."""
    check: str = ""
    """Name of a check command of the registry that has to pass; empty where there is none."""
    starts: str = ""
    """ISO date; empty where none was agreed, nor follows from the hours."""
    deadline: str = ""
    """Likewise."""
    hours: float | None = None

    @property
    def risk(self) -> Risk:
        return "high" if self.needs_proposal else "low"


class Brief(Message, kw_only=True):
    """What is to be carried out, and where it comes from."""

    title: PrivateText
    goal: PrivateText
    language: str = ""
    """BCP 47: of what it goes on from, or as the Manager has told it; empty for as long as nobody has."""
    locale: str = ""
    """Of whoever asked, for as long as no language is known."""
    origin: str = ""
    """The stream that it goes on from; empty where somebody asked for it directly."""
    origin_protocol: str = ""
    """That stream's, which is told of it; empty where it is not."""
    time_zone: str = ""
    """IANA: where the requester is. Dates are meant there."""
    today: str = ""
    """ISO date on which it was asked for, there."""
    ends: str = ""
    """ISO date by which the whole is done, inclusive; empty where none is known."""
    people: tuple[HandedPerson, ...] = ()
    facts: tuple[HandedFact, ...] = ()
    tasks: tuple[HandedTask, ...] = ()
    """What was agreed to be done; nothing where the Manager has to plan it."""

    @property
    def spoken(self) -> str:
        """In which everybody who takes part is taken to read, unless they have said otherwise."""
        return self.language or self.locale


class Question(Message, kw_only=True):
    question_id: str
    text: PrivateText


class Steps(Message, kw_only=True):
    """A Manager's instruction."""

    summary: PrivateText
    steps: PrivateTexts = ()
    resources: PrivateTexts = ()
    acceptance: PrivateTexts = ()


class Cost(Message, kw_only=True):
    """As far as whoever worked has reported it."""

    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0

    def plus(self, other: "Cost") -> "Cost":
        return Cost(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            usd=round(self.usd + other.usd, 6),
        )

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


class Artifact(Message, kw_only=True):
    """Something that was made: registered, read back and checked (seed 002, *Artifact Reference*)."""

    label: PrivateText
    """The expected output that it is; another one's name where it is none."""
    uri: PrivateText
    """Relative to the session's directory, such as ``artifacts/T-1/plan.md``; an address where it is a link."""
    digest: str
    """``sha256:`` and 64 hexadecimal digits; of a link: of its address."""
    content_type: str
    size_bytes: int
    description: PrivateText = ""
    is_link: bool = False
    """Only its address is known: nothing of ours opens it."""
    beginning: Annotated[str, PRIVATE, SPARSE] = ""
    """Of a text; empty of anything else, and of what was registered before beginnings were kept."""


class Evidence(Message, kw_only=True):
    """With what a person shows that one expected output is there. At least one of the three is given."""

    label: PrivateText
    text: PrivateText = ""
    link: PrivateText = ""
    """http or https."""
    file_id: str = ""
    """Slack's, of a file that they have uploaded."""
    file_name: PrivateText = ""


class CheckRun(Message, kw_only=True):
    """What became of a check command."""

    name: str
    has_passed: bool
    detail: PrivateText = ""
    """The end of what it printed."""


FailureCode = Literal[
    "timeout",
    "stalled",
    "exit",
    "not_started",
    "interrupted",
    "protocol",
    "flood",
    "evidence_missing",
    "artifact_refused",
    "check_failed",
    "budget",
    "role_missing",
    "workers_off",
    "not_isolated",
    "misconfigured",
    "agent_error",
    "model_failed",
]
"""Why an attempt came to nothing.

``interrupted``: ToWow ended meanwhile. ``protocol``: what it sent cannot be understood. ``flood``: it printed more than
it may. ``evidence_missing``: it said that it was done, and an expected output is not there. ``artifact_refused``: what
it left is a link, outside of its directory, or too large. ``role_missing``: the registry has no such role any more.
``not_isolated``: the role asks for a sandbox that this machine does not have. ``misconfigured``: what the role says is
not enough to work with, such as a key that is not set. ``agent_error``: the agent answered with an error, such as that
its model cannot be reached.
"""


FAILURES: Final[frozenset[str]] = frozenset(get_args(FailureCode))


def as_failure(outcome: str) -> FailureCode | None:
    """Return why an attempt came to nothing, of how it ended; None where it ended otherwise."""
    return cast(FailureCode, outcome) if outcome in FAILURES else None


class PermissionChoice(StrEnum):
    ONCE = "allow_once"
    TICKET = "allow_for_ticket"
    """Until the ticket is done, for the same question."""
    REFUSE = "refuse"


PermissionKind = Literal[
    "read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"
]
"""What an agent wants to do, as its protocol calls it."""


class Permission(Message, kw_only=True):
    """What an agent asked leave for, exactly."""

    digest: str
    """``sha256:`` over what was asked."""
    kind: PermissionKind
    title: PrivateText
    detail: PrivateText = ""
    """The command or the difference, whole."""


class ReviewDecision(StrEnum):
    APPROVED = "approved"
    CHANGES_REQUESTED = "changes_requested"


class AdviceAction(StrEnum):
    """What the Manager does about a ticket that is blocked or has failed too often."""

    ANSWER = "answer"
    """Tells the worker what it lacked."""
    INSTRUCT = "instruct"
    """Asks for less, or otherwise."""
    REASSIGN = "reassign"
    ASK = "ask"
    """Leaves it to the requester, with a question."""
    GIVE_UP = "give_up"


class PersonNeed(StrEnum):
    """Why a ticket waits for a person's decision: the requester's, or an admin's."""

    OWNER = "owner"
    """Nobody has it."""
    BLOCKED = "blocked"
    """Its worker lacks something that the Manager cannot tell."""
    PERMISSION = "permission"
    CONSENT = "consent"
    """Whoever has it has not said, so that it could be read, what they think of how a risky ticket is to be done."""
    REVIEW = "review"
    """The Manager has reviewed it as often as it may, cannot, or may not."""
    FAILED = "failed"
    BUDGET = "budget"


class EndReason(StrEnum):
    ALL_DONE = "all_done"
    NO_PLAN = "no_plan"
    """The Manager's plans could not be carried out."""
    NO_MODEL = "no_model"
    """No model made a plan."""
    STOPPED = "stopped"
    TIME_IS_UP = "time_is_up"
    FORGOTTEN = "forgotten"


class PlannedBy(StrEnum):
    HANDOVER = "handover"
    """It was agreed before, by people."""
    MANAGER = "manager"
    FILE = "file"
    """Somebody has written it down."""


MANAGER: Final = "manager"
"""As ``by`` of what the Manager did."""
SCHEDULER: Final = "scheduler"
"""As ``by`` of what code did."""


class DeliveryEvent(Event):
    session_id: str


class TicketEvent(DeliveryEvent, kw_only=True):
    ticket_id: str
    at: Millis
