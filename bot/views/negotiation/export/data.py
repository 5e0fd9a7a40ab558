"""A negotiation for programs: JSON of a shape that stays."""

from typing import Any, Literal

from bot.views.negotiation.export.ended import EndedNegotiation
from bot.views.negotiation.export.shape import (
    Alternative,
    Asker,
    Assignment,
    Change,
    Condition,
    Demand,
    Export,
    Gap,
    Leaver,
    Mark,
    Milestone,
    Offer,
    Participant,
    Plan,
    Request,
    Tally,
    Vote,
    VotingRound,
    WayOut,
)
from bot.views.negotiation.plan.dates import day_of
from bot.views.negotiation.search.gap_search import GapSearch, gap_searches
from engine.kernel import ModelAnswer, iso, plain
from engine.llm.port import OFFLINE
from engine.negotiation import answers as said
from engine.negotiation.answers import OfferDecision, RequestDeclined
from engine.negotiation.events import OfferSubmitted, ProposalFeedback
from engine.negotiation.plan import marks as marking
from engine.negotiation.plan.marks import marks_of
from engine.negotiation.plan.told_clashes import clashes_now
from engine.negotiation.plan.told_needs import needs_in_round, needs_now
from engine.negotiation.private_reasons import reason_of, why_declined, why_left, why_nobody, would_take_part_if
from engine.negotiation.state import Negotiation, Round, Seat
from engine.negotiation.terms import Person, Proposal, Source


def as_json(ended: EndedNegotiation) -> str:
    return exported(ended).model_dump_json(indent=2) + "\n"


def exported(ended: EndedNegotiation) -> Export:
    state = ended.state
    final = state.final
    return Export(
        negotiation_id=state.channel_id,
        demand_id=state.demand_id,
        status=state.status.value,
        outcome=state.outcome,
        why_nobody=why_nobody(state),
        ended_at=iso(ended.at),
        demand=_demand(ended),
        people=tuple(_person(state, each) for each in {**state.joined, **state.invited}.values()),
        offers=tuple(_offer(state, each) for each in state.offers.values() if not each.degraded),
        plan=_plan(state, ended.plan) if ended.plan else None,
        needs=needs_now(state),
        clashes=clashes_now(state),
        confirmed=final.confirmed_participants if final else (),
        optional=final.optional_participants if final else (),
        open_requests=tuple(_request(each) for each in (final.open_requests if final else state.open_requests())),
        withdrawn=tuple(
            Leaver(agent_id=each.agent_id, reason=why_left(state, each)) for each in state.withdrawn.values()
        ),
        gaps=tuple(_gap(each) for each in gap_searches(state)),
        compromise=_way_out(state.compromise.compromise) if state.compromise else None,
        versions=tuple(_plan(state, each) for each in state.proposals),
        rounds=tuple(_round(state, each) for each in state.rounds),
    )


def _demand(ended: EndedNegotiation) -> Demand:
    told = ended.state.understanding.context if ended.state.understanding else None
    return Demand(
        text=ended.demand,
        asked_by=Asker(user_id=ended.state.requester_id, name=ended.asked_by or None),
        location=told.location if told else None,
        date=told.date if told else None,
        attendees=told.expected_attendees if told else None,
        budget=told.budget if told else None,
    )


def _person(state: Negotiation, asked: Person) -> Participant:
    return Participant(
        agent_id=asked.agent_id,
        name=asked.display_name or asked.agent_id,
        user_id=asked.user_id,
        twin=_twin(state, asked.agent_id),
    )


def _twin(state: Negotiation, agent_id: str) -> Literal["", "offline", "degraded"]:
    if any(each.agent_id == agent_id for each in state.degraded):
        return "degraded"
    votes = (each.seats[agent_id].twin for each in state.rounds if agent_id in each.seats)
    said = (state.offers.get(agent_id), *votes)
    return "offline" if any(each is not None and _is_offline(each) for each in said) else ""


def _is_offline(said: OfferSubmitted | ProposalFeedback) -> bool:
    return said.source is Source.AGENT and said.model == OFFLINE


