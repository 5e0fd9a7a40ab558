"""How the database is reached."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final, LiteralString, TypeAlias

import psycopg
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from engine.errors import StoreError, StoreUnavailable
from engine.store.address import place_of
from engine.store.postgres.faults import explain
from engine.store.postgres.sessions import check_keeps_sessions

Connection: TypeAlias = AsyncConnection[tuple[Any, ...]]

CONNECT_SECONDS: Final = 5

READERS: Final = 4
"""Connections of one process that read at once, and do what has no order among the commits."""

PATIENCE: Final = 2.5
"""Seconds that a read waits for one of them: whoever has clicked is told within the 3 seconds that Slack waits."""

SETTINGS: Final[LiteralString] = """
SET idle_in_transaction_session_timeout = '5s';
SET lock_timeout = '20s';
SET jit = off;
SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
"""
"""A process that is stopped amid a transaction holds nobody up for long, and what is acknowledged is on disk. No
statement runs for so long that compiling it would pay."""

KEEPALIVE: Final = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 20_000}
"""A server that has gone without a word is noticed."""

OPTIONS: Final[Mapping[str, Any]] = {
    "connect_timeout": CONNECT_SECONDS,
    "client_encoding": "utf8",
    "application_name": "towow",
    **KEEPALIVE,
}


async def connect(url: str) -> Connection:
    try:
        connection = await AsyncConnection.connect(url, autocommit=True, **OPTIONS)
        try:
            await check_keeps_sessions(connection, url)
            await configure(connection)
        except BaseException:
            await connection.close()
            raise
    except psycopg.Error as error:
        raise explain(error, place_of(url)) from error
    return connection


async def configure(connection: Connection) -> None:
    await connection.execute(SETTINGS)


def pool_of(url: str) -> AsyncConnectionPool[Connection]:
    """Not open yet."""
    return AsyncConnectionPool(
        url,
        kwargs={"autocommit": True, **OPTIONS},
        min_size=1,
        max_size=READERS,
        open=False,
        configure=configure,
        timeout=PATIENCE,
        reconnect_timeout=PATIENCE,
        num_workers=1,
        name=f"readers of {place_of(url)}",
    )


@asynccontextmanager
async def lent(pool: AsyncConnectionPool[Connection], place: str) -> AsyncIterator[Connection]:
    """Lend a connection, and say in our words what goes wrong with it."""
    was_lost = False
    try:
        async with pool.connection() as connection:
            try:
                yield connection
            except psycopg.Error:
                was_lost = connection.closed
                await connection.close()  # what psycopg believes to be prepared there depends on the failure
                raise
    except PoolTimeout as error:
        raise explain(error, place) from error
    except PoolClosed as error:
        raise StoreUnavailable(f"The store {place} is closed; open it first.") from error
    except psycopg.Error as error:
        if was_lost:
            await pool.check()  # a restart of the server ends all of them
        raise explain(error, place) from error


def is_lost(error: StoreError) -> bool:
    """Whether this is told of a connection that was there, and has gone."""
    return isinstance(error.__cause__, psycopg.OperationalError) and not isinstance(error.__cause__, PoolTimeout)
