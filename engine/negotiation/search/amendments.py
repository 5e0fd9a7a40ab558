"""Adds what the subnets have found to the plan. The order in which they end does not matter."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from engine.negotiation.answers import AdjustmentSummary, Assignment, Change, normalized_gap, words_of
from engine.negotiation.events import SeatGivenUp, SubnetCompleted
from engine.negotiation.plan.coverage import as_gaps, is_need, needs_of
from engine.negotiation.plan.moving import moved, moved_seats, moves
from engine.negotiation.plan.proposals import Stamp, both_parts, stamped
from engine.negotiation.state import Negotiation, Rescheduling, Volunteer, filling
from engine.negotiation.terms import Assigned


def amendment(state: Negotiation, created_at: str) -> dict[str, Any]:
    """Return the plan's part of the event: what was agreed, and what every subnet has found so far, by importance;
    without whoever has given their part up.
    """
    agreed = state.agreed
    assert agreed is not None, "no plan was agreed"  # noqa: S101 - subnets exist only behind one
    gone = state.given_up
    done = [each.completed for each in state.subnets.values() if each.completed and not _has_gone(each.completed, gone)]
    seats = {each.agent_id: each for each in agreed.final_proposal.assignments if each.agent_id not in gone}
    doubtful = {*seats} - {*agreed.confirmed_participants}
    for each in done:
        for seat in each.found.assignments:
            if seat.agent_id in gone:
                continue
            added = replace(
                Assignment(**Assignment.fields_of(seat)), core=False, covers=_filled_needs(state, each, seat)
            )
            seats[seat.agent_id] = _seated(seats.get(seat.agent_id), added)
        doubtful |= {seat.agent_id for seat in each.found.assignments} - set(each.found.confirmed_participants)
    helping = filling(state.volunteers)
    for helper in helping:
        if helper.offered.agent_id not in gone:
            seats[helper.offered.agent_id] = _seated(seats.get(helper.offered.agent_id), _helping(state, helper))
    named = (*agreed.final_proposal.gaps, *(lack for each in gone.values() for lack in each.lacks))
    unfilled = [each for each in named if not _is_filled(each, done)]
    plan = replace(
        moved(state, agreed.final_proposal),
        gaps=as_gaps(state, unfilled, [*seats.values()]),
        adjustment_summary=AdjustmentSummary(
            round=state.round,
            changes_made=(
                *map(_change, done),
                *(_arrival(state, each) for each in helping),
                *map(_departure, gone.values()),
                *map(_move, moves(state)),
            ),
        ),
    )
    return {
        "proposal": stamped(state, plan, moved_seats(state, seats.values()), Stamp(_version(state), created_at)),
        "participants_count": len(seats),
        "confirmed_participants": tuple(each for each in seats if each not in doubtful),
        "optional_participants": tuple(each for each in seats if each in doubtful),
    }


def _version(state: Negotiation) -> int:
    """Count the version that follows: one for each of those that were sent out, and for each change since."""
    completed = [each for each in state.subnets.values() if each.completed]
    helping = filling(state.volunteers)
    return len(state.proposals) + len(completed) + len(helping) + len(state.given_up) + len(moves(state))


def _has_gone(done: SubnetCompleted, gone: Collection[str]) -> bool:
    """Whether everybody whom a subnet found has given up what they were found for."""
    return all(each.agent_id in gone for each in done.found.assignments)


def _departure(left: SeatGivenUp) -> Change:
    return Change(aspect=", ".join(left.lacks), before=left.display_name)


def _move(done: Rescheduling) -> Change:
    before, after = (words_of(each) if each else "" for each in (done.begun.when, done.when))
    return Change(before=before, after=after)


def _helping(state: Negotiation, helper: Volunteer) -> Assignment:
    """Return the seat of somebody who does what the plan lacked."""
    offered = helper.offered
    return Assignment(
        agent_id=offered.agent_id,
        display_name=offered.display_name,
        role=_does(state, helper),
        responsibility=offered.text,
        covers=helper.answered.covers if helper.answered else (),
    )


def _arrival(state: Negotiation, helper: Volunteer) -> Change:
    return Change(aspect=_does(state, helper), after=helper.offered.display_name)


def _does(state: Negotiation, helper: Volunteer) -> str:
    taken = helper.answered.covers if helper.answered else ()
    return ", ".join(each.what for each in needs_of(state) if each.need_id in taken)


def _seated(before: Assigned | None, added: Assignment) -> Assigned:
    """Seat somebody. Who was found for two gaps has one seat with both parts in it."""
    seat = Assigned(**Assignment.fields_of(added), source="subnet")
    return seat if before is None else replace(both_parts(before, seat), source="subnet")


def _filled_needs(state: Negotiation, done: SubnetCompleted, seat: Assignment) -> tuple[str, ...]:
    """Return the need that the gap was, if somebody whom the subnet found covers it."""
    missing = (each.need_id for each in needs_of(state) if is_need(each, done.gap_type))
    return tuple(each for each in missing if each in seat.covers)


def _is_filled(gap: str, done: Iterable[SubnetCompleted]) -> bool:
    """Whether what a gap of the plan names has been found since."""
    said = normalized_gap(gap)
    return any((name := normalized_gap(each.gap_type)) in said or said in name for each in done)


def _change(done: SubnetCompleted) -> Change:
    names: Mapping[str, str] = {each.agent_id: each.display_name for each in done.found.people}
    seats = [(names.get(each.agent_id, each.display_name), each.role) for each in done.found.assignments]
    return Change(aspect=done.gap_type, after=", ".join(f"{name} ({role})" if role else name for name, role in seats))
