"""Finds the delivery that a caller names, and who takes part in it."""

from bot.api.context import Call
from bot.api.part import NOBODY, Reader
from bot.api.streams import TELL_ALL, NamedStream
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery
from engine.errors import UnknownStream


def unknown() -> UnknownStream:
    return UnknownStream("There is no such delivery here; its id looks like deliver-abcd2345.")


NAMED = NamedStream(RULEBOOK, unknown)
"""The delivery of the path."""


async def as_told(call: Call, state: Delivery, reader: Reader | None = None) -> Delivery:
    """Return it without anybody's words where they may not know them (`NamedStream.as_told`).

    Raises:
        StoreError
    """
    return await NAMED.as_told(call, state, state.session_id, reader)


def takes_part(state: Delivery, user: str) -> bool:
    """Whether a user asked for it, is one of its people, or has or had one of its tickets."""
    if not user:
        return False
    known = {each.user_id for each in state.brief.people}
    known |= {
        who
        for each in state.tickets.values()
        for who in (each.owner.user_id, each.hand_over_to, each.task.checked_by, *each.holders)
    }
    return user == state.requester_id or user in known


def reader(state: Delivery, user: str) -> Reader:
    """Who takes part knows all that is said in it."""
    return TELL_ALL if takes_part(state, user) else NOBODY
