"""Counts the generations of a database while it is in use, and notices what happens to its file meanwhile.

All of it runs in the writer's thread, around its transactions: it costs a few looks at three files, and after every
time that SQLite has put the log into the file, one small commit.
"""

import logging
import sqlite3
from datetime import UTC, datetime
from typing import Final

from engine.errors import StoreError
from engine.store.sqlite.claim import Claim
from engine.store.sqlite.copying import copy_into
from engine.store.sqlite.identity import Mark, beside, mark_in, note

log = logging.getLogger(__name__)

PAGE_SIZES: Final = "SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = 'identity'"


class Generations:
    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._path = claim.path
        self._written_at = 0
        """When the file alone was written last, in nanoseconds."""
        self._marks: set[bytes] = set()
        """One of these is in the file alone."""
        self._page = (0, 0)
        """Where the mark is in the file, and the bytes of that page."""
        self._counted: Mark | None = None
        """The generation that has begun, and that is not in the file alone yet."""
        self._id = ""
        self._is_rescued = False

    def begin(self, connection: sqlite3.Connection) -> None:
        """
        Raises:
            sqlite3.Error, OSError
        """
        root, size = connection.execute(PAGE_SIZES).fetchone()
        self._page = ((root - 1) * size, size)
        self._advance(connection, is_in_use=True)
        self._claim.watch()

    def check(self) -> None:
        """
        Raises:
            StoreUnavailable: the file was deleted or replaced.
        """
        written_at = self._claim.last_written()
        if written_at != self._written_at:
            # Nobody but us writes the file. Whoever only touched it, or another program that is no ToWow, does no harm.
            page = self._claim.bytes_at(*self._page)
            if not any(mark in page for mark in self._marks):
                self._claim.was_overwritten = True
                raise self._claim.gone()
            self._written_at = written_at

    def follow(self, connection: sqlite3.Connection) -> None:
        """After a commit: if SQLite has put the log into the file meanwhile, the next generation begins.

        Raises:
            StoreUnavailable: the file was deleted or replaced, and what was committed went to nowhere.
        """
        self._claim.check()
        if self._claim.last_written() != self._written_at:
            try:
                self._advance(connection, is_in_use=True)
            except (sqlite3.Error, OSError) as error:
                log.warning("%s begins no generation, which is tried again: %s", self._path, error)

    def end(self, connection: sqlite3.Connection) -> None:
        """Before the last connection closes, which puts the log into the file and deletes it."""
        try:
            self.check()
            self._advance(connection, is_in_use=False)
        except (StoreError, sqlite3.Error, OSError) as error:
            log.warning("%s begins no generation: %s", self._path, error)
            self.rescue(connection)

    def rescue(self, connection: sqlite3.Connection) -> None:
        """Save what a deleted file held into a file of its own: it is gone with the process otherwise."""
        if self._is_rescued or self._claim.was_overwritten or self._claim.is_in_place:
            return
        to = beside(self._path, f".rescued-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
        try:
            copy_into(connection, to)
        except (StoreError, sqlite3.Error, OSError) as error:
            log.error("%s is gone, and what it held cannot be saved: %s", self._path, error)
        else:
            self._is_rescued = True
            log.error("%s is gone; what it held is saved as %s, for `towow restore`", self._path, to)

    def _advance(self, connection: sqlite3.Connection, *, is_in_use: bool) -> None:
        """Begin a generation: the log is put into the file, and what is in it from now on can be told from what was.

        Raises:
            StoreUnavailable: another program has put another database into the file.
        """
        new = self._counted or self._count(connection)
        busy, pages, copied = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        self._written_at = self._claim.last_written()
        if busy or copied < pages:
            return  # somebody reads for long; the next time that SQLite puts the log into the file comes
        self._marks, self._counted = {str(new).encode()}, None
        note(self._path, new, is_in_use=is_in_use)

    def _count(self, connection: sqlite3.Connection) -> Mark:
        mark = mark_in(connection)
        if mark is None or mark.id != (self._id or mark.id):
            self._claim.was_overwritten = True
            raise self._claim.gone()
        new = mark.next()
        connection.execute("UPDATE identity SET mark = ?", (str(new),))
        self._id, self._counted = mark.id, new
        self._marks |= {str(mark).encode(), str(new).encode()}
        return new
