"""What a negotiation knows: the fold of its events, without a rule."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from engine.kernel import Event, Millis, Place
from engine.negotiation.answers import Assignment, FeedbackType, RequestDeclined, Understanding
from engine.negotiation.events import (
    AgentWithdrawn,
    CompromiseOffered,
    CoreChosen,
    DemandBroadcast,
    DemandEdited,
    DemandSubmitted,
    DemandUnderstood,
    FeedbackDue,
    FeedbackEvaluated,
    FeedbackReminded,
    FilterCompleted,
    ForceFinalized,
    GapsIdentified,
    NegotiationCancelled,
    NegotiationFailed,
    NegotiationReopened,
    OfferOverridden,
    OfferSubmitted,
    PersonReached,
    PersonUnreachable,
    PlanProceeded,
    ProposalAmended,
    ProposalDistributed,
    ProposalFeedback,
    ProposalFinalized,
    RecoveryAttempted,
    RecursionDecided,
    ReopeningFailed,
    RoundStarted,
    SeatDelegated,
    StepDegraded,
    SubnetCompleted,
    SubnetFailed,
    SubnetReleased,
    SubnetTriggered,
    SubstituteInvited,
)
from engine.negotiation.policy import Policy
from engine.negotiation.terms import Asked, Outcome, Parent, Person, Proposal, RecoveryAction, Source


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


TERMINAL = frozenset({Status.FINALIZED, Status.FORCE_FINALIZED, Status.FAILED, Status.CANCELLED})


@dataclass(frozen=True, slots=True)
class Seat:
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
    delegate: str = ""
    """Who may decide for the linked person as well; in a round that is over, who might."""
    former_delegates: tuple[str, ...] = ()
    """From whom it was taken back while the round was open."""

    @property
    def vote(self) -> ProposalFeedback | None:
        return self.human or self.twin or self.assumed

    @property
    def stand_in(self) -> str:
        """The delegate whose vote counts here; empty where it is anybody else's."""
        by = self.human.by if self.human else None
        return by if by and self.user_id and by != self.user_id else ""

    @property
    def is_awaited(self) -> bool:
        """Whether anybody may still decide here: a person who is there, their delegate, or at least the twin."""
        return self.human is None and (self.twin_asked or not self.gone or bool(self.delegate))


@dataclass(frozen=True, slots=True)
class Round:
    number: int
    version: int
    digest: str
    seats: Mapping[str, Seat]
    deadline: Millis = 0
    twins_until: Millis = 0
    people_until: Millis = 0
    requester_until: Millis = 0
    reminded: Mapping[str, str] = field(default_factory=dict)
    """Agent id -> who was reminded, where nobody had decided at half time: the delegate, else the linked person."""
    tally: FeedbackEvaluated | None = None
    """Set when the round has closed."""


@dataclass(frozen=True, slots=True)
class Subnet:
    """What is asked for one gap, in a negotiation of its own, as its parent knows it."""

    triggered: SubnetTriggered
    completed: SubnetCompleted | None = None
    failed: SubnetFailed | None = None

    @property
    def is_running(self) -> bool:
        return self.completed is None and self.failed is None


