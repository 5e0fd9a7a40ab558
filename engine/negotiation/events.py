"""The events of a negotiation.

Event names and payload fields are seed 000's, section 4.6, plus ``demand_id`` and ``channel_id`` everywhere and what
the design adds. Whatever holds or quotes people's words, also in what a model has written, is marked PRIVATE and can be
erased.
"""

from typing import Annotated, ClassVar, Final, Literal

from engine.facts.circumstances import When
from engine.facts.data import Datum
from engine.kernel import PRIVATE, SPARSE, Message, Millis, Place, events_in
from engine.negotiation.answers import (
    Compromise,
    Gap,
    LimitVerdict,
    OfferDecision,
    ProposalDraft,
    RequestDeclined,
    Shortlist,
    StatedCondition,
    SubDemand,
    Understanding,
)
from engine.negotiation.policy import Policy
from engine.negotiation.terms import (
    AGREED,
    ALWAYS,
    STOPPABLE,
    VOTING,
    Asked,
    Claim,
    Clash,
    Found,
    HeldFinding,
    MissingChoice,
    Name,
    NegotiationEvent,
    OfferedData,
    Outcome,
    Parent,
    Person,
    PrivateText,
    PrivateTexts,
    Proposal,
    Question,
    RecoveryAction,
    Source,
    Status,
    Verdict,
)
from engine.negotiation.voting.kinds import FeedbackType
from engine.times.feasible import FoundTimes, PossibleTime


class DemandSubmitted(NegotiationEvent):
    """The design's own first event: somebody asked."""

    event_type: ClassVar[str] = "towow.demand.submitted"
    during: ClassVar = frozenset({Status.CREATED})
    of_one_person: ClassVar = True
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
    not_again: Annotated[tuple[str, ...], SPARSE] = ()
    """The agent ids of those who left what this takes up again: they were told that they would not be asked again."""
    """Whoever is asked besides those who are found to fit."""
    ask_first: Annotated[tuple[Asked, ...], SPARSE] = ()
    """Whoever is asked before those who are found to fit."""
    asked_at: Millis = 0
    time_zone: str = ""
    """IANA: where the requester is."""
    locale: Annotated[str, SPARSE] = ""
    """The requester's own: what is told before the demand was understood is told in its language."""
    own_votes: Annotated[bool, SPARSE] = False
    """Whether whoever asked wants people's own votes only, so that twins prepare theirs."""
    workflow_run: Annotated[str, SPARSE] = ""
    """The run of a workflow's step that asked, which ends when the negotiation does."""


class DemandEdited(NegotiationEvent):
    """The design's own: the demand was worded otherwise, and what was made of it so far is discarded."""

    event_type: ClassVar[str] = "towow.demand.edited"
    during: ClassVar = frozenset({Status.CREATED})
    of_one_person: ClassVar = True
    raw_input: PrivateText
    by: str
    until: Millis = 0
    """When it ends at the latest, besides the time that people are given: it starts again."""
    asked_at: Millis = 0
    own_votes: Annotated[bool | None, SPARSE] = None
    """As in `DemandSubmitted`; None where nothing was said of it, and it stays as it was."""


class DemandUnderstood(NegotiationEvent):
    event_type: ClassVar[str] = "towow.demand.understood"
    during: ClassVar = frozenset({Status.CREATED})
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
    during: ClassVar = frozenset({Status.CREATED})
    of_one_person: ClassVar = True
    about: Literal["demand", "people"]
    """``demand``: nothing essential could be made out; ``people``: nobody was found to fit."""
    question: PrivateText = ""
    """In the model's words; empty where nobody fits, which is asked in words that are always the same."""
    deadline: Millis
    until: Millis = 0
    """When it ends at the latest, since the requester's time comes on top."""


class ShortlistDrafted(NegotiationEvent):
    """The design's own: who could help by the message as it stands; nobody where no model could say."""

    event_type: ClassVar[str] = "towow.shortlist.drafted"
    during: ClassVar = frozenset({Status.CREATED})
    of_everybody: ClassVar = True
    of_one_person: ClassVar = True
    shortlist: Annotated[Shortlist, PRIVATE] = Shortlist(definitely_related=())
    model: str = ""
    prompt_hash: str = ""


