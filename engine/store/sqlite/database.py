"""The file: how it is opened and migrated, and what SQLite's errors mean to people."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import aiosqlite

from engine.errors import StoreDamaged, StoreError, StoreFull, StoreUnavailable, StoreUnusable
from engine.store.sqlite.identity import APPLICATION_ID

_UNUSABLE = {
    sqlite3.SQLITE_NOTADB: "is not a SQLite database; bring a backup with `towow restore FILE`, or choose another path",
    sqlite3.SQLITE_CORRUPT: "is corrupt; bring a backup with `towow restore FILE` "
    "(sqlite3's .recover may save what can be read)",
    sqlite3.SQLITE_READONLY: "cannot be written; let this user write to the file and to its folder",
    sqlite3.SQLITE_PERM: "may not be opened; let this user read and write it",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; let this user write to the file and to its folder",
}

_UNAVAILABLE = {
    sqlite3.SQLITE_FULL: "found no room on its disk; free some, and it goes on by itself",
    sqlite3.SQLITE_IOERR: "met an error of its disk; it goes on by itself when the disk does",
    sqlite3.SQLITE_NOMEM: "found no memory; it goes on by itself when there is some",
    sqlite3.SQLITE_BUSY: "is locked by another program; it goes on by itself when that one is done",
}

_OF_THE_DATA = (
    sqlite3.IntegrityError,
    sqlite3.DataError,
    sqlite3.ProgrammingError,
    sqlite3.InterfaceError,
)


def concerns_the_file(error: Exception) -> bool:
    """Whether everybody in the transaction is concerned, and not only whoever brought the data."""
    return isinstance(error, sqlite3.Error) and not isinstance(error, _OF_THE_DATA)


def explain(error: sqlite3.Error, path: Path) -> StoreError:
    """What happened, to which file, and what would work."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the kind; the rest tells finer
    if code in _UNUSABLE:
        kind = StoreDamaged if code == sqlite3.SQLITE_CORRUPT else StoreUnusable
        return kind(f"The store {path} {_UNUSABLE[code]} ({error}).")
    refused = StoreFull if code == sqlite3.SQLITE_FULL else StoreUnavailable
    return refused(f"The store {path} {_UNAVAILABLE.get(code, 'did not answer; try again')} ({error}).")


MIGRATIONS = ("schema.sql", "stalled.sql", "outbox.sql", "agenda.sql", "identity.sql", "purged.sql")
"""File n brings a database from version n to n + 1 (PRAGMA user_version)."""

OLDEST_SQLITE = (3, 37, 0)
"""The first with STRICT tables."""

BUSY_TIMEOUT = 1.0
"""Seconds that a checkpoint waits for a reader. Nothing else ever waits: one connection writes."""

STATEMENTS = 256
"""That stay prepared: most of them for several numbers of rows."""

PAGE = 2048
"""Bytes. Whole pages are written, and a lone commit touches a dozen: with SQLite's own 4096, one negotiation by itself
writes 394 KiB instead of 217. With 1024 it writes 146, but with 200 at once each writes 116 instead of 89, because a
proposal and what a stream owes do not fit on a page."""

LOG_PAGES = 4096
"""A write-ahead log of this length is put into the database and written over from its start.

Writing over is a third faster than growing it anew after a truncation: a sync has no new file size to record."""

LOG_LIMIT = LOG_PAGES * PAGE * 5 // 4
"""Bytes. A log that had to grow, because somebody read for long, is cut back to this when it starts over."""

CHECKED_AT_START = 64 * 1024 * 1024
"""Bytes. A larger file is not read at the start; damage in it is told when it is met."""

_WRITER = f"""
PRAGMA page_size = {PAGE};
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;  -- what was erased is overwritten, and not merely forgotten
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -16384;  -- KiB: a large group does not spill into the log before it commits
PRAGMA wal_autocheckpoint = {LOG_PAGES};
PRAGMA journal_size_limit = {LOG_LIMIT};
"""

