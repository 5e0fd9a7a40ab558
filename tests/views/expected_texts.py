"""The texts of people and models that a post must contain, taken from the state and not from the views."""

from collections.abc import Iterator

from engine.negotiation.answers import OfferDecision
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Proposal


def texts_in_post(state: Negotiation, key: str) -> Iterator[str]:
    match key.partition("-")[0]:
        case "root":
            yield from _demand(state)
        case "offers":
            yield from _offers(state)
        case "round":
            yield from _round(state, key)
        case "outcome":
            yield from _outcome(state)


def _demand(state: Negotiation) -> Iterator[str]:
    understanding = state.understanding
    if understanding is None:
        yield state.raw_input
        return
    yield understanding.surface_demand
    yield from filter(None, (understanding.context.location, understanding.context.date, understanding.context.budget))
    if state.is_open:
        yield from understanding.uncertainties


def _offers(state: Negotiation) -> Iterator[str]:
    for asked in state.invited.values():
        yield asked.display_name
        yield asked.reason
    for offer in state.offers.values():
        if offer.degraded or offer.agent_id not in state.invited:
            continue
        if offer.decision is OfferDecision.DECLINE:
            yield offer.decline_reason or offer.reasoning
            continue
        yield offer.contribution
        if offer.decision is OfferDecision.CONDITIONAL:
            yield from offer.conditions


def _round(state: Negotiation, key: str) -> Iterator[str]:
    index = next(index for index, each in enumerate(state.rounds) if key == f"round-{each.number}")
    shown = state.rounds[index]
    proposal = state.proposals[shown.version - 1]
    yield from _proposal(proposal)
    if proposal.adjustment_summary and not (index and state.rounds[index - 1].version == shown.version):
        for change in proposal.adjustment_summary.changes_made:
            yield from (change.aspect, change.before, change.after)
        for declined in proposal.adjustment_summary.requests_declined:
            yield from (declined.request, declined.reason)
    for seat in shown.seats.values():
        if seat.vote:
            yield seat.vote.adjustment_request or seat.vote.reasoning


def _proposal(proposal: Proposal) -> Iterator[str]:
    yield proposal.summary
    for seat in proposal.assignments:
        yield from (seat.role, seat.responsibility)
    yield proposal.timeline.start_date
    for each in proposal.timeline.milestones:
        yield from (each.date, each.name, each.deliverable)
    for condition in proposal.conditions:
        yield from (condition.condition, condition.reason)
    yield from proposal.gaps


def _outcome(state: Negotiation) -> Iterator[str]:
    if state.final:
        yield from _proposal(state.final.final_proposal)
        requests = state.final.open_requests
    elif state.status is Status.CANCELLED:
        yield state.cancel_reason
        return
    else:
        yield from (each.reason for each in state.withdrawn.values())
        requests = state.open_requests()
        if not state.invited:
            yield state.analysis
    for request in requests:
        yield from (request.request, request.reason)
