"""What a negotiation knows. `fold` says how events change it, and `rules` what may happen."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Self

from msgspec import Struct, field
from msgspec.structs import replace

from engine.facts.circumstances import When
from engine.facts.data import Datum
from engine.kernel import Millis, Place, later
from engine.negotiation.answers import Assignment, Need, OfferDecision, RequestDeclined, Understanding
from engine.negotiation.events import (
    AgentWithdrawn,
    ChangeRequested,
    CheckInAnswered,
    CheckInAsked,
    ClashesFound,
    CompromiseOffered,
    ConflictFound,
    DemandUnclear,
    FeedbackEvaluated,
    ForceFinalized,
    GapsIdentified,
    HelpAnswered,
    HelpOffered,
    LimitsWeighed,
    NegotiationReopened,
    OfferSubmitted,
    PlanProceeded,
    PreparedVote,
    ProceedingTakenBack,
    ProposalDrafted,
    ProposalFeedback,
    ProposalFinalized,
    RecoveryAttempted,
    RecursionDecided,
    RequestCorrected,
    RequesterAsked,
    RequesterDecided,
    RequestUnderstood,
    ReschedulingBegun,
    SeatGivenUp,
    SecondOpinionGiven,
    ShortlistDrafted,
    StepDegraded,
    StopTakenBack,
    Subject,
    SubnetCompleted,
    SubnetFailed,
    SubnetTriggered,
    SubstituteInvited,
    TimesFound,
)
from engine.negotiation.policy import Policy
from engine.negotiation.terms import (
    EDITABLE,
    TERMINAL,
    Asked,
    OfferedData,
    Outcome,
    Parent,
    Person,
    Proposal,
    Source,
    Status,
)
from engine.negotiation.voting.kinds import FeedbackType
from engine.negotiation.voting.tally import Tally


class Unread(Struct, frozen=True, gc=False):
    """Words of a person that ask for something, until a model has read what they mean."""

    agent_id: str
    """Whose seat it is asked for; empty where it is the requester's own wish."""
    text: str
    round: int
    """In which it was said."""


class Reversals(Struct, frozen=True, gc=False):
    until: Millis = 0
    """Until when the last decision about all of it can be taken back; 0 where there is none."""
    stopped_in: str = ""
    """The status in which it was stopped last."""
    stopped_at: Millis = 0
    stops: tuple[StopTakenBack, ...] = ()
    proceeding: ProceedingTakenBack | None = None
    """Set where it was decided, and taken back, that the plan is carried out."""
    was_announced: bool = False
    """Whether a channel was told that the plan is carried out."""


class Decision(Struct, frozen=True, gc=False):
    """The requester's decision about needs that nobody covers."""

    asked: RequesterAsked
    needs: tuple[Need, ...]
    made: RequesterDecided | None = None
    round: int = 0
    """After which it was asked; 0 before there was a plan."""


class Volunteer(Struct, frozen=True, gc=False):
    """Somebody who was not asked and has offered their help."""

    offered: HelpOffered
    answered: HelpAnswered | None = None
    """None while whoever asked has not decided, or has asked for something else since."""

    @property
    def person(self) -> Asked:
        offered = self.offered
        return Asked(
            agent_id=offered.agent_id,
            display_name=offered.display_name,
            user_id=offered.by,
            match_type="explicit",
            confidence=1.0,
            covers=offered.covers,
        )


def filling(volunteers: Mapping[str, Volunteer]) -> list[Volunteer]:
    return [each for each in volunteers.values() if each.answered is not None and each.answered.way == "plan"]


def twin_votes(volunteers: Mapping[str, Volunteer], agent_id: str) -> bool:
    """Whether somebody's twin votes for them: not for whoever has offered their help in person, or has none."""
    volunteer = volunteers.get(agent_id)
    if volunteer is None or volunteer.answered is None:
        return True
    return volunteer.offered.has_twin and volunteer.answered.way != "offer"


