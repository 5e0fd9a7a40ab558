"""An agent's lines, as the messages that they are: whatever is none is a fault, and moves nothing."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, Final, Protocol

from engine.workers.port import Fault

MOST_FAULTS: Final = 10
"""Faults that are told; whatever comes after them is left out."""


class Stdin(Protocol):
    def write(self, data: bytes) -> None: ...

    async def drain(self) -> None: ...


class AgentLines:
    """The library's transport (`acp.Connection`) over a process whose lines are bounded and watched.

    The library takes what comes for granted; so only messages of the right form get there.

    Args:
        faults: takes what is said of lines that were no message.

    Attributes:
        has_spoken: whether there was a message among the lines.
        ended: done once nothing comes any more; its result is what ended it, None where the agent closed its side.
    """

    def __init__(self, stdin: Stdin, lines: AsyncIterator[bytes], faults: list[Fault]) -> None:
        self._stdin = stdin
        self._lines = lines
        self._faults = faults
        self.has_spoken = False
        self.ended: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()

    async def send(self, message: dict[str, Any]) -> None:
        self._stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        await self._stdin.drain()

    async def receive(self) -> dict[str, Any] | None:
        """The next message; None once there is none any more."""
        try:
            async for line in self._lines:
                if (message := self._read(line)) is not None:
                    return message
            self._end(None)
        except Exception as error:  # noqa: BLE001 - whatever ended it, the conversation is over, and `ended` tells why
            self._end(error)
        return None

    async def close(self) -> None:
        """Whoever started the process ends it."""

    def _end(self, error: Exception | None) -> None:
        if not self.ended.done():
            self.ended.set_result(error)

    def _read(self, line: bytes) -> dict[str, Any] | None:
        if not line.strip():
            return None
        message: Any = None
        with suppress(ValueError, RecursionError):
            message = json.loads(line)
        if fault := _fault(message):
            note(self._faults, Fault(message=fault))
            return None
        self.has_spoken = True
        return dict(message)


def _fault(message: Any) -> str:
    """Why this is no message; nothing where it is one."""
    if not isinstance(message, dict):
        return "a line has to be a JSON-RPC message, which is an object on one line"
    if not isinstance(message.get("id"), int | str | None):
        return "id: has to be a number or a text"
    if not isinstance(message.get("method"), str | None):
        return "method: has to be a text"
    if not isinstance(message.get("error"), dict | None):
        return "error: has to be an object"
    return ""


def note(faults: list[Fault], fault: Fault) -> None:
    """Keep a fault, unless the same was kept before, or enough are."""
    if len(faults) < MOST_FAULTS and fault not in faults:
        faults.append(fault)
