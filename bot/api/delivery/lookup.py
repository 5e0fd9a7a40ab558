"""Finds the delivery that a caller names, and what they may know of it."""

from bot.api.context import Call
from bot.api.part import NOBODY, Reader
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery
from engine.errors import UnknownStream
from engine.kernel import StreamKey
from engine.runtime.envelope import opened, without_private

TELL_ALL = Reader(is_told_all=True)


async def readable_delivery(call: Call) -> Delivery:
    """Return the delivery of the path whole, once it is known that they may read it.

    Raises:
        UnknownStream: there is none, or it is not theirs to read.
        StoreError, TimeoutError
    """
    state = await any_delivery(call)
    if not call.may_read(RULEBOOK.protocol, state):
        raise unknown()
    return state


async def any_delivery(call: Call) -> Delivery:
    """Return it whole, whether or not they may read it: for commands, of which the rules say who may send them.

    Raises:
        UnknownStream, StoreError, TimeoutError
    """
    try:
        return await call.context.gateway.read(key_of(call, call.path["session_id"]), RULEBOOK)
    except UnknownStream:
        raise unknown() from None


def key_of(call: Call, stream: str) -> StreamKey:
    return StreamKey(call.workspace.tenant, stream)


async def as_told(call: Call, state: Delivery, reader: Reader | None = None) -> Delivery:
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


def takes_part(state: Delivery, user: str) -> bool:
    """Whether a user asked for it, is one of its people, or has or had one of its tickets."""
    if not user:
        return False
    known = {each.user_id for each in state.brief.people}
    known |= {who for each in state.tickets.values() for who in (each.owner.user_id, each.hand_over_to, *each.holders)}
    return user == state.requester_id or user in known


def reader(state: Delivery, user: str) -> Reader:
    """Who takes part knows all that is said in it."""
    return TELL_ALL if takes_part(state, user) else NOBODY


def unknown() -> UnknownStream:
    """Refuse in the same words whether it does not exist or is not theirs to read."""
    return UnknownStream("There is no such delivery here; its id looks like deliver-abcd2345.")