class Seat(Struct, frozen=True, gc=False):
    """One participant in one round. The latest human vote counts, else the twin's, else what silence means."""

    agent_id: str
    display_name: str
    user_id: str | None
    twin_asked: bool = True
    """Whether the twin still owes its vote."""
    twin: ProposalFeedback | None = None
    human: ProposalFeedback | None = None
    assumed: ProposalFeedback | None = None
    twin_degraded: bool = False
    reached: bool = False
    """Whether the linked person is known to have been told of this round."""
    unreachable: bool = False
    """The linked person could not be told of this round."""
    gone: bool = False
    """The linked person has no account any more."""
    closed: bool = False
    """Their account was closed, so nobody's vote counts here, and the seat is free once the round is over."""
    has_twin: bool = True
    """Whether there is a twin that votes here."""
    prepares: bool = False
    """Whether it only prepares its vote, which somebody else has to give."""
    prepared: PreparedVote | None = None
    """The vote that it has prepared in this round: for whoever may give it, and for nobody else."""
    spoken: bool = False
    """A person has voted for this seat before, so its twin is not asked."""
    handed_back: bool = False
    """The person has let their twin vote again since they voted last."""
    delegate: str = ""
    """The user who may decide for the linked person as well (in a round that is over: who could)."""
    former_delegates: tuple[str, ...] = ()
    """Former delegates, who were replaced while the round was open."""
    lost_delegate: str = ""
    """The last delegate of the round whose account was closed, until another one is named: who left it to them has not
    agreed by saying nothing."""
    is_limited: bool = False
    """Whether the person has limits in words."""
    was_read: bool = False
    """Whether the second reader has held them against the version, or could not."""
    twin_doubts: bool = False
    """Whether the twin's answer, the owner's own words or data leave open whether a limit is kept."""
    reader_doubts: bool = False
    """Whether the second reader says that one is broken, or is not sure."""

    @property
    def vote(self) -> ProposalFeedback | None:
        if self.closed:
            return None
        return self.human or (self.twin if self.twin_counts else None) or self.assumed

    @property
    def leaves(self) -> bool:
        return self.closed or ((vote := self.vote) is not None and vote.feedback_type.kind.leaves)

    @property
    def is_persons(self) -> bool:
        """Whether people have their own time to decide here: it is somebody's, or its twin gives no vote."""
        return bool(self.user_id) or self.prepares

    @property
    def is_in_doubt(self) -> bool:
        """Whether a limit may not be kept, and nobody has said that it is all right."""
        return self.human is None and (self.twin_doubts or self.reader_doubts)

    @property
    def waits(self) -> bool:
        """Whether only the person can accept, or whoever speaks for them."""
        return self.human is None and (self.twin_doubts or self.reader_doubts or self.prepares)

    @property
    def is_unread(self) -> bool:
        """Whether the twin's accept counts, or is shown to whoever may give it, once the second reader has answered."""
        return self.is_limited and not self.was_read and self._has_accepted

    @property
    def twin_counts(self) -> bool:
        """Whether the twin's vote stands. No machine's consent does where a limit is in doubt."""
        is_in_doubt = self.twin_doubts or self.reader_doubts or (self.is_limited and not self.was_read)
        return not (is_in_doubt and self._has_accepted)

    @property
    def is_guarded(self) -> bool:
        """Whether whoever asked may not vote for it: a limit is in doubt, or nobody has held it against the version."""
        if self.human is not None:
            return False
        is_unheld = self.is_limited and not (self.was_read and (self.twin or self.prepared))
        return self.twin_doubts or self.reader_doubts or is_unheld

    @property
    def _has_accepted(self) -> bool:
        said = self.twin or self.prepared
        return said is not None and said.feedback_type.kind.agrees

    @property
    def decides_alone(self) -> bool:
        """Whether no twin votes here: it could not answer, its person has voted before, or `waits`."""
        return self.twin_degraded or self.spoken or (self.waits and (self.twin is None or not self.twin_counts))

    @property
    def stand_in(self) -> str:
        """The delegate whose vote counts here; empty if the counting vote is somebody else's."""
        by = self.human.by if self.human else None
        return by if by and self.user_id and by != self.user_id else ""

    @property
    def twin_wish(self) -> str:
        """What the twin has asked for in this round; empty for nothing."""
        return self.twin.adjustment_request if self.twin is not None else ""

    @property
    def is_overruled(self) -> bool:
        """Whether another hand than its person's has voted in place of a twin that asked for something."""
        return self.human is not None and self.human.by != self.user_id and bool(self.twin_wish)

    def asks(self, vote: ProposalFeedback) -> tuple[str, Datum | None]:
        """Return what is asked for here, in words and as data: what the vote that counts asks for, and what a twin has
        that another hand overruled, unless that hand takes its person out.

        Args:
            vote: the one that counts.
        """
        said, change = vote.adjustment_request, vote.change
        twin = self.twin
        if self.human is None or twin is None or vote.feedback_type.kind.leaves or not self.is_overruled:
            return said, change
        wish = twin.adjustment_request
        return (f"{said}\n{wish}" if said and said != wish else wish), change if change is not None else twin.change

    @property
    def is_awaited(self) -> bool:
        """Whether somebody may still decide here: the twin, or the person, unless they are gone or have handed back to
        their twin, or their delegate.
        """
        if self.human is not None or self.closed:
            return False
        if self.twin_asked:
            return True
        return (not self.handed_back or self.twin is None) and (not self.gone or bool(self.delegate))


