"""What the commands and the events of the negotiation are made of."""

from enum import StrEnum
from typing import Annotated, ClassVar, Final, Literal

from engine.facts.answer_fields import Text
from engine.facts.data import Datum
from engine.kernel import PRIVATE, Event, Message
from engine.negotiation.answers import Assignment, ConditionAnswer, LimitVerdict, ProposalDraft

LONGEST_DEMAND: Final = 4_000
LONGEST_REASON: Final = 400
"""Characters."""

OF_A_TWIN: Final = "user_agent_"
"""At the beginning of most twins' ids; what follows tells people of one name apart."""

PrivateText = Annotated[str, PRIVATE]
PrivateTexts = Annotated[tuple[str, ...], PRIVATE]
Name = Annotated[str, PRIVATE]
"""What somebody is called: their profile says so, in free text."""

Basis = Literal["explicit", "inferred"]
"""``explicit``: somebody's profile or own words say so; ``inferred``: it follows from what they say."""


class Status(StrEnum):
    CREATED = "created"
    BROADCASTING = "broadcasting"
    COLLECTING = "collecting"
    AGGREGATING = "aggregating"
    PROPOSAL_SENT = "proposal_sent"
    NEGOTIATING = "negotiating"
    FINALIZED = "finalized"
    FORCE_FINALIZED = "force_finalized"
    FAILED = "failed"
    CANCELLED = "cancelled"


ALWAYS: Final = frozenset(Status)
AGREED: Final = frozenset({Status.FINALIZED, Status.FORCE_FINALIZED})
TERMINAL: Final = AGREED | {Status.FAILED, Status.CANCELLED}
STOPPABLE: Final = ALWAYS - TERMINAL - {Status.BROADCASTING}
VOTING: Final = frozenset({Status.PROPOSAL_SENT, Status.NEGOTIATING})
EDITABLE: Final = STOPPABLE - VOTING


class NegotiationEvent(Event):
    during: ClassVar[frozenset[Status]] = frozenset()
    """In which statuses it may happen that it does not change; `steps` has those that it changes."""
    of_one_person: ClassVar[bool] = False
    """Whether one person has said it or was told it alone; the rest is said to everybody who takes part."""
    of_everybody: ClassVar[bool] = False
    """Whether models made it of what everybody has said, or it names what they made."""
    demand_id: str
    channel_id: str


class Source(StrEnum):
    """Whose vote it is."""

    AGENT = "agent"
    HUMAN = "human"
    ASSUMED = "assumed"


class Verdict(StrEnum):
    """What an evaluated round leads to."""

    FINALIZE = "finalize"
    NEXT_ROUND = "next_round"
    SUBSTITUTE = "substitute"
    FORCE_FINALIZE = "force_finalize"
    FAIL = "fail"


class Outcome(StrEnum):
    CONSENSUS = "consensus"
    PARTIAL_CONSENSUS = "partial_consensus"
    NO_CANDIDATES = "no_candidates"
    NO_PARTICIPANTS = "no_participants"
    LOW_ACCEPTANCE = "low_acceptance"
    MAJORITY_REJECT = "majority_reject"
    CORE_WITHDRAWN = "core_withdrawn"
    CORE_NOT_AGREED = "core_not_agreed"
    """To the last round, somebody without whom the plan falls did not accept it."""
    NO_FEEDBACK = "no_feedback"
    NEGOTIATION_TIMEOUT = "negotiation_timeout"
    MODEL_UNAVAILABLE = "model_unavailable"
    """No model answered, and the policy requires one."""
    RECOVERY_EXHAUSTED = "recovery_exhausted"
    CANCELLED = "cancelled"


class MissingChoice(StrEnum):
    """What becomes of a demand that nobody covers all of."""

    LOOK_WIDER = "look_wider"
    """Others are looked for before a plan is made."""
    GO_ON = "go_on"
    """The plan says what it lacks; where the same version would be sent for the third time, it is kept as it is."""
    SEND_AGAIN = "send_again"
    """The same version is sent once more."""


Question = Literal["missing", "lost", "repeated"]
"""What whoever asked decides: what becomes of it without what nobody covers, without what was lost with somebody who
left, or without those who have not answered the same version twice."""


class RecoveryAction(StrEnum):
    """How a stalled negotiation is moved on."""

    ASK_AGAIN = "ask_again"
    AGGREGATE = "aggregate"
    EVALUATE = "evaluate"
    SUBSTITUTE = "substitute"
    GIVE_TIME = "give_time"
    """ToWow was not running: it gets more time, and the attempt is not counted."""


class Person(Message):
    """A participant as the negotiation knows them. ``user_id`` is the linked human, if there is one."""

    agent_id: str
    display_name: Name
    user_id: str | None = None


