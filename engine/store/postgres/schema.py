"""Which schema a database has, and how it comes to the newest.

An empty database gets its tables when it is opened. One of an earlier version is not changed then: other processes may
be using it. `towow migrate` does that, once all of them have ended.
"""

import logging
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, LiteralString

import psycopg
from psycopg import AsyncConnection

from engine.errors import StoreInUse, StoreUnavailable, StoreUnusable
from engine.store.address import place_of
from engine.store.archive import read_statements
from engine.store.port import UNKNOWN_POSTS
from engine.store.postgres.database import connect
from engine.store.postgres.faults import explain

log = logging.getLogger(__name__)

_LOCK_brought: Final = "SELECT place FROM towow_schema FOR UPDATE"
_HERE: Final = """
SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8), (SELECT oid FROM pg_database WHERE datname = current_database()))
"""
_NOTE: Final = "UPDATE towow_schema SET place = %s"
_NEWEST: Final = "SELECT coalesce((SELECT at FROM events ORDER BY position DESC LIMIT 1), 0)"
_EXPECT_OF_ALL: Final = """
INSERT INTO records (enterprise_id, team_id, kind, key, value)
SELECT DISTINCT enterprise_id, team_id, %(kind)s, '',
    json_build_object('since', %(since)s::bigint, 'until', %(until)s::bigint)::text
FROM streams
ON CONFLICT (enterprise_id, team_id, kind, key) DO UPDATE SET value = excluded.value
"""
_EXPECT_OF_EACH: Final = """
INSERT INTO records (enterprise_id, team_id, kind, key, value)
SELECT enterprise_id, team_id, %(kind)s, stream,
    json_build_object('since', %(since)s::bigint, 'until', %(until)s::bigint, 'is_open', is_open)::text
FROM streams
ON CONFLICT (enterprise_id, team_id, kind, key) DO UPDATE SET value = excluded.value
"""


