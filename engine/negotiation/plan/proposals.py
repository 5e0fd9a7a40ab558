"""Makes a version of a model's draft: with those who were asked alone, an answer to every request, and a digest."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from engine.facts.circumstances import When
from engine.kernel import encode, plain
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    ProposalDraft,
)
from engine.negotiation.events import OfferSubmitted
from engine.negotiation.plan.conditions import held_conditions
from engine.negotiation.plan.core import marked
from engine.negotiation.plan.coverage import (
    alone,
    as_gaps,
    claimed_by,
    each_once,
    fills,
    needs_of,
    with_covers,
    with_taken,
)
from engine.negotiation.plan.moving import with_known_order
from engine.negotiation.plan.parts import agreed_time
from engine.negotiation.plan.wording import faults
from engine.negotiation.remembering import remembered
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Assigned, HeldCondition, Proposal
from engine.negotiation.voting.requests import every_request, kept_words

Seat = TypeVar("Seat", bound=Assignment)

SUBSTANCE: Final = (
    "summary", "objective", "timeline", "when", "gaps", "success_criteria", "risks", "conditions", "room",
)  # fmt: skip
"""What makes a version another plan, besides its seats."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a draft lacks to be a version."""

    version: int
    created_at: str


def first_proposal(state: Negotiation, draft: ProposalDraft | None, stamp: Stamp) -> Proposal:
    """Make version 1 of the draft's seats for those who take part; without a draft, everybody who does has a seat."""
    offers = {each.agent_id: each for each in state.participants}
    if draft is None or not any(each.agent_id in offers for each in draft.assignments):
        draft = _everybody(state, offers.values())
    seats = _seats(state, draft)
    seated = {each.agent_id for each in seats}
    seated_offers = [offers[agent_id] for agent_id in offers if agent_id in seated]
    conditions = held_conditions(state, draft, seats, seated_offers, draft.conditions)
    gaps = as_gaps(state, draft.gaps, seats)
    return stamped(state, replace(draft, conditions=conditions, gaps=gaps, adjustment_summary=None), seats, stamp)


@remembered
def _seats(state: Negotiation, draft: ProposalDraft) -> tuple[Assigned, ...]:
    """Return the seats that a draft makes in the first version, or in the next one."""
    return _next_seats(state, draft, staffed(state)) if state.proposals else _first_seats(state, draft)


def _first_seats(state: Negotiation, draft: ProposalDraft) -> tuple[Assigned, ...]:
    offers = {each.agent_id: each for each in state.participants}
    drafted = tuple(
        _seat(each, offers[each.agent_id].display_name, core=each.core)
        for each in one_seat_each(draft.assignments)
        if each.agent_id in offers
    )
    return marked(state, with_covers(state, with_known_order(drafted)))


def next_proposal(state: Negotiation, draft: ProposalDraft, stamp: Stamp) -> Proposal:
    """Make the next version. A draft changes what people do, not who takes part or is core, and drops no request."""
    base = staffed(state)
    seats = _seats(state, draft)
    left_open = (each for each in base.gaps if each not in _last(state).gaps)
    # Also of somebody whose account was closed since the last round: their seat is free once the next one is over.
    asking = [state.offers[each.agent_id] for each in seats]
    conditions = held_conditions(state, draft, seats, asking, draft.conditions, base.conditions)
    version = replace(
        draft,
        conditions=conditions,
        gaps=as_gaps(state, _with_gaps(draft.gaps, left_open, seats), seats),
        adjustment_summary=every_request(state, draft, seats),
    )
    return stamped(state, version, seats, stamp)


def _next_seats(state: Negotiation, draft: ProposalDraft, base: Proposal) -> tuple[Assigned, ...]:
    """
    Args:
        base: the last version as it is staffed now.
    """
    drafted = {each.agent_id: each for each in one_seat_each(draft.assignments)}
    revised = [
        (each, _revised(each, drafted[each.agent_id]) if each.agent_id in drafted else each)
        for each in base.assignments
    ]
    kept = kept_words(state, draft.adjustment_summary, revised)
    covering = with_taken(state, with_covers(state, with_known_order(kept)))
    return marked(state, covering, before=_last(state).assignments)


def faults_of_draft(state: Negotiation, draft: ProposalDraft) -> str:
    """Say what is wrong with the words of a model's draft for the next version; empty where nothing is."""
    return faults(state, draft, _seats(state, draft))


