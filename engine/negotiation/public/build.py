"""Makes the public JSON of a negotiation: how it stands, its decision record, or all of it.

Votes of a blind round that was never evaluated stay secret, and so do private reasons where people of other companies
read along.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from engine.errors import BudgetSpent, InvalidAnswer, ModelTimeout
from engine.kernel import Event, Millis, iso, plain
from engine.negotiation.afterwards.conflicts import standing as standing_conflict
from engine.negotiation.afterwards.rescheduling import open_now, voters
from engine.negotiation.agreement.endings import Hand, confirmations, hand_of, model_of
from engine.negotiation.answers import Compromise, Gap, OfferDecision, VoteCounts
from engine.negotiation.events import (
    DemandUnclear,
    ForceFinalized,
    NegotiationCancelled,
    NegotiationFailed,
    OfferOverridden,
    OfferSubmitted,
    ProposalFinalized,
    StepDegraded,
)
from engine.negotiation.ids import demand_id
from engine.negotiation.plan.clashes import clashes_now
from engine.negotiation.plan.marks import marks_of
from engine.negotiation.plan.times import key_of
from engine.negotiation.plan.told_needs import decisive_round, needs_in_round, needs_now
from engine.negotiation.public.models import (
    CheckInTold,
    CompromiseTold,
    ConflictTold,
    DecisionRecord,
    DegradedStep,
    DemandStatus,
    Departure,
    FailedFor,
    GapTold,
    GoingAhead,
    Offer,
    Person,
    PublicNegotiation,
    Question,
    RequesterDecision,
    ReschedulingTold,
    Search,
    Standing,
    Submitted,
    TimesTold,
    TimeTold,
    Vote,
    WholeOffer,
)
from engine.negotiation.public.models import Round as RoundTold
from engine.negotiation.public.wishes import disagreed, lacks, wishes
from engine.negotiation.search.gaps import GapSearch, gap_searches
from engine.negotiation.secrecy import (
    in_public,
    reason_of,
    why_declined,
    why_given_up,
    why_nobody,
    would_take_part_if,
)
from engine.negotiation.state import CheckIn, Negotiation, Rescheduling, Round, Seat, Status, Subnet
from engine.negotiation.terms import Outcome, Proposal, Source
from engine.negotiation.voting.tally import sums_of
from engine.times.feasible import FoundTimes, PossibleTime

STEPS: Final[Mapping[str, str]] = {
    "understand": "reading the demand",
    "filter": "choosing whom to ask",
    "respond": "answering the demand for somebody",
    "aggregate": "weaving the proposal",
    "feedback": "voting for somebody",
    "adjust": "adjusting the proposal",
    "verify": "looking at the plan once more",
    "read_request": "reading a wish",
    "gaps": "looking for what the plan lacks",
    "recurse": "deciding whether others are asked for it",
    "compromise": "looking for a way out",
}
"""Prompt -> what a model is asked to do with it, in words that a stranger understands."""
_MODEL_CODES: Final[Mapping[str, FailedFor]] = {
    ModelTimeout.code: "E004",
    InvalidAnswer.code: "E013",
    BudgetSpent.code: "E014",
}
"""What no model could do; any other is E003: none could be reached."""
_COMPLETED: Final = frozenset({Status.FINALIZED, Status.FORCE_FINALIZED})
_ENDINGS: Final = (ProposalFinalized, ForceFinalized, NegotiationFailed, NegotiationCancelled)


# ── how it stands ─────────────────────────────────────────────────────────────────────────────────────────────────────


def standing(state: Negotiation) -> Standing:
    return Standing(**_standing(state))


def submitted(state: Negotiation) -> Submitted:
    """Select what the seed's envelope tells to whoever has just asked, who may know all of it."""
    return Submitted(
        demand_id=state.demand_id,
        channel_id=state.channel_id,
        status=_status(state),
        understanding=state.understanding,
    )


def _standing(state: Negotiation) -> dict[str, Any]:
    return {
        "demand_id": state.demand_id,
        "channel_id": state.channel_id,
        "status": _status(state),
        "channel_status": state.status,
        "round": state.round,
        "max_rounds": state.most_rounds,
        "outcome": state.outcome,
        "error_code": _error_code(state),
        "is_searching": state.is_searching,
        "awaits": "answer" if state.awaits_answer else "decision" if state.awaits_decision else None,
        "awaits_until": _awaits_until(state),
        "question": _question(state.unclear) if state.unclear else None,
        "missing": tuple(each.what for each in state.decisions[-1].needs) if state.awaits_decision else (),
        "reopened_as": state.reopened.next_demand_id if state.reopened else None,
    }


