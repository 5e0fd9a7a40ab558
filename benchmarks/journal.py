"""A journal in one SQLite file: rows in, durable on return, one transaction for whatever came during the last one."""

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_SCHEMA: Final = """
PRAGMA page_size = 1024;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA wal_autocheckpoint = 4096;
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
class Entry:
    """All rows that one command leads to, kept together or not at all."""

    command: Row
    events: Sequence[Row]
    settle: Sequence[Row]
    owe: Sequence[Row]
    clear_alarms: Sequence[Row]
    set_alarms: Sequence[Row]
    begin: Sequence[Row] = ()


class Journal:
    def __init__(self, path: Path) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread = ThreadPoolExecutor(1, "journal")
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._connection.executescript(_SCHEMA)
        self._waiting: list[tuple[Entry, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    def close(self) -> None:
        self._thread.shutdown()
        self._connection.close()

    async def write(self, entry: Entry) -> None:
        """Durable on return.

        Raises:
            sqlite3.Error: nothing of the transaction was kept.
        """
        done: asyncio.Future[None] = self._loop.create_future()
        self._waiting.append((entry, done))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        await done

    async def _write(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting, []
            try:
                await self._loop.run_in_executor(self._thread, self._transaction, [entry for entry, _ in group])
            except sqlite3.Error as error:
                for _, done in group:
                    done.set_exception(error)
            else:
                for _, done in group:
                    done.set_result(None)
        self._writing = None

    def _transaction(self, entries: Sequence[Entry]) -> None:
        many = self._connection.executemany
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            many(_BEGIN, [row for each in entries for row in each.begin])
            many(_RECEIVE, [each.command for each in entries])
            many(_APPEND, [row for each in entries for row in each.events])
            many(_SETTLE, [row for each in entries for row in each.settle])
            many(_OWE, [row for each in entries for row in each.owe])
            many(_CLEAR, [row for each in entries for row in each.clear_alarms])
            many(_SET, [row for each in entries for row in each.set_alarms])
