"""Finds the negotiation that a path names, and says what is told of it."""

import re
from typing import Annotated, Final, Literal

from msgspec.structs import replace
from pydantic import Field, StringConstraints

from bot.api.context import Call
from bot.api.part import Reader
from bot.api.schemas import ApiModel, UserId
from bot.api.streams import key_of, public_state
from engine.errors import Refusal, UnknownStream
from engine.kernel import Event, StreamKey
from engine.negotiation.errors import UnknownDemand
from engine.negotiation.events import ConflictFound, VotePrepared
from engine.negotiation.ids import CHANNEL, channel_id
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.secrecy import is_of_others, without_what_is_theirs
from engine.negotiation.state import Negotiation
from engine.runtime.streams import without_private

SlackChannel = Annotated[str, StringConstraints(pattern=r"^[CG][A-Z0-9_]{1,63}$")]


class NewDemand(ApiModel):
    """Seed 000, section 3.1.1, and where in Slack the thread shall stand."""

    raw_input: Annotated[str, Field(min_length=1, max_length=5_000)]
    """In somebody's own words: up to 4,000 characters, not counting spaces around them."""
    user_id: UserId | None = None
    """Who asks. Left out: the token's own user; another than that user is refused."""
    slack_channel: SlackChannel | None = None
    """Where the thread shall stand. Left out: there is none, and linked people are written to directly."""
    locale: Annotated[str, Field(max_length=35, pattern=r"^[A-Za-z0-9_-]*$")] = ""
    """In which they read, `de-DE`: what is told before the demand was understood is told in it, where Slack has not
    said which it is."""
    own_votes: bool = False
    """Whether people's own votes only are wanted: twins prepare theirs for people to give."""


class DemandAsked(ApiModel):
    shape: Literal["public", "seed"] = "public"
    """`seed`: what seed 000 has, in its words and in no others."""


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
    if isinstance(event, ConflictFound) and not reader.is_told_all:
        return replace(event, found=None)  # it names who cannot at other times
    # Whoever asked decides for twins that are linked to nobody, and is told nothing of their limits all the same.
    is_theirs = not reader.is_told_all or isinstance(event, VotePrepared)
    is_owner = is_theirs and getattr(event, "agent_id", "") in reader.agent_ids
    return event if is_owner else without_what_is_theirs(event)


def _unknown(name: str) -> Refusal:
    """Refuse in the same words whether it does not exist or is not theirs to read."""
    if name.startswith(CHANNEL):
        return UnknownStream("There is no such channel here; its id looks like collab-abcd2345.")
    return UnknownDemand("There is no such demand here; its id looks like d-abcd2345.")
