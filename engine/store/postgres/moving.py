"""A database that all of a store is moved from, or to, while nobody else uses it."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import LiteralString

import psycopg
from psycopg import sql

from engine.errors import StoreUnusable
from engine.store.address import place_of
from engine.store.moving import TABLES, Row, Source, Target, rewritten
from engine.store.postgres.database import Connection, connect
from engine.store.postgres.faults import concerns_the_data, explain
from engine.store.postgres.reads import ONE_STATE, is_intact, key_of
from engine.store.postgres.schema import NEWEST, migrate, query, schema_version, use_alone

_PATIENT: LiteralString = "SET idle_in_transaction_session_timeout = 0"
_COUNT: LiteralString = "SELECT (SELECT count(*) FROM streams) + (SELECT count(*) FROM records)"
_COUNT_ON: LiteralString = """
SELECT setval(pg_get_serial_sequence('streams', 'id'), (SELECT coalesce(max(id), 0) + 1 FROM streams), false)
"""


class _Opened:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def rows(self, table: str) -> AsyncIterator[Row]:
        async with self._connection.cursor(name=f"all_{table}") as cursor:
            await cursor.execute(sql.SQL("SELECT {} FROM {}").format(_columns(table), sql.Identifier(table)))
            async for row in cursor:
                yield row

    async def fill(self, table: str, rows: AsyncIterator[Row]) -> int:
        written = 0
        name = sql.Identifier(table)
        await self._connection.execute(sql.SQL("DELETE FROM {}").format(name))
        copying = sql.SQL("COPY {} ({}) FROM STDIN").format(name, _columns(table))
        async with self._connection.cursor() as cursor, cursor.copy(copying) as copy:
            async for row in rows:
                await copy.write_row([int(each) if isinstance(each, bool) else each for each in row])
                written += 1
        return written

    async def verify(self) -> None:
        found = await (await self._connection.execute(query("streams"))).fetchall()
        for place in found:
            ((row,), events) = [
                await (await self._connection.execute(query(name), place)).fetchall()
                for name in ("find_stream", "events_of_stream")
            ]
            if not is_intact(key_of(*place), row, events):
                raise rewritten(place[2])
        await self._connection.execute(_COUNT_ON)


def moved_from(url: str) -> AbstractAsyncContextManager[Source]:
    return _source(url)


def moved_to(url: str) -> AbstractAsyncContextManager[Target]:
    """An empty database, which has all of it at once."""
    return _target(url)


@asynccontextmanager
async def _source(url: str) -> AsyncIterator[Source]:
    async with _alone(url) as connection:
        if await schema_version(connection, place_of(url)) < NEWEST:
            raise StoreUnusable(f"The store {place_of(url)} is empty or an earlier ToWow's; see `towow migrate`.")
        await connection.execute(ONE_STATE)
        yield _Opened(connection)


@asynccontextmanager
async def _target(url: str) -> AsyncIterator[Target]:
    async with _alone(url) as connection, connection.transaction():
        place = place_of(url)
        if await schema_version(connection, place) and (await _count(connection)):
            raise StoreUnusable(f"The store {place} is not empty; name a database that is.")
        await migrate(connection, place)
        yield _Opened(connection)


@asynccontextmanager
async def _alone(url: str) -> AsyncIterator[Connection]:
    connection = await connect(url)
    try:
        await use_alone(connection, place_of(url))
        await connection.execute(_PATIENT)
        yield connection
    except psycopg.Error as error:
        if concerns_the_data(error):
            raise StoreUnusable(f"The store {place_of(url)} cannot keep what it is given ({error}).") from error
        raise explain(error, place_of(url)) from error
    finally:
        await connection.close()


async def _count(connection: Connection) -> int:
    found = await (await connection.execute(_COUNT)).fetchone()
    return int(found[0]) if found else 0


def _columns(table: str) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, TABLES[table]))
