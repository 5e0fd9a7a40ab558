"""Fills a core seat that was left: invites the best of the reserve, one after the other, while the status stays."""

from engine.kernel import AlarmRang, Ask, Millis
from engine.negotiation.answers import FeedbackType, OfferDecision
from engine.negotiation.commands import RecordOffer
from engine.negotiation.drafting import NegotiationDraft, later
from engine.negotiation.events import NegotiationFailed, SubstituteInvited
from engine.negotiation.offers import record_offer
from engine.negotiation.state import Negotiation, Round
from engine.negotiation.terms import Outcome


def waiting(agent_id: str) -> str:
    """Return the scope of a substitute's offer, which also names the alarm that ends the wait for it."""
    return f"substitute/{agent_id}"


def lost_core_seats(state: Negotiation, closed: Round) -> tuple[str, ...]:
    """Return the participants of core seats who withdrew in this round."""
    if not state.policy.core_gate:
        return ()
    core = {each.agent_id for each in state.proposals[closed.version - 1].assignments if each.core}
    return tuple(
        seat.agent_id
        for seat in closed.seats.values()
        if seat.agent_id in core and seat.vote and seat.vote.feedback_type is FeedbackType.WITHDRAW
    )


def invite(draft: NegotiationDraft, replaces: str, at: Millis) -> None:
    """Ask the best of the reserve who was not asked yet."""
    state = draft.state
    candidate = max(state.reserve, key=lambda each: each.confidence)  # the first of equals
    left = state.assignment(replaces)
    deadline = later(at, state.policy.response_timeout)
    draft.happens(
        SubstituteInvited(
            **draft.ids,
            agent_id=candidate.agent_id,
            display_name=candidate.display_name,
            replaces=replaces,
            role=left.role if left else "",
            round=state.round,
            deadline=deadline,
        )
    )
    draft.owes(
        Ask(
            name=f"offer/{candidate.agent_id}",
            scope=waiting(candidate.agent_id),
            prompt="respond",
            about=candidate.agent_id,
        )
    )
    draft.sets(waiting(candidate.agent_id), deadline)


def answered(draft: NegotiationDraft, command: RecordOffer) -> bool:
    """Record a substitute's offer. Who declines makes room for the next of the reserve.

    Returns:
        whether somebody takes a seat.
    """
    if command.agent_id not in _invited(draft.state):
        return False
    draft.clears(waiting(command.agent_id))
    record_offer(draft, command)
    if command.answer.decision is OfferDecision.DECLINE:
        _next(draft, command.agent_id, command.at)
        return False
    return True


def all_seated(state: Negotiation) -> bool:
    return all(
        agent_id in state.offers and state.offers[agent_id].decision is not OfferDecision.DECLINE
        for agent_id in _invited(state)
    )


def alarm_rang(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    """Treat a substitute who does not answer in time as one who declines."""
    for each in awaited(draft.state):
        if alarm.name == waiting(each.agent_id) and alarm.at >= each.deadline:
            _did_not_answer(draft, each, alarm.at)
            return


def give_up_waiting(draft: NegotiationDraft, at: Millis) -> None:
    """Stop waiting for the substitutes who have not answered."""
    for each in awaited(draft.state):
        if draft.state.is_open:
            _did_not_answer(draft, each, at)


def _did_not_answer(draft: NegotiationDraft, invited: SubstituteInvited, at: Millis) -> None:
    draft.voids(waiting(invited.agent_id))
    draft.clears(waiting(invited.agent_id))
    draft.gave_up("respond", "E004", agent_id=invited.agent_id)
    _next(draft, invited.agent_id, at)


def awaited(state: Negotiation) -> tuple[SubstituteInvited, ...]:
    """Return the substitutes who were invited and have not answered yet."""
    return tuple(each for each in state.vacancies.values() if state.is_open and each.agent_id not in state.offers)


def _invited(state: Negotiation) -> tuple[str, ...]:
    return tuple(each.agent_id for each in state.vacancies.values())


def abandon(draft: NegotiationDraft) -> None:
    """Stop waiting for any substitute."""
    for agent_id in _invited(draft.state):
        draft.voids(waiting(agent_id))
        draft.clears(waiting(agent_id))


def _next(draft: NegotiationDraft, declined: str, at: Millis) -> None:
    state = draft.state
    replaces = next(left for left, each in state.vacancies.items() if each.agent_id == declined)
    if state.reserve:
        invite(draft, replaces, at)
        return
    abandon(draft)
    draft.happens(NegotiationFailed(**draft.ids, reason=Outcome.CORE_WITHDRAWN, last_proposal=state.proposal))
