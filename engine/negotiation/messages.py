"""The words of the negotiation: its commands and its events.

Event names and payload fields are seed 000's, section 4.6, plus ``demand_id`` and ``channel_id`` everywhere and what
the design adds. A field marked PRIVATE holds a person's own words and can be erased.
"""

from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict

from engine.kernel import PRIVATE, Command, Event, Message, Millis
from engine.negotiation.answers import (
    Assignment,
    Compromise,
    FeedbackAnswer,
    FeedbackType,
    Gap,
    GapAnalysis,
    OfferAnswer,
    OfferDecision,
    ProposalDraft,
    RecursionAnswer,
    RequestDeclined,
    Shortlist,
    SubDemand,
    Understanding,
)
from engine.negotiation.policy import Policy

PrivateText = Annotated[str, PRIVATE]
PrivateTexts = Annotated[tuple[str, ...], PRIVATE]


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
    NO_FEEDBACK = "no_feedback"
    NEGOTIATION_TIMEOUT = "negotiation_timeout"
    RECOVERY_EXHAUSTED = "recovery_exhausted"
    CANCELLED = "cancelled"


class RecoveryAction(StrEnum):
    """How something that was stuck is moved."""

    ASK_AGAIN = "ask_again"
    AGGREGATE = "aggregate"
    EVALUATE = "evaluate"
    SUBSTITUTE = "substitute"


class Place(Message):
    """Where the demand was posted: opaque to the engine."""

    channel: str = ""
    thread: str = ""
    shared: bool = False
    """People of other companies read along there: what twins thought is not for them."""


class Person(Message):
    """A participant as the negotiation knows them. ``user_id`` is the linked human, if there is one."""

    agent_id: str
    display_name: str
    user_id: str | None = None


class Asked(Person):
    """Someone on the shortlist, with why."""

    reason: str = ""
    match_type: Literal["explicit", "inferred"] = "inferred"
    confidence: float = 0.5


class Assigned(Assignment):
    """A seat of a version. A model does not say where it came from."""

    model_config = ConfigDict(from_attributes=True)

    source: Literal["offer", "subnet"] = "offer"
    """Whose answer it is: to the demand itself, or to what was asked for one of its gaps."""


class Proposal(ProposalDraft):
    """A version that people are asked about. ``digest`` names its content: buttons carry it."""

    assignments: tuple[Assigned, ...]
    proposal_id: str
    demand_id: str
    version: int
    created_at: str
    digest: str


class Parent(Message):
    """The negotiation whose gap a subnet fills."""

    channel_id: str
    demand_id: str
    demand: str
    """As it was understood."""
    gap_type: str
    answered: tuple[str, ...] = ()
    """Agent ids of those who have their part in it, have left it or had declined: they are not asked again."""


class Found(Message):
    """What a subnet agreed on."""

    assignments: tuple[Assignment, ...]
    people: tuple[Person, ...]
    """Those who sit there."""
    confirmed_participants: tuple[str, ...] = ()


# ── commands ──────────────────────────────────────────────────────────────────────────────────────────────────────


class SubmitDemand(Command):
    demand_id: str
    channel_id: str
    requester_id: str
    raw_input: str
    policy: Policy
    place: Place = Place()
    parent: Parent | None = None
    """Of a subnet; a person's demand has none."""
    understanding: Understanding | None = None
    """Where it is known already what is meant."""


class Answered(Command):
    """A model's answer, or, with ``degraded`` (E003 or E004), what stands in for it."""

    model: str = ""
    prompt_hash: str = ""
    degraded: str | None = None


class RecordUnderstanding(Answered):
    understanding: Understanding


class RecordShortlist(Answered):
    shortlist: Shortlist
    people: dict[str, Person]
    """Everybody the model was told of: an agent id that is not in here does not exist."""


class RecordOffer(Answered):
    agent_id: str
    answer: OfferAnswer


class RecordProposal(Answered):
    """``draft`` is None when no model could make one: the rules fall back to what is known."""

    version: int
    draft: ProposalDraft | None
    corrections: int = 0
    """How many corrected offers the model had been told of."""


