"""A round: a proposal is distributed, and once, whatever closes it first, the `votes` are evaluated."""

from collections.abc import Collection
from functools import cache
from typing import Final

from msgspec.structs import asdict, replace

from engine.errors import IllegalStep
from engine.kernel import Millis, iso, later
from engine.negotiation.agreement.endings import agreement, best_round, consent, is_held_back
from engine.negotiation.commands import RecordProposal
from engine.negotiation.demand.clarification import time_to_decide
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import (
    AgentWithdrawn,
    FeedbackDue,
    FeedbackEvaluated,
    ForceFinalized,
    NegotiationFailed,
    ProposalDistributed,
    ProposalDrafted,
    ProposalFeedback,
    ProposalFinalized,
    RoundStarted,
    TimesFound,
)
from engine.negotiation.offers import limit_rules
from engine.negotiation.plan.coverage import accepters, confirmers, unagreed_essential
from engine.negotiation.plan.proposals import (
    Stamp,
    are_alike,
    first_proposal,
    next_proposal,
    unchanged_proposal,
    without,
)
from engine.negotiation.policy import Best, Plan, Step, at_the_limit, evaluate
from engine.negotiation.search import substitutes
from engine.negotiation.state import Negotiation, Round, Seat, Status, Window
from engine.negotiation.terms import Outcome, Proposal, Source, Verdict
from engine.negotiation.voting import second_opinion, wishes_read
from engine.negotiation.voting.carrying import carried_votes, own_vote, silent_twins
from engine.negotiation.voting.kinds import FeedbackType, Sum
from engine.negotiation.voting.opinions_fold import in_seat
from engine.negotiation.voting.tally import Tally, is_silent, sums_of

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


AGAIN_AT_LEAST: Final[Millis] = 600_000
"""How long a window is opened again at the least, unless all of it was shorter."""
CLOSING: Final = "close"
"""The alarms that close a round."""
PATIENCE: Final = "twins"
"""The alarms after which a round no longer waits for twins."""


@cache
def closing(number: int) -> str:
    return f"{CLOSING}/{number}"


@cache
def patience(number: int) -> str:
    """Return the name of the alarm after which the round no longer waits for twins."""
    return f"{PATIENCE}/{number}"


# ── a round begins ────────────────────────────────────────────────────────────────────────────────────────────────


def start(draft: NegotiationDraft, number: int) -> None:
    """Begin a round, which waits for its version."""
    state = draft.state
    most = max(number, state.policy.max_rounds)  # what was lost in the last round gives it one more
    draft.happens(RoundStarted(**draft.ids, round=number, max_rounds=most))


def distribute(
    draft: NegotiationDraft, proposal: Proposal, at: Millis, *, model: str = "", prompt_hash: str = ""
) -> None:
    """Ask for votes on a version: the twins first, and people themselves where they have voted before and their part
    has changed since.
    """
    state = draft.state
    carried = carried_votes(state, proposal)
    spoken = silent_twins(state, proposal, carried)
    draft.happens(
        ProposalDistributed(
            **draft.ids, proposal=proposal, round=state.round, spoken=spoken, model=model, prompt_hash=prompt_hash
        )
    )
    for vote in carried.values():
        draft.happens(vote)
    awaited = [seat for seat in latest(draft.state).seats.values() if seat.is_awaited]
    window = Window.of(awaited, state.policy, at)
    wait(draft, window)
    second_opinion.ask(draft)
    wishes_read.ask_later_wishes(draft)
    if window.deadline <= at:
        finish(draft, at)  # every vote stands, or nobody may give those that do not
        return
    settle(draft, at)


def proposed(draft: NegotiationDraft, command: RecordProposal) -> None:
    """Distribute the first version, or the next one: the last valid one if no next one could be made."""
    state = draft.state
    if command.version != len(state.proposals) + 1 or command.corrections != state.corrections:
        return  # too late, or made of offers that people have corrected since
    if state.drafts_early:
        draft.happens(
            ProposalDrafted(
                **draft.ids,
                draft=command.draft,
                times=command.times,
                then=command.then,
                model=command.model,
                prompt_hash=command.prompt_hash,
            )
        )
        return
    stamp = Stamp(command.version, iso(command.at))
    if state.status is Status.AGGREGATING:
        if draft.lacks_a_model("aggregate", command):
            return
        proposal = first_proposal(state, command.draft, stamp)
        start(draft, 1)
    elif state.status is Status.PROPOSAL_SENT:
        draft.degrade("adjust", command)
        said = command.draft
        proposal = unchanged_proposal(state, stamp) if said is None else next_proposal(state, said, stamp)
    else:
        return
    is_known = command.times is not None or command.then is not None
    if is_known and proposal is not state.proposal:  # of a version that stands unchanged it was said when it was made
        draft.happens(TimesFound(**draft.ids, version=proposal.version, found=command.times, then=command.then))
    distribute(draft, proposal, command.at, model=command.model, prompt_hash=command.prompt_hash)


