"""A round: the proposal goes out, twins and people vote, and once, whoever comes first, it is closed and evaluated."""

from engine.errors import IllegalStep, InvalidVote, NotAllowed, StaleVote, UnknownAgent
from engine.kernel import Ask, Millis, Ring, iso
from engine.negotiation import substitutes
from engine.negotiation.answers import FeedbackType, whole
from engine.negotiation.drafting import NegotiationDraft, later
from engine.negotiation.endings import agreement, best_round
from engine.negotiation.messages import (
    AgentWithdrawn,
    CastVote,
    CloseRound,
    FeedbackDue,
    FeedbackEvaluated,
    ForceFinalized,
    NegotiationFailed,
    Outcome,
    Proposal,
    ProposalDistributed,
    ProposalFeedback,
    ProposalFinalized,
    RecordFeedback,
    RecordOffer,
    RecordProposal,
    RoundStarted,
    Source,
    StepDegraded,
    Verdict,
)
from engine.negotiation.policy import Step, Tally, evaluate
from engine.negotiation.proposals import Stamp, next_proposal, unchanged_proposal
from engine.negotiation.state import Negotiation, Round, Seat

VERDICTS = {
    Step.FINALIZE: Verdict.FINALIZE,
    Step.ADJUST: Verdict.NEXT_ROUND,
    Step.RESEND: Verdict.NEXT_ROUND,
    Step.SUBSTITUTE: Verdict.SUBSTITUTE,
    Step.FORCE_FINALIZE: Verdict.FORCE_FINALIZE,
}
"""Every other step is a failure."""


def scope(number: int) -> str:
    """What the twins' votes of a round belong to."""
    return f"round/{number}"


def closing(number: int) -> str:
    """The alarm that ends a round."""
    return f"close/{number}"


def patience(number: int) -> str:
    """The alarm after which no twin is waited for any more."""
    return f"twins/{number}"


# ── a round begins ────────────────────────────────────────────────────────────────────────────────────────────────


def start(draft: NegotiationDraft, number: int) -> None:
    state = draft.state
    draft.happens(RoundStarted(**draft.ids, round=number, max_rounds=state.policy.max_rounds))


def distribute(
    draft: NegotiationDraft, proposal: Proposal, at: Millis, *, model: str = "", prompt_hash: str = ""
) -> None:
    state = draft.state
    number, policy = state.round, state.policy
    draft.happens(
        ProposalDistributed(**draft.ids, proposal=proposal, round=number, model=model, prompt_hash=prompt_hash)
    )
    seats = _open_round(draft.state).seats
    linked = any(seat.user_id for seat in seats.values())
    twins_until = later(at, policy.feedback_timeout)
    people_until = later(at, policy.human_window if linked else 0)
    requester_until = later(twins_until, 0 if all(seat.user_id for seat in seats.values()) else policy.override_window)
    draft.sets(patience(number), twins_until)
    draft.happens(
        FeedbackDue(
            **draft.ids,
            round=number,
            deadline=max(people_until, requester_until),
            twins_until=twins_until,
            people_until=people_until,
            requester_until=requester_until,
        )
    )
    draft.sets(closing(number), max(people_until, requester_until))
    for agent_id in seats:
        draft.owes(Ask(name=f"feedback/{number}/{agent_id}", scope=scope(number), prompt="feedback", about=agent_id))


def adjusted(draft: NegotiationDraft, command: RecordProposal, stamp: Stamp) -> None:
    """The next version is here; or none could be made, and the last valid one stands."""
    state = draft.state
    proposal = unchanged_proposal(state, stamp) if command.draft is None else next_proposal(state, command.draft, stamp)
    distribute(draft, proposal, command.at, model=command.model, prompt_hash=command.prompt_hash)


def substitute_answered(draft: NegotiationDraft, command: RecordOffer) -> None:
    """When every core seat is taken again, the next round begins."""
    if substitutes.answered(draft, command) and substitutes.all_seated(draft.state):
        _adjust(draft)


# ── votes ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def twin_feedback(draft: NegotiationDraft, command: RecordFeedback) -> None:
    """A twin's vote, or that it has none. Too late, twice or for nobody: nothing happens."""
    opened = draft.state.current
    seat = opened.seats.get(command.agent_id) if opened and opened.number == command.round else None
    if opened is None or seat is None or not seat.twin_asked:
        return
    if command.answer is None:
        _twin_gave_up(draft, seat, command.degraded or "E003")
    else:
        draft.happens(
            ProposalFeedback(
                **draft.ids,
                agent_id=seat.agent_id,
                display_name=seat.display_name,
                feedback_type=command.answer.feedback_type,
                reasoning=command.answer.reasoning,
                adjustment_request=command.answer.adjustment_request,
                concerns=command.answer.concerns,
                round=opened.number,
                version=opened.version,
                source=Source.AGENT,
                model=command.model,
                prompt_hash=command.prompt_hash,
            )
        )
    _settle(draft, command.at, last_twin=True)


