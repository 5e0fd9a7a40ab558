"""The gateway between the bot and the engine: commands go in, committed states come out."""

import asyncio
from typing import Any, Final, TypeVar

from engine.errors import UnknownStream
from engine.kernel import Command, Rulebook, StreamKey
from engine.runtime.mailbox import Receipt
from engine.runtime.runtime import Committed, Runtime

PATIENCE: Final = 2.5
"""Seconds. Slack waits for three; what takes longer is not acknowledged as done."""

State = TypeVar("State")


class WrongProtocol(UnknownStream):
    """The stream exists, but another protocol rules it."""

    def __init__(self, key: StreamKey, found: str, wanted: str) -> None:
        super().__init__(f"{key.stream} is a stream of the protocol {found!r}; a stream of {wanted!r} is needed here.")
        self.found = found
        self.wanted = wanted


class CommandGateway:
    """Sends commands to streams, and reads streams, each of a protocol that the caller names."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def begin(self, key: StreamKey, rulebook: Rulebook[Any], command: Command) -> Receipt:
        """Send a command that may begin its stream. On return it is on disk, and may be acknowledged.

        Raises:
            WrongProtocol: the stream has begun, and with another protocol.
            Refusal, StoreError
            TimeoutError: it may or may not be recorded yet; it must not be acknowledged.
        """
        async with asyncio.timeout(PATIENCE):
            try:
                await self._check(key, rulebook)
            except WrongProtocol:
                raise
            except UnknownStream:
                pass  # this command begins it
            return await self._runtime.handle(key, rulebook.protocol, command)

    async def send(self, key: StreamKey, rulebook: Rulebook[Any], command: Command) -> Receipt:
        """Send a command to a stream that has begun. On return it is on disk, and may be acknowledged.

        Raises:
            UnknownStream: there is no such stream.
            WrongProtocol, Refusal, StoreError
            TimeoutError: it may or may not be recorded yet; it must not be acknowledged.
        """
        async with asyncio.timeout(PATIENCE):
            await self._check(key, rulebook)
            return await self._runtime.handle(key, rulebook.protocol, command)

    async def read(self, key: StreamKey, rulebook: Rulebook[State]) -> State:
        """Return the committed state of a stream of this rulebook's protocol.

        Raises:
            UnknownStream: there is no such stream.
            WrongProtocol, StoreError, TimeoutError
        """
        async with asyncio.timeout(PATIENCE):
            state: State = await self._check(key, rulebook)
        return state

    async def look_up(self, key: StreamKey) -> Committed:
        """Return what is committed of a stream, whatever its protocol.

        Raises:
            UnknownStream: there is no such stream.
            StoreError, TimeoutError
        """
        async with asyncio.timeout(PATIENCE):
            return await self._runtime.look_up(key)

    async def _check(self, key: StreamKey, rulebook: Rulebook[Any]) -> Any:
        """Return the state of a stream of this protocol.

        Raises:
            UnknownStream, WrongProtocol, StoreError
        """
        found = await self._runtime.look_up(key)
        if found.protocol != rulebook.protocol:
            raise WrongProtocol(key, found.protocol, rulebook.protocol)
        return found.state
