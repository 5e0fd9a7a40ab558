"""Finds out whether a connection stays with one session of the server, or whether a pooler lends another one each time.

The locks that say who uses a database, what jobs are told by ``LISTEN``, and settings are a session's.
"""

import asyncio
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection

from engine.errors import StoreUnusable
from engine.store.address import place_of
from engine.store.postgres.faults import explain

OTHERS: Final = 3
"""Connections that take a session each from the pool, so that a first one is not lent its own again by chance."""
PATIENCE: Final = 2.0
"""Seconds until a pool is taken to have no session left."""
OWN: Final = "SELECT pg_backend_pid()"


async def check_keeps_sessions(connection: AsyncConnection[Any], url: str) -> None:
    """Check that a session keeps its locks."""
    ((own,),) = await (await connection.execute(OWN)).fetchall()
    if own != connection.info.backend_pid and not await _keeps_sessions(url):
        raise _lent(url)


def check_keeps_sessions_at_once(connection: psycopg.Connection[Any], url: str) -> None:
    """Do the same for a command that waits for it, whether an event loop runs or not."""
    ((own,),) = connection.execute(OWN).fetchall()
    if own != connection.info.backend_pid:
        with ThreadPoolExecutor(1) as pool:
            if not pool.submit(asyncio.run, _keeps_sessions(url)).result():
                raise _lent(url)


def _lent(url: str) -> StoreUnusable:
    return StoreUnusable(
        f"The store {place_of(url)} is reached through a pooler that lends a session for one transaction only, and "
        "ToWow needs its own: for locks, for settings, and to be told of jobs. Name the server itself in TOWOW_DB, or "
        "a pool with pool_mode = session."
    )


async def _keeps_sessions(url: str) -> bool:
    """Return whether a connection has the session that it had before, while others take what is free."""
    try:
        async with AsyncExitStack() as stack:
            first = await stack.enter_async_context(await _connected(url))
            own = await _session(first)
            for _ in range(OTHERS):
                other = await stack.enter_async_context(await _connected(url))
                try:
                    await _soon(other.execute("BEGIN"))
                except TimeoutError:
                    return True  # each keeps what it has, and no more are left
                try:
                    if await _session(first) != own:
                        return False
                except TimeoutError:
                    return False  # what it had is lent to another one
    except psycopg.errors.ProtocolViolation:  # as where sessions are lent by the statement
        return False
    except psycopg.Error as error:
        raise explain(error, place_of(url)) from error
    return True


async def _connected(url: str) -> AsyncConnection[Any]:
    return await AsyncConnection.connect(url, autocommit=True, connect_timeout=5)


async def _session(connection: AsyncConnection[Any]) -> int:
    cursor = await _soon(connection.execute(OWN))
    ((session,),) = await cursor.fetchall()
    return int(session)


async def _soon(call: Awaitable[Any]) -> Any:
    async with asyncio.timeout(PATIENCE):
        return await call
