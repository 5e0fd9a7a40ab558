"""Fills core seats that were left: invites people of the reserve who may cover what was lost; the status stays."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from engine.facts.circumstances import When
from engine.kernel import AlarmRang, Ask, Millis
from engine.negotiation.answers import Circumstances, Need, VacantSeat
from engine.negotiation.commands import RecordOffer
from engine.negotiation.drafting import NegotiationDraft, later
from engine.negotiation.events import NegotiationFailed, SubstituteInvited
from engine.negotiation.offers.offers import record_offer
from engine.negotiation.plan.core import core_seats
from engine.negotiation.plan.coverage import SEAT, coverage, fills, lost_needs, needs_of
from engine.negotiation.state import Negotiation, Round
from engine.negotiation.terms import Asked, Outcome

SUBSTITUTE: Final = "substitute"
"""The alarms that end the wait for a substitute."""


def waiting(agent_id: str) -> str:
    """Return the scope of a substitute's offer, which also names the alarm that ends the wait for it."""
    return f"{SUBSTITUTE}/{agent_id}"


def lost_core_seats(state: Negotiation, closed: Round) -> tuple[str, ...]:
    """Return the participants of core seats who withdrew in this round.

    Where everybody who covered an essential need withdrew, the first of them counts as core.
    """
    if not state.policy.core_gate:
        return ()
    plan = state.proposals[closed.version - 1]
    left = {agent_id for agent_id, seat in closed.seats.items() if seat.vote and seat.vote.feedback_type.kind.leaves}
    lost = core_seats(state, plan) & left
    if state.core_choice is None:
        for each in coverage(state, plan):
            if each.need.essential and each.covered_by and left.issuperset(each.covered_by):
                lost |= set() if lost.intersection(each.covered_by) else {each.covered_by[0]}
    return tuple(agent_id for agent_id in closed.seats if agent_id in lost)


def candidates(state: Negotiation, vacant: Iterable[str], gone: Collection[str]) -> Mapping[str, Asked]:
    """Return whom of the reserve each vacant seat is offered to: as many seats as can be, and to each person one.

    Of those who carry what was lost with a seat, who carries most of it comes first, then who fits best.

    Args:
        vacant: agent ids of those who left the seats.
        gone: agent ids of everybody who has left, also in a round that is being closed.
    """
    fitting = {seat: _fitting(state, seat, gone) for seat in vacant}
    taken: dict[str, tuple[str, Asked]] = {}
    """By the agent id of a candidate, the seat that they are offered."""

    def is_seated(seat: str, seen: set[str]) -> bool:
        """Offer the seat to somebody, and their seat to somebody else if they had one (Kuhn's algorithm)."""
        for each in sorted(fitting[seat], key=lambda each: each.agent_id in taken):  # those who have none come first
            if each.agent_id in seen:
                continue
            seen.add(each.agent_id)
            if each.agent_id not in taken or is_seated(taken[each.agent_id][0], seen):
                taken[each.agent_id] = (seat, each)
                return True
        return False

    for seat in fitting:
        is_seated(seat, set())
    return dict(taken.values())


def _fitting(state: Negotiation, replaces: str, gone: Collection[str]) -> list[Asked]:
    """Return those of the reserve who may take a seat, the best first; of equals, the first.

    What a seat that covers no need is about nobody has said of anybody, so anybody may be asked whether they do it; so
    may they where the shortlist has said of nobody what they are thought to cover.
    """
    needs = _lost_with(state, replaces, gone)
    known = (*state.candidates, *state.reserve, *state.invited.values())
    is_open = not needs or SEAT in needs or not any(each.covers for each in known)
    able = [each for each in state.reserve if is_open or not set(needs).isdisjoint(each.covers)]
    return sorted(able, key=lambda each: (-sum(need in each.covers for need in needs), -each.confidence))


def invite(draft: NegotiationDraft, vacant: Iterable[str], at: Millis) -> bool:
    """Offer vacant seats to people of the reserve who were not asked yet. Return whether each has somebody."""
    vacant = tuple(vacant)
    found = candidates(draft.state, vacant, draft.state.withdrawn)
    for replaces in vacant:
        if replaces in found:
            _offer(draft, replaces, found[replaces], at)
    return len(found) == len(vacant)


def _offer(draft: NegotiationDraft, replaces: str, candidate: Asked, at: Millis) -> None:
    state = draft.state
    left = state.assignment(replaces)
    deadline = later(at, state.policy.response_timeout)
    draft.happens(
        SubstituteInvited(
            **draft.ids,
            agent_id=candidate.agent_id,
            display_name=candidate.display_name,
            replaces=replaces,
            role=left.role if left else "",
            round=state.round,
            deadline=deadline,
            needs=_lost_with(state, replaces, state.withdrawn),
        )
    )
    _owe(draft, candidate.agent_id, deadline)


