"""A journal in one SQLite file: rows in, durable on return, one transaction for whatever came during the last one."""

import asyncio
import sqlite3
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

_SCHEMA: Final = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE inbox (
    stream INTEGER NOT NULL, command TEXT NOT NULL, PRIMARY KEY (stream, command)
) WITHOUT ROWID;
CREATE TABLE events (
    position INTEGER PRIMARY KEY, stream INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL,
    type TEXT NOT NULL, public TEXT NOT NULL, private TEXT, UNIQUE (stream, seq)
);
CREATE TABLE outbox (
    turn INTEGER PRIMARY KEY, stream INTEGER NOT NULL, effect TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, UNIQUE (stream, effect)
);
CREATE TABLE alarms (
    stream INTEGER NOT NULL, name TEXT NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (stream, name)
) WITHOUT ROWID;
CREATE INDEX alarms_due ON alarms (due);
"""

_BEGIN: Final = "INSERT INTO streams VALUES (?, ?)"
_RECEIVE: Final = "INSERT INTO inbox VALUES (?, ?)"
_APPEND: Final = "INSERT INTO events (stream, seq, at, type, public, private) VALUES (?, ?, ?, ?, ?, ?)"
_SETTLE: Final = "DELETE FROM outbox WHERE stream = ? AND effect = ?"
_OWE: Final = "INSERT INTO outbox (stream, effect, kind, body) VALUES (?, ?, ?, ?)"
_CLEAR: Final = "DELETE FROM alarms WHERE stream = ? AND name = ?"
_SET: Final = "INSERT OR REPLACE INTO alarms VALUES (?, ?, ?)"

Row = tuple[Any, ...]


@dataclass(slots=True, eq=False)
class _Group:
    """The rows of one transaction, by statement in the order of their execution, and where its callers wait."""

    done: asyncio.Future[None]
    rows: dict[str, list[Row]] = field(
        default_factory=lambda: {each: [] for each in (_BEGIN, _RECEIVE, _APPEND, _SETTLE, _OWE, _CLEAR, _SET)}
    )


class Journal:
    def __init__(self, path: Path) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread = ThreadPoolExecutor(1, "journal")
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._connection.executescript(_SCHEMA)
        self._group = self._new_group()
        self._writing: asyncio.Task[None] | None = None

    def close(self) -> None:
        self._thread.shutdown()
        self._connection.close()

    async def write(
        self,
        command: Row,
        events: Iterable[Row],
        settle: Row | None = None,
        owe: Iterable[Row] = (),
        clear_alarms: Iterable[Row] = (),
        set_alarms: Iterable[Row] = (),
        begin: Row | None = None,
    ) -> None:
        """All that one command leads to, together or not at all; durable on return.

        Raises:
            sqlite3.Error: nothing of the transaction was kept.
        """
        group = self._group
        rows = group.rows
        rows[_RECEIVE].append(command)
        rows[_APPEND] += events
        rows[_OWE] += owe
        rows[_CLEAR] += clear_alarms
        rows[_SET] += set_alarms
        if settle:
            rows[_SETTLE].append(settle)
        if begin:
            rows[_BEGIN].append(begin)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        await group.done

    async def _write(self) -> None:
        while self._group.rows[_RECEIVE]:
            group, self._group = self._group, self._new_group()
            try:
                await self._loop.run_in_executor(self._thread, self._transaction, group)
            except sqlite3.Error as error:
                group.done.set_exception(error)
            else:
                group.done.set_result(None)
        self._writing = None

    def _transaction(self, group: _Group) -> None:
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            for statement, rows in group.rows.items():
                self._connection.executemany(statement, rows)

    def _new_group(self) -> _Group:
        return _Group(self._loop.create_future())
