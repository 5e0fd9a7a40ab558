"""A file that all of a store is moved from, or to."""

import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path
from typing import Final

from engine.errors import StoreUnusable
from engine.files.kept_folder import make_file
from engine.kernel import StreamKey, Tenant
from engine.store.moving import TABLES, Row, Source, Target, rewritten
from engine.store.sqlite import reads
from engine.store.sqlite.archive import check_whole, sync
from engine.store.sqlite.claim import Claim
from engine.store.sqlite.database import MIGRATIONS, PAGE, check_version, explain, migrate, read_only
from engine.store.sqlite.identity import FILES, beside, check_place, mark_in, note, real_path

BATCH: Final = 1_000
"""Rows that are written at once."""

_COUNT_ON: Final = """
UPDATE purged
SET (stream, streams) = (SELECT coalesce(max(id), 0), coalesce(max(id), 0) - count(*) FROM streams)
WHERE id = 1
"""
"""Other databases leave out ids for other reasons; here an id that no stream has is that of a deleted one."""


class _Opened:
    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    async def rows(self, table: str) -> AsyncIterator[Row]:
        for row in self._connection.execute(f"SELECT {', '.join(TABLES[table])} FROM {table}"):  # noqa: S608
            yield row

    async def fill(self, table: str, rows: AsyncIterator[Row]) -> int:
        columns = TABLES[table]
        values = ", ".join("?" for _ in columns)
        statement = f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) VALUES ({values})"  # noqa: S608
        written, batch = 0, []
        async for row in rows:
            batch.append(row)
            if len(batch) == BATCH:
                self._connection.executemany(statement, batch)
                written, batch = written + len(batch), []
        self._connection.executemany(statement, batch)
        return written + len(batch)

    async def verify(self) -> None:
        self._connection.execute(_COUNT_ON)
        self._connection.execute("COMMIT")
        for row in self._connection.execute("SELECT enterprise_id, team_id, stream FROM streams").fetchall():
            key = StreamKey(Tenant(row[1], row[0]), row[2])
            if not reads.verify(self._connection, key):
                raise rewritten(key.stream)
        check_whole(self._connection, self._path)


def moved_from(path: Path) -> AbstractAsyncContextManager[Source]:
    return _source(real_path(path))


def moved_to(path: Path) -> AbstractAsyncContextManager[Target]:
    """A new file, which is at its place once all of it is there."""
    return _target(real_path(path))


def _claimed(path: Path) -> Claim:
    if not path.is_file():
        raise StoreUnusable(f"There is no store {path}; say where it is.")
    claim = Claim.take(path, create=False)
    try:
        check_place(path)
    except BaseException:
        claim.release()
        raise
    return claim


@asynccontextmanager
async def _source(path: Path) -> AsyncIterator[Source]:
    claim = _claimed(path)
    try:
        with closing(sqlite3.connect(read_only(path), uri=True, isolation_level=None)) as connection:
            if check_version(connection, path) < len(MIGRATIONS):
                raise StoreUnusable(f"The store {path} is an earlier ToWow's; run `towow migrate` first.")
            connection.execute("BEGIN")
            yield _Opened(connection, path)
    except sqlite3.Error as error:
        raise explain(error, path) from error
    finally:
        claim.release()


@asynccontextmanager
async def _target(path: Path) -> AsyncIterator[Target]:
    if there := [each.name for each in (beside(path, end) for end in FILES) if each.exists()]:
        raise StoreUnusable(f"{there[0]} is there already; name a file that is not there yet.")
    unfinished = beside(path, ".moving")
    try:
        unfinished.unlink(missing_ok=True)
        make_file(unfinished)
        with closing(sqlite3.connect(unfinished, isolation_level=None)) as connection:
            connection.execute(f"PRAGMA page_size = {PAGE}")
            migrate(connection, 0)
            connection.execute("BEGIN IMMEDIATE")
            yield _Opened(connection, path)
            mark = mark_in(connection)
        sync(unfinished)
        os.link(unfinished, path)  # unlike a rename, it never replaces what came meanwhile
        if mark is not None:
            note(path, mark, is_in_use=False)
        sync(path.parent)
    except sqlite3.Error as error:
        raise explain(error, unfinished) from error
    except OSError as error:
        raise StoreUnusable(f"{path} cannot be written ({error}); choose another place.") from error
    finally:
        unfinished.unlink(missing_ok=True)
        beside(unfinished, "-journal").unlink(missing_ok=True)
