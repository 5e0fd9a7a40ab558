"""Finds the stream that a caller names, and what they may know of it, whatever its protocol."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.api.context import Call
from bot.api.part import NOBODY, Reader
from engine.errors import UnknownStream
from engine.kernel import Rulebook, StreamKey
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
