"""Holds a database for one process, and sees whether its files are still the ones at their places.

Before 3.51.3, two connections that write or checkpoint at one instant may lose what was committed. And a file that was
deleted or replaced is written on without an error, until the process ends and all of it is gone.

The generations of a database are counted while it is in use, in the writer's thread, around its transactions: it costs
a few looks at three files, and after every time that SQLite has put the log into the file, one small commit.
"""

import errno
import logging
import os
import sqlite3
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from engine.errors import StoreError, StoreInUse, StoreUnavailable, StoreUnusable
from engine.files.kept_folder import make_file, make_folder
from engine.store.sqlite.archive import copy_into
from engine.store.sqlite.database import explain
from engine.store.sqlite.identity import Mark, beside, check_is_file, check_place, mark_in, note, real_path

log = logging.getLogger(__name__)

if sys.platform == "linux":
    import fcntl

IN_PLACE: Final = ("", "-wal", "-shm")
"""The files that SQLite has open."""

NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)
"""Errors of a disk that is full, or of what this user may keep on it."""

PATIENCE: Final = 0.2
"""Seconds: `is_running_beside` holds the lock for an instant."""

GLANCE_EVERY: Final = 1.0
"""Seconds."""

Inode = tuple[int, int]


class Claim:
    """A database that this process has to itself, from `take` until `release`, or until the process dies."""

    def __init__(self, path: Path, lock: sqlite3.Connection, handle: int | None) -> None:
        self.path = path
        self._lock = lock
        self._handle = handle
        self._place = str(path)
        self._seen: dict[str, Inode] = {}
        self._is_lost = False
        self._next_glance = 0.0
        self.was_overwritten = False
        """Whether the file at its place has another content: it was found out by whoever knows what is in it."""

    @classmethod
    def take(cls, path: Path, *, create: bool = True) -> "Claim":
        """Hold the database, by whatever name another process may call it.

        Two locks: that of an empty database beside the file, which is the same on every platform, and on Linux one on
        the file itself, to which its other names lead as well. (Elsewhere such a lock would be in the way of SQLite's
        own, and a file with other names is refused.) A killed process leaves neither behind.

        Args:
            path: without symbolic links.
            create: make the file where there is none, unless one was there and is gone; check the one that is there.

        Raises:
            StoreInUse: another process holds it.
            StoreUnavailable: there is no room for it.
            StoreUnusable: somebody replaced it by hand, or the file or its folder cannot be used.
        """
        try:
            make_folder(path.parent)
        except OSError as error:
            if error.errno in NO_ROOM:
                raise _unopened(path, error) from error
            raise StoreUnusable(f"The store {path} can have no folder ({error}); choose another path.") from error
        check_is_file(path)
        lock = _locked(path)
        try:
            if create:
                check_place(path)
            claim = cls(path, lock, _held(path, create=create))
        except BaseException:
            lock.close()
            raise
        return claim

    def release(self) -> None:
        """Let others have it. Call it last: to close a file ends all locks that SQLite has on it in this process."""
        if self._handle is not None:
            os.close(self._handle)
        self._lock.close()

    def watch(self) -> None:
        """From now on, the files at these places are what is meant."""
        self._seen = {place: _inode(place) for place in (str(beside(self.path, end)) for end in IN_PLACE)}

    def bytes_at(self, offset: int, size: int) -> bytes:
        """What is in the file alone, read through the handle that is open anyway: see `release`."""
        if self._handle is None:
            return b""
        os.lseek(self._handle, offset, os.SEEK_SET)
        return os.read(self._handle, size)

    @property
    def is_in_place(self) -> bool:
        try:
            return not self.was_overwritten and all(_inode(place) == inode for place, inode in self._seen.items())
        except OSError:
            return False

    def check(self) -> None:
        """Check that the files are at their place."""
        if not self.is_in_place:
            raise self.gone()

    def glance(self) -> None:
        """Check now and then, as it is enough for what is only read."""
        now = time.monotonic()
        if self._is_lost or now >= self._next_glance:
            self.check()
            self._is_lost, self._next_glance = False, now + GLANCE_EVERY

    def last_written(self) -> int:
        """Look at the file alone, and return when it was written last, in nanoseconds."""
        try:
            status = os.stat(self._place)
        except OSError as error:
            raise self.gone() from error
        if self.was_overwritten or self._seen.get(self._place, _inode_in(status)) != _inode_in(status):
            raise self.gone()
        return status.st_mtime_ns

    def gone(self) -> StoreUnavailable:
        self._is_lost = True
        return StoreUnavailable(
            f"The store {self.path} was deleted or replaced while ToWow runs on it, so nothing is acknowledged. Put "
            "its files back, and it goes on by itself; or stop ToWow, and use `towow restore FILE`."
        )