class RecordFeedback(Answered):
    """``answer`` is None when the twin could not answer: that is no vote."""

    agent_id: str
    round: int
    answer: FeedbackAnswer | None


class RecordGaps(Answered):
    analysis: GapAnalysis


class RecordRecursion(Answered):
    answer: RecursionAnswer


class RecordSubnet(Command):
    """A subnet has ended; ``found`` is None where nobody was found."""

    channel_id: str
    """The subnet's."""
    outcome: Outcome
    found: Found | None = None


class Recall(Command):
    """Whoever began this subnet does not want it any more: its time is over, or it was stopped."""

    stopped_by: str = ""
    """Who did; empty where nobody did."""


class RecordCompromise(Answered):
    """``compromise`` is None when no model could think of one: then the facts alone stand."""

    compromise: Compromise | None


class CastVote(Command):
    """A human's vote. ``by`` comes from the signed payload; the round and digest from the button."""

    by: str
    agent_id: str
    round: int
    digest: str
    feedback_type: FeedbackType
    text: str = ""


class EditDemand(Command):
    """Whoever asked says it otherwise, as long as the offers are open; everybody is asked anew."""

    by: str
    raw_input: str
    as_admin: bool = False


class CorrectOffer(Command):
    """A person answers in place of their twin, until the first proposal is out."""

    by: str
    agent_id: str
    decision: OfferDecision
    contribution: str = ""
    conditions: tuple[str, ...] = ()
    reason: str = ""
    """Why not, where it is a no."""


class CloseRound(Command):
    by: str
    round: int
    as_admin: bool = False
    """Whether ``by`` is an admin of the tenant, as the database says."""


class Cancel(Command):
    by: str
    reason: str = ""
    as_admin: bool = False


class ChooseCore(Command):
    """Whoever asked says which seats the plan falls with, instead of the model that proposed it."""

    by: str
    agent_ids: tuple[str, ...]
    as_admin: bool = False


class Delegate(Command):
    """A linked person names a colleague who may decide for their seat as well, or takes it back."""

    by: str
    agent_id: str
    to: str = ""
    """The colleague's user id; empty to take it back."""


class Proceed(Command):
    """Whoever asked decides that the plan is carried out."""

    by: str
    as_admin: bool = False
    announce: bool = False
    """Whether the channel is told as well."""


class RecordReach(Command):
    """What became of telling a linked person of a round: whether it got through to them."""

    agent_id: str
    round: int
    reached: bool
    gone: bool = False
    """The account exists no more: nobody will ever act for it."""


# ── events ────────────────────────────────────────────────────────────────────────────────────────────────────────


class NegotiationEvent(Event):
    demand_id: str
    channel_id: str


class DemandSubmitted(NegotiationEvent):
    """The design's own first event: somebody asked."""

    event_type: ClassVar[str] = "towow.demand.submitted"
    requester_id: str
    raw_input: PrivateText
    policy: Policy
    place: Place
    until: Millis = 0
    """When it ends at the latest."""
    parent: Parent | None = None


class DemandEdited(NegotiationEvent):
    """The design's own: the demand was said otherwise; what was made of it so far is discarded."""

    event_type: ClassVar[str] = "towow.demand.edited"
    raw_input: PrivateText
    by: str


class DemandUnderstood(NegotiationEvent):
    event_type: ClassVar[str] = "towow.demand.understood"
    surface_demand: str
    capability_tags: tuple[str, ...]
    confidence: str
    understanding: Understanding
    model: str = ""
    prompt_hash: str = ""


class FilterCompleted(NegotiationEvent):
    event_type: ClassVar[str] = "towow.filter.completed"
    candidates_count: int
    candidates: tuple[Asked, ...]
    possibly_related: tuple[Asked, ...] = ()
    analysis: str = ""
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
    display_name: str
    decision: OfferDecision
    contribution: PrivateText = ""
    conditions: PrivateTexts = ()
    reasoning: PrivateText = ""
    decline_reason: PrivateText = ""
    confidence: int = 0
    source: Source = Source.AGENT
    degraded: bool = False
    model: str = ""
    prompt_hash: str = ""


