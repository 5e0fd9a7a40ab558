"""The wire between bots and PostgreSQL, which can be held at a chosen word of either.

Source: https://www.postgresql.org/docs/current/protocol-message-formats.html
"""

import asyncio
import struct
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Final, Literal

from engine.store.postgres.schema import query

Moment = Literal["unsent", "unanswered"]
"""Of a statement: the server has heard all that came before it; or it has done it, and nobody has been told."""

OF_THE_WRITER: Final = query("lock_streams").partition("%")[0].encode()
"""With which each transaction begins that writes what was decided, what was shown or what was posted."""


@dataclass(slots=True)
class WireFault:
    """Holds a connection for ever: everything on it stays as it is until whoever is at its end is killed.

    Args:
        statement: what it says, among others.
        nth: of those that the server found something to do for; ``unsent``, of all.
    """

    statement: bytes
    moment: Moment
    nth: int
    is_writers: bool = False
    """Whether only the writer's transactions count."""
    _seen: int = 0
    _reached: asyncio.Event = field(default_factory=asyncio.Event)

    async def reached(self) -> None:
        await self._reached.wait()

    def strikes(self, moment: Moment, statement: bytes, *, is_writers: bool) -> bool:
        is_meant = self.moment == moment and self.statement in statement
        if not is_meant or self.is_writers > is_writers:
            return False
        self._seen += 1
        if self._seen != self.nth:
            return False
        self._reached.set()
        return True


class PostgresWire:
    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._faults: list[WireFault] = []
        self._port = 0

    @classmethod
    @asynccontextmanager
    async def to(cls, server_port: int) -> AsyncIterator["PostgresWire"]:
        wire = cls(server_port)
        connections: set[asyncio.Task[None]] = set()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            connections.add(task)
            try:
                await wire._carry(reader, writer)
            finally:
                connections.discard(task)

        listening = await asyncio.start_server(connected, "127.0.0.1", 0)
        wire._port = listening.sockets[0].getsockname()[1]
        try:
            yield wire
        finally:
            listening.close()
            for each in connections:
                each.cancel()
            await asyncio.gather(*connections, return_exceptions=True)

    def address(self, url: str) -> str:
        """By which the server at ``url`` is reached through this wire, in clear."""
        return url.replace(f":{self._server_port}/", f":{self._port}/") + "&sslmode=disable&gssencmode=disable"

    def fault(self, fault: WireFault) -> WireFault:
        self._faults.append(fault)
        return fault

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._server_port)
        said = _Said()
        try:
            answers = asyncio.create_task(self._answers(server_reader, writer, said))
            try:
                await self._asks(reader, server_writer, said)
            finally:
                answers.cancel()
                await asyncio.gather(answers, return_exceptions=True)
        finally:
            server_writer.close()  # as the kernel does when a process is killed
            writer.close()

    async def _asks(self, reader: asyncio.StreamReader, to: asyncio.StreamWriter, said: "_Said") -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            length = await reader.readexactly(4)
            to.write(length + await reader.readexactly(struct.unpack("!i", length)[0] - 4))
            while True:
                kind, head, body = await _message(reader)
                statement = said.asked(kind, body)
                if statement is not None and self._is_struck("unsent", statement, said):
                    said.is_held = True
                if not said.is_held:
                    to.write(head + body)
                    await to.drain()

    async def _answers(self, reader: asyncio.StreamReader, to: asyncio.StreamWriter, said: "_Said") -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                kind, head, body = await _message(reader)
                statement = said.answered(kind, body)
                if statement is not None and self._is_struck("unanswered", statement, said):
                    said.is_held = True
                if not said.is_held:
                    to.write(head + body)
                    await to.drain()
        if not said.is_held:
            to.close()

    def _is_struck(self, moment: Moment, statement: bytes, said: "_Said") -> bool:
        struck = [each.strikes(moment, statement, is_writers=said.is_writers) for each in self._faults]
        return any(struck)


class _Said:
    """What was said on one connection: which statements are under way, and whose transaction it is."""

    def __init__(self) -> None:
        self.is_held = False
        self.is_writers = False
        self._prepared: dict[bytes, bytes] = {}
        self._bound = b""
        self._asked: deque[bytes | None] = deque()
        """None: the server says that it is ready again."""
        self._has_done = False
        """Whether a row came that is not empty."""

    def asked(self, kind: bytes, body: bytes) -> bytes | None:
        """Take in what was sent to the server; return the statement that it is to carry out."""
        match kind:
            case b"P":
                name, statement, *_ = body.split(b"\0", 2)
                self._prepared[name] = statement
            case b"B":
                _, name, *_ = body.split(b"\0", 2)
                self._bound = self._prepared.get(name, b"")
            case b"E":
                return self._begins(self._bound)
            case b"Q":
                statement = self._begins(body.rstrip(b"\0"))
                self._asked.append(None)
                return statement
            case b"S":
                self._asked.append(None)
        return None

    def _begins(self, statement: bytes) -> bytes:
        self._asked.append(statement)
        if statement.startswith(b"BEGIN"):
            self.is_writers = False
        elif statement.lstrip().startswith(OF_THE_WRITER):
            self.is_writers = True
        return statement

    def answered(self, kind: bytes, body: bytes) -> bytes | None:
        """Take in what the server has answered; return the statement that it has carried out, if that did anything."""
        match kind:
            case b"D":
                columns, first = struct.unpack_from("!hi", body)
                self._has_done |= columns > 0 and first >= 0
            case b"C" if self._asked and self._asked[0] is not None:
                has_done, self._has_done = self._has_done, False
                changes = body.startswith((b"COMMIT", b"INSERT", b"UPDATE", b"DELETE")) and not body.endswith(b" 0\0")
                statement = self._asked.popleft()
                return statement if has_done or changes else None
            case b"Z":
                while self._asked and self._asked.popleft() is not None:
                    pass  # after an error, what was left is not carried out
        return None


async def _message(reader: asyncio.StreamReader) -> tuple[bytes, bytes, bytes]:
    """Its kind, its head, and what is in it."""
    head = await reader.readexactly(5)
    return head[:1], head, await reader.readexactly(struct.unpack("!i", head[1:])[0] - 4)