def _owe(draft: NegotiationDraft, agent_id: str, deadline: Millis) -> None:
    draft.owes(Ask(name=f"offer/{agent_id}", scope=waiting(agent_id), prompt="respond", about=agent_id))
    draft.sets(waiting(agent_id), deadline)


def ask_again(draft: NegotiationDraft, invited: SubstituteInvited) -> None:
    """Ask a substitute who has not answered."""
    _owe(draft, invited.agent_id, invited.deadline)


def answered(draft: NegotiationDraft, command: RecordOffer) -> bool:
    """Record a substitute's offer. Who declines, or covers nothing of what was lost, makes room for the next.

    Returns:
        whether somebody takes a seat.
    """
    if command.agent_id not in _invited(draft.state):
        return False
    draft.clears(waiting(command.agent_id))
    record_offer(draft, command)
    invited = next(each for each in draft.state.vacancies.values() if each.agent_id == command.agent_id)
    if not fills(draft.state, invited):
        _next(draft, command.agent_id, command.at)
        return False
    return True


def all_seated(state: Negotiation) -> bool:
    return all(fills(state, each) for each in state.vacancies.values())


def alarm_rang(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    """Treat a substitute who does not answer in time as one who declines."""
    for each in awaited(draft.state):
        if alarm.name == waiting(each.agent_id) and alarm.at >= each.deadline:
            _did_not_answer(draft, each, alarm.at)
            return


def give_up_waiting(draft: NegotiationDraft, at: Millis) -> None:
    """Stop waiting for the substitutes who have not answered."""
    for each in awaited(draft.state):
        if draft.state.is_open:
            _did_not_answer(draft, each, at)


def _did_not_answer(draft: NegotiationDraft, invited: SubstituteInvited, at: Millis) -> None:
    draft.voids(waiting(invited.agent_id))
    draft.clears(waiting(invited.agent_id))
    draft.gave_up("respond", "E004", agent_id=invited.agent_id)
    _next(draft, invited.agent_id, at)


def awaited(state: Negotiation) -> tuple[SubstituteInvited, ...]:
    """Return the substitutes who were invited and have not answered yet."""
    return tuple(each for each in state.vacancies.values() if state.is_open and each.agent_id not in state.offers)


def _invited(state: Negotiation) -> tuple[str, ...]:
    return tuple(each.agent_id for each in state.vacancies.values())


def abandon(draft: NegotiationDraft) -> None:
    """Stop waiting for any substitute."""
    for agent_id in _invited(draft.state):
        draft.voids(waiting(agent_id))
        draft.clears(waiting(agent_id))


def _next(draft: NegotiationDraft, declined: str, at: Millis) -> None:
    state = draft.state
    replaces = next(left for left, each in state.vacancies.items() if each.agent_id == declined)
    if invite(draft, (replaces,), at):
        return
    abandon(draft)
    draft.happens(NegotiationFailed(**draft.ids, reason=Outcome.CORE_WITHDRAWN, last_proposal=state.proposal))


def vacant_seat(state: Negotiation, agent_id: str) -> VacantSeat | None:
    """Return the seat that somebody is asked to take, as a substitute or since nobody covers what it takes.

    None if they are asked for nothing certain.
    """
    vacancy = next(((left, each) for left, each in state.vacancies.items() if each.agent_id == agent_id), None)
    plan = state.proposal
    context = state.understanding.context if state.understanding else Circumstances()
    place = context.location or ""
    if state.sought and agent_id in state.asked_twins:
        sought = tuple(each for each in needs_of(state) if each.need_id in state.sought)
        return VacantSeat(needs=sought, when=context.when, place=place)
    if vacancy is None or plan is None:
        return None
    left, invited = vacancy
    seat = next((each for each in plan.assignments if each.agent_id == left), None)
    needs = [each for each in needs_of(state) if each.need_id in invited.needs]
    if SEAT in invited.needs and seat is not None:
        called = seat.role or seat.responsibility
        needs.append(Need(need_id=SEAT, what=called, tags=(called,)))
    return VacantSeat(
        role=invited.role,
        needs=tuple(needs),
        when=seat.when if seat and seat.when != When() else plan.when,
        place=place,
    )


def _lost_with(state: Negotiation, agent_id: str, gone: Collection[str]) -> tuple[str, ...]:
    seats = state.proposals[-1].assignments
    seat = next(each for each in seats if each.agent_id == agent_id)
    return lost_needs(state, seat, [each for each in seats if each.agent_id not in gone])
