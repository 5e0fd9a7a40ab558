"""The file: how it is claimed, opened, migrated and left; and what its errors mean to people."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import aiosqlite

from engine.errors import StoreError, StoreUnavailable, StoreUnusable

APPLICATION_ID = 0x546F576F
"""``ToWo``: how a file says whose it is (PRAGMA application_id)."""

MIGRATIONS = ("schema.sql",)
"""File n brings a database from version n to n + 1 (PRAGMA user_version)."""

WAL_LIMIT = 4 * 1024 * 1024
"""Bytes. A longer write-ahead log is put into the database and emptied."""

BUSY_TIMEOUT = 2.0
"""Seconds that a checkpoint waits for a reader. Nothing else ever waits: one connection writes."""

_WRITER = f"""
PRAGMA page_size = 4096;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -16384;
PRAGMA wal_autocheckpoint = 0;
PRAGMA journal_size_limit = {WAL_LIMIT};
"""

Result = TypeVar("Result")


async def in_one_hop(connection: aiosqlite.Connection, work: Callable[[sqlite3.Connection], Result]) -> Result:
    """Run all of ``work`` in the connection's thread.

    aiosqlite hops once a statement (50 to 75 us each), and a task that is cancelled between two of them leaves the
    transaction open. It has no public way to run a function; https://github.com/omnilib/aiosqlite/issues/19 asked.
    """
    result: Result = await connection._execute(lambda: work(connection._conn))  # type: ignore[no-untyped-call]
    return result


async def open_writer(path: Path) -> aiosqlite.Connection:
    """The connection that writes, of which there is one: before 3.51.3, two may lose committed data between them.

    Raises:
        StoreUnusable, StoreUnavailable
    """
    return await _opened(path, aiosqlite.connect(path, timeout=BUSY_TIMEOUT, isolation_level=None), _prepare)


async def open_reader(path: Path) -> aiosqlite.Connection:
    """A connection that cannot write; the file must have been prepared by a writer.

    Raises:
        StoreUnusable, StoreUnavailable
    """
    reader = aiosqlite.connect(_read_only(path), uri=True, timeout=BUSY_TIMEOUT, isolation_level=None)
    return await _opened(path, reader, lambda connection: connection.executescript("PRAGMA query_only = ON"))


def _read_only(path: Path) -> str:
    return f"{path.absolute().as_uri()}?mode=ro"


async def _opened(
    path: Path, opening: aiosqlite.Connection, prepare: Callable[[sqlite3.Connection], object]
) -> aiosqlite.Connection:
    try:
        connection = await opening
        try:
            await in_one_hop(connection, prepare)
        except BaseException:
            await connection.close()
            raise
    except sqlite3.Error as error:
        raise explain(error, path) from error
    return connection


def claim(path: Path) -> sqlite3.Connection:
    """Hold the file against a second ToWow for as long as the returned connection is open, or this process alive.

    The lock is that of an empty database beside it: it is the same on every platform and ends with the process.

    Raises:
        StoreUnusable: somebody else holds it.
    """
    lock = sqlite3.connect(f"{path}-lock", timeout=0, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("PRAGMA locking_mode = EXCLUSIVE")
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        raise explain(error, path) from error
    return lock


def _prepare(connection: sqlite3.Connection) -> None:
    """Our file, in the newest schema, in WAL mode."""
    (ours,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if ours != APPLICATION_ID and tables:
        raise StoreUnusable("the file is the database of another program; choose another path for ToWow's.")
    if version > len(MIGRATIONS):
        raise StoreUnusable(
            f"the file has schema {version} and this ToWow knows up to {len(MIGRATIONS)}; "
            "start the ToWow that wrote it, or a newer one."
        )
    connection.executescript(_WRITER)
    connection.execute("BEGIN IMMEDIATE")  # a file that cannot be written is found out now, and not at the first vote
    connection.execute("ROLLBACK")
    for number, name in enumerate(MIGRATIONS[version:], start=version + 1):
        migration = Path(__file__).with_name(name).read_text(encoding="utf-8")
        signature = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {number};"
        connection.executescript(f"BEGIN IMMEDIATE; {migration} {signature} COMMIT;")


_UNUSABLE = {
    sqlite3.SQLITE_NOTADB: "is not a SQLite database; restore it from a backup, or choose another path",
    sqlite3.SQLITE_CORRUPT: "is corrupt; restore it from a backup (sqlite3's .recover may save what is readable)",
    sqlite3.SQLITE_READONLY: "cannot be written; give this user write permission to the file and its folder",
    sqlite3.SQLITE_PERM: "may not be opened; give this user permission to read and write it",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; its folder must exist, and this user must be allowed to write to both",
    sqlite3.SQLITE_BUSY: "is in use by another ToWow; stop that one, or choose another path",
}

_UNAVAILABLE = {
    sqlite3.SQLITE_FULL: "found no room on its disk; free some, it recovers by itself",
    sqlite3.SQLITE_IOERR: "met an error of its disk; it is tried again by itself",
    sqlite3.SQLITE_NOMEM: "found no memory; it is tried again by itself",
}


def explain(error: sqlite3.Error, path: Path) -> StoreError:
    """What happened, to which file, and what would work."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the kind, the rest its finer distinctions
    if code in _UNUSABLE:
        return StoreUnusable(f"The store {path} {_UNUSABLE[code]}. ({error})")
    return StoreUnavailable(f"The store {path} {_UNAVAILABLE.get(code, 'did not answer; try again')}. ({error})")
