"""What SQLite's errors mean to people."""

import sqlite3
from pathlib import Path

from engine.errors import StoreDamaged, StoreError, StoreFull, StoreUnavailable, StoreUnusable

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