def unchanged_proposal(state: Negotiation, stamp: Stamp) -> Proposal:
    """Return the last valid version, or a new one without those who have left."""
    last = _last(state)
    remaining = staffed(state)
    if remaining is last:
        return last
    return stamped(state, remaining, marked(state, remaining.assignments, before=last.assignments), stamp)


def are_alike(one: Proposal, other: Proposal) -> bool:
    """Whether two versions are the same plan, whatever they answer to wishes and however they were reasoned."""
    return one is other or _substance(one) == _substance(other)


def _substance(proposal: Proposal) -> list[object]:
    seats = [[getattr(each, name) for name in Assignment.__struct_fields__] for each in proposal.assignments]
    return [seats, *(getattr(proposal, name) for name in SUBSTANCE)]


def unfilled(state: Negotiation) -> tuple[str, ...]:
    """Return what nobody does in the last version, without those who have left since."""
    return without(state, state.proposals[-1], state.withdrawn).gaps if state.proposals else ()


def without(state: Negotiation, proposal: Proposal, gone: Iterable[str]) -> Proposal:
    """Take people out of a plan. What they covered becomes a gap where nobody else does; so does the task of one who
    covered no need, unless somebody who stays has the same role.

    The very same object when nobody is gone.
    """
    left = set(gone)
    leaving = [each for each in proposal.assignments if each.agent_id in left]
    if not leaving:
        return proposal
    staying = tuple(each for each in proposal.assignments if each.agent_id not in left)
    tasks = (each.role or each.responsibility for each in leaving if not each.covers)
    return replace(
        proposal,
        assignments=staying,
        conditions=tuple(each for each in proposal.conditions if each.agent_id not in left),
        gaps=as_gaps(state, _with_gaps(proposal.gaps, tasks, staying), staying),
    )


def _with_gaps(gaps: Iterable[str], tasks: Iterable[str], seats: Iterable[Assignment]) -> tuple[str, ...]:
    """Add to the gaps each task that nobody in these seats has as a role."""
    covered = {"", *(_normalized(each.role) for each in seats)}
    return tuple(dict.fromkeys((*gaps, *(task for task in tasks if _normalized(task) not in covered))))


def _normalized(task: str) -> str:
    """Return the task in a form that is equal for the same task, however it was typed."""
    return task.strip().casefold()


def staffed(state: Negotiation) -> Proposal:
    """Return the last version with substitutes in core seats that were left, and without everybody else who left."""
    last = _last(state)
    seats = tuple(_taken_over(state, each) for each in last.assignments)
    if state.policy.by_needs:
        seats = (*one_seat_each(seats), *_joining(state, seats))
    if seats != last.assignments:  # a substitute may cover less than whoever left
        last = replace(last, assignments=seats, gaps=as_gaps(state, last.gaps, seats))
    staying = without(state, last, state.withdrawn)
    covering = with_taken(state, staying.assignments)
    if covering == staying.assignments:
        return staying
    return replace(staying, assignments=covering, gaps=as_gaps(state, staying.gaps, covering))


def _joining(state: Negotiation, seats: Iterable[Assigned]) -> Iterable[Assigned]:
    """Give a seat to those whom subnets have found since the last version, for what they were looked for."""
    seated = {each.agent_id for each in seats}
    found = {each.agent_id for sub in state.subnets.values() if sub.completed for each in sub.completed.found.people}
    for each in state.participants:
        if each.agent_id in found - seated and each.agent_id not in state.withdrawn:
            yield Assigned(
                agent_id=each.agent_id,
                display_name=each.display_name,
                responsibility=each.contribution,
                covers=tuple(claim.need_id for claim in each.claims),
            )


def _taken_over(state: Negotiation, seat: Assigned) -> Assigned:
    """Seat the substitute, if one covers what was lost. Whether they alone do is seen when the version is whole."""
    invited = state.vacancies.get(seat.agent_id)
    if invited is None or not fills(state, invited):
        return seat
    offer, claimed = state.offers[invited.agent_id], claimed_by(state, invited.agent_id)
    was_alone = seat.agent_id in alone(needs_of(state), _last(state).assignments)
    return replace(
        seat,
        agent_id=offer.agent_id,
        display_name=offer.display_name,
        responsibility=offer.contribution or seat.responsibility,
        notes="",
        covers=tuple(each for each in seat.covers if each in claimed),
        core=seat.core and not was_alone,
    )


def _last(state: Negotiation) -> Proposal:
    last = state.proposal
    assert last is not None, "no version was ever sent"  # noqa: S101 - rounds exist only behind a first version
    return last


