"""Everybody's agenda: where they could still vote, and what they asked for. Written in the commit that changes it.

| question | kind | key | while |
| --- | --- | --- | --- |
| where can they still vote? | ``open_vote`` | user / stream / agent | a round is open and nobody has voted in person |
| what did they ask for? | ``demand`` | requester / stream | always |

It holds nobody's words: those can be erased, and this stays. `engine/agenda.py` reads both.
"""

from collections.abc import Iterator
from typing import Final

from engine.kernel import Handled, Message, Millis, Record
from engine.negotiation.messages import Place
from engine.negotiation.state import Negotiation, Status

OPEN_VOTE: Final = "open_vote"
DEMAND: Final = "demand"


class OpenVote(Message):
    """A seat whose vote this person may still give; what stands there may be a twin's."""

    stream: str
    agent_id: str
    round: int


class OwnDemand(Message):
    """A demand of this person's."""

    stream: str
    status: Status
    since: Millis
    """When it came to this status."""
    place: Place


def agenda(handled: Handled[Negotiation]) -> tuple[Record, ...]:
    """The records that have changed; none for most commands."""
    return (*_votes(handled), *_demand(handled)) if handled.events else ()


def open_votes(state: Negotiation) -> dict[str, OpenVote]:
    """By the key of their record."""
    opened = state.current
    if opened is None:
        return {}
    return {
        f"{hand}/{state.channel_id}/{seat.agent_id}": OpenVote(
            stream=state.channel_id, agent_id=seat.agent_id, round=opened.number
        )
        for seat in opened.seats.values()
        if seat.human is None
        for hand in state.hands(seat.agent_id)
    }


def _votes(handled: Handled[Negotiation]) -> Iterator[Record]:
    before, after = open_votes(handled.before), open_votes(handled.after)
    for key in before.keys() - after.keys():
        yield Record(OPEN_VOTE, key, None)
    for key, vote in after.items():
        if before.get(key) != vote:
            yield Record(OPEN_VOTE, key, vote.model_dump_json())


def _demand(handled: Handled[Negotiation]) -> Iterator[Record]:
    state = handled.after
    if handled.before.exists and handled.before.status is state.status:
        return
    asked = OwnDemand(stream=state.channel_id, status=state.status, since=handled.command.at, place=state.place)
    yield Record(DEMAND, f"{state.requester_id}/{state.channel_id}", asked.model_dump_json())