Result = TypeVar("Result")


async def in_one_hop(connection: aiosqlite.Connection, work: Callable[[sqlite3.Connection], Result]) -> Result:
    """Run all of ``work`` in the connection's thread.

    aiosqlite hops once a statement (50 to 75 us each), and a task that is cancelled between two of them leaves the
    transaction open. It has no public way to run a function; https://github.com/omnilib/aiosqlite/issues/19 asked.
    """
    hop = connection._execute(lambda: work(connection._conn))  # type: ignore[no-untyped-call]
    result: Result = await hop
    return result


async def open_writer(path: Path) -> aiosqlite.Connection:
    """The connection that writes; there must be no second."""
    connecting = aiosqlite.connect(path, timeout=BUSY_TIMEOUT, isolation_level=None, cached_statements=STATEMENTS)
    return await _opened(path, connecting, lambda connection: _prepare(connection, path))


async def open_reader(path: Path) -> aiosqlite.Connection:
    """A connection that cannot write, to a file that a writer has prepared."""
    connecting = aiosqlite.connect(read_only(path), uri=True, timeout=BUSY_TIMEOUT, isolation_level=None)
    return await _opened(path, connecting, _only_read)


def check_integrity(connection: sqlite3.Connection, path: Path) -> None:
    """Check that the file is not damaged."""
    if path.stat().st_size <= CHECKED_AT_START:
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise explain(_corrupt(found), path)


def _corrupt(found: str) -> sqlite3.Error:
    error = sqlite3.DatabaseError(" ".join(found.split()))
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


async def _opened(
    path: Path, connecting: aiosqlite.Connection, prepare: Callable[[sqlite3.Connection], None]
) -> aiosqlite.Connection:
    try:
        connection = await _connected(connecting)
        try:
            await in_one_hop(connection, prepare)
        except BaseException:
            await connection.close()
            raise
    except sqlite3.Error as error:
        raise explain(error, path) from error
    return connection


async def _connected(connecting: aiosqlite.Connection) -> aiosqlite.Connection:
    """The connection, whose thread ends with the process at the latest."""
    # A connection that nobody closed would hang the exit. For the file, such an exit is one more kill.
    connecting._thread.daemon = True
    try:
        return await connecting
    except BaseException:
        # aiosqlite tells the thread to end and does not wait; it would report to a loop that may be gone by then.
        connecting._thread.join()
        raise


def read_only(path: Path) -> str:
    return f"{path.absolute().as_uri()}?mode=ro"


def _only_read(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA query_only = ON")


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Ours, writable, in WAL mode and in the newest schema."""
    version = check_version(connection, path)
    connection.executescript(_WRITER)
    connection.execute("BEGIN IMMEDIATE")  # a file that cannot be written is found out now, and not at the first vote
    connection.execute("ROLLBACK")
    migrate(connection, version)


def migrate(connection: sqlite3.Connection, version: int) -> None:
    for number, name in enumerate(MIGRATIONS[version:], start=version + 1):
        migration = Path(__file__).with_name(name).read_text(encoding="utf-8")
        signature = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {number};"
        connection.executescript(f"BEGIN IMMEDIATE; {migration} {signature} COMMIT;")


def check_version(connection: sqlite3.Connection, path: Path) -> int:
    """Which schema the file has; 0 for a new one."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreUnusable(
            f"The store {path} needs SQLite {'.'.join(map(str, OLDEST_SQLITE))}, and this Python is linked with "
            f"{sqlite3.sqlite_version}; run ToWow with a newer Python."
        )
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if tables and application != APPLICATION_ID:
        raise StoreUnusable(f"The store {path} is a database of another program; choose another path for ToWow's.")
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        raise StoreUnusable(
            f"The store {path} has schema {version}, and this ToWow knows up to {len(MIGRATIONS)}; "
            "run the ToWow that wrote it, or a newer one."
        )
    return version
