"""The public JSON of a negotiation, in three sizes: how it stands, its decision record, and all of it.

The larger ones have the fields of the smaller ones, so that a field is the same wherever it is told. Schemas are
derived from these classes. What changes a field's name or meaning, or takes one away, is a new `schema_version`; a
field more is not. Every time is ISO 8601, UTC.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict

from engine.facts.answer_fields import Level
from engine.facts.circumstances import When
from engine.facts.shortening import without_surrogates
from engine.kernel import Validated
from engine.negotiation.agreement.endings import Hand
from engine.negotiation.answers import (
    Assignment,
    DeepUnderstanding,
    NotChosen,
    OfferDecision,
    RequestDeclined,
    Resolution,
    Understanding,
    VoteCounts,
)
from engine.negotiation.plan.clashes import ClashTold
from engine.negotiation.plan.marks import Mark
from engine.negotiation.plan.told_needs import NeedTold
from engine.negotiation.state import Status
from engine.negotiation.terms import MissingChoice, Outcome, Proposal, RecoveryAction, Source, Verdict
from engine.negotiation.terms import Question as DecisionAbout
from engine.negotiation.voting.kinds import FeedbackType

Text = Annotated[str, BeforeValidator(without_surrogates)]
"""As somebody wrote it; nothing in it is escaped."""
DemandStatus = Literal["processing", "completed", "failed"]
FailedFor = Literal["E003", "E004", "E005", "E006", "E013", "E014"]


class Public(Validated):
    model_config = ConfigDict(use_attribute_docstrings=True)


class WishStatus(StrEnum):
    MET = "met"
    PROMISED = "promised"
    """The plan says that it is met, and nothing in it can show that."""
    BROKEN = "broken"
    """The plan contradicts it."""
    DECLINED = "declined"
    OPEN = "open"
    """No version has answered it."""
    SETTLED = "settled"
    """No version has answered it, and whoever asked for it has accepted since."""


class Question(Public):
    """What whoever asked was asked first."""

    about: Literal["demand", "people"]
    """``people``: nobody was found to fit; who could help, or how would they say it in other words?"""
    question: Text
    """Empty where nobody was found to fit, and once it was erased."""


class RequesterDecision(Public):
    """What becomes of the demand without something: whoever asked was to decide it."""

    about: DecisionAbout
    """Needs that nobody covered, needs that were lost with somebody who left, or a version that was sent twice and that
    too few have answered."""
    needs: tuple[Text, ...]
    """Those that it is about."""
    choice: MissingChoice | None
    by: str
    """Empty where nobody decided in time."""


class Person(Public):
    """Somebody who was asked, has joined, or sits in any version."""

    agent_id: str
    display_name: Text
    user_id: str | None
    """The linked person; null where there is only a twin."""
    role: Text
    """In the plan, or in the last version in which they were."""
    is_core: bool
    """Without this seat the plan falls."""
    is_in_plan: bool
    is_confirmed: bool
    """Whether they have accepted the plan explicitly."""
    confirmed_by: Hand | None
    """By whose hand: `person` alone is their own word. Null where it is not confirmed, and for whoever a search has
    found, who have agreed in a negotiation of their own."""
    model: str
    """The model that spoke for the twin where that has confirmed, else empty. ``offline``: simple rules did, and nobody
    who can read has looked at it."""


class Offer(Public):
    agent_id: str
    display_name: Text
    decision: OfferDecision
    hand: Hand
    model: str
    """The model that spoke for the twin; empty where it was no twin, or no model. ``offline``: simple rules did."""
    reason: Text
    """Why not. Empty where people of other companies read along."""


class WholeOffer(Offer):
    """An offer with its words, which are told to whoever asked, to whoever decides for the seat, and to admins. For
    everybody else they are empty."""

    offer_id: str
    contribution: Text
    conditions: tuple[Text, ...]
    """Of who declines: what would make it a yes."""
    reasoning: Text = ""
    """Why the twin, or the person, answers so."""
    confidence: int | None = None
    """0 to 100: how sure the twin is."""
    submitted_at: str


class Vote(Public):
    """What counts for a seat in a round."""

    agent_id: str
    display_name: Text
    feedback_type: FeedbackType | None
    """Null where there is no vote so far, and while it is secret."""
    source: Source | None
    """Whose vote counts; null where there is none."""
    hand: Hand | None
    """By whose hand it was given; null where there is none."""
    model: str
    """As in an offer."""
    by: str | None
    """The user who clicked."""
    is_carried: bool
    """Whether it was given in an earlier round, and still stands because nothing of the part has changed."""
    reason: Text
    """A wish; or a thought, which is empty where people of other companies read along."""


class Round(Public):
    round: int
    version: int
    """Of the plan that was voted on."""
    is_open: bool
    is_secret: bool
    """Whether what was voted is told to nobody before the round is evaluated."""
    deadline: str | None
    """While it is open."""
    votes: tuple[Vote, ...]
    not_waited_for: tuple[str, ...]
    """The agent ids of those who had not voted when whoever asked closed the round: they are in no sum."""
    tally: VoteCounts | None
    """Null before the round is evaluated."""
    decision: Verdict | None
    request: Text | None
    """The change that the requester has asked for in this round."""
    needs: tuple[NeedTold, ...]
    """As this version covers them; who has accepted only once that is no secret."""
    marks: tuple[Mark, ...]
    """What of this version is checked (data against data), only said, doubted by another reader, or broken."""


class TimeTold(Public):
    """A time at which it may take place."""

    key: str
    """Names it, to ask for it with `time.take`."""
    when: When
    can: int
    """Of those of whom it is known when they can."""
    cannot: tuple[str, ...]
    """The agent ids of those who cannot: all of them for whoever asked, and for others those for whom they decide."""
    blocking: tuple[str, ...]
    """Those of `cannot` who have to be there."""
    later: tuple[str, ...]
    """From when some of those can until its end who cannot at its beginning, by the clock of `when`."""


class TimesTold(Public):
    """When those can who take part in a version, as far as that is known."""

    version: int
    minutes: int
    """How long it takes; 0 where no times were looked for."""
    known: int
    """Of how many people it is known when they can."""
    unsaid: int
    """Of how many nothing is known: they are taken to be free."""
    then: TimeTold | None
    """When the version takes place; null where it says no day and hour."""
    times: tuple[TimeTold, ...]
    """At which everybody can who has to be there, best first."""
    nearest: tuple[TimeTold, ...]
    """Only where there is no such time: at which the fewest of those cannot who have to be there."""


class ConflictTold(Public):
    """Somebody cannot any more when the agreed plan needs them."""

    agent_id: str
    when: When
    """When they are needed."""
    times: tuple[TimeTold, ...]
    """At which everybody can who is needed then; `time.find` asks them."""
    nearest: tuple[TimeTold, ...]
    """Only where there is no such time."""


class ReschedulingTold(Public):
    """Those who are needed are asked for another time than the agreed one."""

    round: int
    """Which asking it is; `time.agree` and `time.refuse` carry it."""
    when: When | None
    """What it is to be instead of; null where it was erased."""
    times: Mapping[str, When]
    """By the key that `time.agree` carries."""
    agent_ids: tuple[str, ...]
    """Whose yes it takes, besides that of whoever asked."""
    answered: int
    """How many of them have answered, whoever asked among them."""
    until: str
    is_open: bool
    agreed: When | None
    """Null where no time was agreed, or none is yet."""


class Wish(Public):
    agent_id: str
    """The user id of whoever asked, for `change`."""
    kind: Literal["condition", "request", "change"]
    """A condition of an offer, a request of a vote, or a change that whoever asked wanted."""
    text: Text
    status: WishStatus
    version: int | None
    """The version that answered it."""
    reason: Text


class Lack(Public):
    what: Text
    is_essential: bool


class Dissent(Public):
    """Somebody who did not agree to the version that counts, or left before."""

    agent_id: str
    display_name: Text
    feedback_type: FeedbackType | None
    """Null for no answer."""
    reason: Text


class DegradedStep(Public):
    """A step that no model could do."""

    step: str
    """What it was for, in words."""
    prompt: str
    """Its id: the name of the prompt's file."""
    error_code: str
    """E003, E004, E013 or E014."""
    agent_id: str | None
    """Whose twin could not answer; null where it was no twin's question."""
    round: int


