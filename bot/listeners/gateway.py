"""The gateway between the bot and the engine: commands go in, committed states come out."""

import asyncio
from typing import Any, Final, TypeVar

from bot.listeners.colleagues import Admission
from engine.errors import InvalidInput, NothingToHandOver, UnknownStream, WrongProtocol
from engine.kernel import Command, Handover, Rulebook, StreamKey, is_id
from engine.runtime.runtime import Receipt, Runtime
from engine.runtime.streams import Committed

PATIENCE: Final = 2.5
"""Seconds. Slack waits for three; what takes longer is not acknowledged as done."""

IDS: Final = ("command_id", "by", "agent_id", "to", "demand_id", "channel_id", "requester_id", "reopened_from")
"""Fields of commands that name something. Who acts and what about is taken from what came in."""

State = TypeVar("State")


class CommandGateway:
    """Sends commands to streams, and reads streams, each of a protocol that the caller names."""

    def __init__(self, runtime: Runtime, admission: Admission | None = None) -> None:
        self._runtime = runtime
        self._admission = admission

    async def begin(
        self, key: StreamKey, rulebook: Rulebook[Any], command: Command, *, is_admitted: bool = False
    ) -> Receipt:
        """Send a command that may begin its stream. On return it is on disk, and may be acknowledged.

        Args:
            is_admitted: whether it may begin it however much is under way in the workspace.

        Raises:
            WrongProtocol: the stream has begun, and with another protocol.
            InvalidInput: something is named by what can be no name.
            TooMuchOpen: as much is under way as may be.
            Refusal, StoreError
            TimeoutError: it may or may not be recorded yet; it must not be acknowledged.
        """
        check_command(command)
        async with asyncio.timeout(PATIENCE):
            try:
                await self._check(key, rulebook)
            except WrongProtocol:
                raise
            except UnknownStream:  # this command begins it
                if self._admission is not None and not is_admitted:
                    async with self._admission.place(key.tenant):
                        return await self._runtime.handle(key, rulebook.protocol, command)
            return await self._runtime.handle(key, rulebook.protocol, command)

    async def send(self, key: StreamKey, rulebook: Rulebook[Any], command: Command) -> Receipt:
        """Send a command to a stream that has begun. On return it is on disk, and may be acknowledged.

        Raises:
            UnknownStream: there is no such stream.
            WrongProtocol, Refusal, StoreError
            InvalidInput: see `begin`.
            TimeoutError: it may or may not be recorded yet; it must not be acknowledged.
        """
        check_command(command)
        check_key(key)
        async with asyncio.timeout(PATIENCE):
            return await self._runtime.handle(key, rulebook.protocol, command, begins=False)

    async def read(self, key: StreamKey, rulebook: Rulebook[State]) -> State:
        """Return the committed state of a stream of this rulebook's protocol."""
        async with asyncio.timeout(PATIENCE):
            state: State = await self._check(key, rulebook)
        return state

    async def look_up(self, key: StreamKey) -> Committed:
        """Return what is committed of a stream, whatever its protocol."""
        check_key(key)
        async with asyncio.timeout(PATIENCE):
            return await self._runtime.look_up(key)

    async def hand_over(self, key: StreamKey) -> Handover:
        """Return what a stream hands to one that goes on from it, whatever its protocol.

        Who may go on from it is for the caller to check; see `Handover.requester_id`.

        Raises:
            UnknownStream: there is no such stream.
            NothingToHandOver: it has come to nothing that one could go on from, or not yet.
            StoreError, TimeoutError
        """
        check_key(key)
        async with asyncio.timeout(PATIENCE):
            handover = await self._runtime.hand_over(key)
        if handover is None:
            raise NothingToHandOver(
                f"{key.stream} hands nothing over: it has not ended, or without an agreement, or its words were erased."
            )
        return handover

    async def _check(self, key: StreamKey, rulebook: Rulebook[Any]) -> Any:
        check_key(key)
        found = await self._runtime.look_up(key)
        if found.protocol != rulebook.protocol:
            raise WrongProtocol.of(key.stream, found.protocol, rulebook.protocol)
        return found.state


def check_key(key: StreamKey) -> None:
    """Check that a stream can have this key, before anything looks for it."""
    if not (
        is_id(key.stream)
        and is_id(key.tenant.team_id)
        and (not key.tenant.enterprise_id or is_id(key.tenant.enterprise_id))
    ):
        raise UnknownStream("This is no valid id of a stream.")


def check_command(command: Command) -> None:
    """Check what holds for any command from outside, whatever its protocol."""
    for name in IDS:
        said = getattr(command, name, "")
        if said and not is_id(said):
            raise InvalidInput(f"What was sent as {name} can be no name: it is too long, or has strange characters.")