class FilterCompleted(NegotiationEvent):
    event_type: ClassVar[str] = "towow.filter.completed"
    during: ClassVar = frozenset({Status.CREATED})
    of_everybody: ClassVar = True
    of_one_person: ClassVar = True
    candidates_count: int
    candidates: tuple[Asked, ...]
    possibly_related: tuple[Asked, ...] = ()
    preparing: Annotated[tuple[str, ...], SPARSE] = ()
    """The agent ids of those among all of them whose twins only prepare their votes."""
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
    during: ClassVar = frozenset({Status.COLLECTING, Status.NEGOTIATING})
    of_one_person: ClassVar = True
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
    """In whole units of the demand's currency; 0 where nothing was said, as in the next ones."""
    currency: Annotated[PrivateText, SPARSE] = ""
    """Of ``cost`` and ``per_head``, ISO 4217; empty: the demand's."""
    per_head: Annotated[int, SPARSE] = 0
    """What it costs for each person."""
    free: Annotated[bool, SPARSE] = False
    """Whether it was said that it costs nothing."""
    capacity: Annotated[int, SPARSE] = 0
    """For how many people what they bring is enough."""
    hours: Annotated[int, SPARSE] = 0
    """Of work that they can give altogether."""
    city: Annotated[PrivateText, SPARSE] = ""
    """Where they do it; empty where nothing was said."""
    room: Annotated[PrivateText, SPARSE] = ""
    """The name of the room or the building that they bring."""
    online: Annotated[bool, SPARSE] = False
    """Whether they do it from afar."""
    notice: Annotated[int, SPARSE] = 0
    """How many days ahead they have to be asked; 0 where nothing was said."""
    earliest: Annotated[str, SPARSE] = ""
    """The first day on which they can, ISO 8601; empty where nothing was said."""
    broken_limit: Annotated[HeldFinding | None, PRIVATE, SPARSE] = None
    """The limit of theirs that the demand breaks, which is why they decline; told to nobody but them."""
    model: str = ""
    prompt_hash: str = ""


class OfferOverridden(NegotiationEvent, kw_only=True):
    """A person has corrected what their twin offered, or answered before it."""

    event_type: ClassVar[str] = "towow.offer.overridden"
    during: ClassVar = frozenset({Status.COLLECTING, Status.AGGREGATING, Status.NEGOTIATING})
    of_one_person: ClassVar = True
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
    during: ClassVar = frozenset({Status.COLLECTING})
    agent_ids: tuple[str, ...]
    deadline: Millis
    until: Millis = 0
    """When it ends at the latest, since people's time comes on top."""


class OffersHeld(NegotiationEvent):
    """The design's own: the offers are in, and stay open a while for people to correct them, and the demand."""

    event_type: ClassVar[str] = "towow.offers.held"
    during: ClassVar = frozenset({Status.COLLECTING})
    deadline: Millis
    until: Millis = 0
    """When it ends at the latest, since people's time comes on top."""


class ProposalDrafted(NegotiationEvent):
    """The design's own: what the first version will be, if nobody corrects an offer; None where no model made one."""

    event_type: ClassVar[str] = "towow.proposal.drafted"
    during: ClassVar = frozenset({Status.COLLECTING})
    of_everybody: ClassVar = True
    draft: Annotated[ProposalDraft | None, PRIVATE] = None
    times: Annotated[FoundTimes | None, PRIVATE] = None
    then: Annotated[PossibleTime | None, PRIVATE] = None
    model: str = ""
    prompt_hash: str = ""


class AggregationStarted(NegotiationEvent):
    event_type: ClassVar[str] = "towow.aggregation.started"
    offers_count: int


class RoundStarted(NegotiationEvent):
    event_type: ClassVar[str] = "towow.negotiation.round_started"
    round: int
    max_rounds: int


class ProposalDistributed(NegotiationEvent):
    event_type: ClassVar[str] = "towow.proposal.distributed"
    of_everybody: ClassVar = True
    proposal: Proposal
    round: int
    spoken: Annotated[tuple[str, ...], SPARSE] = ()
    """Agent ids of those whose person has voted before: their twins are not asked."""
    model: str = ""
    prompt_hash: str = ""


class CoreChosen(NegotiationEvent):
    """The design's own: which seats of the newest version the plan depends on from now on."""

    event_type: ClassVar[str] = "towow.core.chosen"
    during: ClassVar = frozenset({Status.NEGOTIATING})
    agent_ids: tuple[str, ...]
    by: str


