"""The events of a negotiation.

Event names and payload fields are seed 000's, section 4.6, plus ``demand_id`` and ``channel_id`` everywhere and what
the design adds. Whatever holds or quotes people's words, also in what a model has written, is marked PRIVATE and can be
erased.
"""

from typing import Annotated, ClassVar, Final, Literal

from engine.facts.data import Datum
from engine.kernel import PRIVATE, SPARSE, Event, Millis, Place
from engine.negotiation import (
    afterwards_events,
    clash_events,
    gap_events,
    limit_events,
    missing_events,
    opinion_events,
    volunteer_events,
    wish_events,
)
from engine.negotiation.answers import (
    FeedbackType,
    OfferDecision,
    RequestDeclined,
    StatedCondition,
    Understanding,
)
from engine.negotiation.policy import Policy
from engine.negotiation.terms import (
    Asked,
    Claim,
    HeldFinding,
    Name,
    NegotiationEvent,
    Outcome,
    Parent,
    Person,
    PrivateText,
    PrivateTexts,
    Proposal,
    RecoveryAction,
    Source,
    Verdict,
)


class DemandSubmitted(NegotiationEvent):
    """The design's own first event: somebody asked."""

    event_type: ClassVar[str] = "towow.demand.submitted"
    requester_id: str
    raw_input: PrivateText
    policy: Policy
    place: Place
    until: Millis = 0
    """When it ends at the latest, besides the time that people are given."""
    parent: Parent | None = None
    reopened_from: str = ""
    """The channel id of the negotiation that failed before, where this one takes it up again."""
    also_ask: tuple[Asked, ...] = ()
    """Whoever is asked besides those who are found to fit."""
    asked_at: Millis = 0
    time_zone: str = ""
    """IANA: where the requester is."""
    locale: Annotated[str, SPARSE] = ""
    """The requester's own: what is told before the demand was understood is told in its language."""


class DemandEdited(NegotiationEvent):
    """The design's own: the demand was worded otherwise, and what was made of it so far is discarded."""

    event_type: ClassVar[str] = "towow.demand.edited"
    raw_input: PrivateText
    by: str
    until: Millis = 0
    """When it ends at the latest, besides the time that people are given: it starts again."""
    asked_at: Millis = 0


class DemandUnderstood(NegotiationEvent):
    event_type: ClassVar[str] = "towow.demand.understood"
    surface_demand: PrivateText
    capability_tags: PrivateTexts
    confidence: str
    understanding: Understanding
    counted: Annotated[tuple[str, ...], SPARSE] = ()
    """The ids of the needs whose quantity is a number of people."""
    model: str = ""
    prompt_hash: str = ""


class DemandUnclear(NegotiationEvent, kw_only=True):
    """The design's own: whoever asked is asked one question, and nobody else is asked meanwhile."""

    event_type: ClassVar[str] = "towow.demand.unclear"
    about: Literal["demand", "people"]
    """``demand``: nothing essential could be made out; ``people``: nobody was found to fit."""
    question: PrivateText = ""
    """In the model's words; empty where nobody fits, which is asked in words that are always the same."""
    deadline: Millis
    until: Millis = 0
    """When it ends at the latest, since the requester's time comes on top."""


class FilterCompleted(NegotiationEvent):
    event_type: ClassVar[str] = "towow.filter.completed"
    candidates_count: int
    candidates: tuple[Asked, ...]
    possibly_related: tuple[Asked, ...] = ()
    analysis: PrivateText = ""
    model: str = ""
    prompt_hash: str = ""


class ChannelCreated(NegotiationEvent):
    event_type: ClassVar[str] = "towow.channel.created"
    participants_count: int


class DemandBroadcast(NegotiationEvent):
    event_type: ClassVar[str] = "towow.demand.broadcast"
    recipients_count: int
    recipients: tuple[str, ...]
    """Agent ids."""
    deadline: Millis


class OfferSubmitted(NegotiationEvent):
    event_type: ClassVar[str] = "towow.offer.submitted"
    offer_id: str
    agent_id: str
    display_name: Name
    decision: OfferDecision
    contribution: PrivateText = ""
    conditions: PrivateTexts = ()
    reasoning: PrivateText = ""
    decline_reason: PrivateText = ""
    confidence: int = 0
    source: Source = Source.AGENT
    degraded: bool = False
    claims: Annotated[tuple[Claim, ...], SPARSE] = ()
    """Which of the demand's needs they cover, as was said."""
    stated: Annotated[tuple[StatedCondition, ...], PRIVATE, SPARSE] = ()
    """The conditions with what can be compared of them, in the same order."""
    cost: Annotated[int, SPARSE] = 0
    """In whole units of the demand's currency; 0 where nothing was said, as in the next two."""
    capacity: Annotated[int, SPARSE] = 0
    """For how many people what they bring is enough."""
    hours: Annotated[int, SPARSE] = 0
    """Of work that they can give altogether."""
    broken_limit: Annotated[HeldFinding | None, PRIVATE, SPARSE] = None
    """The limit of theirs that the demand breaks, which is why they decline; told to nobody but them."""
    model: str = ""
    prompt_hash: str = ""


