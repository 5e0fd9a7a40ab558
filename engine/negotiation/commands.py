"""The commands of a negotiation. They come from people, from models' answers and from other streams."""

from collections.abc import Mapping

from msgspec import field

from engine.facts.circumstances import When
from engine.facts.data import Datum
from engine.kernel import Command, Message, Place
from engine.negotiation.answers import (
    Compromise,
    FeedbackAnswer,
    GapAnalysis,
    OfferAnswer,
    OfferDecision,
    ProposalDraft,
    RecursionAnswer,
    RequestRead,
    Shortlist,
    Understanding,
)
from engine.negotiation.events import ClaimOpinion, LimitDoubt, Subject, Weighed
from engine.negotiation.policy import Policy
from engine.negotiation.terms import (
    Asked,
    Booking,
    Claim,
    Found,
    HeldFinding,
    MissingChoice,
    OfferedData,
    Outcome,
    Parent,
    Person,
)
from engine.negotiation.voting.kinds import FeedbackType
from engine.times.feasible import FoundTimes, PossibleTime


class SubmitDemand(Command):
    demand_id: str
    channel_id: str
    requester_id: str
    raw_input: str
    policy: Policy
    place: Place = Place()
    parent: Parent | None = None
    """The negotiation whose gap a subnet fills; a person's demand has none."""
    understanding: Understanding | None = None
    """Given if it is known already what is meant; then no model is asked."""
    reopened_from: str = ""
    """The channel id of the negotiation that failed before, where this one takes it up again."""
    also_ask: tuple[Asked, ...] = ()
    not_again: tuple[str, ...] = ()
    """The agent ids of those who were told that they would not be asked again."""
    """Whoever is asked besides those who are found to fit."""
    ask_first: tuple[Asked, ...] = ()
    """Whoever is asked before those who are found to fit."""
    time_zone: str = ""
    """IANA: where the requester is. Dates and hours are meant there."""
    locale: str = ""
    """The requester's own, as Slack says it; empty where nobody knows."""
    own_votes: bool = False
    """Whether whoever asked wants people's own votes only."""
    workflow_run: str = ""
    """The run of a workflow's step that asked, as Slack calls it; empty where none did."""


class Answered(Command):
    """A model's answer, or, with ``degraded`` (E003 or E004), what stands in for it."""

    model: str = ""
    prompt_hash: str = ""
    degraded: str | None = None


class RecordUnderstanding(Answered, kw_only=True):
    understanding: Understanding
    counted: tuple[str, ...] = ()
    """The ids of the needs whose quantity is a number of people."""


class RecordEarlyShortlist(Answered, kw_only=True):
    shortlist: Shortlist


class RecordShortlist(Answered, kw_only=True):
    shortlist: Shortlist
    people: dict[str, Person]
    """Everybody whom the model was given, by agent id; any other id does not exist."""
    covers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By agent id, the ids of the needs that they are thought to cover."""
    preparing: tuple[str, ...] = ()
    """The agent ids of those whose twins only prepare their votes."""


class RecordOffer(Answered, kw_only=True):
    agent_id: str
    answer: OfferAnswer
    claims: tuple[Claim, ...] = ()
    """The needs that the answer names, each with the words that it rests on where these stand in their source."""
    broken_limit: HeldFinding | None = None
    """The limit of theirs that the demand breaks, which is why they decline."""
    limits: Weighed = Weighed()
    """What came of the limits in words."""


class RecordProposal(Answered, kw_only=True):
    """``draft`` is None when no model could make one: the rules fall back to what is known."""

    version: int
    draft: ProposalDraft | None
    corrections: int = 0
    """How many corrected offers the model had been told of."""
    times: FoundTimes | None = None
    """When those can who take part; None where nothing is known of it."""
    then: PossibleTime | None = None
    """Who can when the draft takes place."""


class RecordFeedback(Answered, kw_only=True):
    """``answer`` is None when the twin could not answer: that is no vote."""

    agent_id: str
    round: int
    answer: FeedbackAnswer | None
    limits: Weighed = Weighed()
    """What came of the limits in words."""


class RecordOpinion(Answered, kw_only=True):
    """What the second reader says of a version."""

    about: Subject
    round: int
    version: int
    opinions: tuple[ClaimOpinion, ...] = ()
    limits: Mapping[str, tuple[LimitDoubt, ...]] = field(default_factory=dict)
    """By the agent id of everybody whose limits it was asked about, those that are broken."""


class RecordReading(Answered, kw_only=True):
    """How a model understands what somebody asks for; ``answer`` is None where none could read it."""

    agent_id: str
    """Empty for the requester's own wish."""
    asked_by: str
    """The user whose wish it is."""
    round: int
    text: str
    answer: RequestRead | None


