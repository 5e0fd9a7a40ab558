"""Votes: who may give one, on which version and until when; and when nobody is waited for any more.

Only silence of somebody who was told of a round counts as an accept, so it is recorded who was told. People who have
not decided themselves are reminded once a round, when half of their time is over; a delegate may decide for them.
"""

from typing import Any, Final

from engine.errors import IllegalStep, NotAllowed, UnknownAgent
from engine.facts.data import is_empty
from engine.facts.shortening import without_surrogates
from engine.kernel import AlarmRang, Millis, values_of
from engine.negotiation.afterwards import commitments
from engine.negotiation.answers import FeedbackAnswer
from engine.negotiation.commands import (
    CastPrepared,
    CastVote,
    CloseRound,
    CorrectRequest,
    Delegate,
    ExtendRound,
    HandBack,
    RecordDelivery,
    RecordFeedback,
    RecordOpinion,
    TakeTime,
)
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.errors import InvalidDelegate, InvalidVote, StaleVote
from engine.negotiation.events import (
    FeedbackReminded,
    PersonReached,
    PersonUnreachable,
    PreparedVote,
    ProposalFeedback,
    SeatDelegated,
    SeatHandedBack,
    VotePrepared,
)
from engine.negotiation.offers import collecting, limit_rules
from engine.negotiation.plan.conditions import settled
from engine.negotiation.state import Negotiation, Round, Seat, Status
from engine.negotiation.terms import Asked, Source
from engine.negotiation.voting import rounds, second_opinion, wishes_read
from engine.negotiation.voting.carrying import own_vote
from engine.negotiation.voting.requests import not_again, stale

HALF_TIME: Final = "remind"
"""The alarms in the middle of the people's window."""


def half_time(number: int) -> str:
    """Return the name of the alarm in the middle of the people's window."""
    return f"{HALF_TIME}/{number}"


