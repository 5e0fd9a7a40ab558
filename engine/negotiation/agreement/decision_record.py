"""The decision record: why a plan is as it is, or why there is none, made of what everybody may know.

What was asked and what it takes, who decided by whose hand, which wishes were met or declined and why, what is
missing, which version it is, and who disagreed. Votes of a blind round that was never evaluated stay secret, and so do
private reasons where people of other companies read along.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from engine.negotiation.agreement.decision_parts import (
    STEPS,
    DecisionRecord,
    DegradedStep,
    Departure,
    Dissent,
    Hand,
    Lack,
    MissingDecision,
    NotChosenRecord,
    OfferRecord,
    Question,
    SeatRecord,
    Vote,
    Wish,
    WishStatus,
)
from engine.negotiation.answers import AdjustmentSummary, OfferDecision, normalized_gap
from engine.negotiation.events import OfferSubmitted, ProposalFeedback
from engine.negotiation.plan.told_clashes import clashes_now
from engine.negotiation.plan.told_needs import decisive_round, lacking, needs_now
from engine.negotiation.private_reasons import reason_of, why_declined, why_given_up, why_left
from engine.negotiation.state import Negotiation, Round, Seat
from engine.negotiation.terms import HeldCondition, Proposal, Source
from engine.negotiation.voting.kinds import FeedbackType


def decision_record(state: Negotiation) -> DecisionRecord:
    plan = state.final.final_proposal if state.final else state.proposal
    voted_on = state.agreed.final_proposal if state.agreed else state.proposal
    decisive = decisive_round(state)
    return DecisionRecord(
        demand_id=state.demand_id,
        channel_id=state.channel_id,
        status=state.status,
        outcome=state.outcome,
        policy=state.policy.name,
        accepts_needed=state.policy.finalize_at,
        demand=state.understanding.surface_demand if state.understanding else "",
        asked_by=state.requester_id,
        questions=tuple(Question(about=each.about, question=each.question) for each in state.questions),
        missing=tuple(
            MissingDecision(
                needs=tuple(need.what for need in each.needs),
                choice=each.made.choice if each.made else None,
                by=each.made.by if each.made else "",
            )
            for each in state.decisions
        ),
        needs=needs_now(state),
        clashes=clashes_now(state),
        offers=tuple(_offer(state, each) for each in state.offers.values() if not each.degraded),
        seats=_seats(state, plan),
        not_chosen=tuple(
            NotChosenRecord(agent_id=each.agent_id, display_name=name_of(state, each.agent_id), reason=each.reason)
            for each in (plan.not_chosen if plan else ())
        ),
        is_core_chosen=state.core_choice is not None,
        wishes=tuple(_wishes(state, plan)),
        lacks=_lacks(state, plan),
        version=voted_on.version if voted_on else None,
        versions=len(state.proposals),
        rounds=len(state.rounds),
        decided_in=decisive.number if decisive else None,
        disagreed=tuple(_disagreed(state, decisive)),
        degraded=tuple(
            DegradedStep(
                step=STEPS.get(each.prompt, each.prompt),
                prompt=each.prompt,
                error_code=each.why,
                agent_id=each.agent_id,
                round=each.round,
            )
            for each in state.degraded
        ),
        recoveries=tuple(each.action for each in state.recoveries),
        proceeded_by=state.proceeded.by if state.proceeded else None,
        given_up=tuple(
            Departure(
                agent_id=each.agent_id,
                display_name=each.display_name or name_of(state, each.agent_id),
                by=each.by,
                reason=why_given_up(state, each),
                lacks=each.lacks,
            )
            for each in state.given_up.values()
        ),
    )


# ── who decided ───────────────────────────────────────────────────────────────────────────────────────────────────


def _offer(state: Negotiation, offer: OfferSubmitted) -> OfferRecord:
    declines = offer.decision is OfferDecision.DECLINE
    return OfferRecord(
        agent_id=offer.agent_id,
        display_name=name_of(state, offer.agent_id),
        decision=offer.decision,
        hand=Hand.PERSON if offer.source is Source.HUMAN else Hand.TWIN,
        model=offer.model if offer.source is Source.AGENT else "",
        reason=why_declined(state, offer) if declines else "",
    )


def _seats(state: Negotiation, plan: Proposal | None) -> tuple[SeatRecord, ...]:
    """Return whoever has voted or sits in the plan, the plan's seats first."""
    seated = {each.agent_id: each for each in plan.assignments} if plan else {}
    earlier = {each.agent_id: each for version in state.proposals for each in version.assignments}
    confirmed = state.final.confirmed_participants if state.final else ()
    voted = (agent_id for each in state.rounds for agent_id in each.seats)
    return tuple(
        SeatRecord(
            agent_id=agent_id,
            display_name=name_of(state, agent_id),
            role=seat.role if (seat := seated.get(agent_id) or earlier.get(agent_id)) else "",
            is_core=bool(seat and seat.core),
            is_in_plan=agent_id in seated,
            is_confirmed=agent_id in confirmed,
            votes=tuple(_vote(state, each, each.seats[agent_id]) for each in state.rounds if agent_id in each.seats),
        )
        for agent_id in dict.fromkeys((*seated, *voted))
    )


def _vote(state: Negotiation, voted: Round, seat: Seat) -> Vote:
    vote, is_secret = seat.vote, state.is_secret(voted)
    return Vote(
        round=voted.number,
        version=voted.version,
        choice=vote.feedback_type if vote and not is_secret else None,
        hand=hand_of(seat, vote) if vote else None,
        model=vote.model if vote and vote.source is Source.AGENT else "",
        by=vote.by if vote else None,
        is_carried=bool(vote and vote.carried),
        reason=reason_of(state, vote) if vote and not is_secret else "",
    )