class OfferOverridden(NegotiationEvent):
    """A person has corrected what their twin offered, or answered before it."""

    event_type: ClassVar[str] = "towow.offer.overridden"
    offer_id: str
    agent_id: str
    display_name: str
    decision: OfferDecision
    contribution: PrivateText = ""
    conditions: PrivateTexts = ()
    decline_reason: PrivateText = ""
    by: str

    @property
    def offer(self) -> OfferSubmitted:
        """What stands from now on; nothing that the twin said is left of it."""
        return OfferSubmitted(**self.model_dump(exclude={"by"}), source=Source.HUMAN)


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
    model: str = ""
    prompt_hash: str = ""


class CoreChosen(NegotiationEvent):
    """The design's own: which seats of the newest version the plan falls with, from now on."""

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


class FeedbackReminded(NegotiationEvent):
    """The design's own: half of the time is over, and these have not decided for themselves."""

    event_type: ClassVar[str] = "towow.feedback.reminded"
    round: int
    agent_ids: tuple[str, ...]


class PersonReached(NegotiationEvent):
    """The design's own: a person whose twin has no vote is known to have been asked. Without it, silence is no yes."""

    event_type: ClassVar[str] = "towow.person.reached"
    agent_id: str
    round: int


class PersonUnreachable(NegotiationEvent):
    """The design's own: a linked person could not be told of a round."""

    event_type: ClassVar[str] = "towow.person.unreachable"
    agent_id: str
    round: int
    gone: bool = False


class ProposalFeedback(NegotiationEvent):
    event_type: ClassVar[str] = "towow.proposal.feedback"
    agent_id: str
    display_name: str
    feedback_type: FeedbackType
    reasoning: PrivateText = ""
    adjustment_request: PrivateText = ""
    concerns: PrivateTexts = ()
    round: int
    version: int
    source: Source
    by: str | None = None
    """The user who clicked, for a human vote."""
    model: str = ""
    prompt_hash: str = ""


class SeatDelegated(NegotiationEvent):
    """The design's own: somebody else may decide for a linked person as well, from now on; or nobody any more."""

    event_type: ClassVar[str] = "towow.seat.delegated"
    agent_id: str
    by: str
    to: str = ""
    """The delegate; empty where it was taken back."""


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


class AgentWithdrawn(NegotiationEvent):
    event_type: ClassVar[str] = "towow.agent.withdrawn"
    agent_id: str
    display_name: str
    reason: PrivateText = ""


class SubstituteInvited(NegotiationEvent):
    event_type: ClassVar[str] = "towow.substitute.invited"
    agent_id: str
    display_name: str
    replaces: str
    """The agent whose core seat is empty."""
    role: str
    round: int
    deadline: Millis


class Agreed(NegotiationEvent):
    """What every plan carries that came out of a negotiation."""

    final_proposal: Proposal
    participants_count: int
    rounds_taken: int
    confirmed_participants: tuple[str, ...]
    optional_participants: tuple[str, ...]
    open_requests: tuple[RequestDeclined, ...] = ()


class ProposalFinalized(Agreed):
    event_type: ClassVar[str] = "towow.proposal.finalized"


class ForceFinalized(Agreed):
    event_type: ClassVar[str] = "towow.negotiation.force_finalized"


class GapsIdentified(NegotiationEvent):
    event_type: ClassVar[str] = "towow.gap.identified"
    gaps: tuple[Gap, ...]
    """The most important first; also those that do not matter enough to be looked for."""
    is_complete: bool = False
    analysis: str = ""
    model: str = ""
    prompt_hash: str = ""


class RecursionDecided(NegotiationEvent):
    """The design's own: whether the gaps that matter are looked for, and why."""

    event_type: ClassVar[str] = "towow.recursion.decided"
    should_recurse: bool
    """What the three conditions come to."""
    condition_1_met: bool
    condition_1_analysis: str = ""
    condition_2_met: bool
    condition_2_analysis: str = ""
    condition_3_met: bool
    condition_3_analysis: str = ""
    sub_demands: tuple[SubDemand, ...] = ()
    """Those that are asked, one for each gap."""
    model: str = ""
    prompt_hash: str = ""


