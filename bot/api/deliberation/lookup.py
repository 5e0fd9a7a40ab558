"""Finds the deliberation that a caller names, and what they may know of it."""

from bot.api.context import Call
from bot.api.part import NOBODY, Reader
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation
from engine.errors import UnknownStream
from engine.kernel import StreamKey
from engine.runtime.envelope import opened, without_private

TELL_ALL = Reader(is_told_all=True)


async def deliberation(call: Call) -> Deliberation:
    """Return the deliberation of the path, as they may know it.

    Raises:
        UnknownStream: there is none, or it is not theirs to read.
        StoreError, TimeoutError
    """
    return await as_told(call, await readable_deliberation(call))


async def readable_deliberation(call: Call) -> Deliberation:
    """Return it whole, once it is known that they may read it.

    Raises:
        UnknownStream: there is none, or it is not theirs to read.
        StoreError, TimeoutError
    """
    state = await any_deliberation(call)
    if not call.may_read(RULEBOOK.protocol, state):
        raise _unknown()
    return state


async def any_deliberation(call: Call) -> Deliberation:
    """Return it whole, whether or not they may read it: for commands, of which the rules say who may send them.

    Raises:
        UnknownStream, StoreError, TimeoutError
    """
    try:
        return await call.context.gateway.read(key_of(call, call.path["session_id"]), RULEBOOK)
    except UnknownStream:
        raise _unknown() from None


def key_of(call: Call, stream: str) -> StreamKey:
    return StreamKey(call.workspace.tenant, stream)


async def as_told(call: Call, state: Deliberation, reader: Reader | None = None) -> Deliberation:
    """Return it without anybody's words where they may not know them: made of what is public in its events.

    Args:
        reader: what they may know; None: what they may know by their token.

    Raises:
        StoreError
    """
    may_know = reader or call.reader(RULEBOOK.protocol, state)
    if may_know.is_told_all:
        return state
    stored = await call.context.store.load(key_of(call, state.session_id))
    assert stored is not None  # noqa: S101 - streams are never deleted
    return RULEBOOK.fold([without_private(opened(each, RULEBOOK.events)) for each in stored.events])


def takes_part(state: Deliberation, user: str) -> bool:
    """Whether a user asked for it, or is one of its people."""
    return bool(user) and (user == state.requester_id or any(user == each.user_id for each in state.brief.people))


def reader(state: Deliberation, user: str) -> Reader:
    """Who takes part knows all that is said in it."""
    return TELL_ALL if takes_part(state, user) else NOBODY


def _unknown() -> UnknownStream:
    """Refuse in the same words whether it does not exist or is not theirs to read."""
    return UnknownStream("There is no such deliberation here; its id looks like plan-abcd2345.")
