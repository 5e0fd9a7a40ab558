"""A round: the proposal goes out, twins and people vote, and once, whoever comes first, it is closed and evaluated."""

from engine.errors import IllegalStep, InvalidVote, NotAllowed, StaleVote, UnknownAgent
from engine.kernel import Ask, Draft, Millis, Ring, iso
from engine.negotiation.answers import FeedbackType
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
    RecordProposal,
    RoundStarted,
    Source,
    StepDegraded,
    Verdict,
)
from engine.negotiation.policy import Step, Tally, evaluate
from engine.negotiation.proposals import Stamp, next_proposal, unchanged_proposal, without
from engine.negotiation.state import Negotiation, Round, Seat, Status

VERDICTS = {
    Step.FINALIZE: Verdict.FINALIZE,
    Step.ADJUST: Verdict.NEXT_ROUND,
    Step.RESEND: Verdict.NEXT_ROUND,
    Step.FORCE_FINALIZE: Verdict.FORCE_FINALIZE,
    Step.FAIL_NO_FEEDBACK: Verdict.FAIL,
    Step.FAIL_LOW_ACCEPTANCE: Verdict.FAIL,
}


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


def start(draft: Draft[Negotiation], number: int) -> None:
    state = draft.state
    draft.happens(RoundStarted(**_ids(state), round=number, max_rounds=state.policy.max_rounds))


def distribute(
    draft: Draft[Negotiation], proposal: Proposal, at: Millis, *, model: str = "", prompt_hash: str = ""
) -> None:
    state = draft.state
    number, policy = state.round, state.policy
    draft.happens(
        ProposalDistributed(**_ids(state), proposal=proposal, round=number, model=model, prompt_hash=prompt_hash)
    )
    seats = _open_round(draft.state).seats
    linked = any(seat.user_id for seat in seats.values())
    twins_until = at + _millis(policy.feedback_timeout)
    people_until = at + _millis(policy.human_window if linked else 0)
    requester_until = twins_until + _millis(
        0 if all(seat.user_id for seat in seats.values()) else policy.override_window
    )
    draft.sets(patience(number), twins_until)
    _wait(draft, max(people_until, requester_until), people_until, requester_until)
    for agent_id in seats:
        draft.owes(Ask(name=f"feedback/{number}/{agent_id}", scope=scope(number), prompt="feedback", about=agent_id))


def adjusted(draft: Draft[Negotiation], command: RecordProposal, stamp: Stamp) -> None:
    """The next version is here; or none could be made, and the last valid one stands."""
    state = draft.state
    proposal = unchanged_proposal(state, stamp) if command.draft is None else next_proposal(state, command.draft, stamp)
    distribute(draft, proposal, command.at, model=command.model, prompt_hash=command.prompt_hash)