def is_running_beside(path: Path) -> bool:
    """Whether a process holds this path, and has other files open than those that are there now."""
    path = real_path(path)
    if not is_claimed(path):
        return False
    return not (path.is_file() and beside(path, "-wal").is_file()) or not _is_held(path)


def _is_held(path: Path) -> bool:
    """Whether a process holds the file itself; where that is not known, yes."""
    if sys.platform != "linux":
        return True
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def is_claimed(path: Path) -> bool:
    """Whether a process holds the database at this path, which is no symbolic link."""
    lock = beside(path, "-lock")
    if not lock.is_file():
        return False
    connection = sqlite3.connect(f"{lock.absolute().as_uri()}?mode=ro", uri=True, timeout=0, isolation_level=None)
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error as error:
        return error.sqlite_errorcode == sqlite3.SQLITE_BUSY
    finally:
        connection.close()
    return False


def _locked(path: Path) -> sqlite3.Connection:
    place = beside(path, "-lock")
    try:
        make_file(place)
        lock = sqlite3.connect(place, timeout=PATIENCE, isolation_level=None)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error:
            lock.close()
            raise
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise _used(path) from error
        raise explain(error, path) from error
    except OSError as error:
        raise _unopened(path, error) from error
    return lock


def _held(path: Path, *, create: bool) -> int | None:
    try:
        if create:
            make_file(path)
        elif not path.exists():
            return None
        handle = os.open(path, os.O_RDONLY)
    except OSError as error:
        raise _unopened(path, error) from error
    try:
        _hold(path, handle)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _hold(path: Path, handle: int) -> None:
    """Lock the file, which may have one name only."""
    if sys.platform == "linux":
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise _used(path) from error
    if (names := os.fstat(handle).st_nlink) > 1:
        raise StoreUnusable(
            f"The store {path} has {names} names (hard links), and SQLite would keep a log for each, which loses what "
            "the others hold; keep one name, and copy with `towow backup`."
        )


def _used(path: Path) -> StoreInUse:
    return StoreInUse(f"The store {path} is used by another ToWow; stop that one, or choose another path.")


def _unopened(path: Path, error: OSError) -> StoreError:
    if error.errno in NO_ROOM:
        return StoreUnavailable(f"The store {path} found no room on its disk ({error}); free some.")
    return StoreUnusable(
        f"The store {path} cannot be opened; let this user write to the file and to its folder ({error})."
    )


def _inode(place: str) -> Inode:
    return _inode_in(os.stat(place))


def _inode_in(status: os.stat_result) -> Inode:
    return status.st_dev, status.st_ino


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
        """Remember the page that has our mark, and mark the file as in use."""
        root, size = connection.execute(PAGE_SIZES).fetchone()
        self._page = ((root - 1) * size, size)
        self._advance(connection, is_in_use=True)
        self._claim.watch()

    def check(self) -> None:
        """Check that nobody else has written the file."""
        written_at = self._claim.last_written()
        if written_at != self._written_at:
            # Nobody but us writes the file. Whoever only touched it, or another program that is no ToWow, does no harm.
            page = self._claim.bytes_at(*self._page)
            if not any(mark in page for mark in self._marks):
                self._claim.was_overwritten = True
                raise self._claim.gone()
            self._written_at = written_at

    def follow(self, connection: sqlite3.Connection) -> None:
        """After a commit: if SQLite has put the log into the file meanwhile, the next generation begins."""
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
        """Begin a generation: the log is put into the file, and what is in it from now on can be told from what was."""
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