def half_time_is_over(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    """Remind people, unless it is not yet half time or their window is over."""
    opened = draft.state.current
    if opened is None or alarm.name != half_time(opened.number) or opened.reminded:
        return
    if not opened.window.half_time(draft.state.policy) <= alarm.at < opened.window.people_until:
        return
    undecided = tuple(
        seat.agent_id
        for seat in opened.seats.values()
        if seat.user_id and not seat.handed_back and seat.human is None and (seat.delegate or not seat.gone)
    )
    if undecided:
        draft.happens(FeedbackReminded(**draft.ids, round=opened.number, agent_ids=undecided))


def delivery_recorded(draft: NegotiationDraft, command: RecordDelivery) -> None:
    """Record a receipt. One of another round, for nobody, or known already changes nothing."""
    if command.delegate:
        _delegate_is_gone(draft, command)
        return
    if draft.state.final is not None:
        if command.gone and not command.reached:
            commitments.account_closed(draft, command.agent_id, command.at)
        return
    opened = draft.state.current
    if not command.round and opened is None:
        collecting.person_unreachable(draft, command)
        return
    seat = opened.seats.get(command.agent_id) if opened and opened.number == command.round else None
    if opened is None or seat is None or not seat.user_id:
        return
    if command.reached:
        if _is_told(seat, opened, command.at):
            draft.happens(PersonReached(**draft.ids, agent_id=seat.agent_id, round=opened.number))
    else:
        # Without a channel there is no thread in which they could have heard of it otherwise.
        gone = command.gone or not draft.state.place.channel
        if (command.gone and not seat.closed) or _is_lost(seat, gone=gone):
            who, number = seat.agent_id, opened.number
            draft.happens(PersonUnreachable(**draft.ids, agent_id=who, round=number, gone=gone, closed=command.gone))
    after = draft.state.rounds[-1].seats[seat.agent_id]
    if (after.gone, after.closed) != (seat.gone, seat.closed):
        rounds.settle(draft, command.at)


def _delegate_is_gone(draft: NegotiationDraft, command: RecordDelivery) -> None:
    """Let a person decide alone whose delegate has no account any more."""
    state = draft.state
    number = state.current.number if state.current is not None else 0
    is_waited_for = state.current is not None or state.status is Status.COLLECTING
    if is_waited_for and number == command.round and state.delegates.get(command.agent_id) == command.delegate:
        draft.happens(
            PersonUnreachable(
                **draft.ids, agent_id=command.agent_id, round=number, gone=True, delegate=command.delegate
            )
        )
        if state.current is not None:
            rounds.settle(draft, command.at)


def account_closed(state: Negotiation, user: str, cause: str, at: Millis) -> list[RecordDelivery]:
    """Return what a negotiation is told when somebody's account is closed: nobody waits for them, nobody's vote counts
    for them, and their silence is none, nor that of whoever has left it to them; what they promised, nobody keeps.

    Args:
        cause: identifies how that became known.
    """
    opened = state.current
    if state.final is not None:
        asked = [each.agent_id for each in commitments.commitments(state) if each.user_id == user]
    elif opened is not None:
        asked = [each.agent_id for each in opened.seats.values() if each.user_id == user and not each.closed]
    else:
        asked = [
            each for each, one in state.invited.items() if one.user_id == user and each not in state.closed_accounts
        ]
    number = opened.number if opened is not None else 0
    return [
        RecordDelivery(
            command_id=f"reach:{number}:{agent_id}:{cause}",
            at=at,
            agent_id=agent_id,
            round=number,
            reached=False,
            gone=True,
        )
        for agent_id in asked
    ] + [
        RecordDelivery(
            command_id=f"reach:{number}:{agent_id}:{user}:{cause}",
            at=at,
            agent_id=agent_id,
            round=number,
            reached=False,
            gone=True,
            delegate=user,
        )
        for agent_id, delegate in state.delegates.items()
        if delegate == user
    ]


def record_voter(draft: NegotiationDraft, seat: Seat, by: str) -> None:
    """Record that a person who votes has been told, where a receipt is waited for: their vote may come before it, and
    may close the round, and what is known of them in the end must not depend on which was faster.
    """
    if by == seat.user_id and seat.decides_alone and not (seat.reached or seat.gone):
        draft.happens(PersonReached(**draft.ids, agent_id=seat.agent_id, round=draft.state.round))


def _is_told(seat: Seat, opened: Round, at: Millis) -> bool:
    """Whether the receipt is news, and in time: who hears of a round after its end has not let the time pass."""
    return (seat.gone or not seat.reached) and at < opened.window.people_until


def _is_lost(seat: Seat, *, gone: bool) -> bool:
    """Whether the failed delivery is news. Who was told once stays told, unless the account has gone since."""
    return not seat.gone if gone else not (seat.reached or seat.unreachable)


def delegate(draft: NegotiationDraft, command: Delegate) -> None:
    """Name a delegate, who may vote and correct the offer from now on besides the person. Earlier decisions stay."""
    state = draft.state
    asked = check_delegation(state, command.by, command.agent_id)
    if command.to == asked.user_id:
        raise InvalidDelegate("You decide for yourself already; name somebody else, or nobody.")
    if "@" in command.to:
        raise InvalidDelegate(f"{command.to} is from outside; name a colleague of this workspace.")
    if command.to == state.delegates.get(asked.agent_id, ""):
        return  # it is so already
    seat = state.current.seats.get(asked.agent_id) if state.current else None
    draft.happens(SeatDelegated(**draft.ids, agent_id=asked.agent_id, by=command.by, to=command.to))
    if seat is not None and seat.gone:
        rounds.settle(draft, command.at)  # they are there after all, so the round waits for them again


def check_delegation(state: Negotiation, by: str, agent_id: str) -> Asked:
    """Return who was asked, if ``by`` may name a delegate for them."""
    if not state.invited:
        raise IllegalStep("Nobody was asked yet, so there is nothing to decide for anybody.")
    asked = state.invited.get(agent_id)
    if asked is None:
        raise UnknownAgent(f"{agent_id} was not asked, so there is nothing to decide for them.")
    if by != asked.user_id:
        raise NotAllowed(f"Only the person whom {asked.display_name} is linked to can name who else decides for them.")
    if not state.is_open:
        raise IllegalStep("This negotiation is over; there is nothing left to decide.")
    if agent_id in state.withdrawn:
        raise IllegalStep(f"{asked.display_name} has left this negotiation; there is nothing left to decide for them.")
    return asked


_GUARDED: Final = (
    "It may break a limit of {name}'s, so whoever asked for it cannot vote for this seat; {name} can, or, where "
    "they are linked to nobody, an admin or whoever loaded the profile."
)
_SAID: Final = values_of(PreparedVote.__struct_fields__)
"""What a twin says that a vote keeps, in the order of its fields."""
LONGEST_VOTE: Final = 4_001
"""Characters: what both fields of a form take, and the line break between them."""


def twin_feedback(draft: NegotiationDraft, command: RecordFeedback) -> None:
    """Record a twin's vote, or what it has prepared, or that it could not vote. Nothing happens if it comes too late,
    twice or for nobody.
    """
    opened = draft.state.current
    seat = opened.seats.get(command.agent_id) if opened and opened.number == command.round else None
    if opened is None or seat is None or not seat.twin_asked:
        return
    said = command.answer
    if said is not None and not said.feedback_type.kind.by_twin:
        said = None  # only a person may say that
    if said is not None:
        said = not_again(draft.state, seat.agent_id, settled(draft.state, seat.agent_id, said))
    answer = limit_rules.weigh_vote(draft, seat, command, said)
    if said is None:
        draft.gave_up("feedback", command.degraded or "E003", agent_id=seat.agent_id)
    elif answer is not None:
        _say(draft, seat, answer, command)
        second_opinion.ask_about_limits(draft, seat.agent_id)
    rounds.settle(draft, command.at, last_twin=True)


def _say(draft: NegotiationDraft, seat: Seat, answer: FeedbackAnswer, command: RecordFeedback) -> None:
    """Record what a twin says of the current version: as its vote, or as a draft for its person."""
    opened = draft.state.rounds[-1]
    vote: dict[str, Any] = dict(zip(PreparedVote.__struct_fields__, _SAID(answer), strict=True))
    said: dict[str, Any] = {
        **draft.ids,
        "agent_id": seat.agent_id,
        "display_name": seat.display_name,
        "round": opened.number,
        "version": opened.version,
        "model": command.model,
        "prompt_hash": command.prompt_hash,
    }
    if seat.prepares:
        draft.happens(VotePrepared(**said, vote=PreparedVote(**vote)))
        return
    waits = seat.reader_doubts and answer.feedback_type.kind.agrees
    blind = draft.state.policy.blind_votes
    draft.happens(ProposalFeedback(**said, **vote, source=Source.AGENT, blind=blind, waits=waits))


def opinion_given(draft: NegotiationDraft, command: RecordOpinion) -> None:
    if second_opinion.given(draft, command):
        rounds.settle(draft, command.at)


def request_corrected(draft: NegotiationDraft, command: CorrectRequest) -> None:
    wishes_read.correct(draft, command)
    if draft.state.current is not None:
        rounds.settle(draft, command.at)


def cast_vote(draft: NegotiationDraft, command: CastVote) -> None:
    """Take a person's vote, if it is theirs to give, on this version and in time. The latest one counts."""
    state = draft.state
    seat = check_vote(
        state,
        command.by,
        command.agent_id,
        command.round,
        command.digest,
        command.at,
        as_admin=command.as_admin,
    )
    if not command.feedback_type.kind.is_taken_under(state.policy.name):
        raise IllegalStep(f"Nobody can {command.feedback_type} under the rules of this negotiation.")
    text, reason = (without_surrogates(each).strip() for each in (command.text, command.reason))
    if command.feedback_type.kind.needs_words and not text:
        raise InvalidVote("Say in a few words what should change, or why you are leaving.")
    if (length := len(text) + len(reason)) > LONGEST_VOTE:
        raise InvalidVote(f"Shorten your words: {length:,} characters are too many, {LONGEST_VOTE:,} can be read.")
    asks = command.feedback_type.kind.asks
    vote = PreparedVote(
        feedback_type=command.feedback_type,
        reasoning=reason or text,
        adjustment_request=text if asks else "",
        change=None if is_empty(command.change) or not asks else command.change,
    )
    give(draft, seat, vote, command)


def cast_prepared(draft: NegotiationDraft, command: CastPrepared) -> None:
    """Take what a twin has prepared for the vote of whoever may give it."""
    seat = check_prepared(draft.state, command)
    assert seat.prepared is not None  # noqa: S101 - checked
    give(draft, seat, seat.prepared, command)


def check_prepared(state: Negotiation, command: CastPrepared) -> Seat:
    """Return the seat, if there is something prepared that ``by`` may give."""
    by, agent_id, at = command.by, command.agent_id, command.at
    seat = check_vote(state, by, agent_id, command.round, command.digest, at, as_admin=command.as_admin)
    if seat.prepared is None:
        raise IllegalStep(f"The twin of {seat.display_name} has prepared no vote here; choose one yourself.")
    return seat


def give(draft: NegotiationDraft, seat: Seat, said: PreparedVote, command: CastVote | CastPrepared | TakeTime) -> None:
    """Record a person's vote, unless it stands already."""
    latest = draft.state.rounds[-1]
    vote = ProposalFeedback(
        **draft.ids,
        **{name: getattr(said, name) for name in said.__struct_fields__},
        agent_id=seat.agent_id,
        display_name=seat.display_name,
        round=latest.number,
        version=latest.version,
        source=Source.HUMAN,
        by=command.by,
        blind=draft.state.policy.blind_votes,
    )
    if seat.human == vote:
        return
    record_voter(draft, seat, command.by)
    draft.happens(vote)
    rounds.settle(draft, command.at, last_twin=seat.twin_asked)


def check_vote(
    state: Negotiation, by: str, agent_id: str, number: int, digest: str, at: Millis, *, as_admin: bool = False
) -> Seat:
    """Return the seat, if ``by`` may vote for it with a button of round ``number`` and this digest.

    Args:
        as_admin: whether they may speak for people who are linked to nobody.
    """
    latest = state.rounds[-1] if state.rounds else None
    if latest is None or (agent_id and agent_id not in latest.seats):
        raise UnknownAgent(f"{agent_id} has no seat in this proposal, so there is nothing to vote on.")
    if not agent_id:
        raise NotAllowed("You have no seat in this proposal, so there is nothing for you to vote on.")
    seat = latest.seats[agent_id]
    speaks_for = as_admin and not seat.user_id and seat.is_in_doubt and by != state.requester_id
    if by not in state.voters_for(agent_id) and not speaks_for:
        if seat.is_guarded and by == state.requester_id:
            raise NotAllowed(_GUARDED.format(name=seat.display_name))
        raise NotAllowed(
            f"Only {seat.display_name} can vote for this seat."
            if seat.user_id
            else f"{seat.display_name} is not linked to anyone here; only the person who asked can vote for this seat."
        )
    if not state.is_open:
        raise StaleVote("This negotiation is over; your click changed nothing.")
    if number == latest.number and at > latest.window.deadline:
        raise StaleVote(f"Round {number} has just closed; your click came too late and changed nothing.")
    if number != latest.number or digest != latest.digest or state.current is None:
        raise stale(state, number)
    return seat


def hand_back(draft: NegotiationDraft, command: HandBack) -> None:
    """Let the twin vote again: its vote in the open round counts, or what it has prepared can be given again, or it is
    asked for one. The person may still vote.
    """
    state = draft.state
    seat = check_hand_back(state, command.by, command.agent_id)
    if own_vote(state, seat.agent_id) is None:
        return  # the twin votes already
    opened = state.current
    draft.happens(SeatHandedBack(**draft.ids, agent_id=seat.agent_id, by=command.by, round=state.rounds[-1].number))
    if opened is None:
        return
    if seat.twin is not None or seat.prepared is not None:
        rounds.settle(draft, command.at)
        return
    rounds.wait(draft, opened.window.with_twin(state.policy, command.at))


def check_hand_back(state: Negotiation, by: str, agent_id: str) -> Seat:
    """Return the seat in the latest round, if ``by`` may hand it back to its twin."""
    seat = state.rounds[-1].seats.get(agent_id) if state.rounds else None
    if seat is None:
        raise UnknownAgent(f"{agent_id} has no seat in this proposal, so there is nothing to hand back.")
    if by not in state.actors_for(agent_id):
        raise NotAllowed(f"Only {seat.display_name}, or whoever votes for this seat, can hand it back to the twin.")
    if not state.is_open:
        raise IllegalStep("This negotiation is over; there is nothing left to decide.")
    if agent_id in state.withdrawn:
        raise IllegalStep(f"{seat.display_name} has left this negotiation; there is nothing left to decide for them.")
    if not seat.has_twin:
        raise IllegalStep(f"{seat.display_name} has offered their help in person, so no twin votes for them.")
    return seat


def close_round(draft: NegotiationDraft, command: CloseRound) -> None:
    """Close the round before its time."""
    state = draft.state
    if state.current is None or state.current.number != command.round:
        raise StaleVote(f"Round {command.round} is over already.")
    rounds.close(draft, command.at, is_early=True)


def extend_round(draft: NegotiationDraft, command: ExtendRound) -> None:
    """Give people more time while a round is open; an edit of their cards tells them, and nobody is notified."""
    opened = draft.state.current
    if opened is None or opened.number != command.round or command.at > opened.window.deadline:
        raise StaleVote(f"Round {command.round} is over already.")
    if not rounds.give_more_time(draft):
        raise IllegalStep("Nobody is waited for in this round, so there is nobody to give time to.")


def twins_are_late(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    """Stop waiting for twins. An alarm of an earlier round, or before its time, changes nothing."""
    opened = draft.state.current
    if opened is None or alarm.name != rounds.patience(opened.number) or alarm.at < opened.window.twins_until:
        return
    for seat in opened.seats.values():
        if seat.twin_asked:
            draft.gave_up("feedback", "E004", agent_id=seat.agent_id)
    rounds.settle(draft, alarm.at, last_twin=True)


def time_is_up(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    """Close the round. An alarm of an earlier round, or before its time, changes nothing."""
    opened = draft.state.current
    if opened is None or alarm.name != rounds.closing(opened.number) or alarm.at < opened.window.deadline:
        return
    if not rounds.open_again(draft, alarm.at):
        rounds.finish(draft, alarm.at)