# ── votes ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def twin_feedback(draft: Draft[Negotiation], command: RecordFeedback) -> None:
    """A twin's vote, or that it has none. Too late, twice or for nobody: nothing happens."""
    opened = draft.state.current
    seat = opened.seats.get(command.agent_id) if opened and opened.number == command.round else None
    if opened is None or seat is None or not seat.twin_asked:
        return
    state = draft.state
    if command.answer is None:
        _twin_gave_up(draft, seat, command.degraded or "E003")
    else:
        draft.happens(
            ProposalFeedback(
                **_ids(state),
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


def cast_vote(draft: Draft[Negotiation], command: CastVote) -> None:
    """A person's vote: the right hand, on this version, in time; the latest one counts.

    Raises:
        UnknownAgent, NotAllowed, StaleVote, InvalidVote
    """
    state = draft.state
    seat = check_vote(state, command.by, command.agent_id, command.round, command.digest, command.at)
    if command.feedback_type is not FeedbackType.ACCEPT and not command.text.strip():
        raise InvalidVote("Say in a few words what should change, or why you are leaving.")
    latest = state.rounds[-1]
    vote = ProposalFeedback(
        **_ids(state),
        agent_id=seat.agent_id,
        display_name=seat.display_name,
        feedback_type=command.feedback_type,
        reasoning=command.text.strip(),
        adjustment_request=command.text.strip() if command.feedback_type is FeedbackType.NEGOTIATE else "",
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
    if number != state.round or state.status is not Status.NEGOTIATING or digest != latest.digest:
        raise StaleVote(
            f"This button belongs to round {number}, which is over; your click changed nothing. "
            "Vote on the newest version in the thread."
        )
    if at > latest.deadline:
        raise StaleVote(f"Round {number} has just closed; your click came too late and changed nothing.")
    return seat


# ── a round ends ──────────────────────────────────────────────────────────────────────────────────────────────────


def close_round(draft: Draft[Negotiation], command: CloseRound) -> None:
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


def ring(draft: Draft[Negotiation], alarm: Ring) -> None:
    """An alarm of a round that is over, or before its time, changes nothing."""
    opened = draft.state.current
    if opened is None:
        return
    if alarm.name == patience(opened.number):
        for seat in opened.seats.values():
            if seat.twin_asked:
                _twin_gave_up(draft, seat, "E004")
        draft.voids(scope(opened.number))
        _settle(draft, alarm.at, last_twin=True)
    elif alarm.name == closing(opened.number) and alarm.at >= opened.deadline:
        _close(draft, alarm.at)


def abandon(draft: Draft[Negotiation]) -> None:
    """Nothing of the open round is waited for any more."""
    number = draft.state.round
    if number:
        draft.voids(scope(number))
        draft.clears(closing(number))
        draft.clears(patience(number))


def _twin_gave_up(draft: Draft[Negotiation], seat: Seat, why: str) -> None:
    state = draft.state
    draft.happens(StepDegraded(**_ids(state), prompt="feedback", why=why, agent_id=seat.agent_id, round=state.round))


def _settle(draft: Draft[Negotiation], at: Millis, *, last_twin: bool = False) -> None:
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
        requester_until = min(requester_until, at + _millis(draft.state.policy.override_window))
    deadline = max(opened.people_until if seat.user_id else requester_until for seat in undecided)
    if deadline <= at:
        _close(draft, at)
    elif (deadline, requester_until) != (opened.deadline, opened.requester_until):
        _wait(draft, deadline, opened.people_until, requester_until)


def _wait(draft: Draft[Negotiation], deadline: Millis, people_until: Millis, requester_until: Millis) -> None:
    number = draft.state.round
    draft.happens(
        FeedbackDue(
            **_ids(draft.state),
            round=number,
            deadline=deadline,
            people_until=people_until,
            requester_until=requester_until,
        )
    )
    draft.sets(closing(number), deadline)


def _close(draft: Draft[Negotiation], at: Millis) -> None:
    abandon(draft)
    opened = _open_round(draft.state)
    _assume(draft, opened, at)
    opened = _open_round(draft.state)
    tally = count(opened)
    step = evaluate(draft.state.policy, tally, opened.number)
    draft.happens(
        FeedbackEvaluated(
            **_ids(draft.state),
            round=opened.number,
            total=tally.total,
            accepts=tally.accepts,
            rejects=tally.rejects,
            negotiates=tally.negotiates,
            withdraws=tally.withdraws,
            silent=tally.silent,
            accept_rate=round(tally.accept_rate, 4),
            decision=VERDICTS[step],
        )
    )
    for seat in opened.seats.values():
        if seat.vote and seat.vote.feedback_type is FeedbackType.WITHDRAW:
            draft.happens(
                AgentWithdrawn(
                    **_ids(draft.state),
                    agent_id=seat.agent_id,
                    display_name=seat.display_name,
                    reason=seat.vote.reasoning,
                )
            )
    _proceed(draft, step, opened, at)


def _assume(draft: Draft[Negotiation], opened: Round, at: Millis) -> None:
    """A linked person who was asked and let the time pass has not objected."""
    state = draft.state
    if state.policy.silence != "accept" or state.policy.human_window <= 0 or at < opened.people_until:
        return
    for seat in opened.seats.values():
        if seat.vote is None and seat.user_id:
            draft.happens(
                ProposalFeedback(
                    **_ids(state),
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


def _proceed(draft: Draft[Negotiation], step: Step, opened: Round, at: Millis) -> None:
    state = draft.state
    match step:
        case Step.FINALIZE:
            draft.happens(ProposalFinalized.model_validate(_ending(state, opened)))
        case Step.FORCE_FINALIZE:
            draft.happens(ForceFinalized.model_validate(_ending(state, opened)))
        case Step.FAIL_NO_FEEDBACK:
            draft.happens(NegotiationFailed(**_ids(state), reason=Outcome.NO_FEEDBACK, last_proposal=state.proposal))
        case Step.FAIL_LOW_ACCEPTANCE:
            draft.happens(NegotiationFailed(**_ids(state), reason=Outcome.LOW_ACCEPTANCE, last_proposal=state.proposal))
        case Step.ADJUST if _wishes(opened):
            start(draft, opened.number + 1)
            draft.owes(Ask(name=f"adjust/{opened.number + 1}", scope="adjust", prompt="adjust"))
        case Step.ADJUST | Step.RESEND:
            start(draft, opened.number + 1)
            distribute(draft, unchanged_proposal(state, Stamp(len(state.proposals) + 1, iso(at))), at)


def _wishes(opened: Round) -> bool:
    """Whether anybody gave the next version something to change."""
    return any(seat.vote and seat.vote.feedback_type is not FeedbackType.ACCEPT for seat in opened.seats.values())


def _ending(state: Negotiation, opened: Round) -> dict[str, object]:
    """What every FINALIZED and FORCE_FINALIZED plan carries."""
    assert state.proposal is not None  # noqa: S101 - a round is open only behind a proposal
    staying = [seat for agent_id, seat in opened.seats.items() if agent_id not in state.withdrawn]
    confirmed = tuple(seat.agent_id for seat in staying if _confirms(seat))
    return {
        **_ids(state),
        "final_proposal": without(state.proposal, state.withdrawn),
        "participants_count": len(staying),
        "rounds_taken": opened.number,
        "confirmed_participants": confirmed,
        "optional_participants": tuple(seat.agent_id for seat in staying if seat.agent_id not in confirmed),
        "open_requests": state.open_requests(),
    }


def _confirms(seat: Seat) -> bool:
    """Only an explicit accept confirms a seat; an assumed one never does."""
    vote = seat.vote
    return vote is not None and vote.feedback_type is FeedbackType.ACCEPT and vote.source is not Source.ASSUMED


def _open_round(state: Negotiation) -> Round:
    if not state.rounds:
        raise IllegalStep("No proposal is out yet.")
    return state.rounds[-1]


def _ids(state: Negotiation) -> dict[str, str]:
    return {"demand_id": state.demand_id, "channel_id": state.channel_id}


def _millis(seconds: float) -> Millis:
    return round(seconds * 1000)