def _offer(state: Negotiation, offer: OfferSubmitted) -> Offer:
    takes_part = offer.decision is not OfferDecision.DECLINE
    return Offer(
        agent_id=offer.agent_id,
        decision=offer.decision,
        source=offer.source,
        is_offline=_is_offline(offer),
        contribution=offer.contribution if takes_part else "",
        conditions=offer.conditions if takes_part else would_take_part_if(state, offer),
        reason="" if takes_part else why_declined(state, offer),
    )


def _way_out(compromise: said.Compromise) -> WayOut:
    return WayOut(
        summary=compromise.summary,
        facts=compromise.facts,
        assignments=tuple(_seat(each) for each in compromise.assignments),
        alternatives=tuple(
            Alternative(issue=each.issue, resolution=each.resolution, rationale=each.rationale)
            for each in compromise.compromises
        ),
        unresolved=compromise.unresolved,
        next_steps=compromise.suggestions,
    )


def _seat(seat: said.Assignment, source: Literal["offer", "subnet"] = "offer") -> Assignment:
    return Assignment(
        agent_id=seat.agent_id,
        role=seat.role,
        responsibility=seat.responsibility,
        core=seat.core,
        covers=seat.covers,
        source=source,
    )


def _plan(state: Negotiation, plan: Proposal) -> Plan:
    summary = plan.adjustment_summary
    return Plan(
        version=plan.version,
        created_at=plan.created_at,
        summary=plan.summary,
        assignments=tuple(_seat(each, each.source) for each in plan.assignments),
        start=plan.timeline.start_date,
        milestones=tuple(
            Milestone(name=each.name, deliverable=each.deliverable, date=each.date, day=_day(each))
            for each in plan.timeline.milestones
        ),
        conditions=tuple(
            Condition(
                agent_id=each.agent_id,
                condition=each.condition,
                met=each.met,
                reason=each.reason,
                status=each.status,
            )
            for each in plan.conditions
        ),
        gaps=plan.gaps,
        marks=tuple(_mark(each) for each in marks_of(state, plan)),
        changes=tuple(
            Change(aspect=each.aspect, before=each.before, after=each.after)
            for each in (summary.changes_made if summary else ())
        ),
        requests_declined=tuple(_request(each) for each in (summary.requests_declined if summary else ())),
    )


def _mark(mark: marking.Mark) -> Mark:
    return Mark(
        about=mark.about,
        kind=mark.kind.value,
        agent_id=mark.agent_id,
        need_id=mark.need_id,
        number=mark.number,
        wanted=_datum(mark.wanted or mark.wanted_when),
        found=_datum(mark.found or mark.found_when),
        quote=mark.quote,
        why=mark.why,
    )


def _datum(datum: ModelAnswer | None) -> dict[str, Any] | None:
    told: dict[str, Any] | None = plain(datum) if datum is not None else None
    return told


def _gap(lack: GapSearch) -> Gap:
    subnet = lack.subnet
    done = subnet.completed if subnet else None
    ended: Literal["found", "failed"] = "found" if done else "failed"
    return Gap(
        name=lack.gap.gap_type,
        importance=lack.gap.importance,
        reason=lack.gap.reason,
        search="none" if subnet is None else "running" if subnet.is_running else ended,
        found=tuple(each.agent_id for each in done.found.assignments) if done else (),
    )


def _day(step: said.Milestone) -> str | None:
    day = day_of(step)
    return day.isoformat() if day is not None else None


def _request(request: RequestDeclined) -> Request:
    return Request(agent_id=request.agent_id, request=request.request, reason=request.reason)


def _round(state: Negotiation, voted: Round) -> VotingRound:
    tally = voted.tally
    return VotingRound(
        round=voted.number,
        version=voted.version,
        votes=tuple(_vote(state, voted, each) for each in voted.seats.values()),
        tally=Tally(**{name: getattr(tally, name) for name in Tally.model_fields}) if tally else None,
        needs=needs_in_round(state, voted),
    )


def _vote(state: Negotiation, voted: Round, seat: Seat) -> Vote:
    vote, is_secret = seat.vote, state.is_secret(voted)
    return Vote(
        agent_id=seat.agent_id,
        choice=vote.feedback_type if vote and not is_secret else None,
        source=vote.source if vote else None,
        is_offline=vote is not None and _is_offline(vote),
        is_degraded=seat.twin_degraded,
        reason=reason_of(state, vote) if vote and not is_secret else "",
    )
