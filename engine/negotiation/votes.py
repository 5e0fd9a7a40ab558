"""Votes: who may give one, on which version and until when; and when nobody is waited for any more."""

from typing import Final

from engine.errors import NotAllowed, UnknownAgent
from engine.kernel import AlarmRang, Millis
from engine.negotiation import rounds
from engine.negotiation.answers import FeedbackType, without_surrogates
from engine.negotiation.commands import CastVote, CloseRound, RecordFeedback
from engine.negotiation.conditions import settled
from engine.negotiation.drafting import NegotiationDraft, later
from engine.negotiation.errors import InvalidVote, StaleVote
from engine.negotiation.events import FeedbackDue, ProposalFeedback
from engine.negotiation.state import Negotiation, Seat
from engine.negotiation.terms import Source

LONGEST_VOTE: Final = 4_001
"""Characters: what both fields of a form take, and the line break between them."""


def twin_feedback(draft: NegotiationDraft, command: RecordFeedback) -> None:
    """Record a twin's vote, or that it could not vote. Nothing happens if it comes too late, twice or for nobody."""
    opened = draft.state.current
    seat = opened.seats.get(command.agent_id) if opened and opened.number == command.round else None
    if opened is None or seat is None or not seat.twin_asked:
        return
    if command.answer is None:
        draft.gave_up("feedback", command.degraded or "E003", agent_id=seat.agent_id)
    else:
        answer = settled(draft.state, seat.agent_id, command.answer)
        draft.happens(
            ProposalFeedback(
                **draft.ids,
                agent_id=seat.agent_id,
                display_name=seat.display_name,
                feedback_type=answer.feedback_type,
                reasoning=answer.reasoning,
                adjustment_request=answer.adjustment_request,
                concerns=answer.concerns,
                round=opened.number,
                version=opened.version,
                source=Source.AGENT,
                blind=draft.state.policy.blind_votes,
                model=command.model,
                prompt_hash=command.prompt_hash,
            )
        )
    settle(draft, command.at, last_twin=True)


def cast_vote(draft: NegotiationDraft, command: CastVote) -> None:
    """Take a person's vote, if it is theirs to give, on this version and in time. The latest one counts.

    Raises:
        UnknownAgent, NotAllowed, StaleVote, InvalidVote
    """
    state = draft.state
    seat = check_vote(state, command.by, command.agent_id, command.round, command.digest, command.at)
    text = without_surrogates(command.text).strip()
    if command.feedback_type is not FeedbackType.ACCEPT and not text:
        raise InvalidVote("Say in a few words what should change, or why you are leaving.")
    if len(text) > LONGEST_VOTE:
        raise InvalidVote(f"Shorten your words: {len(text):,} characters are too many, {LONGEST_VOTE:,} can be read.")
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
        blind=state.policy.blind_votes,
    )
    if seat.human == vote:
        return  # the very same vote once more: it stands already
    draft.happens(vote)
    settle(draft, command.at)


def check_vote(state: Negotiation, by: str, agent_id: str, number: int, digest: str, at: Millis) -> Seat:
    """Return the seat, if ``by`` may vote for it with a button of round ``number`` and this digest.

    Raises:
        UnknownAgent, NotAllowed, StaleVote
    """
    latest = state.rounds[-1] if state.rounds else None
    if latest is None or (agent_id and agent_id not in latest.seats):
        raise UnknownAgent(f"{agent_id} has no seat in this proposal, so there is nothing to vote on.")
    if not agent_id:
        raise NotAllowed("You have no seat in this proposal, so there is nothing for you to vote on.")
    seat = latest.seats[agent_id]
    if by not in state.actors_for(agent_id):
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


def close_round(draft: NegotiationDraft, command: CloseRound) -> None:
    """
    Raises:
        NotAllowed, StaleVote
    """
    state = draft.state
    if not state.is_owned_by(command.by, as_admin=command.as_admin):
        raise NotAllowed("Only the person who asked, or an admin, can close a round early.")
    if state.current is None or state.current.number != command.round:
        raise StaleVote(f"Round {command.round} is over already.")
    rounds.close(draft, command.at)


def alarm_rang(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    """Handle the alarms of the open round. One of an earlier round, or before its time, changes nothing."""
    opened = draft.state.current
    if opened is None:
        return
    if alarm.name == rounds.patience(opened.number) and alarm.at >= opened.twins_until:
        for seat in opened.seats.values():
            if seat.twin_asked:
                draft.gave_up("feedback", "E004", agent_id=seat.agent_id)
        draft.voids(rounds.scope(opened.number))
        settle(draft, alarm.at, last_twin=True)
    elif alarm.name == rounds.closing(opened.number) and alarm.at >= opened.deadline:
        rounds.close(draft, alarm.at)


def settle(draft: NegotiationDraft, at: Millis, *, last_twin: bool = False) -> None:
    """Close the round when nobody else may act. Otherwise record until when it waits, if that has changed."""
    opened = rounds.latest(draft.state)
    if any(seat.twin_asked and seat.is_awaited for seat in opened.seats.values()):
        return
    awaited = [seat for seat in opened.seats.values() if seat.is_awaited]
    if not awaited:
        rounds.close(draft, at)
        return
    draft.clears(rounds.patience(opened.number))
    requester_until = opened.requester_until
    if last_twin:
        requester_until = min(requester_until, later(at, draft.state.policy.override_window))
    deadline = max(opened.people_until if seat.user_id else requester_until for seat in awaited)
    if deadline <= at:
        rounds.close(draft, at)
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
        draft.sets(rounds.closing(opened.number), deadline)