@dataclass(frozen=True, slots=True)
class Negotiation:
    status: Status = Status.CREATED
    demand_id: str = ""
    channel_id: str = ""
    requester_id: str = ""
    raw_input: str = ""
    place: Place = field(default_factory=Place)
    policy: Policy = field(default_factory=Policy)
    until: Millis = 0
    """When it ends at the latest, unless people are given more time."""
    understanding: Understanding | None = None
    candidates: tuple[Asked, ...] = ()
    reserve: tuple[Asked, ...] = ()
    """Possibly related: not asked yet."""
    analysis: str = ""
    invited: Mapping[str, Asked] = field(default_factory=dict)
    offers_due: Millis = 0
    offers: Mapping[str, OfferSubmitted] = field(default_factory=dict)
    """What counts of everybody: the person's own answer, else the twin's."""
    corrections: int = 0
    """How often a person has answered in place of their twin."""
    delegates: Mapping[str, str] = field(default_factory=dict)
    """Agent id -> the user who may decide for the linked person as well."""
    discarded: int = 0
    """Offers that were made for an earlier wording of the demand."""
    was_asked_otherwise: bool = False
    """Whether people were asked with an earlier wording."""
    proposals: tuple[Proposal, ...] = ()
    """Every version that was sent out, oldest first."""
    round: int = 0
    rounds: tuple[Round, ...] = ()
    """Every round whose proposal was distributed; the last one may be open."""
    withdrawn: Mapping[str, AgentWithdrawn] = field(default_factory=dict)
    vacancies: Mapping[str, SubstituteInvited] = field(default_factory=dict)
    """Core seats that were left: who left -> who was asked last, and sits there after offering."""
    degraded: tuple[StepDegraded, ...] = ()
    recoveries: tuple[RecoveryAttempted, ...] = ()
    """Where it was stuck; that ToWow was away is nothing that people need to know of it."""
    attempts: int = 0
    """How often it was moved without any progress since."""
    outcome: Outcome | None = None
    compromise: CompromiseOffered | None = None
    """What would still be possible where it failed, once a model has said so."""
    cancelled_by: str = ""
    cancel_reason: str = ""
    parent: Parent | None = None
    """Of a subnet."""
    reopened_from: str = ""
    """The channel id of the negotiation that this one takes up again."""
    also_ask: tuple[Asked, ...] = ()
    """Whoever is asked besides those who are found to fit."""
    agreed: ProposalFinalized | ForceFinalized | None = None
    """What was voted on and agreed."""
    final: ProposalFinalized | ForceFinalized | None = None
    """The same, with what subnets have added since."""
    gaps: GapsIdentified | None = None
    recursion: RecursionDecided | None = None
    subnets: Mapping[str, Subnet] = field(default_factory=dict)
    """By their channel id, in the order of the gaps' importance."""
    released: bool = False
    """A subnet whose agreement came too late for its parent."""
    reopened: NegotiationReopened | None = None
    """Set once it was taken up again after it had failed."""
    proceeded: PlanProceeded | None = None
    """Set once it was decided that the plan is carried out."""

    @property
    def is_open(self) -> bool:
        return self.status not in TERMINAL

    @property
    def is_searching(self) -> bool:
        """Whether somebody is still looked for, after the plan was agreed."""
        return any(each.is_running for each in self.subnets.values())

    @property
    def joined(self) -> Mapping[str, Person]:
        """Those whom subnets have brought into the plan, by agent id."""
        found = (each.completed.found for each in self.subnets.values() if each.completed)
        return {person.agent_id: person for each in found for person in each.people}

    @property
    def lacked(self) -> StepDegraded | None:
        """The step with which it ended, because no model could do it and nothing else may."""
        return self.degraded[-1] if self.degraded and self.outcome is Outcome.MODEL_UNAVAILABLE else None

    @property
    def exists(self) -> bool:
        return bool(self.demand_id)

    @property
    def proposal(self) -> Proposal | None:
        """The last valid version."""
        return self.proposals[-1] if self.proposals else None

    @property
    def current(self) -> Round | None:
        """The round people are voting in."""
        if self.status is not Status.NEGOTIATING or not self.rounds or self.rounds[-1].tally is not None:
            return None
        return self.rounds[-1]

    def is_secret(self, shown: Round) -> bool:
        """Whether what was voted in this round is for the voters alone. One that was stopped stays so."""
        return self.policy.blind_votes and shown.tally is None

    @property
    def participants(self) -> tuple[OfferSubmitted, ...]:
        """Offers that take part, in the order of the invitations."""
        return tuple(
            self.offers[agent_id]
            for agent_id in self.invited
            if agent_id in self.offers and self.offers[agent_id].decision != "decline"
        )

    @property
    def takes_edits(self) -> bool:
        """Whether the demand may still be said otherwise."""
        return self.exists and self.parent is None and self.status in (Status.CREATED, Status.COLLECTING)

    @property
    def takes_offers(self) -> bool:
        """Whether people may still correct what their twins offer."""
        return self.status in (Status.COLLECTING, Status.AGGREGATING)

    def hands(self, agent_id: str) -> tuple[str, ...]:
        """The users who may answer for somebody who was invited: the linked person, and the delegate they named; for a
        twin that is linked to nobody, whoever asked."""
        user_id = self.invited[agent_id].user_id
        if not user_id:
            return (self.requester_id,)
        delegate = self.delegates.get(agent_id)
        return (user_id, delegate) if delegate else (user_id,)

    def answerable_offers(self, user_id: str) -> tuple[Asked, ...]:
        """The people this user may answer for, while `takes_offers`."""
        return tuple(self.invited[each] for each in self._in_the_hand_of(user_id, self.invited))

    def assignment(self, agent_id: str) -> Assignment | None:
        assignments = self.proposal.assignments if self.proposal else ()
        return next((each for each in assignments if each.agent_id == agent_id), None)

    def seats_of(self, user_id: str) -> tuple[Seat, ...]:
        """The seats of the latest round that this user may vote for."""
        seats = self.rounds[-1].seats if self.rounds else {}
        return tuple(seats[each] for each in self._in_the_hand_of(user_id, seats))

    def _in_the_hand_of(self, user_id: str, agent_ids: Iterable[str]) -> list[str]:
        """Their own first, then those that they are the delegate of, then those that are linked to nobody."""
        mine = [each for each in agent_ids if user_id and user_id in self.hands(each)]
        owners = {each: self.invited[each].user_id for each in mine}
        return sorted(mine, key=lambda each: (not owners[each], owners[each] != user_id))

    def open_requests(self) -> tuple[RequestDeclined, ...]:
        """What people asked for and did not get, with the reason: nobody's request disappears.

        A request is the text of a negotiating vote. It is settled when a later version says it was addressed, or when
        its author accepts after all: a person's only by the person, whatever their twin says in the next round.
        """
        still_open: dict[str, RequestDeclined] = {}
        asked_by: dict[str, Source] = {}
        for number, each in enumerate(self.rounds):
            if self.is_secret(each):
                break  # whatever was asked for in it, or settled, stays with the voters
            for agent_id, seat in each.seats.items():
                vote = seat.vote
                if vote is None or vote.source is Source.ASSUMED:
                    continue  # silence settles nothing
                if vote.adjustment_request:
                    still_open[agent_id] = RequestDeclined(agent_id=agent_id, request=vote.adjustment_request)
                    asked_by[agent_id] = vote.source
                elif vote.feedback_type is not FeedbackType.REJECT and vote.source in (
                    Source.HUMAN,
                    asked_by.get(agent_id),
                ):
                    still_open.pop(agent_id, None)
            later = self.rounds[number + 1].version if number + 1 < len(self.rounds) else None
            summary = self.proposals[later - 1].adjustment_summary if later else None
            if summary is not None and later != each.version:
                for addressed in summary.requests_addressed:
                    still_open.pop(addressed.agent_id, None)
                for declined in summary.requests_declined:
                    if declined.agent_id in still_open:
                        still_open[declined.agent_id] = declined
        return tuple(request for agent_id, request in still_open.items() if agent_id not in self.withdrawn)


