"""Which database this is, and how far its file has come: by this a file that somebody put there by hand is noticed.

SQLite plays any log that lies beside a file into it, also one of another file: what is restored by hand is then ignored
or damaged. So each database has a mark, in its one row of ``identity`` and in the small file ``-identity`` beside it:
an id, and a generation that is counted up at every start, at every clean end, and after every time that SQLite put the
log into the file (`generations.py` counts). A backup gets an id of its own.

| what lies there | how it shows |
| --- | --- |
| a backup, or another database | its id is not the one in ``-identity`` |
| an older copy of itself | its generation is less than the one in ``-identity`` |
| a file with the log of another | the file's mark alone is not the one that file and log have together |
| a log without a file, ``-identity`` without a file | the file is gone |
| a file that lost its log | ``-identity`` says that it was in use, and nobody has written the file since |
"""

import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from engine.errors import StoreUnusable
from engine.files.kept_folder import make_file

APPLICATION_ID: Final = 0x546F576F
"""``ToWo``: how a file says whose it is (PRAGMA application_id)."""

FILES: Final = ("", "-wal", "-shm", "-identity")
"""What belongs to a database: how the names of its files end."""

_MARK: Final = re.compile(r"([0-9a-f]{32})\.(\d+)")
_NOTE: Final = re.compile(r"(\S+)( in use since (\d+))?")
_HEADER: Final = 100
"""Bytes: https://www.sqlite.org/fileformat2.html#the_database_header"""
_READ_VERSION: Final = 19
"""The byte that says whether the file may have a log."""
_LOGLESS: Final = 1


class Mark(NamedTuple):
    """Which database, and how often its log was put into its file."""

    id: str
    generation: int

    def __str__(self) -> str:
        return f"{self.id}.{self.generation}"

    def next(self) -> "Mark":
        return self._replace(generation=self.generation + 1)


def real_path(path: Path) -> Path:
    """Without symbolic links, as SQLite names what belongs to a file; else as it was given."""
    real = path.resolve()
    return path if real == path.absolute() else real


def beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def mark_in(connection: sqlite3.Connection) -> Mark | None:
    """The mark of an open database; None in one of an earlier ToWow."""
    if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'identity'").fetchone():
        return None
    row = connection.execute("SELECT mark FROM identity").fetchone()
    return _parsed(row[0]) if row else None


class Note(NamedTuple):
    """What ``-identity`` says."""

    mark: Mark
    """The file alone has this mark, or a later one."""
    in_use_since: int | None = None
    """When the file alone was written last, in nanoseconds; None where it needs no log."""


def noted_beside(path: Path) -> Note | None:
    """None where there is no ``-identity``, or nothing in it.

    Raises:
        StoreUnusable: it cannot be read, as what another user has left there.
    """
    try:
        found = _NOTE.fullmatch(beside(path, "-identity").read_text(encoding="ascii").strip())
    except (FileNotFoundError, UnicodeDecodeError):
        return None
    except OSError as error:
        raise StoreUnusable(
            f"The store's {error.filename} cannot be read ({error.strerror}); give it to this user."
        ) from error
    mark = _parsed(found[1]) if found else None
    return Note(mark, int(found[3]) if found[3] else None) if found and mark else None


def note(path: Path, mark: Mark, *, is_in_use: bool) -> None:
    """Write ``-identity``, whole or not at all."""
    fresh = beside(path, "-identity.new")
    fresh.unlink(missing_ok=True)
    make_file(fresh)
    use = f" in use since {path.stat().st_mtime_ns}" if is_in_use else ""
    fresh.write_text(f"{mark}{use}\n", encoding="ascii")
    os.replace(fresh, beside(path, "-identity"))


def draw_new(connection: sqlite3.Connection) -> Mark:
    """Make a copy a database of its own."""
    connection.execute("UPDATE identity SET mark = lower(hex(randomblob(16))) || '.0'")
    mark = mark_in(connection)
    assert mark is not None  # noqa: S101 - the table has been there since the migration
    return mark


def is_brought(path: Path) -> bool:
    """Whether a database comes from elsewhere: a ToWow has used it, and not in this place."""
    return path.is_file() and noted_beside(path) is None and _alone(path).mark is not None


def check_is_file(path: Path) -> None:
    if path.exists() and not path.is_file():
        what = "a folder; choose a file in it" if path.is_dir() else "no file of this machine's disk; choose one"
        raise StoreUnusable(f"The store {path} is {what}.")


def check_place(path: Path) -> None:
    """Look whether the file is the one that lay there last, and its log its own; nothing is changed."""
    check_is_file(path)
    noted, log = noted_beside(path), beside(path, "-wal")
    has_log = _size(log) > 0
    if not _size(path):
        if noted is not None or has_log:
            raise StoreUnusable(
                f"The store {path} is gone, and what belongs to it is still there. Bring a backup into its place with "
                f"`towow restore FILE`; or move {path.name}-wal and {path.name}-identity away, to begin with nothing."
            )
        return
    alone = _alone(path)
    if not alone.is_known:
        return  # whatever it is, opening it says so
    if has_log and not _is_its_own_log(path, alone):
        raise _replaced(path, f"{path.name}-wal beside it is the log of another file")
    if noted is None:
        return
    if alone.mark is None or alone.mark.id != noted.mark.id:
        raise _replaced(path, "it is another database, or a backup")
    if alone.mark.generation < noted.mark.generation:
        raise _replaced(path, "it is an older copy of the one that was there")
    if noted.in_use_since == path.stat().st_mtime_ns and not log.exists():
        raise _replaced(path, f"{log.name}, which had the newest of what it holds, is gone")


class _Alone(NamedTuple):
    """A file without the log beside it."""

    is_known: bool
    """Whether it could be read: in the middle of what a killed process wrote, it cannot."""
    mark: Mark | None = None
    is_logless: bool = False


def _alone(path: Path) -> _Alone:
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER)
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            if len(header) < _HEADER or application != APPLICATION_ID:
                return _Alone(is_known=False)
            return _Alone(True, mark_in(connection), header[_READ_VERSION] == _LOGLESS)
    except (sqlite3.Error, OSError, UnicodeDecodeError):
        return _Alone(is_known=False)


def _is_its_own_log(path: Path, alone: _Alone) -> bool:
    if alone.is_logless:
        return False
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=1)) as connection:
            together = mark_in(connection)
    except (sqlite3.Error, UnicodeDecodeError):
        return True  # whatever it is, opening it says so
    if alone.mark is None or together is None:
        return alone.mark is together is None or noted_beside(path) is None  # an earlier ToWow's, being migrated
    # The file may be older than what `-identity` says, which is looked at besides. Without that, by one generation.
    ahead = together.generation - alone.mark.generation
    return together.id == alone.mark.id and (noted_beside(path) is not None or ahead in (0, 1))


def _replaced(path: Path, why: str) -> StoreUnusable:
    return StoreUnusable(
        f"The store {path} was replaced by hand: {why}. Nothing was changed. To go on with the file that is there now, "
        f"run `towow restore {path}`; to go on with a backup, `towow restore FILE`. What is there is put aside."
    )


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _parsed(text: str) -> Mark | None:
    found = _MARK.fullmatch(text.strip())
    return Mark(found[1], int(found[2])) if found else None