class RecordGaps(Answered, kw_only=True):
    analysis: GapAnalysis


class RecordRecursion(Answered, kw_only=True):
    answer: RecursionAnswer


class RecordSubnet(Command):
    """A subnet has ended; ``found`` is None where nobody was found."""

    channel_id: str
    """The subnet's."""
    outcome: Outcome
    found: Found | None = None
    preparing: tuple[str, ...] = ()
    """The agent ids of those who were found whose twins only prepare their votes."""
    offered: tuple[OfferedData, ...] = ()
    """What they have offered, as data."""


class Recall(Command):
    """The parent takes a subnet back, because its time is over or somebody stopped it."""

    stopped_by: str = ""
    """The user who stopped it; empty if nobody did."""


class RecordCompromise(Answered, kw_only=True):
    """``compromise`` is None when no model could think of one: then the facts alone stand."""

    compromise: Compromise | None


class CastVote(Command):
    """Record a person's vote. ``by`` comes from the signed payload; the round and digest from the button."""

    by: str
    agent_id: str
    round: int
    digest: str
    feedback_type: FeedbackType
    text: str = ""
    """What is asked for; the reason, where the vote asks for nothing."""
    reason: str = ""
    """Why it is asked for. Unlike what is asked for, people of other companies do not read it."""
    change: Datum | None = None
    """What ``text`` asks for as data, where they have said it as that: no model reads it then."""
    as_admin: bool = False
    """Whether ``by`` may speak for people who are linked to nobody: an admin, or whoever loaded the profile. It counts
    where a limit of theirs is in doubt."""


class CastPrepared(Command):
    """Make a vote that a twin has only prepared one's own. What it says is in the negotiation, not in the button."""

    by: str
    agent_id: str
    round: int
    digest: str
    as_admin: bool = False
    """As in `CastVote`."""


class TakeTime(Command):
    """Ask for one of the times that were found: for one's own seat, or, as whoever asked, for the whole."""

    by: str
    agent_id: str
    """Empty for the requester's own wish."""
    round: int
    digest: str
    key: str
    """The day and hour at which it begins, as they were found: ``2026-12-04T15:00``."""


class EditDemand(Command):
    """Change the wording of the demand while offers are open; everybody is asked anew."""

    by: str
    raw_input: str
    as_admin: bool = False
    own_votes: bool | None = None
    """Whether people's own votes only are wanted; None leaves it as it is."""


class DecideMissing(Command):
    """Decide what becomes of the demand, since nobody who offered covers all that is essential."""

    by: str
    choice: MissingChoice
    as_admin: bool = False


class CorrectOffer(Command):
    """Record a person's own offer in place of their twin's, until the first proposal is out."""

    by: str
    agent_id: str
    decision: OfferDecision
    contribution: str = ""
    conditions: tuple[str, ...] = ()
    reason: str = ""
    """Why they decline, if they do."""
    covers: tuple[str, ...] | None = None
    """The ids of the needs that they cover; None where they were not asked, and what was known before stands."""
    brings: int = 1
    """How many people cover these, with those whom they bring."""
    as_admin: bool = False
    """As in `CastVote`."""


class CloseRound(Command):
    by: str
    round: int
    as_admin: bool = False
    """Whether ``by`` is an admin of the tenant, as the database says."""


class ExtendRound(Command):
    """Give the people of the open round as much time again as a round gives them."""

    by: str
    round: int
    as_admin: bool = False
    """As in `CloseRound`."""


class Cancel(Command):
    by: str
    reason: str = ""
    as_admin: bool = False


class ChooseCore(Command):
    """Choose which seats the plan depends on, instead of those that the model proposed."""

    by: str
    agent_ids: tuple[str, ...]
    as_admin: bool = False


class HandBack(Command):
    """Let the twin vote again, after a person has voted for the seat themselves."""

    by: str
    agent_id: str


class RequestChange(Command):
    """Ask for a change of the open proposal, as the requester. The latest request of a round counts."""

    by: str
    text: str
    round: int
    digest: str
    """Of the proposal that the form was opened with."""
    change: Datum | None = None
    """As in `CastVote`."""