def apply(state: Negotiation, event: Event) -> Negotiation:
    """The state after the event; its status is the table's business (`rules.evolve`)."""
    if isinstance(event, RecoveryAttempted):
        return _recovered(state, event)
    after = _applied(state, event)
    return replace(after, attempts=0) if after.attempts else after  # whatever happens is progress


def _applied(state: Negotiation, event: Event) -> Negotiation:
    match event:
        case DemandSubmitted():
            return replace(
                state,
                demand_id=event.demand_id,
                channel_id=event.channel_id,
                requester_id=event.requester_id,
                raw_input=event.raw_input,
                place=event.place,
                policy=event.policy,
                until=event.until,
                parent=event.parent,
                reopened_from=event.reopened_from,
                also_ask=event.also_ask,
            )
        case DemandEdited():
            return _edited(state, event)
        case DemandUnderstood():
            return replace(state, understanding=event.understanding)
        case FilterCompleted():
            return replace(state, candidates=event.candidates, reserve=event.possibly_related, analysis=event.analysis)
        case DemandBroadcast():
            known = {each.agent_id: each for each in (*state.candidates, *state.reserve)}
            invited = {agent_id: known[agent_id] for agent_id in event.recipients}
            reserve = tuple(each for each in state.reserve if each.agent_id not in invited)
            return replace(state, invited=invited, reserve=reserve, offers_due=event.deadline)
        case OfferSubmitted():
            return replace(state, offers={**state.offers, event.agent_id: event})
        case OfferOverridden():
            offers = {**state.offers, event.agent_id: event.offer}
            return replace(state, offers=offers, corrections=state.corrections + 1)
        case RoundStarted():
            return replace(state, round=event.round)
        case ProposalDistributed():
            return _distributed(state, event)
        case CoreChosen():
            return replace(state, proposals=(*state.proposals[:-1], _with_core(state.proposals[-1], event.agent_ids)))
        case FeedbackDue():
            # What people are given they keep, however late the round has begun.
            return _in_round(
                replace(state, until=max(state.until, event.deadline)),
                deadline=event.deadline,
                twins_until=event.twins_until,
                people_until=event.people_until,
                requester_until=event.requester_until,
            )
        case FeedbackReminded():
            seats = state.rounds[-1].seats
            return _in_round(
                state, reminded={each: seats[each].delegate or seats[each].user_id or "" for each in event.agent_ids}
            )
        case PersonReached():
            return _in_seat(state, event.agent_id, reached=True, unreachable=False, gone=False)
        case PersonUnreachable():
            return _in_seat(state, event.agent_id, unreachable=True, gone=event.gone)
        case ProposalFeedback():
            return _in_seat(state, event.agent_id, **_vote(event))
        case SeatDelegated():
            return _delegated(state, event)
        case FeedbackEvaluated():
            return _in_round(state, tally=event)
        case AgentWithdrawn():
            return replace(state, withdrawn={**state.withdrawn, event.agent_id: event})
        case SubstituteInvited():
            return _invited(state, event)
        case StepDegraded():
            return _degraded(state, event)
        case ProposalFinalized():
            return replace(state, agreed=event, final=event, outcome=Outcome.CONSENSUS)
        case ForceFinalized():
            return replace(state, agreed=event, final=event, outcome=Outcome.PARTIAL_CONSENSUS)
        case GapsIdentified():
            return replace(state, gaps=event)
        case RecursionDecided():
            return replace(state, recursion=event)
        case SubnetTriggered():
            return replace(state, subnets={**state.subnets, event.sub_channel_id: Subnet(event)})
        case SubnetCompleted():
            return _in_subnet(state, event.sub_channel_id, completed=event)
        case SubnetFailed():
            return _in_subnet(state, event.sub_channel_id, failed=event)
        case ProposalAmended():
            return _amended(state, event)
        case SubnetReleased():
            return replace(state, released=True)
        case PlanProceeded():
            return replace(state, proceeded=event)
        case CompromiseOffered():
            return replace(state, compromise=event)
        case NegotiationReopened():
            return replace(state, reopened=event)
        case ReopeningFailed():
            return replace(state, reopened=None)
        case NegotiationFailed():
            return replace(state, outcome=event.reason)
        case NegotiationCancelled():
            return replace(state, outcome=Outcome.CANCELLED, cancelled_by=event.by, cancel_reason=event.reason)
        case _:  # ChannelCreated and AggregationStarted say only what the status says
            return state


