"""Fills core seats that were left: invites people of the reserve who may cover what was lost; the status stays."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from engine.facts.circumstances import When
from engine.kernel import AlarmRang, Millis, later
from engine.negotiation.answers import Circumstances, Need, OfferDecision, VacantSeat
from engine.negotiation.commands import RecordOffer
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import NegotiationFailed, OfferSubmitted, SubstituteInvited
from engine.negotiation.offers.offers import next_id, record_offer
from engine.negotiation.plan.core import core_seats
from engine.negotiation.plan.coverage import SEAT, coverage, fills, lost_needs, needs_of, takers
from engine.negotiation.plan.proposals import staffed
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
    left = {agent_id for agent_id, seat in closed.seats.items() if seat.leaves}
    core = core_seats(state, plan)
    # Where needs decide, somebody leaves a hole only with what nobody else covers, unless whoever asked says so.
    decides = bool(state.policy.by_needs and needs_of(state) and state.core_choice is None)
    lost = set[str]() if decides else set(core & left)
    if state.core_choice is None or state.policy.by_needs:
        for each in coverage(state, plan):
            if each.need.essential and each.covered_by and left.issuperset(each.covered_by):
                first = next((one for one in each.covered_by if one in core), each.covered_by[0])
                lost |= set() if lost.intersection(each.covered_by) else {first}
    return tuple(agent_id for agent_id in closed.seats if agent_id in lost)


def can_be_filled(state: Negotiation, lost: Collection[str], gone: Collection[str]) -> int:
    """Return how many of these seats somebody could take, of the reserve or of those who stay."""
    if not lost:
        return 0
    open_seats = _open(state, lost, gone)
    return len(lost) - len(open_seats) + len(candidates(state, open_seats, gone))


def still_lost(state: Negotiation) -> tuple[str, ...]:
    """Return the ids of the needs that were lost in the last round and that nobody covers who stays, steps in or was
    found; `coverage.SEAT` for a seat that takes no need of its own.

    Of a seat of which nothing essential is lost, any part will do.
    """
    covered = {need_id for each in staffed(state).assignments for need_id in each.covers}
    essential = {each.need_id for each in needs_of(state) if each.essential}
    lost: dict[str, None] = {}
    for left in lost_core_seats(state, state.rounds[-1]):
        needs = _lost_with(state, left, state.withdrawn) or (SEAT,)
        invited = state.vacancies.get(left)
        if not essential.isdisjoint(needs):
            lost.update(dict.fromkeys(each for each in needs if each in essential - covered))
        elif invited is None or not fills(state, invited):
            lost.update(dict.fromkeys(needs))
    return tuple(lost)


def _open(state: Negotiation, lost: Iterable[str], gone: Collection[str]) -> tuple[str, ...]:
    """Return the seats of which something is left that nobody who stays takes over."""
    staying = [each for each in state.proposals[-1].assignments if each.agent_id not in gone]
    taken = {need_id for needs in takers(state, staying).values() for need_id in needs}
    return tuple(each for each in lost if not taken.issuperset(_lost_with(state, each, gone) or (SEAT,)))


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
    found = dict(taken.values())
    if state.policy.by_needs:  # who is asked for one seat may take another as well
        for seat, able in fitting.items():
            also = next((each for each in able if each.agent_id in taken), None)
            if seat not in found and also is not None:
                found[seat] = also
    return found


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
    vacant = _open(draft.state, vacant, draft.state.withdrawn)
    found = candidates(draft.state, vacant, draft.state.withdrawn)
    for replaces in vacant:
        if replaces in found:
            _offer(draft, replaces, found[replaces], at)
    return len(found) == len(vacant)


def _offer(draft: NegotiationDraft, replaces: str, candidate: Asked, at: Millis) -> None:
    state = draft.state
    left = state.assignment(replaces)
    draft.happens(
        SubstituteInvited(
            **draft.ids,
            agent_id=candidate.agent_id,
            display_name=candidate.display_name,
            replaces=replaces,
            role=left.role if left else "",
            round=state.round,
            deadline=later(at, state.policy.response_timeout),
            needs=_lost_with(state, replaces, state.withdrawn),
        )
    )


def answered(draft: NegotiationDraft, command: RecordOffer) -> bool:
    """Record a substitute's offer. Who declines, or covers nothing of what was lost, makes room for the next.

    Returns:
        whether somebody takes a seat.
    """
    if command.agent_id not in _invited(draft.state):
        return False
    if command.degraded is not None and _ask_in_person(draft, command.agent_id, command.at, why=command.degraded):
        return False
    record_offer(draft, command)
    return take(draft, command.agent_id, command.at)


def take(draft: NegotiationDraft, agent_id: str, at: Millis) -> bool:
    """Seat whoever has answered, or make room for the next. Return whether they take a seat."""
    empty = [left for left, each in _vacancies(draft.state, agent_id) if not fills(draft.state, each)]
    if empty:
        _next(draft, empty, at)
    return len(empty) < len(_vacancies(draft.state, agent_id))


def _vacancies(state: Negotiation, agent_id: str) -> list[tuple[str, SubstituteInvited]]:
    return [(left, each) for left, each in state.vacancies.items() if each.agent_id == agent_id]


def _ask_in_person(draft: NegotiationDraft, agent_id: str, at: Millis, *, why: str) -> bool:
    """Ask the person whose twin could not answer, where needs decide. Return whether they are waited for."""
    state, window = draft.state, draft.state.policy.human_window
    asked = _vacancies(state, agent_id)
    if not state.policy.by_needs or not window or not state.invited[agent_id].user_id or asked[0][1].in_person:
        return False
    draft.gave_up("respond", why, agent_id=agent_id)
    for _, each in asked:
        draft.happens(replace(each, round=state.round, deadline=later(at, window), in_person=True))
    return True


def all_seated(state: Negotiation) -> bool:
    return all(fills(state, each) for each in state.vacancies.values())


def time_is_up(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    """Treat a substitute who does not answer in time as one who declines; ask the person whose twin does not."""
    for each in awaited(draft.state):
        if alarm.name == waiting(each.agent_id) and alarm.at >= each.deadline:
            if not _ask_in_person(draft, each.agent_id, alarm.at, why="E004"):
                _did_not_answer(draft, each, alarm.at)
            return


def unreachable(draft: NegotiationDraft, agent_id: str, at: Millis) -> None:
    """Stop waiting for a substitute whom nobody could tell that their own answer is waited for."""
    _did_not_answer(draft, _vacancies(draft.state, agent_id)[0][1], at)


def give_up_waiting(draft: NegotiationDraft, at: Millis) -> None:
    """Stop waiting for the substitutes who have not answered."""
    for each in awaited(draft.state):
        if each in awaited(draft.state):  # not for a second seat of somebody who was given up with the first
            _did_not_answer(draft, each, at)


def _did_not_answer(draft: NegotiationDraft, invited: SubstituteInvited, at: Millis) -> None:
    draft.gave_up("respond", "E004", agent_id=invited.agent_id)
    if draft.state.policy.by_needs:  # else somebody is asked instead, or it ends
        draft.happens(
            OfferSubmitted(
                **draft.ids,
                offer_id=next_id(draft.state),
                agent_id=invited.agent_id,
                display_name=invited.display_name,
                decision=OfferDecision.DECLINE,
                confidence=0,
                degraded=True,
            )
        )
    _next(draft, [left for left, _ in _vacancies(draft.state, invited.agent_id)], at)


def awaited(state: Negotiation) -> tuple[SubstituteInvited, ...]:
    """Return the substitutes who were invited and have not answered yet."""
    return tuple(each for each in state.vacancies.values() if state.is_open and each.agent_id not in state.offers)


def _invited(state: Negotiation) -> tuple[str, ...]:
    return tuple(each.agent_id for each in state.vacancies.values())


def _next(draft: NegotiationDraft, vacant: Iterable[str], at: Millis) -> None:
    """Ask the next of the reserve. Where needs decide, whoever asked is asked when nobody is left."""
    state = draft.state
    if invite(draft, vacant, at) or state.policy.by_needs:
        return
    draft.happens(NegotiationFailed(**draft.ids, reason=Outcome.CORE_WITHDRAWN, last_proposal=state.proposal))


def vacant_seat(state: Negotiation, agent_id: str) -> VacantSeat | None:
    """Return the seat that somebody is asked to take, as a substitute or since nobody covers what it takes.

    None if they are asked for nothing certain.
    """
    vacancies = _vacancies(state, agent_id) if state.vacancies else []
    plan = state.proposal
    context = state.understanding.context if state.understanding else Circumstances()
    place = context.location or ""
    if state.sought and agent_id in state.asked_twins:
        sought = tuple(each for each in needs_of(state) if each.need_id in state.sought)
        return VacantSeat(needs=sought, when=context.when, place=place)
    if not vacancies or plan is None:
        return None
    lost = {need_id for _, each in vacancies for need_id in each.needs}
    seat = next((each for each in plan.assignments if each.agent_id == vacancies[0][0]), None)
    needs = [each for each in needs_of(state) if each.need_id in lost]
    if SEAT in lost and seat is not None:
        called = seat.role or seat.responsibility
        needs.append(Need(need_id=SEAT, what=called, tags=(called,)))
    return VacantSeat(
        role=" / ".join(dict.fromkeys(each.role for _, each in vacancies if each.role)),
        needs=tuple(needs),
        when=seat.when if seat and seat.when != When() else plan.when,
        place=place,
    )


def _lost_with(state: Negotiation, agent_id: str, gone: Collection[str]) -> tuple[str, ...]:
    seats = state.proposals[-1].assignments
    seat = next(each for each in seats if each.agent_id == agent_id)
    return lost_needs(state, seat, [each for each in seats if each.agent_id not in gone])