def _status(state: Negotiation) -> DemandStatus:
    if state.is_open:
        return "processing"
    return "completed" if state.status in _COMPLETED else "failed"


def _error_code(state: Negotiation) -> FailedFor | None:
    match state.outcome:
        case Outcome.MODEL_UNAVAILABLE:
            return _MODEL_CODES.get(state.lacked.why if state.lacked else "", "E003")
        case Outcome.NO_CANDIDATES:
            return "E005"
        case Outcome.NEGOTIATION_TIMEOUT:
            return "E006"
    return None


def _awaits_until(state: Negotiation) -> str | None:
    if state.awaits_answer and state.unclear:
        return iso(state.unclear.deadline)
    return iso(state.decisions[-1].asked.deadline) if state.awaits_decision else None


def _question(asked: DemandUnclear) -> Question:
    return Question(about=asked.about, question=asked.question)


# ── the decision record ───────────────────────────────────────────────────────────────────────────────────────────────


def decision_record(state: Negotiation) -> DecisionRecord:
    state = in_public(state)
    return DecisionRecord(**_record(state), offers=tuple(Offer(**_offer(state, each)) for each in _offers(state)))


def _record(state: Negotiation) -> dict[str, Any]:
    """Return what the record says, but for the offers, which whoever may know all of it is told whole."""
    plan = state.final.final_proposal if state.final else state.proposal
    voted_on = state.agreed.final_proposal if state.agreed else state.proposal
    decisive = decisive_round(state)
    return {
        **_standing(state),
        "requester_id": state.requester_id,
        "surface_demand": state.understanding.surface_demand if state.understanding else "",
        "policy": state.policy.name,
        "accepts_needed": state.policy.finalize_at,
        "questions": tuple(map(_question, state.questions)),
        "decisions": tuple(
            RequesterDecision(
                about=each.asked.about,
                needs=tuple(need.what for need in each.needs),
                choice=each.made.choice if each.made else None,
                by=each.made.by if each.made else "",
            )
            for each in state.decisions
        ),
        "needs": needs_now(state),
        "clashes": clashes_now(state),
        "people": tuple(_people(state, plan)),
        "not_chosen": plan.not_chosen if plan else (),
        "is_core_chosen": state.core_choice is not None,
        "rounds": tuple(_round(state, each) for each in state.rounds),
        "version": voted_on.version if voted_on else None,
        "versions": len(state.proposals),
        "decided_in": decisive.number if decisive else None,
        "wishes": tuple(wishes(state, plan)),
        "lacks": lacks(state, plan),
        "disagreed": tuple(disagreed(state, decisive)),
        "degraded": tuple(map(_degraded, state.degraded)),
        "recoveries": tuple(each.action for each in state.recoveries),
        "proceeded": GoingAhead(by=state.proceeded.by, at=iso(state.proceeded.at)) if state.proceeded else None,
        "given_up": tuple(
            Departure(
                agent_id=each.agent_id,
                display_name=each.display_name or state.name_of(each.agent_id),
                by=each.by,
                at=iso(each.at),
                reason=why_given_up(state, each),
                lacks=each.lacks,
            )
            for each in state.given_up.values()
        ),
    }


def _people(state: Negotiation, plan: Proposal | None) -> Iterator[Person]:
    seated = {each.agent_id: each for each in plan.assignments} if plan else {}
    earlier = {each.agent_id: each for version in state.proposals for each in version.assignments}
    confirmed, given = state.final.confirmed_participants if state.final else (), confirmations(state)
    voted = (agent_id for each in state.rounds for agent_id in each.seats)
    for agent_id in dict.fromkeys((*seated, *voted, *state.joined, *state.invited)):
        known, seat = state.known_person(agent_id), seated.get(agent_id) or earlier.get(agent_id)
        by = given.get(agent_id)
        yield Person(
            agent_id=agent_id,
            display_name=state.name_of(agent_id),
            user_id=known.user_id if known else None,
            role=seat.role if seat else "",
            is_core=bool(seat and seat.core),
            is_in_plan=agent_id in seated,
            is_confirmed=agent_id in confirmed,
            confirmed_by=by.hand if by else None,
            model=by.model if by else "",
        )


def _offers(state: Negotiation) -> Iterator[OfferSubmitted]:
    return (each for each in state.offers.values() if not each.degraded)