def take_early_draft(draft: NegotiationDraft, at: Millis) -> None:
    """Distribute what was drafted while people could correct their offers, unless somebody has."""
    state, early = draft.state, draft.state.first_draft
    if early is None or early.draft is None or state.held_offers != state.counted_offers:
        return
    proposed(
        draft,
        RecordProposal(
            command_id="",
            at=at,
            version=1,
            draft=early.draft,
            corrections=state.corrections,
            times=early.times,
            then=early.then,
            model=early.model,
            prompt_hash=early.prompt_hash,
        ),
    )


def settle(draft: NegotiationDraft, at: Millis, *, last_twin: bool = False) -> None:
    """Close the round when nobody else may act. Otherwise record until when it waits, if that has changed."""
    opened = latest(draft.state)
    for seat in opened.seats.values():
        if seat.twin_asked and seat.is_awaited:
            return
    awaited = [seat for seat in opened.seats.values() if seat.is_awaited]
    if not awaited or opened.window.for_reader:
        finish(draft, at)
        return
    window = opened.window.without_twins(draft.state.policy, at) if last_twin else opened.window
    window = window.closing_with(awaited)
    if window.deadline <= at:
        finish(draft, at)
    elif window != opened.window:
        wait(draft, window)


def wait(draft: NegotiationDraft, window: Window) -> None:
    """Let the open round wait that long. What people are given beyond the negotiation's end comes on top."""
    draft.happens(FeedbackDue(**draft.ids, round=latest(draft.state).number, **asdict(window)))


def open_again(draft: NegotiationDraft, at: Millis) -> bool:
    """Give people time again, once a round, where nobody was there when theirs was over, so that they could not answer
    either; return whether that was so.
    """
    opened, policy = latest(draft.state), draft.state.policy
    window, late = opened.window, at - opened.window.deadline
    theirs = time_of_people(draft.state, opened)
    if window.for_reader or window.is_again or not theirs or late <= later(0, policy.stuck_grace):
        return False
    given = min(max(late, AGAIN_AT_LEAST), later(0, theirs))
    wait(draft, replace(window.moved(late + given), is_again=True))
    return True


def give_more_time(draft: NegotiationDraft) -> bool:
    """Give people as much time again, from when theirs would end; return whether anybody is waited for."""
    opened = latest(draft.state)
    theirs = time_of_people(draft.state, opened)
    if not theirs or opened.window.for_reader:
        return False
    wait(draft, opened.window.longer(later(0, theirs)))
    return True


def time_of_people(state: Negotiation, opened: Round) -> float:
    """Return how many seconds a round gives those who are waited for."""
    people = [seat for seat in opened.seats.values() if seat.is_awaited]
    return state.policy.window(
        linked=any(seat.is_persons for seat in people), unlinked=any(not seat.user_id for seat in people)
    )


# ── a round ends ──────────────────────────────────────────────────────────────────────────────────────────────────


def finish(draft: NegotiationDraft, at: Millis) -> None:
    """Close the round, unless the second reader is still to be waited for."""
    state, opened = draft.state, latest(draft.state)
    ends = bool(opened.opinions_due) and _would_end(state, opened, at)
    until = second_opinion.waits_until(state, at, would_end=ends)
    if until > at:
        if not opened.window.for_reader or opened.window.deadline != until:
            wait(draft, replace(opened.window, deadline=until, for_reader=True))
        return
    close(draft, at)


def _would_end(state: Negotiation, opened: Round, at: Millis) -> bool:
    """Whether the negotiation would end with the votes as they are."""
    for vote in _assumed(state, opened, at):
        state = in_seat(state, vote.agent_id, assumed=vote)
    opened = latest(state)
    step = _step(state, opened, opened.counted, opened.number)
    return step not in (Step.ADJUST, Step.RESEND, Step.SUBSTITUTE, Step.ASK_REQUESTER)


def _step(state: Negotiation, opened: Round, tally: Tally, number: int, *, is_last: bool = False) -> Step:
    step = _evaluate(state, opened, tally, number, is_last=is_last)
    if step in (Step.FINALIZE, Step.FINALIZE_INCOMPLETE) and state.requested and number < state.policy.max_rounds:
        # What the requester asks for holds the plan until a version has answered it, or none could be made.
        if not state.policy.by_needs or not _sent_before(state, opened) or _new_wishes(state, opened):
            return Step.ADJUST
        return Step.ASK_REQUESTER if _can_ask(state, is_last=is_last) else Step.FINALIZE_INCOMPLETE
    return step


