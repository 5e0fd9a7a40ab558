"""Moves on negotiations that have stalled, and ends those that cannot be moved or last too long.

| stalled while | moved on by |
| --- | --- |
| created, aggregating, proposal_sent | asking again; ending where whoever asked has not answered a question |
| collecting | making a plan of what came; asking again where no answer came at all |
| negotiating | evaluating what there is; asking the next of the reserve where a substitute was waited for |

Time in which ToWow was not there is no negotiation's: one that is past its end then has its time again, whatever is
the first to tell.

It has stalled a grace after its deadline, or, where it waits for an answer alone, a grace after its last event, when
nobody is working on the answer. Any other event is progress.
"""

from typing import Final

from engine.kernel import AlarmRang, Millis, Recover, later
from engine.negotiation.demand import clarification, gathering
from engine.negotiation.drafting import DURATION, NegotiationDraft, Rows
from engine.negotiation.events import NegotiationFailed, RecoveryAttempted
from engine.negotiation.offers import collecting, offers
from engine.negotiation.search import subnets, substitutes
from engine.negotiation.state import Negotiation, Status, Wait
from engine.negotiation.terms import Outcome, RecoveryAction
from engine.negotiation.voting import between_rounds, rounds

ATTEMPTS: Final = 3
"""Attempts without progress in between."""


def stalled_at(state: Negotiation, since: Millis) -> Millis | None:
    """Return when it counts as stalled, if nothing has happened since then."""
    if not state.exists or not state.is_open:
        return None
    return later(max(since, _deadline(state)), state.policy.stuck_grace)


def ends_machines_time(state: Negotiation, alarm: str) -> bool:
    """Whether an alarm ends what only machines are waited for: their time does not pass while nobody can ask them."""
    opened = state.current
    if alarm == offers.OFFERS:
        return state.wait is Wait.TWINS
    if opened is not None and alarm == rounds.closing(opened.number):
        return opened.window.for_reader or any(seat.twin_asked and seat.twin is None for seat in opened.seats.values())
    twins = {substitutes.waiting(each.agent_id) for each in state.vacancies.values() if not each.in_person}
    return alarm in (DURATION, *twins) or (opened is not None and alarm == rounds.patience(opened.number))


def recover(draft: NegotiationDraft, command: Recover) -> None:
    """Move on what has stalled. What has moved by itself since is left alone, so recovering twice does nothing."""
    state = draft.state
    if not state.is_open or command.at < later(_deadline(state), state.policy.stuck_grace):
        return
    match state.status:
        case Status.CREATED if state.awaits_answer:
            clarification.give_up(draft)
        case Status.COLLECTING if state.offers or state.wait is not Wait.TWINS:
            if _attempt(draft, RecoveryAction.AGGREGATE):
                collecting.time_is_over(draft, command.at)
        case Status.COLLECTING:
            _ask_for_offers(draft, command.at)
        case Status.NEGOTIATING if state.current:
            if _attempt(draft, RecoveryAction.EVALUATE):
                rounds.close(draft, command.at)
        case Status.NEGOTIATING:
            if _attempt(draft, RecoveryAction.SUBSTITUTE):
                substitutes.give_up_waiting(draft, command.at)
                between_rounds.give_up(draft, command.at)
        case _ if _awaited(state) not in command.running:
            _attempt(draft, RecoveryAction.ASK_AGAIN)


def offers_due(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    """End the collecting when the time for offers is over."""
    state = draft.state
    if state.status is not Status.COLLECTING or alarm.at < state.offers_due:
        return
    if state.offers or state.wait is not Wait.TWINS:
        collecting.time_is_over(draft, alarm.at)
    else:
        _ask_for_offers(draft, alarm.at)


def make_up_for_absence(draft: NegotiationDraft, at: Millis) -> None:
    """Give a negotiation its time again that was not ended at its end, since nobody was there to do so.

    This comes before every command: whatever people are given then comes on top of time that is still to come.
    """
    state = draft.state
    if at <= state.until or not state.exists or not state.is_open:
        return
    if not _was_away(state, at) or state.attempts >= ATTEMPTS:
        return
    until = later(at, state.policy.machine_time)
    _attempt(draft, RecoveryAction.GIVE_TIME, until=until)


def over(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    """End a negotiation that has lasted as long as it may: evaluate what exists as the last round, or fail."""
    state, at = draft.state, alarm.at
    if not state.is_open or at < state.until:
        return
    if _was_away(state, at):
        _fail(draft, Outcome.RECOVERY_EXHAUSTED)  # its time was made up for again and again, and nothing came of it
        return
    match state.status:
        case Status.NEGOTIATING if state.current:
            rounds.close(draft, at, is_last=True)
        case Status.NEGOTIATING if state.awaits_decision:
            between_rounds.give_up(draft, at)
        case Status.NEGOTIATING:
            _fail(draft, Outcome.CORE_WITHDRAWN)
        case Status.PROPOSAL_SENT:
            rounds.conclude(draft, at)
        case _:
            _fail(draft, Outcome.NEGOTIATION_TIMEOUT)


def _was_away(state: Negotiation, at: Millis) -> bool:
    """Whether its end is past by more than a grace: the alarm that ends it rings at its end, if ToWow is there."""
    return at > state.until and at > later(state.until, state.policy.stuck_grace)


def _deadline(state: Negotiation) -> Millis:
    """Return until when it may wait; 0 if it waits for a model's answer, which has no alarm."""
    match state.status:
        case Status.CREATED if state.awaits_answer and state.unclear:
            return state.unclear.deadline
        case Status.COLLECTING:
            return state.offers_due
        case Status.NEGOTIATING if state.current:
            return state.current.window.deadline
        case Status.NEGOTIATING:
            decision = state.offers_due if state.awaits_decision or between_rounds.is_searching(state) else 0
            return max((decision, *(each.deadline for each in substitutes.awaited(state))))
        case _:
            return 0


def _awaited(state: Negotiation) -> str:
    match state.status:
        case Status.CREATED:
            return gathering.awaited(state)[0]
        case Status.AGGREGATING:
            return offers.AGGREGATE
        case _:
            return rounds.adjusting(state.round)


def _ask_for_offers(draft: NegotiationDraft, at: Millis) -> None:
    """Ask everybody again. A twin that cannot answer declines, so without any answer nobody was asked."""
    due = later(at, draft.state.policy.response_timeout)
    _attempt(draft, RecoveryAction.ASK_AGAIN, deadline=due)


def _attempt(draft: NegotiationDraft, action: RecoveryAction, *, deadline: Millis = 0, until: Millis = 0) -> bool:
    """Record an attempt, or fail after too many. Return whether it may be tried."""
    state = draft.state
    if state.attempts >= ATTEMPTS:
        _fail(draft, Outcome.RECOVERY_EXHAUSTED)
        return False
    draft.happens(
        RecoveryAttempted(
            **draft.ids,
            attempt=state.attempts + 1,
            status=state.status.value,
            action=action,
            deadline=deadline,
            until=until,
        )
    )
    return True


def _fail(draft: NegotiationDraft, reason: Outcome) -> None:
    subnets.give_up(draft, reason=Outcome.CANCELLED)
    draft.happens(NegotiationFailed(**draft.ids, reason=reason, last_proposal=draft.state.proposal))


ROWS: Final = Rows(handlers={Recover: recover}, alarms={DURATION: over})
"""Those of no phase."""