class Window(Struct, frozen=True, gc=False):
    """Until when a round waits for whom. Rules, alarms, cards and programs all go by it."""

    deadline: Millis = 0
    """When the round closes; 0 before it is known."""
    twins_until: Millis = 0
    people_until: Millis = 0
    requester_until: Millis = 0
    """Until when whoever asked may vote for people who are linked to nobody."""
    for_reader: bool = False
    """Whether nothing but the second reader is waited for."""
    is_again: bool = False
    """Whether it is given again, since nobody was there when it was over."""

    @classmethod
    def of(cls, awaited: Sequence[Seat], policy: Policy, at: Millis) -> Self:
        """Return the window of a version that is put to the vote at ``at``."""
        linked = any(seat.is_persons for seat in awaited)
        twins_until = later(at, policy.feedback_timeout if any(seat.twin_asked for seat in awaited) else 0)
        # Whoever has voted before, or lets their twin only prepare, is given time in any case: nobody else votes for
        # them.
        is_alone = any(seat.spoken or seat.prepares for seat in awaited)
        given = policy.human_window or (policy.override_window if is_alone else 0)
        people_until = later(at, given if linked else 0)
        is_theirs = all(seat.user_id and not seat.prepares for seat in awaited)
        requester_until = later(twins_until, 0 if is_theirs else policy.override_window)
        return cls(max(people_until, requester_until), twins_until, people_until, requester_until)

    def until(self, seat: Seat) -> Millis:
        """Until when a vote is waited for from whoever may give it in person. What a twin prepares last can be given as
        long as whoever asked may vote for people who are linked to nobody.
        """
        if seat.prepares:
            return max(self.people_until, self.requester_until)
        return self.people_until if seat.user_id else self.requester_until

    def closing_with(self, awaited: Iterable[Seat]) -> Self:
        """Let it close with the last of these seats, where no twin is waited for."""
        return replace(self, deadline=max(map(self.until, awaited)))

    def without_twins(self, policy: Policy, at: Millis) -> Self:
        """Stop waiting for twins: what they would have voted is whoever asked's to vote, from now on."""
        return replace(self, requester_until=min(self.requester_until, later(at, policy.override_window)))

    def with_twin(self, policy: Policy, at: Millis) -> Self:
        """Wait for a twin that is asked now."""
        twins_until = later(at, policy.feedback_timeout)
        return replace(
            self,
            deadline=max(self.deadline, twins_until),
            twins_until=twins_until,
            requester_until=max(self.requester_until, twins_until),
            for_reader=False,
        )

    def moved(self, by: Millis) -> Self:
        """Return it that much later. What was never set stays so."""
        moments = (self.deadline, self.twins_until, self.people_until, self.requester_until)
        deadline, twins, people, requester = (each and each + by for each in moments)
        return replace(self, deadline=deadline, twins_until=twins, people_until=people, requester_until=requester)

    def people_since(self, policy: Policy) -> Millis:
        """Since when people have been waited for."""
        return later(self.people_until, -policy.human_window)

    def longer(self, by: Millis) -> Self:
        """Return it with so much more time for people, and no more for twins."""
        people, requester = (each and each + by for each in (self.people_until, self.requester_until))
        return replace(self, deadline=self.deadline + by, people_until=people, requester_until=requester)

    def half_time(self, policy: Policy) -> Millis:
        return later(self.people_until, -policy.human_window / 2)