def close(draft: NegotiationDraft, at: Millis, *, is_last: bool = False, is_early: bool = False) -> None:
    """
    Args:
        is_last: no other round may follow, however many the policy allows.
        is_early: whoever asked counts what is there; where needs decide, who has not voted is not waited for.
    """
    opened = latest(draft.state)
    if at >= opened.window.twins_until and any(seat.is_unread for seat in opened.seats.values()):
        second_opinion.give_up(draft)
    for assumed in _assumed(draft.state, opened, at):
        draft.happens(assumed)
    opened = latest(draft.state)
    policy = draft.state.policy
    unheard = (
        tuple(each for each, seat in opened.seats.items() if seat.vote is None and not seat.closed) if is_early else ()
    )
    left_out = unheard if policy.by_needs and len(unheard) < len(opened.seats) else ()
    tally = opened.counted_without(left_out)
    number = policy.max_rounds if is_last else opened.number
    step = _step(draft.state, opened, tally, number, is_last=is_last)
    rate = tally.of_those_who_stay.accept_rate if policy.by_needs else tally.accept_rate
    draft.happens(
        FeedbackEvaluated(
            **draft.ids,
            round=opened.number,
            total=tally.total,
            **sums_of(tally),
            accept_rate=round(rate, 4),
            decision=_verdict(step, draft.state, opened),
            votes=_voted(opened) if policy.blind_votes else None,
            not_waited_for=left_out,
        )
    )
    for seat in opened.seats.values() if tally.leaving else ():
        if seat.leaves:
            draft.happens(
                AgentWithdrawn(
                    **draft.ids,
                    agent_id=seat.agent_id,
                    display_name=seat.display_name,
                    reason=seat.vote.reasoning if seat.vote else "",
                    closed=seat.closed,
                )
            )
    _proceed(draft, step, opened, at)


def conclude(draft: NegotiationDraft, at: Millis) -> None:
    """End without another version: the round that was evaluated last was the last one. Where all have agreed to it,
    what the requester wants changed is still open, so it is no more than the best there is.
    """
    state = draft.state
    last = latest(state)
    step = _evaluate(state, last, last.counted, state.policy.max_rounds, is_last=True)
    _proceed(draft, Step.FINALIZE_INCOMPLETE if step is Step.FINALIZE else step, last, at)


def _assumed(state: Negotiation, opened: Round, at: Millis) -> list[ProposalFeedback]:
    """Return an accept of each linked person who is known to have been asked and let the time pass."""
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
        for seat in _silent(state, opened, at)
    ]


def _silent(state: Negotiation, opened: Round, at: Millis) -> list[Seat]:
    """Return the seats whose silence counts as an accept."""
    if state.policy.silence != "accept" or state.policy.human_window <= 0 or at < opened.window.people_until:
        return []
    return [
        seat
        for seat in opened.seats.values()
        if seat.vote is None
        and seat.reached
        and not (seat.gone or seat.lost_delegate)
        and limit_rules.may_be_assumed(state, seat)
        and not _stands_aside(state, seat.agent_id)
    ]


def _stands_aside(state: Negotiation, agent_id: str) -> bool:
    """Whether a person has said last that they are neither for nor against it: their silence is no accept then."""
    said = own_vote(state, agent_id)
    return said is not None and said.feedback_type.kind.counts is Sum.ASIDE


def relied_on(state: Negotiation, alarm: str) -> frozenset[str]:
    """Return the users whose seats would be accepted once an alarm has rung, by whoever's hand or by silence, and the
    delegates to whom the silent may have left it: whether they still have an account has to be known first.
    """
    opened = state.current
    if opened is None or alarm != closing(opened.number):
        return frozenset()
    silent = _silent(state, opened, opened.window.deadline)
    agreeing = [seat for seat in opened.seats.values() if seat.vote and seat.vote.feedback_type.kind.agrees]
    return frozenset(
        each for each in (*(seat.user_id for seat in (*silent, *agreeing)), *(seat.delegate for seat in silent)) if each
    )


def _evaluate(state: Negotiation, closed: Round, tally: Tally, number: int, *, is_last: bool = False) -> Step:
    leaving = [each.agent_id for each in closed.seats.values() if each.leaves] if tally.leaving else []
    gone = {*state.withdrawn, *leaving}
    staying = without(state, state.proposals[closed.version - 1], gone)
    lost = substitutes.lost_core_seats(state, closed) if leaving else ()
    by_needs = state.policy.by_needs
    plan = Plan(
        core_lost=len(lost),
        reserve=0 if is_last and by_needs else substitutes.can_be_filled(state, lost, gone),
        is_held_back=is_held_back(state, closed),
        lacks_essential=bool(unagreed_essential(state, staying, confirmers(closed) if by_needs else accepters(closed))),
        is_repeated=by_needs and bool(_sent_before(state, closed)),
        has_new_wishes=by_needs and bool(_new_wishes(state, closed)),
        can_ask=by_needs and _can_ask(state, is_last=is_last),
    )
    number = state.policy.max_rounds if is_last else number

    def best() -> Best:
        return _best(state, gone)

    return evaluate(state.policy, tally, number, plan, best)


