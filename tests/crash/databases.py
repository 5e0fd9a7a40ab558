"""What bots keep everything in: a database of its own for each run, of either kind."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, LiteralString, Protocol

import psycopg

from bot.databases import Database, PostgresAddress, store_in
from engine.kernel import Millis
from engine.runtime.activity import PACE
from engine.runtime.membership import LASTS
from engine.store.port import Store
from tests.postgres import PostgresServer

from .postgres_wire import PostgresWire

LONG: Final[Millis] = max(LASTS, PACE.lasts) + 1_000
"""Whoever has not been heard of for so long is gone."""

_PASSES: Final[LiteralString] = """
UPDATE members SET until = until - %(millis)s WHERE until > 0;
UPDATE procrastinate_workers SET last_heartbeat = last_heartbeat - make_interval(secs => %(millis)s / 1000.0)
"""

_LEFT: Final[LiteralString] = "SELECT queue_name FROM procrastinate_jobs WHERE status = 'doing' OR queue_name = %s"


class RunsDatabase(Protocol):
    """The one of a run."""

    @property
    def named(self) -> Database:
        """What its bots are told of it."""

    async def time_passes(self) -> None:
        """Let it be known that whoever was killed is gone, as it is known half a minute later."""

    async def jobs_left(self) -> list[str]:
        """What somebody has begun to do and nobody has finished, or is owed: the queues of these jobs."""


Databases = Callable[[Path], AbstractAsyncContextManager[RunsDatabase]]
"""Makes an empty one for the run in a folder, which is gone with the run."""


@dataclass(frozen=True, slots=True)
class File:
    """Of SQLite. Its lease ends with the process that holds it, and what is owed is in nobody's hands."""

    named: Path

    async def time_passes(self) -> None:
        pass

    async def jobs_left(self) -> list[str]:
        return []


@dataclass(frozen=True, slots=True)
class Schema:
    """Of PostgreSQL, behind a wire on which everything can be seen that is said to it."""

    url: str
    wire: PostgresWire

    @property
    def named(self) -> PostgresAddress:
        return PostgresAddress(self.wire.address(self.url))

    async def time_passes(self) -> None:
        """Its server's clock cannot jump: what it has noted of members and workers becomes older."""
        async with await _connected(self.url) as connection, connection.transaction():
            if await _has(connection, "procrastinate_workers"):
                for statement in _PASSES.split(";"):
                    await connection.execute(statement, {"millis": LONG})

    async def jobs_left(self) -> list[str]:
        async with await _connected(self.url) as connection:
            return [name for (name,) in await (await connection.execute(_LEFT, ("towow_effects",))).fetchall()]


@asynccontextmanager
async def file(folder: Path) -> AsyncIterator[RunsDatabase]:
    yield File(folder / "towow.db")


def schemas(server: PostgresServer) -> Databases:
    """An empty schema is as good as a database, and made sooner than one is copied."""

    @asynccontextmanager
    async def schema(folder: Path) -> AsyncIterator[RunsDatabase]:
        made = server.schema()
        url = await asyncio.to_thread(made.__enter__)
        try:
            async with PostgresWire.to(server.port) as wire:
                yield Schema(url, wire)
        finally:  # it waits until the server has noticed that bots were killed, to whom the wire is this loop's
            await asyncio.to_thread(made.__exit__, None, None, None)

    return schema


@asynccontextmanager
async def opened_store(database: RunsDatabase) -> AsyncIterator[Store]:
    store = store_in(database.named)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def _connected(url: str) -> psycopg.AsyncConnection[tuple[Any, ...]]:
    return await psycopg.AsyncConnection.connect(url, autocommit=True)


async def _has(connection: psycopg.AsyncConnection[tuple[Any, ...]], table: str) -> bool:
    return await (await connection.execute("SELECT to_regclass(%s)", (table,))).fetchone() != (None,)