def _recovered(state: Negotiation, event: RecoveryAttempted) -> Negotiation:
    was_stuck = event.action is not RecoveryAction.GIVE_TIME
    return replace(
        state,
        recoveries=(*state.recoveries, event) if was_stuck else state.recoveries,
        attempts=event.attempt,
        offers_due=event.deadline or state.offers_due,
        until=event.until or state.until,
    )


def _edited(state: Negotiation, event: DemandEdited) -> Negotiation:
    """As it was when the demand came in."""
    return replace(
        state,
        raw_input=event.raw_input,
        until=event.until or state.until,
        understanding=None,
        candidates=(),
        reserve=(),
        analysis="",
        invited={},
        offers_due=0,
        offers={},
        delegates={},  # for what was asked then, and for people who may not be asked now
        discarded=state.discarded + len(state.offers),
        degraded=(),
        was_asked_otherwise=state.was_asked_otherwise or bool(state.invited),
    )


def _distributed(state: Negotiation, event: ProposalDistributed) -> Negotiation:
    proposal = event.proposal
    seats = {
        each.agent_id: Seat(
            each.agent_id,
            each.display_name,
            state.invited[each.agent_id].user_id,
            delegate=state.delegates.get(each.agent_id, ""),
        )
        for each in proposal.assignments
    }
    opened = Round(event.round, proposal.version, proposal.digest, seats)
    again = bool(state.proposals) and state.proposals[-1].version == proposal.version
    proposals = state.proposals if again else (*state.proposals, proposal)
    linked = [bool(seat.user_id) for seat in seats.values()]
    window = state.policy.window(linked=any(linked), unlinked=not all(linked))
    until = state.until + round(1000 * window)
    return replace(state, proposals=proposals, rounds=(*state.rounds, opened), until=until)