def cast_vote(draft: NegotiationDraft, command: CastVote) -> None:
    """A person's vote: the right hand, on this version, in time; the latest one counts.

    Raises:
        UnknownAgent, NotAllowed, StaleVote, InvalidVote
    """
    state = draft.state
    seat = check_vote(state, command.by, command.agent_id, command.round, command.digest, command.at)
    text = whole(command.text).strip()
    if command.feedback_type is not FeedbackType.ACCEPT and not text:
        raise InvalidVote("Say in a few words what should change, or why you are leaving.")
    latest = state.rounds[-1]
    vote = ProposalFeedback(
        **draft.ids,
        agent_id=seat.agent_id,
        display_name=seat.display_name,
        feedback_type=command.feedback_type,
        reasoning=text,
        adjustment_request=text if command.feedback_type is FeedbackType.NEGOTIATE else "",
        round=latest.number,
        version=latest.version,
        source=Source.HUMAN,
        by=command.by,
    )
    if seat.human == vote:
        return  # the very same vote once more: it stands already
    draft.happens(vote)
    _settle(draft, command.at)


def check_vote(state: Negotiation, by: str, agent_id: str, number: int, digest: str, at: Millis) -> Seat:
    """The seat that ``by`` may vote for, with a button of round ``number`` and this digest.

    Raises:
        UnknownAgent, NotAllowed, StaleVote
    """
    latest = state.rounds[-1] if state.rounds else None
    if latest is None or (agent_id and agent_id not in latest.seats):
        raise UnknownAgent(f"{agent_id} has no seat in this proposal, so there is nothing to vote on.")
    if not agent_id:
        raise NotAllowed("You have no seat in this proposal, so there is nothing for you to vote on.")
    seat = latest.seats[agent_id]
    if by != seat.hand(state.requester_id):
        raise NotAllowed(
            f"Only {seat.display_name} can vote for this seat."
            if seat.user_id
            else f"{seat.display_name} is not linked to anyone here; only the person who asked can vote for this seat."
        )
    if not state.is_open:
        raise StaleVote("This negotiation is over; your click changed nothing.")
    if state.current is None or number != state.round or digest != latest.digest:
        raise StaleVote(
            f"This button belongs to round {number}, which is over; your click changed nothing. "
            "Vote on the newest version in the thread."
        )
    if at > latest.deadline:
        raise StaleVote(f"Round {number} has just closed; your click came too late and changed nothing.")
    return seat


# ── a round ends ──────────────────────────────────────────────────────────────────────────────────────────────────


def close_round(draft: NegotiationDraft, command: CloseRound) -> None:
    """
    Raises:
        NotAllowed, StaleVote
    """
    state = draft.state
    if command.by != state.requester_id:
        raise NotAllowed("Only the person who asked can close a round early.")
    if state.current is None or state.current.number != command.round:
        raise StaleVote(f"Round {command.round} is over already.")
    _close(draft, command.at)


def ring(draft: NegotiationDraft, alarm: Ring) -> None:
    """An alarm of a round that is over, or before its time, changes nothing."""
    opened = draft.state.current
    if opened is None:
        return
    if alarm.name == patience(opened.number) and alarm.at >= opened.twins_until:
        for seat in opened.seats.values():
            if seat.twin_asked:
                _twin_gave_up(draft, seat, "E004")
        draft.voids(scope(opened.number))
        _settle(draft, alarm.at, last_twin=True)
    elif alarm.name == closing(opened.number) and alarm.at >= opened.deadline:
        _close(draft, alarm.at)


def abandon(draft: NegotiationDraft) -> None:
    """Nothing of the open round is waited for any more."""
    number = draft.state.round
    if number:
        draft.voids(scope(number))
        draft.clears(closing(number))
        draft.clears(patience(number))


def _twin_gave_up(draft: NegotiationDraft, seat: Seat, why: str) -> None:
    state = draft.state
    draft.happens(StepDegraded(**draft.ids, prompt="feedback", why=why, agent_id=seat.agent_id, round=state.round))


