"""The stream that a path names, and what one hands over to another."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from bot.api.context import Call
from bot.api.part import NOBODY, Reader
from bot.api.tokens import Scope
from engine.errors import NotAllowed, UnknownStream
from engine.kernel import Handover, Rulebook, StreamKey
from engine.runtime.streams import opened, without_private

State = TypeVar("State")

TELL_ALL = Reader(is_told_all=True)


def key_of(call: Call, stream: str) -> StreamKey:
    return StreamKey(call.workspace.tenant, stream)


@dataclass(frozen=True, slots=True)
class NamedStream(Generic[State]):
    """The stream of one protocol that a path names as ``session_id``.

    Args:
        unknown: refuses in the same words whether it does not exist or is not theirs to read.
    """

    rulebook: Rulebook[State]
    unknown: Callable[[], UnknownStream]

    async def any(self, call: Call) -> State:
        """Return it whole, whether or not they may read it: for commands, of which the rules say who may send them."""
        try:
            return await call.context.gateway.read(key_of(call, call.path["session_id"]), self.rulebook)
        except UnknownStream:
            raise self.unknown() from None

    async def readable(self, call: Call) -> State:
        """Return it whole, once it is known that they may read it."""
        state = await self.any(call)
        if not call.may_read(self.rulebook.protocol, state):
            raise self.unknown()
        return state

    async def as_told(self, call: Call, state: State, stream: str, reader: Reader | None = None) -> State:
        """Return it without anybody's words where they may not know them.

        Args:
            reader: what they may know; None: what they may know by their token.
        """
        may_know = reader or call.reader(self.rulebook.protocol, state)
        return state if may_know.is_told_all else await public_state(call, self.rulebook, stream)


async def public_state(call: Call, rulebook: Rulebook[State], stream: str) -> State:
    """Fold what is public in the events of a stream."""
    stored = await call.context.store.load(key_of(call, stream))
    if stored is None:
        raise UnknownStream(f"There is nothing called {stream} here any more.")
    return rulebook.fold([without_private(opened(each, rulebook.events)) for each in stored.events])


def reader_of_begun(call: Call, rulebook: Rulebook[State], state: State, *, has_origin: bool) -> Reader:
    """Say what the answer to whoever began a stream tells: whoever has asked for somebody in their own words knows all
    that was made of them, with a token of nobody's as well. What others have said elsewhere is not theirs.
    """
    if not call.is_somebody:
        return NOBODY if has_origin else TELL_ALL
    return call.reader(rulebook.protocol, state)


class Origin(NamedTuple):
    handed: Handover
    time_zone: str
    """IANA name: the stream's own, or that of whoever asked."""


async def handed_over(
    call: Call, origin: str, user_id: str | None, *, unknown: UnknownStream, not_theirs: NotAllowed
) -> Origin:
    """Return what the origin hands over to whoever asked for it, or to an admin.

    Args:
        user_id: for whom the caller asks, by the field ``userId``.
        unknown: raised alike whether there is no such stream or it is not theirs to read.
        not_theirs: raised where they neither asked for it nor are an admin.
    """
    is_admin = Scope.ADMIN in call.token.scopes
    by = user_id if is_admin else call.acts_for(user_id, "userId")
    gateway, key = call.context.gateway, key_of(call, origin)
    try:
        found = await gateway.look_up(key)
    except UnknownStream:
        raise unknown from None
    if not call.may_read(found.protocol, found.state):
        raise unknown
    handed = await gateway.hand_over(key)
    if not is_admin and by != handed.requester_id:
        raise not_theirs
    texts = call.context.services.texts
    zone = handed.time_zone or await texts.time_zone(call.workspace.tenant, handed.requester_id)
    return Origin(handed, zone)