async def look_where(connection: AsyncConnection[Any], place: str) -> None:
    """Note where the database is, once; and where it was elsewhere before, that posts may be unknown to it."""
    async with connection.transaction():
        ((noted,),) = await (await connection.execute(_LOCK_brought)).fetchall()
        ((here,),) = await (await connection.execute(_HERE)).fetchall()
        if noted == here:
            return
        if noted:
            log.warning("%s was brought here from elsewhere: posts are looked for before they are made", place)
            ((since,),) = await (await connection.execute(_NEWEST)).fetchall()
            given = {"kind": UNKNOWN_POSTS, "since": since, "until": time.time_ns() // 1_000_000}
            await connection.execute(_EXPECT_OF_ALL, given)
            await connection.execute(_EXPECT_OF_EACH, given)
        await connection.execute(_NOTE, (here,))


# ── the schema ────────────────────────────────────────────────────────────────────────────────────────────────────────


MIGRATIONS: Final = ("schema.sql", "sharing.sql")
"""File n brings a database from version n to n + 1 (towow_schema)."""

NEWEST: Final = len(MIGRATIONS)

OLDEST_SERVER: Final = 130000

IN_USE: Final = 0x546F5755
MIGRATING: Final = 0x546F574D
POSITIONS: Final = 0x546F5750
"""What ToWow's advisory locks are called; each is of one schema, whose name is the second half.

Whoever uses a database holds IN_USE together with others; whoever changes all of it holds it alone.
"""

_USE: Final = "SELECT pg_try_advisory_lock_shared(%s, hashtext(current_schema()))"
_USE_ALONE: Final = "SELECT pg_try_advisory_lock(%s, hashtext(current_schema()))"
_LOCK: Final = "SELECT pg_advisory_xact_lock(%s, hashtext(current_schema()))"
HAS_TABLES: Final = """
SELECT EXISTS (
    SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relname = 'towow_schema' AND nspname = current_schema()
)
"""
"""Not by `to_regclass`, which remembers within a session that there was no such table, while others make it."""

OTHERS: Final = """
SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid = %s AND objid = (hashtext(current_schema())::bigint & 4294967295)
"""


async def check_server(connection: AsyncConnection[Any], place: str) -> None:
    """Check that the server can keep a store."""
    if (version := connection.info.server_version) < OLDEST_SERVER:
        raise StoreUnusable(
            f"The store {place} is PostgreSQL {version // 10000}; ToWow needs {OLDEST_SERVER // 10000} or newer."
        )
    encoding, schema = await _row(connection, "SELECT current_setting('server_encoding'), current_schema()")
    if encoding != "UTF8":
        raise StoreUnusable(
            f"The store {place} keeps texts as {encoding}; create the database with ENCODING 'UTF8' TEMPLATE template0."
        )
    if schema is None:
        raise StoreUnusable(f"The store {place} has none of the schemas in its search_path; create one.")


async def schema_version(connection: AsyncConnection[Any], place: str) -> int:
    """Which schema the database has; 0 where it has none of our tables."""
    if not (await _row(connection, HAS_TABLES))[0]:
        return 0
    (version,) = await _row(connection, "SELECT version FROM towow_schema")
    if version > NEWEST:
        raise StoreUnusable(
            f"The store {place} has schema {version}, and this ToWow knows up to {NEWEST}; "
            "run the ToWow that wrote it, or a newer one."
        )
    return int(version)


async def use(connection: AsyncConnection[Any], place: str) -> None:
    """Use the database together with others, while this connection is there; create the tables in an empty one."""
    await check_server(connection, place)
    if not (await _row(connection, _USE, IN_USE))[0]:
        raise StoreUnavailable(f"The store {place} is being migrated or moved just now; it goes on when that is done.")
    version = await schema_version(connection, place)
    if version == 0:
        version = await migrate(connection, place)
    if version < NEWEST:
        raise StoreUnusable(
            f"The store {place} has schema {version}, and this ToWow needs {NEWEST}: "
            "stop every ToWow that uses it, and run `towow migrate`."
        )
    await look_where(connection, place)


async def use_alone(connection: AsyncConnection[Any], place: str) -> None:
    """Keep everybody else away, for as long as this connection is there."""
    await check_server(connection, place)
    if not (await _row(connection, _USE_ALONE, IN_USE))[0]:
        others = (await _row(connection, OTHERS, IN_USE))[0]
        raise StoreInUse(f"The store {place} is used by other ToWows ({others}); stop them first.")


async def migrate(connection: AsyncConnection[Any], place: str) -> int:
    """Bring the database to the newest schema, all or nothing, and return which it is.

    Of several that begin at once, one does it.
    """
    async with connection.transaction():
        await connection.execute(_LOCK, (MIGRATING,))
        for name in MIGRATIONS[await schema_version(connection, place) :]:
            migration = Path(__file__).with_name(name).read_text(encoding="utf-8")
            await connection.execute(migration, prepare=False)
    return NEWEST


async def _row(connection: AsyncConnection[Any], statement: LiteralString, *given: Any) -> tuple[Any, ...]:
    found = await (await connection.execute(statement, given or None)).fetchone()
    return tuple(found) if found else (None,)


# ── queries ───────────────────────────────────────────────────────────────────────────────────────────────────────────
# The statements of queries.sql by name.


def query(name: str) -> LiteralString:
    return _queries()[name]


def names() -> list[str]:
    return list(_queries())


@cache
def _queries() -> "Mapping[str, LiteralString]":
    return read_statements(Path(__file__).with_name("queries.sql"))


# ── migrating ─────────────────────────────────────────────────────────────────────────────────────────────────────────
# Brings a database to the newest schema, while nobody else uses it.


async def bring_up_to_date(url: str) -> None:
    """Bring the schema up to date, all of it or nothing."""
    connection = await connect(url)
    try:
        await use_alone(connection, place_of(url))
        await migrate(connection, place_of(url))
    except psycopg.Error as error:
        raise explain(error, place_of(url)) from error
    finally:
        await connection.close()