class FeedbackDue(NegotiationEvent):
    """The design's own: until when people may vote in this round."""

    event_type: ClassVar[str] = "towow.feedback.due"
    during: ClassVar = frozenset({Status.NEGOTIATING})
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
    is_again: Annotated[bool, SPARSE] = False
    """Whether it is given again, since nobody was there when it was over."""


class FeedbackReminded(NegotiationEvent):
    """The design's own: half of the time is over, and these people have not decided themselves."""

    event_type: ClassVar[str] = "towow.feedback.reminded"
    during: ClassVar = frozenset({Status.NEGOTIATING})
    round: int
    agent_ids: tuple[str, ...]


class PersonReached(NegotiationEvent):
    """The design's own: a linked person is known to have been told of the round. Only then silence is an accept."""

    event_type: ClassVar[str] = "towow.person.reached"
    during: ClassVar = frozenset({Status.NEGOTIATING})
    agent_id: str
    round: int


class PersonUnreachable(NegotiationEvent):
    """The design's own: a linked person could not be told of a round, or that their own offer is waited for; or their
    delegate's account was closed.
    """

    event_type: ClassVar[str] = "towow.person.unreachable"
    during: ClassVar = frozenset({Status.COLLECTING, Status.AGGREGATING, Status.PROPOSAL_SENT, Status.NEGOTIATING})
    agent_id: str
    round: int
    """0 where none is open."""
    gone: bool = False
    closed: Annotated[bool, SPARSE] = False
    """Whether the person's account was closed: their seat is free once the round is over, whoever has voted for it."""
    delegate: str = ""
    """The delegate whose account it is; empty where it is about the person themselves."""