def _can_ask(state: Negotiation, *, is_last: bool) -> bool:
    return not is_last and state.parent is None and time_to_decide(state) > 0


def _best(state: Negotiation, gone: Collection[str]) -> Best:
    found = best_round(state, gone)
    return Best(found.counted, is_held_back(state, found), consent(state, found, gone))


def _verdict(step: Step, state: Negotiation, opened: Round) -> Verdict:
    if step is Step.ASK_REQUESTER:
        return Verdict.SUBSTITUTE if substitutes.lost_core_seats(state, opened) else Verdict.NEXT_ROUND
    return VERDICTS.get(step, Verdict.FAIL)


def keep_best(draft: NegotiationDraft, at: Millis) -> None:
    """End with the best version there is, where needs decide."""
    state = draft.state
    _proceed(draft, at_the_limit(state.policy, _best(state, state.withdrawn)), latest(state), at)


def send_again(draft: NegotiationDraft, at: Millis) -> None:
    """Begin another round of the same version, without those who have left."""
    start(draft, draft.state.round + 1)
    state = draft.state
    distribute(draft, unchanged_proposal(state, Stamp(len(state.proposals) + 1, iso(at))), at)


def _voted(opened: Round) -> dict[str, FeedbackType]:
    return {agent_id: seat.vote.feedback_type for agent_id, seat in opened.seats.items() if seat.vote}


def _proceed(draft: NegotiationDraft, step: Step, opened: Round, at: Millis) -> None:
    state = draft.state
    match step:
        case Step.FINALIZE:
            draft.happens(ProposalFinalized(**draft.ids, **agreement(state, opened)))
        case Step.FINALIZE_INCOMPLETE:
            draft.happens(ForceFinalized(**draft.ids, **agreement(state, opened)))
        case Step.FORCE_FINALIZE:
            draft.happens(ForceFinalized(**draft.ids, **agreement(state, best_round(state, state.withdrawn))))
        case Step.SUBSTITUTE:
            substitutes.invite(draft, substitutes.lost_core_seats(state, opened), at)
        case Step.ADJUST if _wishes(opened) or state.requested:
            start(draft, opened.number + 1)
        case Step.ADJUST | Step.RESEND:
            send_again(draft, at)
        case Step.ASK_REQUESTER:
            pass  # `between_rounds` sees to it
        case _:
            reason = Outcome(step.value)
            draft.happens(NegotiationFailed(**draft.ids, reason=reason, last_proposal=state.proposal))


def _wishes(opened: Round) -> bool:
    """Whether somebody objects, so that there is something to change in the next version."""
    return any(seat.vote and seat.vote.feedback_type.kind.objects for seat in opened.seats.values())


def _sent_before(state: Negotiation, opened: Round) -> list[Round]:
    """Return the earlier rounds in which the same plan was voted on."""
    plan = state.proposals[opened.version - 1]
    return [each for each in state.rounds[: opened.number - 1] if are_alike(state.proposals[each.version - 1], plan)]


def _new_wishes(state: Negotiation, opened: Round) -> set[tuple[str, str]]:
    """Return what is asked for that has not led to the same plan before: nothing else can lead to another one."""
    tried = (each for each in _sent_before(state, opened) if _led_to_a_version(state, each))
    asked = _asked_for(opened) | ({("", state.requested.text)} if state.requested is not None else set())
    return asked - {wish for each in tried for wish in _asked_for(each)}


def _led_to_a_version(state: Negotiation, closed: Round) -> bool:
    """Whether another version was asked for after a round; where too few had answered, it was only sent once more."""
    return not is_silent(closed.counted.of_those_who_stay) or bool(_sent_before(state, closed))


def _asked_for(opened: Round) -> set[tuple[str, str]]:
    """Return who asks for a change, and a person's words: a twin says the same in others every time."""
    asked = {("", opened.request.text)} if opened.request is not None else set()
    for agent_id, seat in opened.seats.items():
        if seat.vote is not None and seat.vote.feedback_type.kind.objects:
            asked.add((agent_id, seat.vote.adjustment_request if seat.vote.source is Source.HUMAN else ""))
    return asked


def is_still_wished(state: Negotiation, number: int) -> bool:
    """Whether changes are asked for in this round, or were before and no version has answered."""
    return _wishes(state.rounds[number - 1]) or state.requested is not None


def latest(state: Negotiation) -> Round:
    if not state.rounds:
        raise IllegalStep("No proposal is out yet.")
    return state.rounds[-1]