def hands(state: Negotiation) -> Mapping[str, Hand]:
    """Return by whose hand each vote counts that decided the plan, by agent id."""
    decisive = decisive_round(state)
    seats = decisive.seats if decisive else {}
    return {agent_id: hand_of(seat, seat.vote) for agent_id, seat in seats.items() if seat.vote}


def hand_of(seat: Seat, vote: ProposalFeedback) -> Hand:
    if vote.source is Source.ASSUMED:
        return Hand.ASSUMED
    if vote.source is Source.AGENT:
        return Hand.TWIN
    if not seat.user_id:
        return Hand.REQUESTER
    return Hand.DELEGATE if seat.stand_in else Hand.PERSON


def _disagreed(state: Negotiation, decisive: Round | None) -> Iterator[Dissent]:
    if decisive is not None and not state.is_secret(decisive):
        for agent_id, seat in decisive.seats.items():
            vote = seat.vote
            if agent_id in state.withdrawn or (vote and not vote.feedback_type.kind.objects):
                continue
            yield Dissent(
                agent_id=agent_id,
                display_name=name_of(state, agent_id),
                choice=vote.feedback_type if vote else None,
                reason=reason_of(state, vote) if vote else "",
            )
    for leaver in state.withdrawn.values():
        yield Dissent(
            agent_id=leaver.agent_id,
            display_name=name_of(state, leaver.agent_id),
            choice=FeedbackType.WITHDRAW,
            reason=why_left(state, leaver),
        )


# ── what was wished for, and what is missing ──────────────────────────────────────────────────────────────────────


def _wishes(state: Negotiation, plan: Proposal | None) -> Iterator[Wish]:
    for condition in plan.conditions if plan else ():
        yield Wish(
            agent_id=condition.agent_id,
            kind="condition",
            text=condition.condition,
            status=_held(condition),
            version=plan.version if plan else None,
            reason=condition.reason,
        )
    found: dict[tuple[str, str], Wish] = {}
    for number, voted in enumerate(state.rounds):
        summary, version = _answer(state, number)
        for by, kind, text in _asked_in(state, voted):
            made = _answered(state, by, kind, text, summary, version)
            before = found.get((by, normalized_gap(text)))
            if before is None or made.version is not None:
                found[by, normalized_gap(text)] = made
    yield from found.values()


def _held(condition: HeldCondition) -> WishStatus:
    if not condition.met:
        return WishStatus.BROKEN if condition.status == "broken" else WishStatus.DECLINED
    return WishStatus.PROMISED if condition.status == "unknown" else WishStatus.MET


def _asked_in(state: Negotiation, voted: Round) -> Iterator[tuple[str, Literal["request", "change"], str]]:
    if voted.request is not None:
        yield voted.request.by, "change", voted.request.text
    if state.is_secret(voted):
        return
    for agent_id, seat in voted.seats.items():
        if seat.vote and seat.vote.adjustment_request:
            yield agent_id, "request", seat.vote.adjustment_request
        if seat.is_overruled:
            yield agent_id, "request", seat.twin_wish


def _answer(state: Negotiation, number: int) -> tuple[AdjustmentSummary | None, int | None]:
    """Return what the version after this round says of its requests; nothing where no other version followed."""
    if number + 1 >= len(state.rounds):
        return None, None
    version = state.rounds[number + 1].version
    if version == state.rounds[number].version:
        return None, None
    return state.proposals[version - 1].adjustment_summary, version


def _answered(
    state: Negotiation,
    by: str,
    kind: Literal["request", "change"],
    text: str,
    summary: AdjustmentSummary | None,
    version: int | None,
) -> Wish:
    def made(status: WishStatus, answered_in: int | None = None, reason: str = "") -> Wish:
        return Wish(agent_id=by, kind=kind, text=text, status=status, version=answered_in, reason=reason)

    if summary is not None:
        declined = [each for each in summary.requests_declined if each.agent_id == by]
        addressed = [each for each in summary.requests_addressed if each.agent_id == by]
        named = [each for each in declined if _is_same(each.request, text)]
        if named or (declined and not addressed):
            return made(WishStatus.DECLINED, version, (named or declined)[0].reason)
        if addressed:
            return made(WishStatus.MET, version)
    still_open = state.final.open_requests if state.final else state.open_requests()
    for each in still_open:
        if each.agent_id == by and _is_same(each.request, text):
            return made(WishStatus.OPEN, reason=each.reason)
    return made(WishStatus.SETTLED)


def _is_same(one: str, other: str) -> bool:
    return normalized_gap(one) == normalized_gap(other)


def _lacks(state: Negotiation, plan: Proposal | None) -> tuple[Lack, ...]:
    essential = [each.what for each in lacking(state)]
    if not state.final:
        essential = [each.what for each in needs_now(state) if each.essential and each.count < each.wanted and plan]
    said: Iterable[str] = plan.gaps if plan else ()
    named = {normalized_gap(each) for each in essential}
    others = [each for each in said if normalized_gap(each) not in named]
    return (
        *(Lack(what=each, is_essential=True) for each in essential),
        *(Lack(what=each, is_essential=False) for each in others),
    )


def name_of(state: Negotiation, agent_id: str) -> str:
    """Return what somebody is called; their id where they have no name."""
    known = state.known_person(agent_id)
    return (known.display_name if known else "") or agent_id