class CorrectRequest(Command, kw_only=True):
    """Say that a wish of one's own was understood otherwise than it was meant."""

    by: str
    agent_id: str = ""
    """Whose seat it was asked for; empty for the requester's own wish."""
    text: str = ""
    """What is meant; empty, or the same words again, where only what was understood is wrong."""


class Delegate(Command):
    """Name a colleague who may decide for one's own seat as well, or take that back."""

    by: str
    agent_id: str
    to: str = ""
    """The colleague's user id; empty to take it back."""


class GiveUpSeat(Command):
    """Say that what somebody promised with an agreed plan cannot be kept."""

    by: str
    agent_id: str
    reason: str = ""
    """Everybody who takes part reads it."""


class AnswerCheckIn(Command):
    """Say, when asked, that something promised is done or will be late."""

    by: str
    key: str
    """Of what is due."""
    is_late: bool = False
    text: str = ""


class TakeBack(Command):
    """Take back that it was stopped, or that the plan is carried out, as long as that is possible."""

    by: str
    as_admin: bool = False


class OfferHelp(Command):
    """Say that one can help, without having been asked."""

    by: str
    agent_id: str
    """Of their twin; where they have none, one that is made for them."""
    display_name: str
    text: str
    """In their own words."""
    has_twin: bool = False
    prepares: bool = False
    """Whether that twin only prepares its votes."""
    covers: tuple[str, ...] = ()
    """The ids of the demand's needs that these name."""


class AnswerHelp(Command):
    """Decide whether somebody who has offered their help is asked."""

    by: str
    agent_id: str
    ask: bool
    as_admin: bool = False


class Proceed(Command):
    """Decide that the plan is carried out."""

    by: str
    as_admin: bool = False
    announce: bool = False
    """Whether the channel is told as well."""
    reminds: bool = False
    """Whether whoever promised something is asked the day before it is due, whatever the policy says."""


class Reopen(Command):
    """Reopen a negotiation that has failed, as another one in the same place."""

    by: str
    raw_input: str
    """The demand as it is said now."""
    balanced: bool = False
    """Whether the new one follows the preset ``balanced`` instead of the rules that this one failed by."""
    asks_possible: bool = False
    """Whether the new one also asks those who were possibly related and not asked the first time."""
    as_admin: bool = False


class EraseWords(Command):
    """Record that words of this negotiation are erased, as whoever runs ToWow wants it."""

    whose: str = ""
    """A user or agent id; empty where the whole negotiation is forgotten."""
    people: tuple[Person, ...] = ()
    """Whose names stay."""
    former_chain: str = ""
    """What the last link of the chain was, where it had to be linked anew: as hexadecimal digits."""


class RecordBookings(Command):
    """What other plans have booked of what this one books, as it was found."""

    found: tuple[Booking, ...]
    asked_by: str = ""
    """The channel id of the plan that told of a clash, where that was the reason to look."""


class TellClash(Command):
    """Another plan has found that it takes the same people or rooms at the same time, or does so no more."""

    channel_id: str
    """The other plan's."""
    shared: tuple[str, ...]
    """What both take (`Booking.what`)."""
    is_answer: bool = False
    """Whether it answers such a command, so that it is not answered."""


class AvailabilityFinding(Message):
    """Whether somebody can when an agreed plan needs them."""

    agent_id: str
    when: When
    """When they are needed."""
    cannot: bool
    found: FoundTimes | None = None
    """At which other times it could be, where they cannot."""


class RecordAvailability(Command):
    """Who can when the agreed plan needs them, by what is known now."""

    findings: tuple[AvailabilityFinding, ...]


class FindTime(Command):
    """Ask those who are needed for another time, since somebody cannot any more."""

    by: str
    agent_id: str
    """Who cannot."""


class KeepTime(Command):
    """Say that one can when one is needed, whatever a calendar says."""

    by: str
    agent_id: str


class AnswerTimes(Command):
    """Say that one can at one of the times that are asked about, or at none of them."""

    by: str
    round: int
    """Which asking it is, from 1."""
    key: str = ""
    """Of the time; empty for none."""


class RecordDelivery(Command):
    """Record whether a linked person was told of a round, or that their own offer is waited for."""

    agent_id: str
    round: int
    """0 before the first."""
    reached: bool
    gone: bool = False
    """The account exists no more, so nobody will act for it."""
    delegate: str = ""
    """The delegate whose account it is; empty where it is about the person themselves."""