class ProposalFeedback(NegotiationEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.proposal.feedback"
    during: ClassVar = frozenset({Status.NEGOTIATING})
    of_one_person: ClassVar = True
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


class PreparedVote(Message):
    """What a twin would vote, as `ProposalFeedback` says it."""

    feedback_type: FeedbackType
    reasoning: str = ""
    adjustment_request: str = ""
    change: Datum | None = None
    concerns: tuple[str, ...] = ()


class VotePrepared(NegotiationEvent, kw_only=True):
    """The design's own: a twin that only prepares has drafted a vote. It is for whoever may give it, and counts nowhere
    until they do.
    """

    event_type: ClassVar[str] = "towow.vote.prepared"
    during: ClassVar = frozenset({Status.NEGOTIATING})
    of_one_person: ClassVar = True
    agent_id: str
    display_name: Name
    vote: Annotated[PreparedVote | None, PRIVATE] = None
    """None once it was erased, and for everybody else."""
    round: int
    version: int
    model: str = ""
    prompt_hash: str = ""


class SeatDelegated(NegotiationEvent):
    """The design's own: a linked person has named a delegate, or taken that back."""

    event_type: ClassVar[str] = "towow.seat.delegated"
    during: ClassVar = VOTING | {Status.COLLECTING, Status.AGGREGATING}
    agent_id: str
    by: str
    to: str = ""
    """The delegate; empty where it was taken back."""


class SeatHandedBack(NegotiationEvent):
    """The design's own: somebody who has voted lets their twin vote again."""

    event_type: ClassVar[str] = "towow.seat.handed_back"
    during: ClassVar = VOTING
    agent_id: str
    by: str
    round: int


class ChangeRequested(NegotiationEvent):
    """The design's own: the requester asks for a change of the open proposal."""

    event_type: ClassVar[str] = "towow.change.requested"
    during: ClassVar = frozenset({Status.NEGOTIATING})
    of_one_person: ClassVar = True
    by: str
    text: PrivateText
    round: int
    version: int


class FeedbackEvaluated(NegotiationEvent):
    event_type: ClassVar[str] = "towow.feedback.evaluated"
    during: ClassVar = frozenset({Status.NEGOTIATING})
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
    abstains: Annotated[int, SPARSE] = 0
    """Not in ``total``."""
    votes: Annotated[dict[str, FeedbackType] | None, SPARSE] = None
    """The votes of a blind round, which are public from now on: agent id -> the vote that counts, if there is one."""
    not_waited_for: Annotated[tuple[str, ...], SPARSE] = ()
    """The agent ids of those who had not voted when whoever asked closed the round: they are in no sum."""


class AgentWithdrawn(NegotiationEvent):
    event_type: ClassVar[str] = "towow.agent.withdrawn"
    during: ClassVar = frozenset({Status.NEGOTIATING})
    of_one_person: ClassVar = True
    agent_id: str
    display_name: Name
    reason: PrivateText = ""
    closed: Annotated[bool, SPARSE] = False
    """Whether nobody said so: their account was closed."""


class SubstituteInvited(NegotiationEvent):
    event_type: ClassVar[str] = "towow.substitute.invited"
    during: ClassVar = frozenset({Status.NEGOTIATING})
    of_everybody: ClassVar = True
    agent_id: str
    display_name: Name
    replaces: str
    """The agent whose core seat is empty."""
    role: PrivateText
    round: int
    deadline: Millis
    needs: Annotated[tuple[str, ...], SPARSE] = ()
    """The ids of the needs that are lost with the seat; `coverage.SEAT` where it covered none."""
    in_person: Annotated[bool, SPARSE] = False
    """Whether the person is asked, since their twin could not answer."""


class Agreed(NegotiationEvent):
    """The fields of every agreement."""

    of_everybody: ClassVar = True
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
    of_everybody: ClassVar = True
    reason: Outcome
    last_proposal: Proposal | None = None


class NegotiationCancelled(NegotiationEvent):
    event_type: ClassVar[str] = "towow.negotiation.cancelled"
    of_one_person: ClassVar = True
    by: str
    """Empty for a subnet whose time was over."""
    reason: PrivateText = ""
    at: Millis = 0
    until: Millis = 0
    """Until when it can be taken back; 0 where it cannot."""


class RecoveryAttempted(NegotiationEvent):
    """The design's own: the negotiation had stalled, and was moved on."""

    event_type: ClassVar[str] = "towow.recovery.attempted"
    during: ClassVar = STOPPABLE
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
    during: ClassVar = ALWAYS
    by: str
    whose: str = ""
    """A user or agent id; empty where the whole negotiation was forgotten."""
    people: Annotated[tuple[Person, ...], PRIVATE] = ()
    """Whose names stay, though they were told with what is erased."""
    former_chain: str = ""
    """What the last link of the chain was before this, where texts stood in what is public and the chain had to be
    linked anew: so a copy of before can be known for what it is. Hexadecimal digits."""


class PlaceChanged(NegotiationEvent):
    """The design's own: its channel has another id, or people of other companies read along there by now."""

    event_type: ClassVar[str] = "towow.place.changed"
    during: ClassVar = ALWAYS
    channel: str
    shared: bool


class StepDegraded(NegotiationEvent):
    event_type: ClassVar[str] = "towow.step.degraded"
    during: ClassVar = STOPPABLE | AGREED | {Status.FAILED}
    prompt: str
    why: str
    """E003, E004, E013 or E014; before there was an E013, E003 also said that an answer could not be read."""
    agent_id: str = ""
    round: int = 0


# ── needs that nobody covers ──────────────────────────────────────────────────────────────────────────────────────────


class NeedSought(NegotiationEvent):
    """People of the reserve are asked for what is missing."""

    event_type: ClassVar[str] = "towow.need.sought"
    during: ClassVar = frozenset({Status.COLLECTING})
    need_ids: tuple[str, ...]
    recipients: tuple[str, ...]
    """Agent ids."""
    deadline: Millis


class RequesterAsked(NegotiationEvent):
    """Whoever asked is to decide what becomes of the demand without it."""

    event_type: ClassVar[str] = "towow.requester.asked"
    during: ClassVar = frozenset({Status.COLLECTING, Status.NEGOTIATING})
    need_ids: tuple[str, ...]
    deadline: Millis
    until: Millis = 0
    """When it ends at the latest, since the requester's time comes on top."""
    about: Annotated[Question, SPARSE] = "missing"


class RequesterDecided(NegotiationEvent):
    event_type: ClassVar[str] = "towow.requester.decided"
    during: ClassVar = frozenset({Status.COLLECTING, Status.NEGOTIATING})
    choice: MissingChoice
    by: str = ""
    """Empty where they let the time pass, or nobody could be waited for."""
    deadline: Annotated[Millis, SPARSE] = 0
    """Until when others are looked for, where they are."""
    until: Annotated[Millis, SPARSE] = 0
    """When it ends at the latest, where that is later than before."""


# ── help that was not asked for ───────────────────────────────────────────────────────────────────────────────────────


Way = Literal["declined", "offer", "reserve", "plan"]
"""What became of somebody's help: nothing; an offer like the others'; they step in if somebody leaves; they do what the
agreed plan lacks."""


class HelpOffered(NegotiationEvent, kw_only=True):
    """Somebody who was not asked says that they can help. Whoever asked decides."""

    event_type: ClassVar[str] = "towow.help.offered"
    during: ClassVar = STOPPABLE | AGREED
    of_one_person: ClassVar = True
    agent_id: str
    """Their twin's, or one made for them."""
    display_name: Name
    by: str
    text: PrivateText
    has_twin: bool = False
    """Whether there is a profile by which a twin can vote for them."""
    prepares: Annotated[bool, SPARSE] = False
    """Whether that twin only prepares its votes."""
    covers: Annotated[tuple[str, ...], SPARSE] = ()
    """The ids of the demand's needs that their words name."""


class HelpAnswered(NegotiationEvent, kw_only=True):
    """Whoever asked has decided about it."""

    event_type: ClassVar[str] = "towow.help.answered"
    during: ClassVar = STOPPABLE | AGREED
    agent_id: str
    by: str
    way: Way
    covers: Annotated[tuple[str, ...], SPARSE] = ()
    """The ids of the needs that they take over in an agreed plan."""


# ── limits that stand in words ────────────────────────────────────────────────────────────────────────────────────────


Doubter = Literal["twin", "reader", "words", "data"]
"""Whose doubt it is: the twin's, the second reader's, or code's, which found the owner's own words as they stand, or
two data that contradict each other."""


class LimitDoubt(Message, kw_only=True):
    """That a demand or a version may break a limit of somebody, or does."""

    words: PrivateText = ""
    """The limit, as its owner has written it; empty where they have typed it into a field."""
    verdict: LimitVerdict = LimitVerdict.UNSURE
    quote: PrivateText = ""
    """The words of the demand or the plan that it rests on."""
    why: PrivateText = ""
    """In a sentence of the second reader's."""
    by: Doubter = "twin"
    wanted: Datum | None = None
    found: Datum | None = None


class Weighed(Message):
    """What came of the limits that somebody's twin was asked about."""

    is_limited: bool = False
    """Whether there is any limit in words."""
    doubts: tuple[LimitDoubt, ...] = ()

    def has(self, verdict: LimitVerdict) -> bool:
        return any(each.verdict is verdict for each in self.doubts)

    @property
    def broken_data(self) -> tuple[LimitDoubt, ...]:
        return tuple(each for each in self.doubts if each.by == "data")


class LimitsWeighed(NegotiationEvent, kw_only=True):
    """Somebody's limits were held against the demand (round 0), or against the version of a round."""

    event_type: ClassVar[str] = "towow.limits.weighed"
    during: ClassVar = frozenset({Status.COLLECTING, Status.NEGOTIATING})
    of_everybody: ClassVar = True
    of_one_person: ClassVar = True
    agent_id: str
    round: int
    version: int = 0
    by: Literal["twin", "reader"]
    in_words: Annotated[bool, SPARSE] = True
    """Whether they have any limit in words; else all of theirs are data."""
    waits: Annotated[bool, SPARSE] = False
    """Whether an accept of the twin does not stand, and only its person can give one."""
    abstains: Annotated[bool, SPARSE] = False
    """Whether the twin casts no vote."""
    blind: Annotated[bool, SPARSE] = False
    """Whether what came of it stays with the owner until the round is evaluated, as their vote does."""
    doubts: Annotated[tuple[LimitDoubt, ...], PRIVATE] = ()
    """Told to the owner alone; what is kept is not among them."""


# ── the second opinion ────────────────────────────────────────────────────────────────────────────────────────────────


Subject = Literal["claims", "limits"]
"""What is asked: what a version says that is no data, or what limits in words it keeps. Nobody's free text but the
plan's own stands beside limits, so these are two questions."""


class ClaimOpinion(Message, kw_only=True):
    """What the second reader says of one claim."""

    about: Literal["need", "condition", "request", "complete"]
    verdict: Literal["yes", "no", "unsure"]
    agent_id: str = ""
    need_id: str = ""
    number: int = 0
    """Of the condition, counted from 1."""
    claim: PrivateText = ""
    """What it is about: the need, the condition or the wish, in their words."""
    quote: PrivateText = ""
    why: PrivateText = ""


class SecondOpinionAsked(NegotiationEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.opinion.asked"
    during: ClassVar = frozenset({Status.NEGOTIATING})
    round: int
    version: int
    about: tuple[Subject, ...]


class TimesFound(NegotiationEvent, kw_only=True):
    """The design's own: when those can who take part in a version, as far as that is known. Whoever asked is told who
    cannot; everybody else is told how many can.
    """

    event_type: ClassVar[str] = "towow.times.found"
    during: ClassVar = VOTING
    of_one_person: ClassVar = True
    of_everybody: ClassVar = True
    version: int
    found: Annotated[FoundTimes | None, PRIVATE] = None
    then: Annotated[PossibleTime | None, PRIVATE] = None
    """Who can when the version takes place; None where it says no day and hour."""


class SecondOpinionGiven(NegotiationEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.opinion.given"
    during: ClassVar = frozenset({Status.NEGOTIATING})
    of_everybody: ClassVar = True
    round: int
    version: int
    about: Subject
    opinions: Annotated[tuple[ClaimOpinion, ...], PRIVATE] = ()
    """Of the claims; what is said of limits is for their owners alone."""
    failed: Annotated[bool, SPARSE] = False
    """Whether no reader could answer: then nothing is doubted."""
    model: str = ""
    prompt_hash: str = ""


# ── wishes that were read ─────────────────────────────────────────────────────────────────────────────────────────────


class RequestUnderstood(NegotiationEvent, kw_only=True):
    """A model has read what somebody asks for. It changes nothing of their words, which go their way meanwhile."""

    event_type: ClassVar[str] = "towow.request.understood"
    during: ClassVar = VOTING
    of_one_person: ClassVar = True
    agent_id: str = ""
    """Whose seat it was asked for; empty where it is the requester's own wish."""
    by: str
    """The user who asked."""
    round: int
    text: PrivateText
    """Their words."""
    understood: PrivateText
    """In one line, which they can correct."""
    data: Annotated[Datum | None, PRIVATE, SPARSE] = None
    scope: Annotated[Literal["own", "whole"], SPARSE] = "whole"
    model: str = ""
    prompt_hash: str = ""


class RequestCorrected(NegotiationEvent, kw_only=True):
    """Whoever asked says that this is not what was meant."""

    event_type: ClassVar[str] = "towow.request.corrected"
    during: ClassVar = VOTING
    of_one_person: ClassVar = True
    agent_id: str = ""
    by: str
    round: int
    """In which it was asked for."""
    text: PrivateText = ""
    """What is meant, which is a wish for the next version; empty where nothing else is."""


# ── other plans ───────────────────────────────────────────────────────────────────────────────────────────────────────


class ClashesFound(NegotiationEvent):
    """The design's own: which other plans take the same people or rooms at the same time, by what is known now."""

    event_type: ClassVar[str] = "towow.clashes.found"
    during: ClassVar = VOTING | AGREED
    of_everybody: ClassVar = True
    clashes: Annotated[tuple[Clash, ...], PRIVATE]
    has_more: Annotated[bool, SPARSE] = False


# ── what an agreed plan lacks ─────────────────────────────────────────────────────────────────────────────────────────


class GapsIdentified(NegotiationEvent):
    event_type: ClassVar[str] = "towow.gap.identified"
    during: ClassVar = AGREED
    of_everybody: ClassVar = True
    gaps: Annotated[tuple[Gap, ...], PRIVATE]
    """The most important first; also those that do not matter enough to be looked for."""
    is_complete: bool = False
    analysis: PrivateText = ""
    model: str = ""
    prompt_hash: str = ""


class RecursionDecided(NegotiationEvent, kw_only=True):
    """The design's own: whether the gaps that matter are looked for, and why."""

    event_type: ClassVar[str] = "towow.recursion.decided"
    during: ClassVar = AGREED
    of_everybody: ClassVar = True
    should_recurse: bool
    """What the three conditions come to."""
    condition_1_met: bool
    condition_1_analysis: PrivateText = ""
    condition_2_met: bool
    condition_2_analysis: PrivateText = ""
    condition_3_met: bool
    condition_3_analysis: PrivateText = ""
    sub_demands: Annotated[tuple[SubDemand, ...], PRIVATE] = ()
    """Those that are asked, one for each gap."""
    model: str = ""
    prompt_hash: str = ""


class SubnetEvent(NegotiationEvent):
    """In the parent's stream."""

    of_everybody: ClassVar = True
    sub_demand_id: str
    sub_channel_id: str
    gap_type: PrivateText


class SubnetTriggered(SubnetEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.subnet.triggered"
    during: ClassVar = AGREED | {Status.COLLECTING, Status.NEGOTIATING}
    parent_channel_id: str
    parent_demand_id: str
    description: PrivateText
    capability_tags: PrivateTexts = ()
    priority: str = "medium"
    deadline: Millis


class SubnetCompleted(SubnetEvent):
    event_type: ClassVar[str] = "towow.subnet.completed"
    during: ClassVar = AGREED | {Status.COLLECTING, Status.NEGOTIATING}
    found: Found
    preparing: Annotated[tuple[str, ...], SPARSE] = ()
    """The agent ids of those who were found whose twins only prepare their votes."""
    offered: Annotated[tuple[OfferedData, ...], PRIVATE, SPARSE] = ()
    """What they have offered, as data."""


class SubnetFailed(SubnetEvent):
    event_type: ClassVar[str] = "towow.subnet.failed"
    during: ClassVar = AGREED | {Status.COLLECTING, Status.NEGOTIATING}
    reason: Outcome
    by: str = ""
    """Who stopped it, where somebody did."""


class ProposalAmended(NegotiationEvent):
    """The plan with what the subnets have found so far."""

    event_type: ClassVar[str] = "towow.proposal.amended"
    during: ClassVar = AGREED
    of_everybody: ClassVar = True
    proposal: Proposal
    sub_channel_id: str
    """The subnet whose result was added last."""
    gap_type: PrivateText
    participants_count: int
    confirmed_participants: tuple[str, ...]
    optional_participants: tuple[str, ...]


class SubnetReleased(NegotiationEvent):
    """The design's own, in the subnet's stream: it agreed too late, so its people are not in the plan."""

    event_type: ClassVar[str] = "towow.subnet.released"
    during: ClassVar = AGREED


# ── after the end ─────────────────────────────────────────────────────────────────────────────────────────────────────


class PlanProceeded(NegotiationEvent):
    """The design's own: it was decided that the plan is carried out."""

    event_type: ClassVar[str] = "towow.plan.proceeded"
    during: ClassVar = AGREED
    by: str
    at: Millis
    announce: bool = False
    until: Millis = 0
    """Until when it can be taken back; 0 where it cannot."""
    reminds: bool = False
    """Whether whoever promised something is asked the day before it is due, whatever the policy says."""


class PlanTakenUp(NegotiationEvent):
    """The design's own: another stream goes on from the plan, to argue it out or to carry it out."""

    event_type: ClassVar[str] = "towow.plan.taken_up"
    during: ClassVar = AGREED
    stream: str
    at: Millis


class ProceedingTakenBack(NegotiationEvent):
    """The design's own: the plan is not carried out after all."""

    event_type: ClassVar[str] = "towow.proceeding.taken_back"
    during: ClassVar = AGREED
    by: str
    at: Millis


class StopTakenBack(NegotiationEvent):
    """The design's own: a negotiation that was stopped goes on where it was."""

    event_type: ClassVar[str] = "towow.stop.taken_back"
    by: str
    at: Millis
    status: str
    """Where it goes on."""
    paused: Millis
    """How long it was stopped; every deadline is that much later."""


class UndoEnded(NegotiationEvent):
    """The design's own: what was decided can be taken back no more."""

    event_type: ClassVar[str] = "towow.undo.ended"
    during: ClassVar = AGREED | {Status.CANCELLED}


class CompromiseOffered(NegotiationEvent):
    """The design's own: what a model says would still be possible. Nobody is bound by it."""

    event_type: ClassVar[str] = "towow.compromise.offered"
    during: ClassVar = frozenset({Status.FAILED})
    of_everybody: ClassVar = True
    compromise: Compromise
    model: str = ""
    prompt_hash: str = ""


class NegotiationReopened(NegotiationEvent, kw_only=True):
    """The design's own: a failed negotiation is reopened as another one."""

    event_type: ClassVar[str] = "towow.negotiation.reopened"
    during: ClassVar = frozenset({Status.FAILED})
    of_one_person: ClassVar = True
    by: str
    at: Millis
    raw_input: PrivateText
    balanced: bool = False
    also_ask: tuple[Asked, ...] = ()
    next_demand_id: str
    next_channel_id: str


class ReopeningFailed(NegotiationEvent):
    """The design's own: the other negotiation could not begin."""

    event_type: ClassVar[str] = "towow.reopening.failed"
    during: ClassVar = frozenset({Status.FAILED})
    next_channel_id: str


class SeatGivenUp(NegotiationEvent, kw_only=True):
    """The design's own: somebody cannot keep what they promised with an agreed plan. What the plan is without them
    follows.
    """

    event_type: ClassVar[str] = "towow.seat.given_up"
    during: ClassVar = AGREED
    of_one_person: ClassVar = True
    agent_id: str
    display_name: Name
    by: str
    at: Millis
    reason: PrivateText = ""
    lacks: PrivateTexts = ()
    """What the plan lacks without them, and what is looked for."""
    closed: Annotated[bool, SPARSE] = False
    """Whether their account was closed: it is nobody's act then."""


class CheckInAsked(NegotiationEvent, kw_only=True):
    """The design's own: on the day before something is due, whoever has promised it is asked how it stands."""

    event_type: ClassVar[str] = "towow.check_in.asked"
    during: ClassVar = AGREED
    of_one_person: ClassVar = True
    key: str
    agent_id: str = ""
    """Whose it is; empty where it is whoever asked."""
    what: PrivateText
    day: PrivateText
    """When it is due, as a date."""


class CheckInAnswered(NegotiationEvent, kw_only=True):
    """The design's own: it is done, or will be late. The last answer counts."""

    event_type: ClassVar[str] = "towow.check_in.answered"
    during: ClassVar = AGREED
    of_one_person: ClassVar = True
    key: str
    by: str
    at: Millis
    is_late: bool = False
    text: PrivateText = ""
    """What is late, and until when; everybody who takes part reads it."""


class ConflictFound(NegotiationEvent, kw_only=True):
    """The design's own: somebody cannot any more when an agreed plan needs them, by their calendar or their own days.
    They and whoever asked are told, and nobody else.
    """

    event_type: ClassVar[str] = "towow.conflict.found"
    during: ClassVar = AGREED
    of_everybody: ClassVar = True
    of_one_person: ClassVar = True
    agent_id: str
    number: int
    """How often that has come up for them, from 1; the same one again where other times were found for it."""
    when: Annotated[When | None, PRIVATE] = None
    """When they are needed."""
    found: Annotated[FoundTimes | None, PRIVATE] = None
    """At which other times it could be."""


class ConflictEnded(NegotiationEvent, kw_only=True):
    """The design's own: they can then after all."""

    event_type: ClassVar[str] = "towow.conflict.ended"
    during: ClassVar = AGREED
    of_one_person: ClassVar = True
    agent_id: str
    number: int
    by: str = ""
    """Who has said so; empty where it is seen in their calendar or their own days."""


class ReschedulingBegun(NegotiationEvent, kw_only=True):
    """The design's own: those who are needed then are asked at which of these times they can instead."""

    event_type: ClassVar[str] = "towow.rescheduling.begun"
    during: ClassVar = AGREED
    of_everybody: ClassVar = True
    number: int
    by: str
    agent_id: str = ""
    """Whose own time it is about; empty where it is the plan's."""
    agent_ids: tuple[str, ...] = ()
    """Agent ids of those whose yes it takes; whoever asked is not among them, and has to say yes too."""
    when: Annotated[When | None, PRIVATE] = None
    """What it is to be instead of."""
    times: Annotated[tuple[When, ...], PRIVATE] = ()
    until: Millis


class ReschedulingAnswered(NegotiationEvent, kw_only=True):
    """The design's own: somebody says at which of the times they can; what they said last counts."""

    event_type: ClassVar[str] = "towow.rescheduling.answered"
    during: ClassVar = AGREED
    of_one_person: ClassVar = True
    number: int
    by: str
    agent_ids: tuple[str, ...] = ()
    """For whom they decide."""
    keys: PrivateTexts = ()
    """The times; none where they can at none of them."""


class ReschedulingEnded(NegotiationEvent, kw_only=True):
    """The design's own: everybody can at one of the times, and the plan takes place then; or it stays as it was."""

    event_type: ClassVar[str] = "towow.rescheduling.ended"
    during: ClassVar = AGREED
    of_everybody: ClassVar = True
    number: int
    when: Annotated[When | None, PRIVATE] = None
    """The time that was agreed; None where none was."""


EVENTS: Final = events_in(vars())
"""Every event, by its name."""
