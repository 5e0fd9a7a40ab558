"""A round: a proposal is distributed, and once, whatever closes it first, the `votes` are evaluated."""

from typing import Final

from engine.errors import IllegalStep
from engine.kernel import Ask, Millis, iso
from engine.negotiation.agreement.endings import agreement, best_round, is_held_back
from engine.negotiation.commands import RecordOffer, RecordProposal
from engine.negotiation.drafting import DURATION, NegotiationDraft, later
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
from engine.negotiation.fold import apply
from engine.negotiation.offers import limit_rules
from engine.negotiation.plan.coverage import unagreed_essential
from engine.negotiation.plan.proposals import (
    Stamp,
    first_proposal,
    next_proposal,
    unchanged_proposal,
    without,
)
from engine.negotiation.policy import Best, Plan, Step, evaluate
from engine.negotiation.search import gaps, substitutes
from engine.negotiation.state import Negotiation, Round, Seat, Status
from engine.negotiation.terms import Outcome, Proposal, Source, Verdict
from engine.negotiation.voting import reminders, second_opinion, wishes_read
from engine.negotiation.voting.carrying import carried_votes, silent_twins
from engine.negotiation.voting.kinds import FeedbackType
from engine.negotiation.voting.tally import Tally, sums_of

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
    return second_opinion.scope(number)


CLOSING: Final = "close"
"""The alarms that close a round."""
PATIENCE: Final = "twins"
"""The alarms after which a round no longer waits for twins."""


def closing(number: int) -> str:
    """Return the name of the alarm that closes a round."""
    return f"{CLOSING}/{number}"


def patience(number: int) -> str:
    """Return the name of the alarm after which the round no longer waits for twins."""
    return f"{PATIENCE}/{number}"


# ── a round begins ────────────────────────────────────────────────────────────────────────────────────────────────


def start(draft: NegotiationDraft, number: int) -> None:
    state = draft.state
    draft.happens(RoundStarted(**draft.ids, round=number, max_rounds=state.policy.max_rounds))


def distribute(
    draft: NegotiationDraft, proposal: Proposal, at: Millis, *, model: str = "", prompt_hash: str = ""
) -> None:
    """Ask for votes on a version: the twins first, and people themselves where they have voted before and their part
    has changed since.
    """
    state = draft.state
    number, policy = state.round, state.policy
    carried = carried_votes(state, proposal)
    spoken = silent_twins(state, proposal, carried)
    draft.happens(
        ProposalDistributed(
            **draft.ids, proposal=proposal, round=number, spoken=spoken, model=model, prompt_hash=prompt_hash
        )
    )
    for vote in carried.values():
        draft.happens(vote)
    awaited = [seat for seat in latest(draft.state).seats.values() if seat.is_awaited]
    linked = any(seat.user_id for seat in awaited)
    twins_until = later(at, policy.feedback_timeout if any(seat.twin_asked for seat in awaited) else 0)
    # Whoever has voted before is given time in any case, since nobody votes for them otherwise.
    window = policy.human_window or (policy.override_window if any(seat.spoken for seat in awaited) else 0)
    people_until = later(at, window if linked else 0)
    requester_until = later(twins_until, 0 if all(seat.user_id for seat in awaited) else policy.override_window)
    deadline = max(people_until, requester_until)
    wait(draft, deadline, twins_until=twins_until, people_until=people_until, requester_until=requester_until)
    draft.sets(DURATION, draft.state.until)  # the time that people are given for a version has come on top
    second_opinion.ask(draft)
    wishes_read.ask_later_wishes(draft)
    if deadline <= at:
        finish(draft, at)  # every vote stands, or nobody may give those that do not
        return
    draft.sets(patience(number), twins_until)
    reminders.schedule(draft)
    for seat in awaited:
        if seat.twin_asked:
            ask_twin(draft, seat.agent_id)
    settle(draft, at)


def ask_twin(draft: NegotiationDraft, agent_id: str) -> None:
    number = draft.state.round
    draft.owes(Ask(name=f"feedback/{number}/{agent_id}", scope=scope(number), prompt="feedback", about=agent_id))


