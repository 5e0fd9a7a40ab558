"""Finds the deliberation that a caller names, and who takes part in it."""

from bot.api.context import Call
from bot.api.part import NOBODY, Reader
from bot.api.streams import TELL_ALL, NamedStream
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation
from engine.errors import UnknownStream


def _unknown() -> UnknownStream:
    return UnknownStream("There is no such deliberation here; its id looks like plan-abcd2345.")


NAMED = NamedStream(RULEBOOK, _unknown)
"""The deliberation of the path."""


async def deliberation(call: Call) -> Deliberation:
    """Return the deliberation of the path, as they may know it.

    Raises:
        UnknownStream: there is none, or it is not theirs to read.
        StoreError, TimeoutError
    """
    return await as_told(call, await NAMED.readable(call))


async def as_told(call: Call, state: Deliberation, reader: Reader | None = None) -> Deliberation:
    """Return it without anybody's words where they may not know them (`NamedStream.as_told`).

    Raises:
        StoreError
    """
    return await NAMED.as_told(call, state, state.session_id, reader)


def takes_part(state: Deliberation, user: str) -> bool:
    """Whether a user asked for it, or is one of its people."""
    return bool(user) and (user == state.requester_id or any(user == each.user_id for each in state.brief.people))


def reader(state: Deliberation, user: str) -> Reader:
    """Who takes part knows all that is said in it."""
    return TELL_ALL if takes_part(state, user) else NOBODY