class Round(Struct, frozen=True, gc=False):
    number: int
    version: int
    digest: str
    seats: Mapping[str, Seat]
    window: Window = Window()
    waited_for_people: bool = False
    """Whether people were waited for when it began."""
    reminded: Mapping[str, str] = field(default_factory=dict)
    """Agent id -> who was reminded, where nobody had decided at half time: the delegate, else the linked person."""
    opinions_due: tuple[Subject, ...] = ()
    """What the second reader was asked about this version and has not answered."""
    request: ChangeRequested | None = None
    """The change that the requester has asked for in this round."""
    tally: FeedbackEvaluated | None = None
    """Set when the round has closed."""

    @property
    def counted(self) -> Tally:
        """The votes as they stand, of everybody who is waited for."""
        return self.counted_without(self.tally.not_waited_for if self.tally else ())

    def counted_without(self, left_out: Collection[str]) -> Tally:
        counted = [seat for agent_id, seat in self.seats.items() if agent_id not in left_out]
        return Tally.of([seat.vote for seat in counted], gone=sum(seat.closed for seat in counted))


__all__ = ["EDITABLE", "TERMINAL", "Negotiation", "Round", "Seat", "Status", "Subnet", "Wait"]


class Wait(StrEnum):
    """What the collecting of offers waits for."""

    TWINS = "twins"
    PEOPLE = "people"
    """Linked people whose twins could not answer."""
    CORRECTIONS = "corrections"
    """All offers are in; people may correct them."""
    REQUESTER = "requester"
    """Whoever asked is to decide what becomes of it without what is missing."""
    SUBNETS = "subnets"
    """Others are looked for, who cover what is missing."""


class CheckIn(Struct, frozen=True, gc=False):
    """That somebody was asked how something stands that is due, and what they said."""

    asked: CheckInAsked
    answer: CheckInAnswered | None = None


class Conflict(Struct, frozen=True, gc=False):
    """That somebody cannot any more when the agreed plan needs them."""

    found: ConflictFound
    is_over: bool = False
    kept_by: str = ""
    """Who has said that they can then all the same; a calendar that goes on saying otherwise is not told again."""

    @property
    def stands(self) -> bool:
        return not self.is_over and not self.kept_by