def proposed(draft: NegotiationDraft, command: RecordProposal) -> None:
    """Distribute the first version, or the next one: the last valid one if no next one could be made."""
    state = draft.state
    if command.version != len(state.proposals) + 1 or command.corrections != state.corrections:
        return  # too late, or made of offers that people have corrected since
    stamp = Stamp(command.version, iso(command.at))
    if state.status is Status.AGGREGATING:
        if draft.lacks_a_model("aggregate", command):
            return
        proposal = first_proposal(state, command.draft, stamp)
        start(draft, 1)
    elif state.status is Status.PROPOSAL_SENT:
        draft.voids(ADJUST)
        draft.degrade("adjust", command)
        said = command.draft
        proposal = unchanged_proposal(state, stamp) if said is None else next_proposal(state, said, stamp)
    else:
        return
    distribute(draft, proposal, command.at, model=command.model, prompt_hash=command.prompt_hash)


def substitute_answered(draft: NegotiationDraft, command: RecordOffer) -> None:
    """Begin the next round once every core seat is taken again."""
    if substitutes.answered(draft, command) and substitutes.all_seated(draft.state):
        _adjust(draft)


def settle(draft: NegotiationDraft, at: Millis, *, last_twin: bool = False) -> None:
    """Close the round when nobody else may act. Otherwise record until when it waits, if that has changed."""
    opened = latest(draft.state)
    if any(seat.twin_asked and seat.is_awaited for seat in opened.seats.values()):
        return
    awaited = [seat for seat in opened.seats.values() if seat.is_awaited]
    if not awaited or opened.for_reader:
        finish(draft, at)
        return
    draft.clears(patience(opened.number))
    requester_until = opened.requester_until
    if last_twin:
        requester_until = min(requester_until, later(at, draft.state.policy.override_window))
    deadline = max(opened.people_until if seat.user_id else requester_until for seat in awaited)
    if deadline <= at:
        finish(draft, at)
    elif (deadline, requester_until) != (opened.deadline, opened.requester_until):
        wait(draft, deadline, requester_until=requester_until)


def wait(
    draft: NegotiationDraft,
    deadline: Millis,
    *,
    twins_until: Millis | None = None,
    people_until: Millis | None = None,
    requester_until: Millis | None = None,
    for_reader: bool = False,
) -> None:
    """Let the open round wait until ``deadline``. What is not given stays as it is; where people are given time beyond
    the negotiation's end, that comes on top.
    """
    opened, ends = latest(draft.state), draft.state.until
    draft.happens(
        FeedbackDue(
            **draft.ids,
            round=opened.number,
            deadline=deadline,
            twins_until=opened.twins_until if twins_until is None else twins_until,
            people_until=opened.people_until if people_until is None else people_until,
            requester_until=opened.requester_until if requester_until is None else requester_until,
            for_reader=for_reader,
        )
    )
    draft.sets(closing(opened.number), deadline)
    if draft.state.until != ends:
        draft.sets(DURATION, draft.state.until)


# ── a round ends ──────────────────────────────────────────────────────────────────────────────────────────────────


def abandon(draft: NegotiationDraft) -> None:
    """Stop waiting for anything of the open round."""
    number = draft.state.round
    if number:
        draft.voids(scope(number))
        draft.clears(closing(number))
        draft.clears(patience(number))
        reminders.abandon(draft)


def finish(draft: NegotiationDraft, at: Millis) -> None:
    """Close the round, unless the second reader is still to be waited for."""
    state, opened = draft.state, latest(draft.state)
    ends = bool(opened.opinions_due) and _would_end(state, opened, at)
    until = second_opinion.waits_until(state, at, would_end=ends)
    if until > at:
        if not opened.for_reader or opened.deadline != until:
            wait(draft, until, for_reader=True)
        return
    close(draft, at)


def _would_end(state: Negotiation, opened: Round, at: Millis) -> bool:
    """Whether the negotiation would end with the votes as they are."""
    for vote in _assumed(state, opened, at):
        state = apply(state, vote)
    opened = latest(state)
    step = _step(state, opened, opened.counted, opened.number)
    return step not in (Step.ADJUST, Step.RESEND, Step.SUBSTITUTE)


