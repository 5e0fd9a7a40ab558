"""A negotiation for programs: JSON of a shape that stays. `schema.json` beside this file says the same in JSON Schema.

What changes a field's name or meaning, or takes one away, is a new `schema_version`; a field more is not.
"""

import json
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict

from bot.views.negotiation.export.dates import read_day
from bot.views.negotiation.export.ended import EndedNegotiation
from bot.views.negotiation.gap_search import GapSearch, gap_searches
from engine.kernel import Validated, iso
from engine.negotiation import answers as said
from engine.negotiation.answers import Compromise, FeedbackType, OfferDecision, RequestDeclined, without_surrogates
from engine.negotiation.events import OfferSubmitted
from engine.negotiation.private_reasons import reason_of, why_declined, why_left, why_nobody
from engine.negotiation.state import Negotiation, Round, Seat
from engine.negotiation.terms import Outcome, Person, Proposal, Source
from engine.negotiation.told_needs import NeedTold, needs_in_round, needs_now

Text = Annotated[str, BeforeValidator(without_surrogates)]
"""As somebody wrote it; nothing in it is escaped."""
AgentId = str
"""Names one of the `people`."""


class Part(Validated):
    model_config = ConfigDict(use_attribute_docstrings=True)


class Asker(Part):
    user_id: str
    name: Text | None
    """None where nobody knows."""


class Demand(Part):
    text: Text
    """As it was understood: what was negotiated about."""
    asked_by: Asker
    location: Text | None
    date: Text | None
    attendees: int | None
    budget: Text | None


class Participant(Part):
    """Somebody who was asked."""

    agent_id: AgentId
    name: Text
    user_id: str | None
    """The linked person; none where there is only a twin."""


class Offer(Part):
    agent_id: AgentId
    decision: OfferDecision
    source: Source
    """The person, or the twin."""
    contribution: Text
    conditions: tuple[Text, ...]
    reason: Text
    """Why not. Empty where people of other companies read along."""


class Assignment(Part):
    agent_id: AgentId
    role: Text
    responsibility: Text
    core: bool
    """Without this seat the plan falls."""
    covers: tuple[str, ...]
    """The ids of the needs that it covers."""
    source: Literal["offer", "subnet"]
    """Whether they answered the demand itself, or were found for one of the plan's gaps."""


class Milestone(Part):
    name: Text
    deliverable: Text
    date: Text
    """In the plan's own words."""
    day: str | None
    """ISO 8601, where those words are a day and nothing else: a date, or a time of day without zone or in UTC."""


class Condition(Part):
    agent_id: AgentId
    condition: Text
    met: bool
    reason: Text
    status: Literal["", "met", "broken", "unknown"] = ""
    """What the plan itself shows; ``unknown``: nothing, and `met` is what was promised. Empty: it was not looked at."""


class Change(Part):
    aspect: Text
    before: Text
    after: Text


class Request(Part):
    """What somebody asked for and did not get, and why."""

    agent_id: AgentId
    request: Text
    reason: Text


class Plan(Part):
    version: int
    created_at: str
    summary: Text
    assignments: tuple[Assignment, ...]
    start: Text
    milestones: tuple[Milestone, ...]
    conditions: tuple[Condition, ...]
    gaps: tuple[Text, ...]
    """What nobody does yet."""
    changes: tuple[Change, ...]
    """Against the version before."""
    requests_declined: tuple[Request, ...]


class Vote(Part):
    agent_id: AgentId
    choice: FeedbackType | None
    """None for no answer, and where votes are blind and the round was never evaluated."""
    source: Source | None
    """The person, the twin, or the clock: somebody who was asked and did not object in time."""
    reason: Text
    """A wish; or a thought, which is empty where people of other companies read along."""


class Tally(Part):
    total: int
    accepts: int
    negotiates: int
    rejects: int
    """Those who withdrew among them."""
    withdraws: int
    silent: int


class VotingRound(Part):
    round: int
    version: int
    """Of the plan that was voted on."""
    votes: tuple[Vote, ...]
    tally: Tally | None
    """None where the negotiation ended before the round did."""
    needs: tuple[NeedTold, ...]
    """As this version covers them."""


class Gap(Part):
    """Something that the agreed plan lacks, or lacked."""

    name: Text
    importance: int
    """0 to 100."""
    reason: Text
    search: Literal["none", "running", "found", "failed"]
    """What became of looking for it; ``none`` where nobody looked."""
    found: tuple[AgentId, ...]


