"""Finds the negotiation that a caller names, and checks whether they may read it."""

import re
from typing import Final

from bot.api.context import Call
from engine.errors import Refusal, UnknownStream
from engine.kernel import StreamKey
from engine.negotiation.errors import UnknownDemand
from engine.negotiation.ids import CHANNEL, channel_id
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation

ID: Final = re.compile(r"(d|collab)-([a-z0-9]{8})")


async def negotiation(call: Call, name: str) -> Negotiation:
    """Return the negotiation with this id, its demand's or its channel's.

    Raises:
        UnknownDemand, UnknownStream: there is none, or it is not theirs to read.
        StoreError, TimeoutError
    """
    state = await any_negotiation(call, name)
    if not call.may_read(RULEBOOK.protocol, state):
        raise _unknown(name)
    return state


async def any_negotiation(call: Call, name: str) -> Negotiation:
    """Return the negotiation whether or not they may read it: for commands, of which the rules say who may send them.

    Raises:
        UnknownDemand, UnknownStream, StoreError, TimeoutError
    """
    found = ID.fullmatch(name)
    if found is None:
        raise _unknown(name)
    try:
        return await read(call, StreamKey(call.workspace.tenant, channel_id(found[2])))
    except UnknownStream:
        raise _unknown(name) from None


async def read(call: Call, key: StreamKey) -> Negotiation:
    """
    Raises:
        UnknownStream, StoreError, TimeoutError
    """
    return await call.context.gateway.read(key, RULEBOOK)


def takes_part(state: Negotiation, user: str) -> bool:
    """Whether a user asked for it, was found to fit, or decides for a seat."""
    if user == state.requester_id:
        return True
    was_found = any(user == each.user_id for each in state.joined.values())
    return was_found or any(user in state.actors_for(agent_id) for agent_id in state.invited)


def _unknown(name: str) -> Refusal:
    """Refuse in the same words whether it does not exist or is not theirs to read."""
    if name.startswith(CHANNEL):
        return UnknownStream("There is no such channel here; its id looks like collab-abcd2345.")
    return UnknownDemand("There is no such demand here; its id looks like d-abcd2345.")