def _everybody(state: Negotiation, offers: Iterable[OfferSubmitted]) -> ProposalDraft:
    """Return what stands in for prompt 4's answer: every participant with their own contribution."""
    summary = state.demand_text
    return ProposalDraft(
        summary=summary,
        objective=summary,
        assignments=tuple(Assignment(agent_id=each.agent_id, responsibility=each.contribution) for each in offers),
        confidence="low",
    )


def one_seat_each(assignments: Iterable[Seat]) -> Iterable[Seat]:
    """Give everybody one seat: who is drafted for two has both parts in it."""
    seats: dict[str, Seat] = {}
    for each in assignments:
        before = seats.get(each.agent_id)
        seats[each.agent_id] = each if before is None else both_parts(before, each)
    return seats.values()


def both_parts(one: Seat, other: Assignment) -> Seat:
    """Add another seat of the same person to this one."""
    return replace(
        one,
        role=" / ".join(each_once(text for text in (one.role, other.role) if text)),
        responsibility="\n".join(each_once(text for text in (one.responsibility, other.responsibility) if text)),
        dependencies=each_once((*one.dependencies, *other.dependencies)),
        notes="\n".join(each_once(text for text in (one.notes, other.notes) if text)),
        covers=each_once((*one.covers, *other.covers)),
        when=one.when if one.when == other.when else When(),
        core=one.core or other.core,
        attends=one.attends or other.attends,
        hours=one.hours + other.hours,
        cost=one.cost + other.cost,
        after=each_once((*one.after, *other.after)),
    )


def _revised(seat: Assigned, drafted: Assignment) -> Assigned:
    """Keep what the seat covers and takes where the draft leaves that open."""
    return replace(
        _seat(drafted, seat.display_name, core=seat.core),
        covers=drafted.covers or seat.covers,
        hours=drafted.hours or seat.hours,
        cost=drafted.cost or seat.cost,
        source=seat.source,
    )


def _seat(drafted: Assignment, display_name: str, *, core: bool) -> Assigned:
    """Make a seat of what a draft says that somebody does, with the name we know them by."""
    return Assigned(
        agent_id=drafted.agent_id,
        display_name=display_name,
        role=drafted.role,
        responsibility=drafted.responsibility,
        dependencies=drafted.dependencies,
        notes=drafted.notes,
        covers=drafted.covers,
        when=drafted.when,
        core=core,
        attends=drafted.attends,
        hours=drafted.hours,
        cost=drafted.cost,
        after=drafted.after,
    )


def stamped(state: Negotiation, draft: ProposalDraft, seats: tuple[Assigned, ...], stamp: Stamp) -> Proposal:
    """Make a version of a draft with these seats. Its digest names its content: every field that a draft has."""
    seated = {each.agent_id for each in seats}
    others = tuple(each for each in draft.not_chosen if each.agent_id not in seated)
    fields = ProposalDraft.fields_of(draft) | {"assignments": seats, "not_chosen": others}
    content = plain(ProposalDraft(**fields))
    content["assignments"] = [_of_a_draft(each) for each in content["assignments"]]
    made = Proposal(
        **fields,
        proposal_id=f"prop_{stamp.version:03d}",
        demand_id=state.demand_id,
        version=stamp.version,
        created_at=stamp.created_at,
        digest=hashlib.sha256(f"{stamp.version}\n{encode(content)}".encode()).hexdigest()[:12],
    )
    return replace(made, same_for=_same_for(state.proposal, made)) if state.proposal else made


def _of_a_draft(seat: dict[str, Any]) -> dict[str, Any]:
    return {name: seat[name] for name in Assignment.__struct_fields__}


def _same_for(before: Proposal, after: Proposal) -> tuple[str, ...]:
    """Return for whom nothing is different: their part, their conditions, the times, and what became of a wish."""
    if before.timeline.start_date != after.timeline.start_date:
        return ()
    was = {each.agent_id: each for each in before.assignments}
    summary = after.adjustment_summary or AdjustmentSummary()
    told = {each.agent_id for each in summary.changes_made} | {each.agent_id for each in summary.requests_declined}
    told |= {each.agent_id for each in summary.requests_addressed}
    same = (each.agent_id for each in after.assignments if each == was.get(each.agent_id))
    return tuple(
        each
        for each in same
        if each not in told
        and _held(before, each) == _held(after, each)
        and agreed_time(before, was[each]) == agreed_time(after, was[each])
    )


def _held(proposal: Proposal, agent_id: str) -> tuple[HeldCondition, ...]:
    return tuple(each for each in proposal.conditions if each.agent_id == agent_id)