class Leaver(Part):
    agent_id: AgentId
    reason: Text
    """Empty where people of other companies read along."""


class Alternative(Part):
    issue: Text
    resolution: Text
    rationale: Text


class WayOut(Part):
    """What would still be possible, as a model sees it. Nobody is bound by it."""

    summary: Text
    facts: tuple[Text, ...]
    assignments: tuple[Assignment, ...]
    alternatives: tuple[Alternative, ...]
    unresolved: tuple[Text, ...]
    next_steps: tuple[Text, ...]


class Export(Part):
    """A negotiation that is over. Every time is ISO 8601, UTC."""

    schema_version: Literal[1] = 1
    negotiation_id: str
    demand_id: str
    status: Literal["finalized", "force_finalized", "failed"]
    outcome: Outcome
    why_nobody: Text
    """Where nobody was asked, why nobody seemed to fit. Empty where people of other companies read along."""
    ended_at: str
    demand: Demand
    people: tuple[Participant, ...]
    offers: tuple[Offer, ...]
    plan: Plan | None
    """What was agreed; where it failed, the last version that was voted on, if there was any."""
    needs: tuple[NeedTold, ...]
    """What the demand takes, as the plan covers it."""
    confirmed: tuple[AgentId, ...]
    """Those who accepted this very plan."""
    optional: tuple[AgentId, ...]
    """Those who are in the plan and did not."""
    open_requests: tuple[Request, ...]
    withdrawn: tuple[Leaver, ...]
    gaps: tuple[Gap, ...]
    """The most important first."""
    compromise: WayOut | None
    """Where it failed, and a model has said what would still be possible."""
    versions: tuple[Plan, ...]
    """Every version that was voted on, oldest first."""
    rounds: tuple[VotingRound, ...]


def as_json(ended: EndedNegotiation) -> str:
    return exported(ended).model_dump_json(indent=2) + "\n"


def schema() -> str:
    """What `schema.json` holds."""
    shape: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    shape |= Export.model_json_schema(mode="serialization")
    return json.dumps(shape, indent=2, ensure_ascii=False) + "\n"


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
        people=tuple(_person(each) for each in {**state.joined, **state.invited}.values()),
        offers=tuple(_offer(state, each) for each in state.offers.values() if not each.degraded),
        plan=_plan(ended.plan) if ended.plan else None,
        needs=needs_now(state),
        confirmed=final.confirmed_participants if final else (),
        optional=final.optional_participants if final else (),
        open_requests=tuple(_request(each) for each in (final.open_requests if final else state.open_requests())),
        withdrawn=tuple(
            Leaver(agent_id=each.agent_id, reason=why_left(state, each)) for each in state.withdrawn.values()
        ),
        gaps=tuple(_gap(each) for each in gap_searches(state)),
        compromise=_way_out(state.compromise.compromise) if state.compromise else None,
        versions=tuple(_plan(each) for each in state.proposals),
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


def _person(asked: Person) -> Participant:
    return Participant(agent_id=asked.agent_id, name=asked.display_name or asked.agent_id, user_id=asked.user_id)


def _offer(state: Negotiation, offer: OfferSubmitted) -> Offer:
    takes_part = offer.decision is not OfferDecision.DECLINE
    return Offer(
        agent_id=offer.agent_id,
        decision=offer.decision,
        source=offer.source,
        contribution=offer.contribution if takes_part else "",
        conditions=offer.conditions if offer.decision is OfferDecision.CONDITIONAL else (),
        reason="" if takes_part else why_declined(state, offer),
    )


def _way_out(compromise: Compromise) -> WayOut:
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


def _plan(plan: Proposal) -> Plan:
    summary = plan.adjustment_summary
    return Plan(
        version=plan.version,
        created_at=plan.created_at,
        summary=plan.summary,
        assignments=tuple(_seat(each, each.source) for each in plan.assignments),
        start=plan.timeline.start_date,
        milestones=tuple(
            Milestone(name=each.name, deliverable=each.deliverable, date=each.date, day=_day(each.date))
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
        changes=tuple(
            Change(aspect=each.aspect, before=each.before, after=each.after)
            for each in (summary.changes_made if summary else ())
        ),
        requests_declined=tuple(_request(each) for each in (summary.requests_declined if summary else ())),
    )


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


def _day(said: str) -> str | None:
    day = read_day(said)
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
        reason=reason_of(state, vote) if vote and not is_secret else "",
    )
