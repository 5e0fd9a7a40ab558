"""How each event changes what a negotiation knows. The table of `rules` says which status follows."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from types import NoneType
from typing import Any, Final, get_args, get_type_hints

from msgspec.structs import replace

from engine.kernel import Event
from engine.negotiation import events as happened
from engine.negotiation.afterwards import conflicts, undoing
from engine.negotiation.demand import gathering_fold
from engine.negotiation.offers import volunteers
from engine.negotiation.plan.coverage import is_enough, needs_of
from engine.negotiation.state import CheckIn, Negotiation, Round, Seat, Subnet, Unread, Window, twin_votes
from engine.negotiation.terms import Asked, Outcome, Proposal, RecoveryAction, Source
from engine.negotiation.voting import opinions_fold
from engine.negotiation.voting.opinions_fold import asked_for, in_round, in_seat, lifted, limits_of_seat, read, wished

Change = Callable[[Negotiation, Any], Negotiation]
Keep = Callable[[str, Negotiation, Event], Negotiation]


def apply(state: Negotiation, event: Event) -> Negotiation:
    """Return the state after the event, with the same status."""
    change = _CHANGES.get(type(event))
    after = change(state, event) if change else state
    if after.attempts and not isinstance(event, happened.RecoveryAttempted):
        return replace(after, attempts=0)  # everything else that happens is progress
    return after


# ── a round ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _started(state: Negotiation, event: happened.RoundStarted) -> Negotiation:
    return replace(state, round=event.round)


def _distributed(state: Negotiation, event: happened.ProposalDistributed) -> Negotiation:
    proposal = event.proposal
    seats = {
        each.agent_id: Seat(
            each.agent_id,
            each.display_name,
            state.invited[each.agent_id].user_id,
            twin_asked=each.agent_id not in event.spoken and each.agent_id not in state.closed_accounts,
            gone=each.agent_id in state.closed_accounts,
            closed=each.agent_id in state.closed_accounts,
            has_twin=twin_votes(state.volunteers, each.agent_id),
            prepares=state.only_prepares(each.agent_id),
            spoken=each.agent_id in event.spoken,
            delegate=state.delegates.get(each.agent_id, ""),
        )
        for each in proposal.assignments
    }
    seats = {agent_id: limits_of_seat(state, seat, proposal.version) for agent_id, seat in seats.items()}
    opened = Round(event.round, proposal.version, proposal.digest, seats)
    again = bool(state.proposals) and state.proposals[-1].version == proposal.version
    proposals = state.proposals if again else (*state.proposals, proposal)
    linked = [seat.is_persons for seat in seats.values()]
    window = state.policy.window(linked=any(linked), unlinked=not all(linked))
    until = state.until + round(1000 * window)
    return replace(state, proposals=proposals, rounds=(*state.rounds, opened), until=until)


def _core_chosen(state: Negotiation, event: happened.CoreChosen) -> Negotiation:
    chosen = _with_core(state.proposals[-1], event.agent_ids)
    return replace(state, core_choice=event.agent_ids, proposals=(*state.proposals[:-1], chosen))


def _with_core(proposal: Proposal, core: Collection[str]) -> Proposal:
    """Mark the core seats of a version. Its digest stays, since what everybody was asked about has not changed."""
    seats = tuple(replace(each, core=each.agent_id in core) for each in proposal.assignments)
    return replace(proposal, assignments=seats)


def _due(state: Negotiation, event: happened.FeedbackDue) -> Negotiation:
    opened = state.rounds[-1]
    awaited = [seat for seat in opened.seats.values() if seat.user_id and seat.is_awaited]
    return in_round(
        replace(state, until=max(state.until, event.deadline)),  # people keep their time, however late the round began
        window=Window(
            event.deadline,
            event.twins_until,
            event.people_until,
            event.requester_until,
            event.for_reader,
            event.is_again,
        ),
        waited_for_people=bool(awaited) if opened.window.deadline == 0 else opened.waited_for_people,
    )


def _reminded(state: Negotiation, event: happened.FeedbackReminded) -> Negotiation:
    seats = state.rounds[-1].seats
    reminded = {each: seats[each].delegate or seats[each].user_id or "" for each in event.agent_ids}
    return in_round(state, reminded=reminded)


def _reached(state: Negotiation, event: happened.PersonReached) -> Negotiation:
    after = replace(state, closed_accounts=state.closed_accounts - {event.agent_id})
    return in_seat(after, event.agent_id, reached=True, unreachable=False, gone=False, closed=False)


def _unreachable(state: Negotiation, event: happened.PersonUnreachable) -> Negotiation:
    if event.delegate:
        after = _with_delegate(state, event.agent_id, "")
        return in_seat(after, event.agent_id, lost_delegate=event.delegate) if event.round else after
    if event.closed:
        # Nobody decides for somebody who is not there.
        closed = state.closed_accounts | {event.agent_id}
        state = _with_delegate(replace(state, closed_accounts=closed), event.agent_id, "")
    if not event.round:
        return replace(state, unreached=(*state.unreached, event.agent_id))
    return in_seat(state, event.agent_id, unreachable=True, gone=event.gone, closed=event.closed)


def _voted(state: Negotiation, event: happened.ProposalFeedback) -> Negotiation:
    match event.source:
        case Source.AGENT:
            return in_seat(state, event.agent_id, twin=event, twin_asked=False)
        case Source.HUMAN:  # whoever votes is there, whatever was heard of the account
            state = asked_for(lifted(wished(state, event), event), event.agent_id)
            seat = state.rounds[-1].seats[event.agent_id]
            is_there = event.by == seat.user_id and not event.carried
            if is_there and seat.closed:
                state = replace(state, closed_accounts=state.closed_accounts - {event.agent_id})
            return in_seat(
                state,
                event.agent_id,
                human=event,
                gone=False,
                closed=seat.closed and not is_there,
                twin_asked=False,
                handed_back=False,
            )  # and a twin that is still thinking is not heard any more
        case Source.ASSUMED:
            return in_seat(state, event.agent_id, assumed=event)


def _prepared(state: Negotiation, event: happened.VotePrepared) -> Negotiation:
    return in_seat(state, event.agent_id, prepared=event.vote, twin_asked=False)


def _delegated(state: Negotiation, event: happened.SeatDelegated) -> Negotiation:
    state = replace(state, closed_accounts=state.closed_accounts - {event.agent_id})
    after = _with_delegate(state, event.agent_id, event.to)
    if after.current is None or event.agent_id not in after.current.seats:
        return after
    # Whoever names a delegate is there, whatever was heard of the account.
    return in_seat(after, event.agent_id, gone=False, closed=False, lost_delegate="")


def _with_delegate(state: Negotiation, agent_id: str, to: str) -> Negotiation:
    """The delegate counts in the open round too; a round that is over stays as it was."""
    others = {each: user for each, user in state.delegates.items() if each != agent_id}
    after = replace(state, delegates=others | ({agent_id: to} if to else {}))
    seat = state.current.seats.get(agent_id) if state.current else None
    if seat is None:
        return after
    before = dict.fromkeys((*seat.former_delegates, seat.delegate))
    former = tuple(each for each in before if each not in ("", to))
    return in_seat(after, agent_id, delegate=to, former_delegates=former)


def _handed_back(state: Negotiation, event: happened.SeatHandedBack) -> Negotiation:
    """In the open round the twin's vote counts again, or is asked for; one that it has prepared can be given again. A
    round that is over stays as it was.
    """
    state = read(state, event.agent_id)
    if state.current is None:
        return in_seat(state, event.agent_id, handed_back=True)
    seat = state.current.seats[event.agent_id]
    twin_asked = seat.twin is None and seat.prepared is None
    return in_seat(state, event.agent_id, human=None, handed_back=True, twin_asked=twin_asked)


def _change_requested(state: Negotiation, event: happened.ChangeRequested) -> Negotiation:
    said = Unread(agent_id="", text=event.text, round=event.round)
    state = replace(state, unread={**state.unread, event.by: said})
    return in_round(asked_for(state, ""), request=event)


def _withdrawn(state: Negotiation, event: happened.AgentWithdrawn) -> Negotiation:
    return replace(state, withdrawn={**state.withdrawn, event.agent_id: event})


def _invited(state: Negotiation, event: happened.SubstituteInvited) -> Negotiation:
    known = (*state.reserve, *state.invited.values())
    substitute = next(each for each in known if each.agent_id == event.agent_id)
    asked = [each for each in state.vacancies.values() if each.agent_id == event.agent_id]
    is_given_time = event.in_person and not any(each.in_person for each in asked)  # once, for however many seats
    return replace(
        state,
        until=max(event.deadline, state.until + round(1000 * state.policy.human_window))
        if is_given_time
        else state.until,
        invited={**state.invited, event.agent_id: substitute},
        asked_in_person=(*state.asked_in_person, event.agent_id) if is_given_time else state.asked_in_person,
        reserve=tuple(each for each in state.reserve if each is not substitute),
        vacancies={**state.vacancies, event.replaces: event},
    )


# ── the end, and what follows it ──────────────────────────────────────────────────────────────────────────────────


def _agreed(state: Negotiation, event: happened.ProposalFinalized) -> Negotiation:
    return replace(state, agreed=event, final=event, outcome=Outcome.CONSENSUS, unread={})


def _forced(state: Negotiation, event: happened.ForceFinalized) -> Negotiation:
    return replace(state, agreed=event, final=event, outcome=Outcome.PARTIAL_CONSENSUS, unread={})


def _failed(state: Negotiation, event: happened.NegotiationFailed) -> Negotiation:
    return replace(state, outcome=event.reason, unread={})


def _cancelled(state: Negotiation, event: happened.NegotiationCancelled) -> Negotiation:
    return replace(
        state,
        outcome=Outcome.CANCELLED,
        unread={},
        cancelled_by=event.by,
        cancel_reason=event.reason,
        reversals=replace(state.reversals, until=event.until, stopped_in=state.status.value, stopped_at=event.at),
    )


def _not_reopened(state: Negotiation, event: happened.ReopeningFailed) -> Negotiation:
    return replace(state, reopened=None)


def _proceeded(state: Negotiation, event: happened.PlanProceeded) -> Negotiation:
    told = state.reversals.was_announced or event.announce
    return replace(
        state,
        proceeded=event,
        reversals=replace(state.reversals, until=event.until, was_announced=told, proceeding=None),
    )


def _given_up(state: Negotiation, event: happened.SeatGivenUp) -> Negotiation:
    return replace(state, given_up={**state.given_up, event.agent_id: event})


def _checks_in(state: Negotiation, event: happened.CheckInAsked) -> Negotiation:
    return replace(state, check_ins={**state.check_ins, event.key: CheckIn(event)})


def _checked_in(state: Negotiation, event: happened.CheckInAnswered) -> Negotiation:
    said = replace(state.check_ins[event.key], answer=event)
    return replace(state, check_ins={**state.check_ins, event.key: said})


# ── gaps and subnets ──────────────────────────────────────────────────────────────────────────────────────────────


def _triggered(state: Negotiation, event: happened.SubnetTriggered) -> Negotiation:
    return replace(state, subnets={**state.subnets, event.sub_channel_id: Subnet(event)})


def _found(state: Negotiation, event: happened.SubnetCompleted) -> Negotiation:
    after = _in_subnet(state, event.sub_channel_id, completed=event)
    if state.final is not None:
        return after
    # Before there is a plan, they are asked like anybody else from here on.
    people = {
        each.agent_id: Asked(agent_id=each.agent_id, display_name=each.display_name, user_id=each.user_id)
        for each in event.found.people
        if each.agent_id not in state.invited
    }
    preparing = state.preparing.union(event.preparing)
    return replace(after, invited={**state.invited, **people}, preparing=preparing)


def _not_found(state: Negotiation, event: happened.SubnetFailed) -> Negotiation:
    return _in_subnet(state, event.sub_channel_id, failed=event)


def _in_subnet(state: Negotiation, channel_id: str, **changes: Any) -> Negotiation:
    return replace(state, subnets={**state.subnets, channel_id: replace(state.subnets[channel_id], **changes)})


def _amended(state: Negotiation, event: happened.ProposalAmended) -> Negotiation:
    """Put the amended plan in place of the agreed one; the rest of the agreement stays."""
    if state.final is None:
        return state
    confirmed = [each for each in event.proposal.assignments if each.agent_id in event.confirmed_participants]
    covered = {each.need_id for each in needs_of(state) if is_enough(state, each, confirmed)}
    # With whoever gave their part up may have gone what they covered.
    lost = [each.need_id for each in needs_of(state) if each.essential] if state.given_up else []
    uncovered = dict.fromkeys((*state.final.uncovered_needs, *lost))
    final = replace(
        state.final,
        uncovered_needs=tuple(each for each in uncovered if each not in covered),
        final_proposal=event.proposal,
        participants_count=event.participants_count,
        confirmed_participants=event.confirmed_participants,
        optional_participants=event.optional_participants,
    )
    return replace(state, final=final)


def _released(state: Negotiation, event: happened.SubnetReleased) -> Negotiation:
    return replace(state, released=True)


def _words_erased(state: Negotiation, event: happened.WordsErased) -> Negotiation:
    """Name again who is still to be named."""
    names = {each.agent_id: each.display_name for each in event.people}

    def named(asked: Asked) -> Asked:
        return replace(asked, display_name=asked.display_name or names.get(asked.agent_id, ""))

    return replace(
        state,
        invited={agent_id: named(each) for agent_id, each in state.invited.items()},
        reserve=tuple(map(named, state.reserve)),
        volunteers={agent_id: volunteers.named(each, names) for agent_id, each in state.volunteers.items()},
        is_plan_erased=state.is_plan_erased or bool(state.proposals),
        is_erased=True,
    )


def _place_changed(state: Negotiation, event: happened.PlaceChanged) -> Negotiation:
    return replace(state, place=replace(state.place, channel=event.channel, shared=event.shared))


# ── when something goes wrong ─────────────────────────────────────────────────────────────────────────────────────


def _degraded(state: Negotiation, event: happened.StepDegraded) -> Negotiation:
    state = replace(state, degraded=(*state.degraded, event))
    if event.prompt != "feedback":
        return state
    seat = state.rounds[-1].seats[event.agent_id]
    doubts = seat.twin_doubts or seat.is_limited  # what nobody has answered is unsure
    return in_seat(state, event.agent_id, twin_asked=False, twin_degraded=True, twin_doubts=doubts)


def _timed(state: Negotiation, event: happened.TimesFound) -> Negotiation:
    return replace(state, times={**state.times, event.version: event})


def _recovered(state: Negotiation, event: happened.RecoveryAttempted) -> Negotiation:
    was_stuck = event.action is not RecoveryAction.GIVE_TIME
    return replace(
        state,
        recoveries=(*state.recoveries, event) if was_stuck else state.recoveries,
        attempts=event.attempt,
        offers_due=event.deadline or state.offers_due,
        until=event.until or state.until,
    )


def _kept(
    kept_in: type[Any], keep: Callable[[str, Negotiation, Event], Negotiation]
) -> Iterator[tuple[type[Event], Change]]:
    """Yield the change of each event that a field has for its own: it is kept there as it was said."""
    for name, kind in get_type_hints(kept_in).items():
        said = [each for each in get_args(kind) if each is not NoneType]
        if len(said) == 1 and isinstance(said[0], type) and kind == said[0] | None and issubclass(said[0], Event):
            yield said[0], partial(keep, name)


def _keep(name: str, state: Negotiation, event: Event) -> Negotiation:
    return replace(state, **{name: event})


def _keep_in_round(name: str, state: Negotiation, event: Event) -> Negotiation:
    return in_round(state, **{name: event})


_CHANGES: Final[Mapping[type[Event], Change]] = {
    **dict(_kept(Negotiation, _keep)),
    **dict(_kept(Round, _keep_in_round)),
    **gathering_fold.CHANGES,
    happened.RoundStarted: _started,
    happened.ProposalDistributed: _distributed,
    happened.CoreChosen: _core_chosen,
    happened.FeedbackDue: _due,
    happened.FeedbackReminded: _reminded,
    happened.PersonReached: _reached,
    happened.PersonUnreachable: _unreachable,
    happened.ProposalFeedback: _voted,
    happened.VotePrepared: _prepared,
    happened.SeatDelegated: _delegated,
    happened.SeatHandedBack: _handed_back,
    happened.ChangeRequested: _change_requested,
    happened.AgentWithdrawn: _withdrawn,
    happened.SubstituteInvited: _invited,
    happened.ProposalFinalized: _agreed,
    happened.ForceFinalized: _forced,
    happened.NegotiationFailed: _failed,
    happened.NegotiationCancelled: _cancelled,
    happened.ReopeningFailed: _not_reopened,
    happened.PlanProceeded: _proceeded,
    happened.PlanTakenUp: lambda state, event: replace(state, taken_up=(*state.taken_up, event.stream)),
    **opinions_fold.CHANGES,
    **undoing.CHANGES,
    **conflicts.CHANGES,
    happened.SeatGivenUp: _given_up,
    happened.CheckInAsked: _checks_in,
    happened.CheckInAnswered: _checked_in,
    **volunteers.CHANGES,
    happened.SubnetTriggered: _triggered,
    happened.SubnetCompleted: _found,
    happened.SubnetFailed: _not_found,
    happened.ProposalAmended: _amended,
    happened.SubnetReleased: _released,
    happened.WordsErased: _words_erased,
    happened.PlaceChanged: _place_changed,
    happened.StepDegraded: _degraded,
    happened.RecoveryAttempted: _recovered,
    happened.TimesFound: _timed,
}
"""ChannelCreated and AggregationStarted are missing, since they change the status alone."""