class OfferOverridden(NegotiationEvent, kw_only=True):
    """A person has corrected what their twin offered, or answered before it."""

    event_type: ClassVar[str] = "towow.offer.overridden"
    offer_id: str
    agent_id: str
    display_name: Name
    decision: OfferDecision
    contribution: PrivateText = ""
    conditions: PrivateTexts = ()
    decline_reason: PrivateText = ""
    claims: Annotated[tuple[Claim, ...], SPARSE] = ()
    by: str

    @property
    def offer(self) -> OfferSubmitted:
        """The offer that counts from now on, without anything that the twin said."""
        same = {name: getattr(self, name) for name in self.__struct_fields__ if name != "by"}
        return OfferSubmitted(**same, source=Source.HUMAN)


class PeopleAsked(NegotiationEvent):
    """The design's own: linked people whose twins could not answer are asked for the offer themselves."""

    event_type: ClassVar[str] = "towow.people.asked"
    agent_ids: tuple[str, ...]
    deadline: Millis
    until: Millis = 0
    """When it ends at the latest, since people's time comes on top."""


class OffersHeld(NegotiationEvent):
    """The design's own: the offers are in, and stay open a while for people to correct them, and the demand."""

    event_type: ClassVar[str] = "towow.offers.held"
    deadline: Millis
    until: Millis = 0
    """When it ends at the latest, since people's time comes on top."""


class AggregationStarted(NegotiationEvent):
    event_type: ClassVar[str] = "towow.aggregation.started"
    offers_count: int


class RoundStarted(NegotiationEvent):
    event_type: ClassVar[str] = "towow.negotiation.round_started"
    round: int
    max_rounds: int


class ProposalDistributed(NegotiationEvent):
    event_type: ClassVar[str] = "towow.proposal.distributed"
    proposal: Proposal
    round: int
    spoken: Annotated[tuple[str, ...], SPARSE] = ()
    """Agent ids of those whose person has voted before: their twins are not asked."""
    model: str = ""
    prompt_hash: str = ""


class CoreChosen(NegotiationEvent):
    """The design's own: which seats of the newest version the plan depends on from now on."""

    event_type: ClassVar[str] = "towow.core.chosen"
    agent_ids: tuple[str, ...]
    by: str


class FeedbackDue(NegotiationEvent):
    """The design's own: until when people may vote in this round."""

    event_type: ClassVar[str] = "towow.feedback.due"
    round: int
    deadline: Millis
    """When the round closes, unless everybody has voted before."""
    twins_until: Millis
    """Until when twins are waited for."""
    people_until: Millis
    """Until when linked people may overrule their twins."""
    requester_until: Millis
    """Until when the requester may speak for unlinked seats; at the latest, while twins still owe their vote."""
    for_reader: Annotated[bool, SPARSE] = False
    """Whether nothing but the second reader is waited for."""


class FeedbackReminded(NegotiationEvent):
    """The design's own: half of the time is over, and these people have not decided themselves."""

    event_type: ClassVar[str] = "towow.feedback.reminded"
    round: int
    agent_ids: tuple[str, ...]


class PersonReached(NegotiationEvent):
    """The design's own: a linked person is known to have been told of the round. Only then silence is an accept."""

    event_type: ClassVar[str] = "towow.person.reached"
    agent_id: str
    round: int


class PersonUnreachable(NegotiationEvent):
    """The design's own: a linked person could not be told of a round, or that their own offer is waited for."""

    event_type: ClassVar[str] = "towow.person.unreachable"
    agent_id: str
    round: int
    """0 before the first."""
    gone: bool = False