class GoingAhead(Public):
    """It was decided that the plan is carried out."""

    by: str
    at: str


class Departure(Public):
    """Somebody who agreed cannot take part any more."""

    agent_id: str
    display_name: Text
    by: str
    """The user who said so."""
    at: str
    reason: Text
    lacks: tuple[Text, ...]
    """What the plan lacks without them."""


class Search(Public):
    """For a gap: a negotiation of its own, which is a demand like any other."""

    status: Literal["running", "found", "failed"]
    demand_id: str
    channel_id: str
    deadline: str
    """After it nobody is looked for any more."""
    found: tuple[str, ...]
    """Agent ids; who they are and what they do is in the plan, as seats whose `source` is `subnet`."""
    outcome: Outcome | None
    """Why nobody was found."""


class GapTold(Public):
    """Something that the agreed plan lacks, or lacked."""

    gap_type: Text
    importance: int
    """0 to 100."""
    reason: Text
    suggested_capability_tags: tuple[Text, ...]
    search: Search | None
    """Null where nobody is asked for it."""


class CompromiseTold(Public):
    """Where it failed: what would still be possible, as a model sees it. Nobody is bound by it."""

    type: Literal["compromise"] = "compromise"
    summary: Text
    facts: tuple[Text, ...]
    assignments: tuple[Assignment, ...]
    """A smaller plan, for those who still take part."""
    compromises: tuple[Resolution, ...]
    unresolved: tuple[Text, ...]
    suggestions: tuple[Text, ...]
    """Next steps for whoever asked."""
    confidence: Level = "low"