class Asked(Person):
    """Someone on the shortlist, with why."""

    reason: PrivateText = ""
    match_type: Basis = "inferred"
    confidence: float = 0.5
    covers: tuple[str, ...] = ()
    """The ids of the demand's needs that their profile carries."""


class HeldFinding(Message, kw_only=True):
    """A limit of somebody, held against a demand or a plan. Its owner alone is told of it."""

    words: PrivateText = ""
    """As its owner has written it; empty where they have typed it into a field."""
    source: str = ""
    """Where it stands: ``never``, ``from_now_on``, ``leaves_if``, ``field``, ``busy``."""
    wanted: Datum | None = None
    found: Datum | None = None
    verdict: LimitVerdict = LimitVerdict.BROKEN
    quote: PrivateText = ""
    """The words of the demand or the plan that it rests on, where it is no data."""


class Claim(Message):
    """That somebody covers one of the demand's needs, as they or their twin have said."""

    need_id: str
    basis: Basis = "inferred"
    count: int = 1
    """How many people cover it, with those whom they bring."""
    quote: PrivateText = ""
    """The words that it rests on, where they stand in their source."""


class Assigned(Assignment):
    """A seat of a version, with where it came from."""

    source: Literal["offer", "subnet"] = "offer"
    """Whether the person answered the demand itself, or was found by a subnet."""


class HeldCondition(ConditionAnswer):
    """What became of a condition, after code has held its datum against the version."""

    status: Literal["", "met", "broken", "unknown"] = ""
    """``unknown``: the plan does not tell, so ``met`` is what the model says. Empty in versions of earlier releases."""
    wanted: Datum | None = None
    """What it comes to, where it can be compared."""
    found: Datum | None = None
    """What the version says of it."""


class Proposal(ProposalDraft, kw_only=True):
    """A version that people are asked about. ``digest`` names its content: buttons carry it."""

    summary: Text
    """Empty once it was erased, and for those who may not read it."""
    assignments: tuple[Assigned, ...]
    conditions: Annotated[tuple[HeldCondition, ...], PRIVATE] = ()
    proposal_id: str
    demand_id: str
    version: int
    created_at: str
    digest: str
    same_for: tuple[str, ...] = ()
    """Agent ids of those for whom it says what the version before says, so that they need not be asked anew."""


def _what(agent_id: str, room: str) -> str:
    return f"person/{agent_id}" if agent_id else f"room/{room}"


class Booking(Message, kw_only=True):
    """A person or a room, taken by a plan."""

    agent_id: str = ""
    room: str = ""
    """A digest of its name, where it is a room; equal names are one room, unless they are in different cities."""
    name: str = ""
    """The room's, as this plan says it; no record has it."""
    city: str = ""
    first: str
    """ISO 8601, as the last day."""
    last: str
    start: str = ""
    """``HH:MM``, on each of the days; empty where it is not known."""
    end: str = ""
    time_zone: str = ""
    """IANA; empty: that of whatever it is compared with."""
    stream: str

    @property
    def what(self) -> str:
        return _what(self.agent_id, self.room)

    @property
    def key(self) -> str:
        """Of its record."""
        return f"{self.what}/{self.first}/{self.stream}"


class Clash(Message, kw_only=True):
    """That another plan takes the same person, or the same room, at the same time. Nothing forbids it; it is said."""

    agent_id: str = ""
    """Who is taken; empty where it is a room."""
    room: PrivateText = ""
    """Its name, as this plan says it."""
    room_key: str = ""
    """A digest that is equal for the same room."""
    channel_id: str
    """The other plan's."""
    first: str
    """The first day on which both are at once, ISO 8601."""
    last: str
    start: str = ""
    """When this plan begins on each day, ``HH:MM``; empty where either plan leaves its hours open."""
    end: str = ""
    other_start: str = ""
    """The other's, on its own clock."""
    other_end: str = ""
    is_certain: bool = False
    """Whether both have their day and their hours."""

    @property
    def what(self) -> str:
        """As that of the `Booking`."""
        return _what(self.agent_id, self.room_key)


class Parent(Message):
    """The negotiation whose gap a subnet fills."""

    channel_id: str
    demand_id: str
    demand: PrivateText
    """As it was understood."""
    gap_type: PrivateText
    answered: tuple[str, ...] = ()
    """Agent ids of those who take part, have left or have declined; they are not asked again."""


class OfferedData(Message, kw_only=True):
    """What an offer says as data, as in `OfferSubmitted`: empty or 0 is what nobody has said."""

    agent_id: str
    cost: int = 0
    currency: str = ""
    per_head: int = 0
    free: bool = False
    capacity: int = 0
    hours: int = 0
    city: str = ""
    room: str = ""
    online: bool = False
    notice: int = 0
    earliest: str = ""


class Found(Message):
    """What a subnet agreed on."""

    assignments: tuple[Assignment, ...]
    people: tuple[Person, ...]
    """Those who sit there."""
    confirmed_participants: tuple[str, ...] = ()
