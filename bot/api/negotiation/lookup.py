"""Finds the negotiation that a caller names, and checks whether they may read it."""

import re
from typing import Final

from bot.api.context import Call
from bot.api.part import Reader
from bot.api.streams import key_of, public_state
from engine.errors import Refusal, UnknownStream
from engine.kernel import Event, StreamKey
from engine.negotiation.errors import UnknownDemand
from engine.negotiation.events import VotePrepared
from engine.negotiation.ids import CHANNEL, channel_id
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.secrecy import is_of_others, without_what_is_theirs
from engine.negotiation.state import Negotiation
from engine.runtime.streams import without_private

ID: Final = re.compile(r"(d|collab)-([a-z0-9]{8})")


async def negotiation(call: Call, name: str) -> Negotiation:
    """Return the negotiation with this id, its demand's or its channel's, as they may know it."""
    state = await any_negotiation(call, name)
    check_readable(call, state, name)
    return await as_known(call, state)


def check_readable(call: Call, state: Negotiation, name: str) -> None:
    """Check that the caller's token may read the negotiation."""
    if not call.may_read(RULEBOOK.protocol, state):
        raise _unknown(name)


async def as_known(call: Call, state: Negotiation) -> Negotiation:
    """Return the negotiation; where the token is nobody's, made of what is public in its events."""
    if call.is_somebody:
        return state
    return await public_state(call, RULEBOOK, state.channel_id)


async def any_negotiation(call: Call, name: str) -> Negotiation:
    """Return the negotiation whether or not they may read it: the rules say who may send commands."""
    found = ID.fullmatch(name)
    if found is None:
        raise _unknown(name)
    try:
        return await read(call, key_of(call, channel_id(found[2])))
    except UnknownStream:
        raise _unknown(name) from None


async def read(call: Call, key: StreamKey) -> Negotiation:
    return await call.context.gateway.read(key, RULEBOOK)


def takes_part(state: Negotiation, user: str) -> bool:
    """Whether a user asked for it, was found to fit, or decides for a seat."""
    if user == state.requester_id:
        return True
    was_found = any(user == each.user_id for each in state.joined.values())
    return was_found or any(user in state.actors_for(agent_id) for agent_id in state.invited)


def reader(state: Negotiation, user: str) -> Reader:
    """What a user who takes part may know: as whoever asked, everything, and else their own words."""
    mine = (agent_id for agent_id in state.invited if user in state.actors_for(agent_id))
    return Reader(is_told_all=user == state.requester_id, user=user, agent_ids=frozenset(mine))


def told(event: Event, reader: Reader) -> Event:
    """Return an event as a reader may know it. What one person has said is told to that person and to whoever asked;
    proposals, and what else the thread shows to everybody, to all who take part.
    """
    if not reader.is_told_all and (not reader.user or is_of_others(event, reader.user, reader.agent_ids)):
        return without_private(event)
    # Whoever asked decides for twins that are linked to nobody, and is told nothing of their limits all the same.
    is_theirs = not reader.is_told_all or isinstance(event, VotePrepared)
    is_owner = is_theirs and getattr(event, "agent_id", "") in reader.agent_ids
    return event if is_owner else without_what_is_theirs(event)


def _unknown(name: str) -> Refusal:
    """Refuse in the same words whether it does not exist or is not theirs to read."""
    if name.startswith(CHANNEL):
        return UnknownStream("There is no such channel here; its id looks like collab-abcd2345.")
    return UnknownDemand("There is no such demand here; its id looks like d-abcd2345.")
