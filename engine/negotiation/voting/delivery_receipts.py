"""Records whether linked people were told of a round. Only silence of somebody who was told counts as an accept."""

from engine.kernel import Millis
from engine.negotiation.commands import RecordDelivery
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import PersonReached, PersonUnreachable
from engine.negotiation.offers import collecting
from engine.negotiation.state import Negotiation, Round, Seat, Status
from engine.negotiation.voting import rounds


def record(draft: NegotiationDraft, command: RecordDelivery) -> None:
    """Record a receipt. One of another round, for nobody, or known already changes nothing."""
    if command.delegate:
        _delegate_is_gone(draft, command)
        return
    if not command.round:
        collecting.person_unreachable(draft, command)
        return
    opened = draft.state.current
    seat = opened.seats.get(command.agent_id) if opened and opened.number == command.round else None
    if opened is None or seat is None or not seat.user_id:
        return
    if command.reached:
        if _is_told(seat, opened, command.at):
            draft.happens(PersonReached(**draft.ids, agent_id=seat.agent_id, round=opened.number))
    else:
        # Without a channel there is no thread in which they could have heard of it otherwise.
        gone = command.gone or not draft.state.place.channel
        if _is_lost(seat, gone=gone):
            draft.happens(PersonUnreachable(**draft.ids, agent_id=seat.agent_id, round=opened.number, gone=gone))
    if draft.state.rounds[-1].seats[seat.agent_id].gone is not seat.gone:
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
    """Return what a negotiation is told when somebody's account is closed: nobody waits for them, and their silence
    is none, nor that of whoever has left it to them.

    Args:
        cause: identifies how that became known.
    """
    opened = state.current
    if opened is not None:
        asked = [each.agent_id for each in opened.seats.values() if each.user_id == user and not each.gone]
    else:
        asked = [each for each, one in state.invited.items() if one.user_id == user]
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
    return (seat.gone or not seat.reached) and at < opened.people_until


def _is_lost(seat: Seat, *, gone: bool) -> bool:
    """Whether the failed delivery is news. Who was told once stays told, unless the account has gone since."""
    return not seat.gone if gone else not (seat.reached or seat.unreachable)