class CheckInTold(Public):
    """Somebody was asked, on the day before, how something stands that is due."""

    key: str
    agent_id: str | None
    """Whose it is; null where it is whoever asked."""
    what: Text
    day: str
    """When it is due, as a date."""
    answer: Literal["done", "late"] | None
    """Null while nobody has said anything."""
    text: Text
    """What is late, and until when."""
    answered_at: str | None


class Standing(Public):
    """How a demand stands, in few words."""

    schema_version: Literal[2] = 2
    demand_id: str
    channel_id: str
    status: DemandStatus
    channel_status: Status
    round: int
    max_rounds: int
    outcome: Outcome | None
    error_code: FailedFor | None
    """What it failed for. E003: no model could be reached, E004: it took too long, E013: what it answered could not be
    read, E014: the budget for models was spent; these four only where an admin lets nothing stand in for a model. E005:
    nobody could help; E006: no agreement in time. None of them is an error of HTTP here."""
    is_searching: bool
    """Whether somebody is looked for in a negotiation of its own, who covers what the others do not."""
    awaits: Literal["answer", "decision"] | None
    """What it waits for from whoever asked: the `answer` to its question, given by saying the demand otherwise, or a
    `decision` about what is missing or was lost, or about a version that was sent twice. The actions `demand.edit`,
    `missing.look_wider`, `missing.go_on` and `missing.send_again` are these."""
    awaits_until: str | None
    """When that is waited for no longer. Without an answer it ends, without a decision it goes on."""
    question: Question | None
    """What was asked about the demand as it is worded now. Where nobody was waited for, or nobody has answered, it is
    how it ended: ask again with the answer."""
    missing: tuple[Text, ...]
    """What is essential and nobody covers, or was lost, while a decision about it is awaited; empty where that is about
    a version that was sent twice."""
    reopened_as: str | None
    """The demand with which it was taken up again, after it had failed."""


class Submitted(Public):
    """The seed's own envelope of a demand that was just asked (seed 000, section 3.1.1)."""

    demand_id: str
    channel_id: str
    status: DemandStatus
    understanding: Understanding | None
    """Null where the model was not done yet; `GET /api/v1/demand/{demand_id}` has what it says later."""


