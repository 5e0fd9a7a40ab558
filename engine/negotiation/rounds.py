"""A round: a proposal is distributed, and once, whatever closes it first, the `votes` are evaluated."""

from typing import Final

from engine.errors import IllegalStep
from engine.kernel import Ask, Millis, iso
from engine.negotiation import gaps, reminders, substitutes
from engine.negotiation.answers import FeedbackType
from engine.negotiation.commands import RecordOffer, RecordProposal
from engine.negotiation.coverage import unagreed_essential
from engine.negotiation.drafting import DURATION, NegotiationDraft, later
from engine.negotiation.endings import agreement, best_round, is_held_back
from engine.negotiation.events import (
    AgentWithdrawn,
    FeedbackDue,
    FeedbackEvaluated,
    ForceFinalized,
    NegotiationFailed,
    ProposalDistributed,
    ProposalFeedback,
    ProposalFinalized,
    RoundStarted,
)
from engine.negotiation.policy import Plan, Step, Tally, evaluate
from engine.negotiation.proposals import Stamp, next_proposal, unchanged_proposal, without
from engine.negotiation.state import Negotiation, Round, Seat
from engine.negotiation.terms import Outcome, Proposal, Source, Verdict

VERDICTS = {
    Step.FINALIZE: Verdict.FINALIZE,
    Step.FINALIZE_INCOMPLETE: Verdict.FORCE_FINALIZE,
    Step.ADJUST: Verdict.NEXT_ROUND,
    Step.RESEND: Verdict.NEXT_ROUND,
    Step.SUBSTITUTE: Verdict.SUBSTITUTE,
    Step.FORCE_FINALIZE: Verdict.FORCE_FINALIZE,
}
"""Every other step is a failure."""


ADJUST: Final = "adjust"
"""The scope of the effects that ask for the next version."""


def adjusting(number: int) -> str:
    """Return the name of the effect that asks for the version of a round."""
    return f"adjust/{number}"


def scope(number: int) -> str:
    """Return the scope of the twins' votes of a round."""
    return f"round/{number}"


def closing(number: int) -> str:
    """Return the name of the alarm that closes a round."""
    return f"close/{number}"


def patience(number: int) -> str:
    """Return the name of the alarm after which the round no longer waits for twins."""
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
    seats = latest(draft.state).seats
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
    draft.sets(DURATION, draft.state.until)  # the time that people are given has come on top
    reminders.schedule(draft)
    for agent_id in seats:
        draft.owes(Ask(name=f"feedback/{number}/{agent_id}", scope=scope(number), prompt="feedback", about=agent_id))


def adjusted(draft: NegotiationDraft, command: RecordProposal, stamp: Stamp) -> None:
    """Distribute the next version, or the last valid one if no next one could be made."""
    state = draft.state
    proposal = unchanged_proposal(state, stamp) if command.draft is None else next_proposal(state, command.draft, stamp)
    distribute(draft, proposal, command.at, model=command.model, prompt_hash=command.prompt_hash)


def substitute_answered(draft: NegotiationDraft, command: RecordOffer) -> None:
    """Begin the next round once every core seat is taken again."""
    if substitutes.answered(draft, command) and substitutes.all_seated(draft.state):
        _adjust(draft)


# ── a round ends ──────────────────────────────────────────────────────────────────────────────────────────────────


def abandon(draft: NegotiationDraft) -> None:
    """Stop waiting for anything of the open round."""
    number = draft.state.round
    if number:
        draft.voids(scope(number))
        draft.clears(closing(number))
        draft.clears(patience(number))
        reminders.abandon(draft)