def _with_core(proposal: Proposal, core: Collection[str]) -> Proposal:
    """The same version: what everybody was asked about has not changed, so its digest stays."""
    seats = tuple(each.model_copy(update={"core": each.agent_id in core}) for each in proposal.assignments)
    return proposal.model_copy(update={"assignments": seats})


def _invited(state: Negotiation, event: SubstituteInvited) -> Negotiation:
    substitute = next(each for each in state.reserve if each.agent_id == event.agent_id)
    return replace(
        state,
        invited={**state.invited, event.agent_id: substitute},
        reserve=tuple(each for each in state.reserve if each is not substitute),
        vacancies={**state.vacancies, event.replaces: event},
    )


def _delegated(state: Negotiation, event: SeatDelegated) -> Negotiation:
    """In the open round, too; what is over stays as it was."""
    others = {agent_id: user for agent_id, user in state.delegates.items() if agent_id != event.agent_id}
    after = replace(state, delegates=others | ({event.agent_id: event.to} if event.to else {}))
    seat = state.current.seats.get(event.agent_id) if state.current else None
    if seat is None:
        return after
    before = dict.fromkeys((*seat.former_delegates, seat.delegate))
    former = tuple(each for each in before if each not in ("", event.to))
    # Whoever names a delegate is there, whatever was heard of the account.
    return _in_seat(after, event.agent_id, delegate=event.to, former_delegates=former, gone=False)


def _vote(vote: ProposalFeedback) -> dict[str, Any]:
    """What it changes of its seat."""
    match vote.source:
        case Source.AGENT:
            return {"twin": vote, "twin_asked": False}
        case Source.HUMAN:
            return {"human": vote, "gone": False}  # whoever votes is there, whatever was heard of the account
        case Source.ASSUMED:
            return {"assumed": vote}


def _degraded(state: Negotiation, event: StepDegraded) -> Negotiation:
    state = replace(state, degraded=(*state.degraded, event))
    if event.prompt != "feedback":
        return state
    return _in_seat(state, event.agent_id, twin_asked=False, twin_degraded=True)


def _in_subnet(state: Negotiation, channel_id: str, **changes: Any) -> Negotiation:
    return replace(state, subnets={**state.subnets, channel_id: replace(state.subnets[channel_id], **changes)})


def _amended(state: Negotiation, event: ProposalAmended) -> Negotiation:
    """Nothing else of what was agreed has changed."""
    changes = {
        "final_proposal": event.proposal,
        "participants_count": event.participants_count,
        "confirmed_participants": event.confirmed_participants,
        "optional_participants": event.optional_participants,
    }
    return replace(state, final=state.final.model_copy(update=changes) if state.final else None)


def _in_seat(state: Negotiation, agent_id: str, **changes: Any) -> Negotiation:
    """One seat of the latest round, changed."""
    seats = state.rounds[-1].seats
    return _in_round(state, seats={**seats, agent_id: replace(seats[agent_id], **changes)})


def _in_round(state: Negotiation, **changes: Any) -> Negotiation:
    """The latest round, changed."""
    return replace(state, rounds=(*state.rounds[:-1], replace(state.rounds[-1], **changes)))