def _settle(draft: NegotiationDraft, at: Millis, *, last_twin: bool = False) -> None:
    """Close the round when nobody else may act; else say until when it waits, where that has changed."""
    opened = _open_round(draft.state)
    undecided = [seat for seat in opened.seats.values() if seat.human is None]
    if not undecided:
        _close(draft, at)
        return
    if any(seat.twin_asked for seat in undecided):
        return
    draft.clears(patience(opened.number))
    requester_until = opened.requester_until
    if last_twin:
        requester_until = min(requester_until, later(at, draft.state.policy.override_window))
    deadline = max(opened.people_until if seat.user_id else requester_until for seat in undecided)
    if deadline <= at:
        _close(draft, at)
    elif (deadline, requester_until) != (opened.deadline, opened.requester_until):
        draft.happens(
            FeedbackDue(
                **draft.ids,
                round=opened.number,
                deadline=deadline,
                twins_until=opened.twins_until,
                people_until=opened.people_until,
                requester_until=requester_until,
            )
        )
        draft.sets(closing(opened.number), deadline)


def _close(draft: NegotiationDraft, at: Millis) -> None:
    abandon(draft)
    opened = _open_round(draft.state)
    _assume(draft, opened, at)
    opened = _open_round(draft.state)
    tally = count(opened)
    lost = substitutes.lost_core_seats(draft.state, opened)
    reserve = len(draft.state.reserve)
    step = evaluate(draft.state.policy, tally, opened.number, core_lost=len(lost), reserve=reserve)
    draft.happens(
        FeedbackEvaluated(
            **draft.ids,
            round=opened.number,
            total=tally.total,
            accepts=tally.accepts,
            rejects=tally.rejects,
            negotiates=tally.negotiates,
            withdraws=tally.withdraws,
            silent=tally.silent,
            accept_rate=round(tally.accept_rate, 4),
            decision=VERDICTS.get(step, Verdict.FAIL),
        )
    )
    for seat in opened.seats.values():
        if seat.vote and seat.vote.feedback_type is FeedbackType.WITHDRAW:
            draft.happens(
                AgentWithdrawn(
                    **draft.ids,
                    agent_id=seat.agent_id,
                    display_name=seat.display_name,
                    reason=seat.vote.reasoning,
                )
            )
    _proceed(draft, step, opened, at)


def _assume(draft: NegotiationDraft, opened: Round, at: Millis) -> None:
    """A linked person who was asked and let the time pass has not objected."""
    state = draft.state
    if state.policy.silence != "accept" or state.policy.human_window <= 0 or at < opened.people_until:
        return
    for seat in opened.seats.values():
        if seat.vote is None and seat.user_id:
            draft.happens(
                ProposalFeedback(
                    **draft.ids,
                    agent_id=seat.agent_id,
                    display_name=seat.display_name,
                    feedback_type=FeedbackType.ACCEPT,
                    round=opened.number,
                    version=opened.version,
                    source=Source.ASSUMED,
                )
            )


def count(opened: Round) -> Tally:
    votes = [seat.vote for seat in opened.seats.values()]
    kinds = [vote.feedback_type for vote in votes if vote]
    withdraws = kinds.count(FeedbackType.WITHDRAW)
    return Tally(
        accepts=kinds.count(FeedbackType.ACCEPT),
        negotiates=kinds.count(FeedbackType.NEGOTIATE),
        rejects=kinds.count(FeedbackType.REJECT) + withdraws,
        withdraws=withdraws,
        silent=votes.count(None),
        explicit=sum(1 for vote in votes if vote and vote.source is not Source.ASSUMED),
    )


def _proceed(draft: NegotiationDraft, step: Step, opened: Round, at: Millis) -> None:
    state = draft.state
    match step:
        case Step.FINALIZE:
            draft.happens(ProposalFinalized.model_validate(draft.ids | agreement(state, opened)))
        case Step.FORCE_FINALIZE:
            draft.happens(ForceFinalized.model_validate(draft.ids | agreement(state, best_round(state))))
        case Step.SUBSTITUTE:
            for agent_id in substitutes.lost_core_seats(state, opened):
                substitutes.invite(draft, agent_id, at)
        case Step.ADJUST if _wishes(opened):
            _adjust(draft)
        case Step.ADJUST | Step.RESEND:
            start(draft, opened.number + 1)
            distribute(draft, unchanged_proposal(state, Stamp(len(state.proposals) + 1, iso(at))), at)
        case _:
            reason = Outcome(step.value)
            draft.happens(NegotiationFailed(**draft.ids, reason=reason, last_proposal=state.proposal))


def _adjust(draft: NegotiationDraft) -> None:
    """The next round begins, with a version that has still to be made."""
    start(draft, draft.state.round + 1)
    draft.owes(Ask(name=f"adjust/{draft.state.round}", scope="adjust", prompt="adjust"))


def _wishes(opened: Round) -> bool:
    """Whether anybody gave the next version something to change."""
    return any(seat.vote and seat.vote.feedback_type is not FeedbackType.ACCEPT for seat in opened.seats.values())


def _open_round(state: Negotiation) -> Round:
    if not state.rounds:
        raise IllegalStep("No proposal is out yet.")
    return state.rounds[-1]