def _step(state: Negotiation, opened: Round, tally: Tally, number: int) -> Step:
    step = _evaluate(state, opened, tally, number)
    if step in (Step.FINALIZE, Step.FINALIZE_INCOMPLETE) and state.requested and number < state.policy.max_rounds:
        return Step.ADJUST  # what the requester asks for holds the plan until a version has answered it
    return step


def close(draft: NegotiationDraft, at: Millis, *, is_last: bool = False) -> None:
    """
    Args:
        is_last: no other round may follow, however many the policy allows.
    """
    abandon(draft)
    opened = latest(draft.state)
    if at >= opened.twins_until and any(seat.is_unread for seat in opened.seats.values()):
        second_opinion.give_up(draft)
    for assumed in _assumed(draft.state, opened, at):
        draft.happens(assumed)
    opened = latest(draft.state)
    tally = opened.counted
    policy = draft.state.policy
    number = policy.max_rounds if is_last else opened.number
    step = _step(draft.state, opened, tally, number)
    draft.happens(
        FeedbackEvaluated(
            **draft.ids,
            round=opened.number,
            total=tally.total,
            **sums_of(tally),
            accept_rate=round(tally.accept_rate, 4),
            decision=VERDICTS.get(step, Verdict.FAIL),
            votes=_voted(opened) if policy.blind_votes else None,
        )
    )
    for seat in opened.seats.values():
        if _left(seat) and seat.vote:
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
    """End without another version: the round that was evaluated last was the last one. Where all have agreed to it,
    what the requester wants changed is still open, so it is no more than the best there is.
    """
    state = draft.state
    last = latest(state)
    step = _evaluate(state, last, last.counted, state.policy.max_rounds)
    _proceed(draft, Step.FINALIZE_INCOMPLETE if step is Step.FINALIZE else step, last, at)


def _assumed(state: Negotiation, opened: Round, at: Millis) -> list[ProposalFeedback]:
    """Return an accept of each linked person who is known to have been asked and let the time pass."""
    if state.policy.silence != "accept" or state.policy.human_window <= 0 or at < opened.people_until:
        return []
    return [
        ProposalFeedback(
            demand_id=state.demand_id,
            channel_id=state.channel_id,
            agent_id=seat.agent_id,
            display_name=seat.display_name,
            feedback_type=FeedbackType.ACCEPT,
            round=opened.number,
            version=opened.version,
            source=Source.ASSUMED,
            blind=state.policy.blind_votes,
        )
        for seat in opened.seats.values()
        if seat.vote is None and seat.reached and not seat.gone and limit_rules.may_be_assumed(state, seat)
    ]


def _evaluate(state: Negotiation, closed: Round, tally: Tally, number: int) -> Step:
    gone = {*state.withdrawn, *(each.agent_id for each in closed.seats.values() if _left(each))}
    staying = without(state, state.proposals[closed.version - 1], gone)
    lost = substitutes.lost_core_seats(state, closed)
    plan = Plan(
        core_lost=len(lost),
        reserve=len(substitutes.candidates(state, lost, gone)) if lost else 0,
        is_held_back=is_held_back(state, closed),
        lacks_essential=bool(unagreed_essential(state, staying, closed)),
    )

    def best() -> Best:
        found = best_round(state, gone)
        return Best(found.counted, is_held_back(state, found))

    return evaluate(state.policy, tally, number, plan, best)


def _left(seat: Seat) -> bool:
    return (vote := seat.vote) is not None and vote.feedback_type.kind.leaves


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
            substitutes.invite(draft, substitutes.lost_core_seats(state, opened), at)
        case Step.ADJUST if _wishes(opened) or state.requested:
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
    """Whether somebody objects, so that there is something to change in the next version."""
    return any(seat.vote and seat.vote.feedback_type.kind.objects for seat in opened.seats.values())


def latest(state: Negotiation) -> Round:
    if not state.rounds:
        raise IllegalStep("No proposal is out yet.")
    return state.rounds[-1]