def _offer(state: Negotiation, offer: OfferSubmitted) -> dict[str, Any]:
    return {
        "agent_id": offer.agent_id,
        "display_name": state.name_of(offer.agent_id),
        "decision": offer.decision,
        "hand": Hand.PERSON if offer.source is Source.HUMAN else Hand.TWIN,
        "model": model_of(offer),
        "reason": why_declined(state, offer) if offer.decision is OfferDecision.DECLINE else "",
    }


def _round(state: Negotiation, voted: Round) -> RoundTold:
    is_open = state.current is voted
    return RoundTold(
        round=voted.number,
        version=voted.version,
        is_open=is_open,
        is_secret=state.is_secret(voted),
        deadline=iso(voted.window.deadline) if is_open else None,
        votes=tuple(_vote(state, voted, each) for each in voted.seats.values()),
        not_waited_for=voted.tally.not_waited_for if voted.tally else (),
        tally=VoteCounts(**sums_of(voted.tally)) if voted.tally else None,
        decision=voted.tally.decision if voted.tally else None,
        request=voted.request.text if voted.request else None,
        needs=needs_in_round(state, voted),
        marks=marks_of(state, state.proposals[voted.version - 1]),
    )


def _vote(state: Negotiation, voted: Round, seat: Seat) -> Vote:
    vote, is_secret = seat.vote, state.is_secret(voted)
    return Vote(
        agent_id=seat.agent_id,
        display_name=state.name_of(seat.agent_id),
        feedback_type=vote.feedback_type if vote and not is_secret else None,
        source=vote.source if vote else None,
        hand=hand_of(seat, vote) if vote else None,
        model=model_of(vote) if vote else "",
        by=vote.by if vote else None,
        is_carried=bool(vote and vote.carried),
        reason=reason_of(state, vote) if vote and not is_secret else "",
    )


def _degraded(step: StepDegraded) -> DegradedStep:
    return DegradedStep(
        step=STEPS.get(step.prompt, step.prompt),
        prompt=step.prompt,
        error_code=step.why,
        agent_id=step.agent_id or None,
        round=step.round,
    )


# ── all of it ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Times(NamedTuple):
    """When things happened, which only the events know."""

    created_at: Millis = 0
    ended_at: Millis = 0
    """When it ended the last time; 0 where it never has."""
    offers: Mapping[str, Millis] = {}
    """By agent id, when the offer was made that counts."""


def times_of(happened: Iterable[tuple[Millis, Event]]) -> Times:
    """
    Args:
        happened: all events of the negotiation, oldest first, each with its time.
    """
    times = [*happened]
    return Times(
        created_at=times[0][0],
        ended_at=max((at for at, event in times if isinstance(event, _ENDINGS)), default=0),
        offers={event.agent_id: at for at, event in times if isinstance(event, OfferSubmitted | OfferOverridden)},
    )


class Knows(NamedTuple):
    """What a reader may know of what is not told to everybody who may read the negotiation."""

    is_told_all: bool = False
    """As whoever asked, or as an admin."""
    agent_ids: frozenset[str] = frozenset()
    """For whom they decide: their offers are their own words."""
    has_asked: bool = False
    """Whether it is whoever asked, who alone is told who cannot when."""


def public(state: Negotiation, times: Times, knows: Knows, requester_name: str = "") -> PublicNegotiation:
    state = in_public(state)
    final, understood = state.final, state.understanding
    plan = final.final_proposal if final else state.proposal
    return PublicNegotiation(
        **_record(state),
        offers=tuple(_whole(state, each, times, knows) for each in _offers(state)),
        requester_name=requester_name or None,
        raw_input=state.raw_input if knows.is_told_all else None,
        own_votes=state.own_votes,
        deep_understanding=understood.deep_understanding if understood else None,
        capability_tags=understood.capability_tags if understood else (),
        context=_known(plain(understood.context)) if understood else {},
        created_at=iso(times.created_at),
        ended_at=None if state.is_open else iso(times.ended_at),
        total_candidates=len({*(each.agent_id for each in (*state.candidates, *state.reserve)), *state.invited}),
        why_nobody=why_nobody(state),
        proposal=plan,
        proposals=state.proposals,
        marks=marks_of(state, plan) if plan else (),
        times=_times(state, plan, knows) if plan else None,
        conflicts=tuple(_conflicts(state, knows)),
        reschedulings=tuple(_rescheduling(state, each) for each in state.reschedulings),
        confirmed_participants=final.confirmed_participants if final else (),
        optional_participants=final.optional_participants if final else (),
        open_requests=final.open_requests if final else state.open_requests(),
        gaps=tuple(map(_gap, gap_searches(state))),
        compromise=_compromise(state.compromise.compromise) if state.compromise else None,
        check_ins=tuple(map(_check_in, state.check_ins.values())),
        can_be_taken_back_until=iso(state.reversals.until) if state.reversals.until else None,
        gap_of=state.parent.demand_id if state.parent else None,
        reopened_from=demand_id(state.reopened_from) if state.reopened_from else None,
    )