class SubnetEvent(NegotiationEvent):
    """In the parent's stream."""

    sub_demand_id: str
    sub_channel_id: str
    gap_type: str


class SubnetTriggered(SubnetEvent):
    event_type: ClassVar[str] = "towow.subnet.triggered"
    parent_channel_id: str
    parent_demand_id: str
    description: str
    capability_tags: tuple[str, ...] = ()
    priority: str = "medium"
    deadline: Millis


class SubnetCompleted(SubnetEvent):
    event_type: ClassVar[str] = "towow.subnet.completed"
    found: Found


class SubnetFailed(SubnetEvent):
    event_type: ClassVar[str] = "towow.subnet.failed"
    reason: Outcome
    by: str = ""
    """Who stopped it, where somebody did."""


class ProposalAmended(NegotiationEvent):
    """The plan with what the subnets have found so far."""

    event_type: ClassVar[str] = "towow.proposal.amended"
    proposal: Proposal
    sub_channel_id: str
    """The subnet that was the last to be taken in."""
    gap_type: str
    participants_count: int
    confirmed_participants: tuple[str, ...]
    optional_participants: tuple[str, ...]


class SubnetReleased(NegotiationEvent):
    """The design's own, in the subnet's stream: what was agreed here came too late, so it is nobody's part."""

    event_type: ClassVar[str] = "towow.subnet.released"


class PlanProceeded(NegotiationEvent):
    """The design's own: it was decided that the plan is carried out."""

    event_type: ClassVar[str] = "towow.plan.proceeded"
    by: str
    at: Millis
    announce: bool = False


class NegotiationFailed(NegotiationEvent):
    event_type: ClassVar[str] = "towow.negotiation.failed"
    reason: Outcome
    last_proposal: Proposal | None = None


class CompromiseOffered(NegotiationEvent):
    """The design's own: what would still be possible, as a model sees it. Nobody is bound by it."""

    event_type: ClassVar[str] = "towow.compromise.offered"
    compromise: Compromise
    model: str = ""
    prompt_hash: str = ""


class NegotiationCancelled(NegotiationEvent):
    event_type: ClassVar[str] = "towow.negotiation.cancelled"
    by: str
    """Empty for a subnet whose time was over."""
    reason: PrivateText = ""


class RecoveryAttempted(NegotiationEvent):
    """The design's own: it waited for something that did not come, and was moved."""

    event_type: ClassVar[str] = "towow.recovery.attempted"
    attempt: int
    """From 1, counted anew after every progress."""
    status: str
    action: RecoveryAction
    deadline: Millis = 0
    """Until when offers are waited for, where everybody was asked again."""


class StepDegraded(NegotiationEvent):
    event_type: ClassVar[str] = "towow.step.degraded"
    prompt: str
    why: str
    """E003 or E004."""
    agent_id: str = ""
    round: int = 0


EVENTS: dict[str, type[Event]] = {
    each.event_type: each
    for each in (
        DemandSubmitted, DemandEdited, DemandUnderstood, FilterCompleted, ChannelCreated, DemandBroadcast,
        OfferSubmitted, OfferOverridden, AggregationStarted, RoundStarted, ProposalDistributed, CoreChosen, FeedbackDue,
        FeedbackReminded, PersonReached, PersonUnreachable, ProposalFeedback, SeatDelegated, FeedbackEvaluated,
        AgentWithdrawn, SubstituteInvited, ProposalFinalized, ForceFinalized, PlanProceeded, NegotiationFailed,
        CompromiseOffered,
        NegotiationCancelled, RecoveryAttempted, StepDegraded, GapsIdentified, RecursionDecided, SubnetTriggered,
        SubnetCompleted, SubnetFailed, SubnetReleased, ProposalAmended,
    )
}  # fmt: skip