def close(draft: NegotiationDraft, at: Millis, *, is_last: bool = False) -> None:
    """
    Args:
        is_last: no other round may follow, however many the policy allows.
    """
    abandon(draft)
    opened = latest(draft.state)
    _assume(draft, opened, at)
    opened = latest(draft.state)
    tally = count(opened)
    policy = draft.state.policy
    number = policy.max_rounds if is_last else opened.number
    step = evaluate(policy, tally, number, _plan(draft.state, opened))
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
            votes=_voted(opened) if policy.blind_votes else None,
        )
    )
    for seat in opened.seats.values():
        if seat.vote and _left(seat):
            draft.happens(
                AgentWithdrawn(
                    **draft.ids,
                    agent_id=seat.agent_id,
                    display_name=seat.display_name,
                    reason=seat.vote.reasoning,
                )
            )
    _proceed(draft, step, opened, at)


def conclude(draft: NegotiationDraft, at: Millis) -> None:
    """End without another version: the round that was evaluated last was the last one."""
    state = draft.state
    last = latest(state)
    _proceed(draft, evaluate(state.policy, count(last), state.policy.max_rounds, _plan(state, last)), last, at)


def _assume(draft: NegotiationDraft, opened: Round, at: Millis) -> None:
    """Assume an accept of each linked person who is known to have been asked and let the time pass."""
    state = draft.state
    if state.policy.silence != "accept" or state.policy.human_window <= 0 or at < opened.people_until:
        return
    for seat in opened.seats.values():
        if seat.vote is None and seat.reached and not seat.gone:
            draft.happens(
                ProposalFeedback(
                    **draft.ids,
                    agent_id=seat.agent_id,
                    display_name=seat.display_name,
                    feedback_type=FeedbackType.ACCEPT,
                    round=opened.number,
                    version=opened.version,
                    source=Source.ASSUMED,
                    blind=state.policy.blind_votes,
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


def _plan(state: Negotiation, closed: Round) -> Plan:
    gone = {*state.withdrawn, *(each.agent_id for each in closed.seats.values() if _left(each))}
    staying = without(state, state.proposals[closed.version - 1], gone)
    best = best_round(state, gone)
    return Plan(
        core_lost=len(substitutes.lost_core_seats(state, closed)),
        reserve=len(state.reserve),
        is_held_back=is_held_back(state, closed),
        lacks_essential=bool(unagreed_essential(state, staying, closed)),
        best=count(best),
        best_is_held_back=is_held_back(state, best),
    )


def _left(seat: Seat) -> bool:
    return seat.vote is not None and seat.vote.feedback_type is FeedbackType.WITHDRAW


def _voted(opened: Round) -> dict[str, FeedbackType]:
    return {agent_id: seat.vote.feedback_type for agent_id, seat in opened.seats.items() if seat.vote}


def _proceed(draft: NegotiationDraft, step: Step, opened: Round, at: Millis) -> None:
    state = draft.state
    match step:
        case Step.FINALIZE:
            draft.happens(ProposalFinalized(**draft.ids, **agreement(state, opened)))
            gaps.seek(draft)
        case Step.FINALIZE_INCOMPLETE:
            draft.happens(ForceFinalized(**draft.ids, **agreement(state, opened)))
            gaps.seek(draft)
        case Step.FORCE_FINALIZE:
            draft.happens(ForceFinalized(**draft.ids, **agreement(state, best_round(state, state.withdrawn))))
            gaps.seek(draft)
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
    """Begin the next round, and ask for its version."""
    start(draft, draft.state.round + 1)
    adjust_again(draft)


def adjust_again(draft: NegotiationDraft) -> None:
    draft.voids(ADJUST)
    draft.owes(Ask(name=adjusting(draft.state.round), scope=ADJUST, prompt="adjust"))


def _wishes(opened: Round) -> bool:
    """Whether somebody did not accept, so that there is something to change in the next version."""
    return any(seat.vote and seat.vote.feedback_type is not FeedbackType.ACCEPT for seat in opened.seats.values())


def latest(state: Negotiation) -> Round:
    if not state.rounds:
        raise IllegalStep("No proposal is out yet.")
    return state.rounds[-1]