class DecisionRecord(Standing):
    """Why a plan is as it is, or why there is none: who decided what by whose hand, and what it lacks."""

    requester_id: str
    surface_demand: Text
    """As it was understood; empty before that."""
    policy: str
    """The id of the rules by which it was decided."""
    accepts_needed: int
    """Percent of those asked who had to accept, by these rules."""
    questions: tuple[Question, ...]
    """What whoever asked was asked, about any wording of the demand."""
    decisions: tuple[RequesterDecision, ...]
    needs: tuple[NeedTold, ...]
    """What the demand takes, as the newest version or the plan covers it; votes of an open round are left out."""
    clashes: tuple[ClashTold, ...]
    """People and rooms that other plans take at the same time, by what is known now. Nothing is refused for it."""
    people: tuple[Person, ...]
    """The plan's seats first."""
    offers: tuple[Offer, ...]
    not_chosen: tuple[NotChosen, ...]
    """Who offered to take part and has no seat."""
    is_core_chosen: bool
    """Whether whoever asked has said which seats are core."""
    rounds: tuple[Round, ...]
    """Oldest first."""
    version: int | None
    """Which version is the plan; of a failed negotiation, the last one."""
    versions: int
    """How many there were."""
    decided_in: int | None
    """The round whose votes decided."""
    wishes: tuple[Wish, ...]
    lacks: tuple[Lack, ...]
    """What nobody who agreed covers, and what the plan itself says that it lacks. With anything essential here it is no
    whole plan."""
    disagreed: tuple[Dissent, ...]
    """Who withdrew is among them."""
    degraded: tuple[DegradedStep, ...]
    recoveries: tuple[RecoveryAction, ...]
    """How it was moved on after it had stalled."""
    proceeded: GoingAhead | None
    given_up: tuple[Departure, ...]
    """Who could not keep what they had promised, in the order in which they said so."""


class PublicNegotiation(DecisionRecord):
    """All that is told of a negotiation. What has a default, here and in the parts, may be left out of a file."""

    offers: tuple[WholeOffer, ...]
    requester_name: Text | None
    """Null where nobody knows."""
    raw_input: Text | None = None
    """In the requester's own words: told to them and to admins, and null for everybody else."""
    own_votes: bool = False
    """Whether whoever asked wants people's own votes only: twins prepare theirs."""
    deep_understanding: DeepUnderstanding | None = None
    capability_tags: tuple[Text, ...] = ()
    context: dict[str, Any]
    """What the demand says of place, size, time and money."""
    created_at: str
    ended_at: str | None
    """Null while it is open."""
    total_candidates: int
    """How many seemed to fit: those who were asked, and the reserve."""
    why_nobody: Text
    """Where nobody was asked, why nobody seemed to fit. Empty where people of other companies read along."""
    proposal: Proposal | None
    """The newest version; once there is a plan, the plan."""
    proposals: tuple[Proposal, ...]
    """Every version that was voted on, oldest first."""
    marks: tuple[Mark, ...]
    """What of `proposal` is checked (data against data), only said, doubted by another reader, or broken."""
    times: TimesTold | None = None
    """Of `proposal`; null where nothing is known of when people can."""
    conflicts: tuple[ConflictTold, ...] = ()
    """Who cannot any more when the agreed plan needs them: all for whoever asked, and for others those for whom they
    decide."""
    reschedulings: tuple[ReschedulingTold, ...] = ()
    """Each asking for another time, oldest first."""
    confirmed_participants: tuple[str, ...]
    """Those who accepted this very plan."""
    optional_participants: tuple[str, ...]
    """Those who are in the plan and did not."""
    open_requests: tuple[RequestDeclined, ...]
    """What somebody asked for and did not get, and why."""
    gaps: tuple[GapTold, ...]
    """What the agreed plan lacks, the most important first."""
    compromise: CompromiseTold | None
    check_ins: tuple[CheckInTold, ...] = ()
    """What somebody was asked about on the day before it is due. Nobody is where an admin has not switched it on."""
    can_be_taken_back_until: str | None = None
    """Until when whoever asked can take back that it was stopped, or that the plan is carried out."""
    gap_of: str | None
    """The demand whose plan lacks what this one asks for."""
    reopened_from: str | None
    """The demand that failed, and was taken up again with this one."""