class Rescheduling(Struct, frozen=True, gc=False):
    """That those who are needed are asked for another time."""

    begun: ReschedulingBegun
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By agent id, the keys of the times at which they can; whoever asked has an empty id."""
    is_open: bool = True
    when: When | None = None
    """The time that was agreed."""


class Subnet(Struct, frozen=True, gc=False):
    """A negotiation that fills one gap of the plan, as its parent knows it."""

    triggered: SubnetTriggered
    completed: SubnetCompleted | None = None
    failed: SubnetFailed | None = None

    @property
    def is_running(self) -> bool:
        return self.completed is None and self.failed is None


class Negotiation(Struct, frozen=True, dict=True):
    """Python looks for no cycles through its parts: like a `Message`, each is made of what is there before. What
    `outstanding` makes of it is kept with it.
    """

    status: Status = Status.CREATED
    demand_id: str = ""
    channel_id: str = ""
    requester_id: str = ""
    raw_input: str = ""
    asked_at: Millis = 0
    """When it was said as it stands; 0 in negotiations of before this was kept."""
    time_zone: str = ""
    """IANA: where the requester is; empty where nobody knows."""
    locale: str = ""
    """The requester's own; empty where nobody knows."""
    own_votes: bool = False
    """Whether whoever asked wants people's own votes only."""
    workflow_run: str = ""
    """The run of a workflow's step that asked; empty where none did."""
    place: Place = field(default_factory=Place)
    policy: Policy = field(default_factory=Policy)
    until: Millis = 0
    """When it ends at the latest, unless people are given more time."""
    understanding: Understanding | None = None
    counted: tuple[str, ...] = ()
    """The ids of the needs whose quantity is a number of people."""
    early: ShortlistDrafted | None = None
    """Who could help by the message as it stands."""
    candidates: tuple[Asked, ...] = ()
    reserve: tuple[Asked, ...] = ()
    """People who are possibly related and were not asked yet."""
    preparing: frozenset[str] = frozenset()
    """The agent ids of those among everybody who was found whose twins only prepare their votes, as their people had
    chosen when they were found."""
    analysis: str = ""
    questions: tuple[DemandUnclear, ...] = ()
    """What whoever asked was asked, about any wording of the demand."""
    unclear: DemandUnclear | None = None
    """The last of them, if it is about the present wording."""
    invited: Mapping[str, Asked] = field(default_factory=dict)
    wait: Wait = Wait.TWINS
    """What is waited for while offers are collected."""
    offers_due: Millis = 0
    """Until when."""
    asked_twins: tuple[str, ...] = ()
    """The agent ids of those whose twins were asked last."""
    was_held: bool = False
    held_offers: tuple[int, ...] = ()
    """How many offers there were, and how often they were changed, when they began to be held open for corrections
    alone; empty where something else is waited for."""
    first_draft: ProposalDrafted | None = None
    """Of the offers as they are held open."""
    """Whether the offers were held open for corrections."""
    sought: tuple[str, ...] = ()
    """The ids of the needs that the reserve was asked for."""
    decisions: tuple[Decision, ...] = ()
    """About what is missing, for any wording of the demand."""
    has_decided: bool = False
    """Whether what is missing in the present wording is decided."""
    asked_in_person: tuple[str, ...] = ()
    """Agent ids of linked people who were asked for the offer themselves."""
    unreached: tuple[str, ...] = ()
    """Those of them who could not be told."""
    closed_accounts: frozenset[str] = frozenset()
    """Agent ids of linked people whose accounts were closed since they were asked."""
    offers: Mapping[str, OfferSubmitted] = field(default_factory=dict)
    """By agent id, the offer that counts: the person's own, else the twin's."""
    corrections: int = 0
    """How often a person has answered in place of their twin."""
    delegates: Mapping[str, str] = field(default_factory=dict)
    """Agent id -> the user who may decide for the linked person as well."""
    discarded: int = 0
    """How many offers were made for an earlier wording of the demand."""
    was_asked_otherwise: bool = False
    """Whether people were asked with an earlier wording."""
    proposals: tuple[Proposal, ...] = ()
    """Every version that was sent out, oldest first."""
    core_choice: tuple[str, ...] | None = None
    """The agent ids whose seats are core by the requester's word, in every version from then on; None before it."""
    round: int = 0
    rounds: tuple[Round, ...] = ()
    """Every round whose proposal was distributed; the last one may be open."""
    weighed: Mapping[str, tuple[LimitsWeighed, ...]] = field(default_factory=dict)
    """By agent id, how somebody's limits in words were held against the demand and each version, oldest first."""
    lifted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By agent id, the limits about which somebody was asked and has said yes, for this demand."""
    opinions: Mapping[int, SecondOpinionGiven] = field(default_factory=dict)
    """By version, what the second reader says of its claims."""
    times: Mapping[int, TimesFound] = field(default_factory=dict)
    """By version, when those can who take part in it."""
    understood: Mapping[str, RequestUnderstood] = field(default_factory=dict)
    """By agent id, or the requester's user id, how what was asked for last was understood."""
    unread: Mapping[str, Unread] = field(default_factory=dict)
    """By agent id, or the requester's user id, what was asked for last and not understood so far."""
    later_wishes: tuple[RequestCorrected, ...] = ()
    """What somebody has meant otherwise, while no round was open: it is asked for in the next one."""
    withdrawn: Mapping[str, AgentWithdrawn] = field(default_factory=dict)
    vacancies: Mapping[str, SubstituteInvited] = field(default_factory=dict)
    """Core seats that were left: the agent id of who left -> the substitute who was invited last."""
    degraded: tuple[StepDegraded, ...] = ()
    recoveries: tuple[RecoveryAttempted, ...] = ()
    """How it was moved on after it had stalled; attempts that only gave it more time are left out."""
    attempts: int = 0
    """How often it was moved on without progress since."""
    outcome: Outcome | None = None
    compromise: CompromiseOffered | None = None
    """After a failure, what a model says would still be possible."""
    cancelled_by: str = ""
    cancel_reason: str = ""
    parent: Parent | None = None
    """The negotiation whose gap this one fills, if it is a subnet."""
    reopened_from: str = ""
    """The channel id of the negotiation that this one takes up again."""
    also_ask: tuple[Asked, ...] = ()
    """People who are asked besides those who are found to fit."""
    ask_first: tuple[Asked, ...] = ()
    """People who are asked before those: these are asked for what is missing then."""
    not_again: tuple[str, ...] = ()
    """The agent ids of those who are not asked, since they have left what this one takes up again."""
    agreed: ProposalFinalized | ForceFinalized | None = None
    """What was voted on and agreed."""
    final: ProposalFinalized | ForceFinalized | None = None
    """The agreed plan with what subnets have added since."""
    gaps: GapsIdentified | None = None
    recursion: RecursionDecided | None = None
    subnets: Mapping[str, Subnet] = field(default_factory=dict)
    """By their channel id, in the order of the gaps' importance."""
    released: bool = False
    """A subnet whose agreement came too late for its parent."""
    is_erased: bool = False
    """Whether words of it were erased."""
    reopened: NegotiationReopened | None = None
    """Set once it was taken up again after it had failed."""
    clashes: ClashesFound | None = None
    """Which other plans take the same people or rooms at the same time."""
    is_plan_erased: bool = False
    """Whether the words of its plan were erased."""
    proceeded: PlanProceeded | None = None
    taken_up: tuple[str, ...] = ()
    """Streams that go on from the plan; those that were begun before they said so are not among them."""
    """Set once it was decided that the plan is carried out."""
    check_ins: Mapping[str, CheckIn] = field(default_factory=dict)
    """What somebody was asked about on the day before it is due, by its key."""
    conflicts: Mapping[str, tuple[Conflict, ...]] = field(default_factory=dict)
    """By agent id, each time that they could not any more when the agreed plan needs them, oldest first."""
    reschedulings: tuple[Rescheduling, ...] = ()
    """Each asking for another time than the agreed one, oldest first."""
    reversals: Reversals = field(default_factory=Reversals)
    volunteers: Mapping[str, Volunteer] = field(default_factory=dict)
    """Who was not asked and has offered their help, by agent id, in the order in which they said so."""
    given_up: Mapping[str, SeatGivenUp] = field(default_factory=dict)
    """Who cannot keep what they promised with the agreed plan, by agent id, in the order in which they said so."""

    def is_owned_by(self, user_id: str, *, as_admin: bool) -> bool:
        """Whether a user may decide about the whole negotiation: the requester, or an admin."""
        return as_admin or user_id == self.requester_id

    @property
    def language(self) -> str:
        """The language of the demand as a BCP 47 tag: as it was understood, and until then as the requester reads."""
        return (self.understanding.language if self.understanding else "") or self.locale

    @property
    def demand_text(self) -> str:
        """The demand as it was understood, and until then as it was written."""
        return self.understanding.surface_demand if self.understanding else self.raw_input

    @property
    def is_open(self) -> bool:
        return self.status not in TERMINAL

    @property
    def counted_offers(self) -> tuple[int, ...]:
        return len(self.offers), self.corrections, len(self.closed_accounts)

    @property
    def drafts_early(self) -> bool:
        """Whether the first version is drafted while people may correct their offers: until the first of them does."""
        is_due = self.policy.asks_early and self.status is Status.COLLECTING and self.first_draft is None
        return is_due and self.held_offers == self.counted_offers and bool(self.participants)

    @property
    def is_searching(self) -> bool:
        """Whether a subnet is still looking for somebody after the plan was agreed."""
        return any(each.is_running for each in self.subnets.values())

    @property
    def joined(self) -> Mapping[str, Person]:
        """The people whom subnets have brought into the agreed plan, or who do what it lacked, by agent id."""
        found = (each.completed.found for each in self.subnets.values() if each.completed)
        people = (
            *(person for each in found for person in each.people),
            *(each.person for each in filling(self.volunteers)),
        )
        return {person.agent_id: person for person in people if person.agent_id not in self.invited}

    def offered_by(self, agent_id: str) -> OfferSubmitted | OfferedData | None:
        """Return what somebody offered, here or in the subnet that found them."""
        found = (each.completed.offered for each in self.subnets.values() if each.completed)
        in_subnets = (each for offered in found for each in offered if each.agent_id == agent_id)
        return self.offers.get(agent_id) or next(in_subnets, None)

    def known_person(self, agent_id: str) -> Person | None:
        """Return the person, if they were asked or joined through a subnet."""
        return self.invited.get(agent_id) or self.joined.get(agent_id)

    def name_of(self, agent_id: str) -> str:
        """Return what somebody is called; their id where they have no name."""
        known = self.known_person(agent_id)
        return (known.display_name if known else "") or agent_id

    @property
    def lacked(self) -> StepDegraded | None:
        """The step that ended it because no model could do it and the policy requires one."""
        return self.degraded[-1] if self.degraded and self.outcome is Outcome.MODEL_UNAVAILABLE else None

    @property
    def exists(self) -> bool:
        return bool(self.demand_id)

    @property
    def proposal(self) -> Proposal | None:
        return self.proposals[-1] if self.proposals else None

    @property
    def current(self) -> Round | None:
        if self.status is not Status.NEGOTIATING or not self.rounds or self.rounds[-1].tally is not None:
            return None
        return self.rounds[-1]

    def is_secret(self, shown: Round) -> bool:
        """Whether only the voters may know what was voted in this round. A blind round that was never evaluated stays
        secret.
        """
        return self.policy.blind_votes and shown.tally is None

    @property
    def most_rounds(self) -> int:
        """How many rounds there are at the most: one more for what was lost in the last."""
        return max(self.policy.max_rounds, self.round)

    @property
    def kinds_of_vote(self) -> tuple[FeedbackType, ...]:
        """Those that people are offered here, in the order of their buttons."""
        return tuple([each for each in FeedbackType if each.kind.is_offered_under(self.policy.name)])

    @property
    def requested(self) -> ChangeRequested | None:
        """The change that the requester asks for and no version has answered yet."""
        for each in reversed(self.rounds):
            if each.request is not None:
                return None if self._is_answered(each.number) else each.request
        return None

    def _is_answered(self, number: int) -> bool:
        """Whether a version was made of what was asked for in this round."""
        made = (each.adjustment_summary for each in self.proposals)
        return any(each is not None and each.round > number for each in made)

    @property
    def participants(self) -> tuple[OfferSubmitted, ...]:
        """The offers that take part, in the order of the invitations, of those who are there."""
        invited = map(self.offers.get, [each for each in self.invited if each not in self.closed_accounts])
        return tuple([each for each in invited if each is not None and each.decision is not OfferDecision.DECLINE])

    @property
    def takes_edits(self) -> bool:
        """Whether the demand may still be said otherwise."""
        return self.exists and self.parent is None and self.status in EDITABLE

    @property
    def awaits_answer(self) -> bool:
        """Whether whoever asked was asked a question, and nothing goes on before they answer or their time is over."""
        return self.status is Status.CREATED and self.unclear is not None

    @property
    def awaits_decision(self) -> bool:
        """Whether whoever asked is to decide what becomes of it without what is missing, or was lost."""
        is_between = self.status is Status.NEGOTIATING and self.current is None and self.decisions[-1:] != ()
        is_waiting = self.status is Status.COLLECTING or (is_between and self.decisions[-1].made is None)
        return is_waiting and self.wait is Wait.REQUESTER

    @property
    def failed_twins(self) -> tuple[str, ...]:
        """Return the agent ids of those whose twins were asked for an offer and could not answer, in whose place
        nobody has.
        """
        return tuple(each for each in self.invited if each not in self.offers or self.offers[each].degraded)

    @property
    def takes_offers(self) -> bool:
        """Whether people may still correct what their twins offer."""
        return self.status in (Status.COLLECTING, Status.AGGREGATING)

    def is_asked_to_step_in(self, agent_id: str) -> bool:
        """Whether somebody is asked themselves for a seat that was left, since their twin could not answer, and has not
        answered.
        """
        asked = any(each.in_person and each.agent_id == agent_id for each in self.vacancies.values())
        return asked and self.is_open and agent_id not in self.offers

    def takes_offer_of(self, agent_id: str) -> bool:
        """Whether somebody who was asked may still say what they offer."""
        return self.takes_offers or self.is_asked_to_step_in(agent_id)

    def only_prepares(self, agent_id: str) -> bool:
        """Whether somebody's twin prepares its votes for a person to give, and casts none."""
        volunteer = self.volunteers.get(agent_id)
        is_chosen = agent_id in self.preparing or (volunteer is not None and volunteer.offered.prepares)
        return self.policy.prepares or self.own_votes or is_chosen

    def actors_for(self, agent_id: str) -> tuple[str, ...]:
        """Return the users who may answer for somebody who was invited.

        They are the linked person and the delegate whom that person named; for a twin that is linked to nobody, whoever
        asked.
        """
        user_id = self.invited[agent_id].user_id
        if not user_id:
            return (self.requester_id,)
        delegate = self.delegates.get(agent_id)
        return (user_id, delegate) if delegate else (user_id,)

    def voters_for(self, agent_id: str) -> tuple[str, ...]:
        """Return the users who may vote for a seat of the latest round: those who may answer for it, but not whoever
        asked while a limit of its person is in doubt.
        """
        actors = self.actors_for(agent_id)
        seat = self.rounds[-1].seats.get(agent_id) if self.rounds else None
        if seat is None or not seat.is_guarded:
            return actors
        return tuple(each for each in actors if each != self.requester_id)

    def answerable_offers(self, user_id: str) -> tuple[Asked, ...]:
        """Return the people this user may still answer for; where there are none, all whom they were asked for."""
        asked = self._answerable_by(user_id, self.invited, self.actors_for)
        return tuple(self.invited[each] for each in asked if self.takes_offer_of(each)) or tuple(
            self.invited[each] for each in asked
        )

    def assignment(self, agent_id: str) -> Assignment | None:
        assignments = self.proposals[-1].assignments if self.proposals else ()
        for each in assignments:
            if each.agent_id == agent_id:
                return each
        return None

    def seats_of(self, user_id: str) -> tuple[Seat, ...]:
        """Return the seats of the latest round that this user may vote for."""
        seats = self.rounds[-1].seats if self.rounds else {}
        return tuple(seats[each] for each in self._answerable_by(user_id, seats, self.voters_for))

    def _answerable_by(
        self, user_id: str, agent_ids: Iterable[str], actors: Callable[[str], tuple[str, ...]]
    ) -> list[str]:
        """Return their own first, then those that they are the delegate of, then those that are linked to nobody."""
        mine = [each for each in agent_ids if user_id and user_id in actors(each)]
        owners = {each: self.invited[each].user_id for each in mine}
        return sorted(mine, key=lambda each: (not owners[each], owners[each] != user_id))

    def open_requests(self) -> tuple[RequestDeclined, ...]:
        """Return what people asked for and did not get, with the reason. No request disappears.

        A request is the text of a negotiating vote, or what the requester asks for. It is settled when a later version
        says it was addressed, or when its author accepts after all: a person's only by the person, whatever their twin
        says in the next round. What a twin accepts without is told with the reason that it was given.
        """
        still_open: dict[str, RequestDeclined] = {}
        asked_by: dict[str, Source] = {}
        overruled: set[str] = set()
        """Seats whose twins have asked for something that another hand has voted over."""
        for number, each in enumerate(self.rounds):
            if each.request is not None:
                by = each.request.by
                still_open[by] = RequestDeclined(agent_id=by, request=each.request.text)
            if self.is_secret(each):
                break  # whatever was asked for in it, or settled, stays with the voters
            for agent_id, seat in each.seats.items():
                vote = seat.vote
                if vote is None or vote.source is Source.ASSUMED:
                    continue  # silence settles nothing
                is_overruled = seat.human is not None and seat.is_overruled
                if is_overruled:
                    overruled.add(agent_id)  # what the twin asked for is its person's, whatever another hand has voted
                elif overruled and (vote.source is not Source.HUMAN or vote.by == seat.user_id):
                    overruled.discard(agent_id)
                request, change = seat.asks(vote)
                if request or change is not None:
                    still_open[agent_id] = RequestDeclined(agent_id=agent_id, request=request)
                    asked_by[agent_id] = Source.AGENT if is_overruled else vote.source
                elif (
                    agent_id in overruled
                    or not vote.feedback_type.kind.lets_go
                    or not (left := still_open.get(agent_id))
                ):
                    continue
                elif vote.source is Source.HUMAN or (vote.source is asked_by.get(agent_id) and not left.reason):
                    del still_open[agent_id]
            later = self.rounds[number + 1].version if number + 1 < len(self.rounds) else None
            summary = self.proposals[later - 1].adjustment_summary if later else None
            if summary is not None and later != each.version:
                for addressed in summary.requests_addressed:
                    still_open.pop(addressed.agent_id, None)
                for declined in summary.requests_declined:
                    if declined.agent_id in still_open:
                        still_open[declined.agent_id] = declined
        return tuple(request for agent_id, request in still_open.items() if agent_id not in self.withdrawn)
