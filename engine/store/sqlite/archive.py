"""A database that is only looked at: also while a ToWow is running on it."""

import os
import re
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from engine.errors import StoreUnusable
from engine.files.kept_folder import make_file
from engine.kernel import StreamKey, Tenant, encode
from engine.store.port import Stream
from engine.store.sqlite import reads
from engine.store.sqlite.database import BUSY_TIMEOUT, MIGRATIONS, check_version, explain, migrate, read_only
from engine.store.sqlite.identity import FILES, beside, check_place, draw_new, real_path
from engine.store.sqlite.reads import query


def copy_into(source: sqlite3.Connection, to: Path, change: Callable[[sqlite3.Connection], None] | None = None) -> None:
    """One moment's state as a database of its own, that only this user may read.

    Args:
        change: what is to be different in the copy.

    Raises:
        StoreUnusable: there is a file already, or the copy is damaged or cannot be put there.
        StoreUnavailable: it cannot be written just now.
    """
    unfinished = to.with_name(f"{to.name}.unfinished")
    try:
        unfinished.unlink(missing_ok=True)
        make_file(unfinished)
        with closing(sqlite3.connect(unfinished, isolation_level=None)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
            if change is not None:
                change(copy)
            draw_new_if_it_can(copy)
            check_whole(copy, to)
        sync(unfinished)
        os.link(unfinished, to)  # unlike a rename, it never replaces what came meanwhile
        sync(to.parent)
    except sqlite3.Error as error:
        raise explain(error, unfinished) from error
    except FileExistsError as error:
        raise StoreUnusable(f"{to} is there already; choose another name, so that no backup is lost.") from error
    except OSError as error:
        raise StoreUnusable(f"{to} cannot be written ({error}); choose another place.") from error
    finally:
        unfinished.unlink(missing_ok=True)


def check_whole(connection: sqlite3.Connection, path: Path) -> None:
    """Check that a copy is not damaged."""
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise StoreUnusable(f"{path} is damaged ({' '.join(str(found).split())}); take another, or check the disks.")


def draw_new_if_it_can(copy: sqlite3.Connection) -> None:
    """The copy of an earlier ToWow's database gets its mark when it is migrated."""
    if copy.execute("SELECT 1 FROM sqlite_schema WHERE name = 'identity'").fetchone():
        draw_new(copy)


def sync(path: Path) -> None:
    """On disk: a file's content, a folder's names."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


PAGE = 500
"""Records that are read at once."""

_NAMING: Final = """
SELECT enterprise_id, team_id, stream FROM streams
WHERE names(json_quote(stream)) OR id IN (SELECT stream FROM events WHERE names(public) OR names(private))
ORDER BY id
"""


class Archive:
    """Reads ``path`` without claiming it. Every method opens the file anew.

    Raises:
        StoreUnusable: there is no such file, it is none of ours, or somebody has replaced it by hand.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise StoreUnusable(f"There is no store {path}; say where it is.")
        self._path = real_path(path)
        check_place(self._path)
        with self._opened() as connection:
            self._version = check_version(connection, path)

    def find(self, stream: str) -> list[StreamKey]:
        with self._newest() as connection:
            rows = connection.execute(query("streams_called"), (stream,)).fetchall()
        return [StreamKey(Tenant(team_id, enterprise_id), stream) for enterprise_id, team_id in rows]

    def tenants(self) -> Set[Tenant]:
        with self._newest() as connection:
            rows = connection.execute("SELECT DISTINCT enterprise_id, team_id FROM streams").fetchall()
        return {Tenant(team_id, enterprise_id) for enterprise_id, team_id in rows}

    def streams(self) -> list[StreamKey]:
        """All streams of all tenants, the oldest first."""
        with self._newest() as connection:
            rows = connection.execute(query("streams")).fetchall()
        return [StreamKey(Tenant(team_id, enterprise_id), stream) for enterprise_id, team_id, stream in rows]

    def naming(self, names: Collection[str]) -> list[StreamKey]:
        """Streams that are called so, or of which an event has one of these as a whole string; the oldest first."""
        standing = re.compile("|".join(re.escape(encode(each)) for each in names) or r"(?!)")
        with self._newest() as connection:
            connection.create_function("names", 1, lambda text: text is not None and bool(standing.search(text)))
            rows = connection.execute(_NAMING).fetchall()
        return [StreamKey(Tenant(team_id, enterprise_id), stream) for enterprise_id, team_id, stream in rows]

    def load(self, key: StreamKey) -> Stream | None:
        with self._newest() as connection:
            return reads.load(connection, key)

    def tenants_of_records(self) -> Sequence[Tenant]:
        with self._newest() as connection:
            return reads.tenants(connection)

    def records(self, tenant: Tenant, kind: str) -> Iterator[str]:
        """Yield the JSON of a tenant's records of a kind, in the order of their keys, without holding all of them."""
        with self._newest() as connection:
            after: str | None = None
            while page := reads.records(connection, tenant, kind, "", PAGE, after, reverse=False):
                yield from page.values()
                *_, after = page

    def verify(self, key: StreamKey) -> bool:
        """Whether every digest and chain hash of the stream is what its rows say."""
        with self._newest() as connection:
            return reads.verify(connection, key)

    def counts(self) -> Mapping[str, int]:
        with self._newest() as connection:
            return reads.counts(connection)

    def damage(self) -> Sequence[str]:
        """What SQLite finds wrong in the file; nothing is best."""
        with self._opened() as connection:
            found = [str(row[0]) for row in connection.execute("PRAGMA quick_check(20)")]
        return [] if found == ["ok"] else found

    def back_up(self, to: Path) -> None:
        """One moment's state as a file of its own, complete on return, or not there at all.

        Raises:
            StoreUnusable: there is a file already, or the copy is damaged.
            StoreUnavailable: it cannot be written just now.
        """
        if there := [each.name for each in (beside(to, end) for end in FILES) if each.exists()]:
            raise StoreUnusable(f"{there[0]} is there already; choose another name, so that no backup is lost.")
        if not to.parent.is_dir():
            raise StoreUnusable(f"{to.parent} is no folder; create it first.")
        with self._opened() as source:
            copy_into(source, to)

    @contextmanager
    def _newest(self) -> Iterator[sqlite3.Connection]:
        """In the newest schema: a file that no writer has brought up to date yet is copied to memory."""
        with self._opened() as connection:
            if self._version == len(MIGRATIONS):
                yield connection
                return
            with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
                connection.backup(copy)
                migrate(copy, check_version(copy, self._path))
                yield copy

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(
                sqlite3.connect(read_only(self._path), uri=True, timeout=BUSY_TIMEOUT, isolation_level=None)
            ) as connection:
                yield connection
        except sqlite3.Error as error:
            raise explain(error, self._path) from error