def _times(state: Negotiation, plan: Proposal, knows: Knows) -> TimesTold | None:
    known = state.times.get(plan.version)
    if known is None:
        return None

    found = known.found or FoundTimes(minutes=0)
    return TimesTold(
        version=plan.version,
        minutes=found.minutes,
        known=found.known,
        unsaid=found.unsaid,
        then=_time(known.then, knows) if known.then else None,
        times=tuple(_time(each, knows) for each in found.times),
        nearest=tuple(_time(each, knows) for each in found.nearest),
    )


def _time(time: PossibleTime, knows: Knows) -> TimeTold:
    cannot = [each for each in time.cannot if knows.has_asked or each in knows.agent_ids]
    blocking = tuple(each for each in cannot if each in time.blocking)
    return TimeTold(
        key=key_of(time.when), when=time.when, can=time.can, cannot=tuple(cannot), blocking=blocking, later=time.later
    )


def _conflicts(state: Negotiation, knows: Knows) -> Iterator[ConflictTold]:
    for agent_id in state.conflicts:
        conflict = standing_conflict(state, agent_id)
        if conflict is None or conflict.found.when is None or not (knows.has_asked or agent_id in knows.agent_ids):
            continue
        found = conflict.found.found or FoundTimes(minutes=0)
        yield ConflictTold(
            agent_id=agent_id,
            when=conflict.found.when,
            times=tuple(_time(each, knows) for each in found.times),
            nearest=tuple(_time(each, knows) for each in found.nearest),
        )


def _rescheduling(state: Negotiation, asking: Rescheduling) -> ReschedulingTold:
    begun, now = asking.begun, open_now(state)
    return ReschedulingTold(
        round=begun.number,
        when=begun.when,
        times={key_of(each): each for each in begun.times},
        agent_ids=begun.agent_ids,
        answered=sum(each in asking.answers for each in voters(state, asking)),
        until=iso(begun.until),
        is_open=asking is now,
        agreed=asking.when,
    )


def _known(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _whole(state: Negotiation, offer: OfferSubmitted, times: Times, knows: Knows) -> WholeOffer:
    words: dict[str, Any] = {"contribution": "", "conditions": ()}
    if knows.is_told_all or offer.agent_id in knows.agent_ids:
        declines = offer.decision is OfferDecision.DECLINE
        words = {
            "contribution": "" if declines else offer.contribution,
            "conditions": would_take_part_if(state, offer) if declines else offer.conditions,
            "reasoning": offer.reasoning,
            "confidence": offer.confidence,
        }
    submitted_at = iso(times.offers.get(offer.agent_id, times.created_at))
    return WholeOffer(**_offer(state, offer), offer_id=offer.offer_id, submitted_at=submitted_at, **words)


def _gap(lack: GapSearch) -> GapTold:
    return GapTold(**Gap.fields_of(lack.gap), search=_search(lack.subnet) if lack.subnet else None)


def _search(subnet: Subnet) -> Search:
    found, failed = subnet.completed, subnet.failed
    return Search(
        status="found" if found else "failed" if failed else "running",
        demand_id=subnet.triggered.sub_demand_id,
        channel_id=subnet.triggered.sub_channel_id,
        deadline=iso(subnet.triggered.deadline),
        found=tuple(each.agent_id for each in found.found.assignments) if found else (),
        outcome=failed.reason if failed else None,
    )


def _compromise(said: Compromise) -> CompromiseTold | None:
    """Return what would still be possible; None where it was erased, or is not theirs to read."""
    return CompromiseTold(**Compromise.fields_of(said)) if said.summary else None


def _check_in(each: CheckIn) -> CheckInTold:
    asked, answer = each.asked, each.answer
    return CheckInTold(
        key=asked.key,
        agent_id=asked.agent_id or None,
        what=asked.what,
        day=asked.day,
        answer=None if answer is None else "late" if answer.is_late else "done",
        text=answer.text if answer else "",
        answered_at=iso(answer.at) if answer else None,
    )