class ProposalFeedback(NegotiationEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.proposal.feedback"
    agent_id: str
    display_name: Name
    feedback_type: FeedbackType
    reasoning: PrivateText = ""
    adjustment_request: PrivateText = ""
    change: Annotated[Datum | None, PRIVATE, SPARSE] = None
    """What is asked for, where it can be compared."""
    concerns: PrivateTexts = ()
    round: int
    version: int
    source: Source
    by: str | None = None
    """The user who clicked, for a human vote."""
    blind: Annotated[bool, SPARSE] = False
    """Whether everybody learns what was voted only once the round is evaluated."""
    waits: Annotated[bool, SPARSE] = False
    """Whether it is a twin's accept that does not stand until its person has decided."""
    carried: Annotated[bool, SPARSE] = False
    """Whether it was given in an earlier round, and still stands because nothing of their part has changed."""
    model: str = ""
    prompt_hash: str = ""


class SeatDelegated(NegotiationEvent):
    """The design's own: a linked person has named a delegate, or taken that back."""

    event_type: ClassVar[str] = "towow.seat.delegated"
    agent_id: str
    by: str
    to: str = ""
    """The delegate; empty where it was taken back."""


class SeatHandedBack(NegotiationEvent):
    """The design's own: somebody who has voted lets their twin vote again."""

    event_type: ClassVar[str] = "towow.seat.handed_back"
    agent_id: str
    by: str
    round: int


class ChangeRequested(NegotiationEvent):
    """The design's own: the requester asks for a change of the open proposal."""

    event_type: ClassVar[str] = "towow.change.requested"
    by: str
    text: PrivateText
    round: int
    version: int


class FeedbackEvaluated(NegotiationEvent):
    event_type: ClassVar[str] = "towow.feedback.evaluated"
    round: int
    total: int
    accepts: int
    rejects: int
    """Reject and withdraw."""
    negotiates: int
    withdraws: int
    silent: int
    accept_rate: float
    decision: Verdict
    votes: Annotated[dict[str, FeedbackType] | None, SPARSE] = None
    """The votes of a blind round, which are public from now on: agent id -> the vote that counts, if there is one."""


class AgentWithdrawn(NegotiationEvent):
    event_type: ClassVar[str] = "towow.agent.withdrawn"
    agent_id: str
    display_name: Name
    reason: PrivateText = ""


class SubstituteInvited(NegotiationEvent):
    event_type: ClassVar[str] = "towow.substitute.invited"
    agent_id: str
    display_name: Name
    replaces: str
    """The agent whose core seat is empty."""
    role: PrivateText
    round: int
    deadline: Millis
    needs: Annotated[tuple[str, ...], SPARSE] = ()
    """The ids of the needs that are lost with the seat; `coverage.SEAT` where it covered none."""


class Agreed(NegotiationEvent):
    """The fields of every agreement."""

    final_proposal: Proposal
    participants_count: int
    rounds_taken: int
    confirmed_participants: tuple[str, ...]
    optional_participants: tuple[str, ...]
    open_requests: Annotated[tuple[RequestDeclined, ...], PRIVATE] = ()
    uncovered_needs: Annotated[tuple[str, ...], SPARSE] = ()
    """The ids of the essential needs that nobody who accepted covers."""
    core_without_accept: Annotated[tuple[str, ...], SPARSE] = ()
    """The agent ids of core seats that have not accepted."""


class ProposalFinalized(Agreed):
    event_type: ClassVar[str] = "towow.proposal.finalized"


class ForceFinalized(Agreed):
    event_type: ClassVar[str] = "towow.negotiation.force_finalized"


class NegotiationFailed(NegotiationEvent):
    event_type: ClassVar[str] = "towow.negotiation.failed"
    reason: Outcome
    last_proposal: Proposal | None = None


class NegotiationCancelled(NegotiationEvent):
    event_type: ClassVar[str] = "towow.negotiation.cancelled"
    by: str
    """Empty for a subnet whose time was over."""
    reason: PrivateText = ""
    at: Millis = 0
    until: Millis = 0
    """Until when it can be taken back; 0 where it cannot."""


class RecoveryAttempted(NegotiationEvent):
    """The design's own: the negotiation had stalled, and was moved on."""

    event_type: ClassVar[str] = "towow.recovery.attempted"
    attempt: int
    """Counted from 1, anew after every progress."""
    status: str
    action: RecoveryAction
    deadline: Millis = 0
    """Until when offers are waited for, where everybody was asked again."""
    until: Millis = 0
    """When it ends at the latest, where that is later than before."""


class WordsErased(NegotiationEvent):
    """The design's own: words were erased, and posts show none of them any more."""

    event_type: ClassVar[str] = "towow.words.erased"
    by: str
    whose: str = ""
    """A user or agent id; empty where the whole negotiation was forgotten."""
    people: Annotated[tuple[Person, ...], PRIVATE] = ()
    """Whose names stay, though they were told with what is erased."""
    former_chain: str = ""
    """What the last link of the chain was before this, where texts stood in what is public and the chain had to be
    linked anew: so a copy of before can be known for what it is. Hexadecimal digits."""


class StepDegraded(NegotiationEvent):
    event_type: ClassVar[str] = "towow.step.degraded"
    prompt: str
    why: str
    """E003, E004, E013 or E014; before there was an E013, E003 also said that an answer could not be read."""
    agent_id: str = ""
    round: int = 0


_OTHERS: Final = (
    afterwards_events, clash_events, gap_events, limit_events, missing_events, opinion_events, volunteer_events,
    wish_events,
)  # fmt: skip
EVENTS: Final[dict[str, type[Event]]] = {
    kind.event_type: kind
    for kind in (*vars().values(), *(each for module in _OTHERS for each in vars(module).values()))
    if isinstance(kind, type) and issubclass(kind, NegotiationEvent) and "event_type" in vars(kind)
}
"""Every event of this module and of those that are named above, by its name."""
