"""Brings a backup into the place of a database, and puts aside what is there."""

import os
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from engine.errors import StoreError, StoreUnusable
from engine.files.kept_folder import make_folder
from engine.kernel import Millis, StreamKey, Tenant
from engine.store.port import UNKNOWN_POSTS
from engine.store.sqlite import reads
from engine.store.sqlite.archive import Archive, check_whole, copy_into, sync
from engine.store.sqlite.claim import Claim
from engine.store.sqlite.database import MIGRATIONS, check_version, explain, migrate
from engine.store.sqlite.identity import FILES, beside, check_place, mark_in, note, real_path

NEWEST: Final = len(MIGRATIONS)


class Restored(NamedTuple):
    """What is in its place now."""

    streams: Mapping[str, int]
    """How many there are, by protocol."""
    events: int
    until: Millis | None
    """When the newest of them happened."""
    put_aside: Path | None
    """The folder that has what was there; None where nothing was."""


def restore(source: Path, path: Path) -> Restored:
    """Check a backup, and put it in the place of ``path``, complete or not at all.

    Args:
        source: a backup, or any database of ours with its log beside it; or ``path`` itself, where somebody has put a
            backup there by hand.

    Raises:
        StoreUnusable: it is damaged, rewritten, of a newer ToWow, of another workspace or in its place already; or a
            ToWow runs on ``path``.
        StoreUnavailable: it cannot be written just now.
    """
    source, path = real_path(source), real_path(path)
    if not source.is_file():
        raise StoreUnusable(f"There is no file {source}; say which backup is to be restored.")
    claim = Claim.take(path, create=False)
    fresh = beside(path, ".restoring")
    try:
        if source == path or (path.exists() and source.samefile(path)):
            _check_that_it_was_replaced(path)
            address = f"{source.absolute().as_uri()}?mode=ro&immutable=1"  # the log beside it is not its own
        else:
            check_place(source)
            address = f"{source.absolute().as_uri()}?mode=ro"
        fresh.unlink(missing_ok=True)
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as opened:
            _check(opened, source)
            copy_into(opened, fresh, _prepare)
        with closing(sqlite3.connect(fresh, isolation_level=None)) as copy:
            _check_tenants(copy, path)
            mark = mark_in(copy)
            restored = _restored(copy)
        put_aside = _put_aside(path)
        os.replace(fresh, path)
        if mark is not None:
            note(path, mark, is_in_use=False)
        sync(path.parent)
    except sqlite3.Error as error:
        raise explain(error, source) from error
    except UnicodeDecodeError as error:  # where texts should be
        raise StoreUnusable(f"{source} is damaged ({error.reason}); take another.") from error
    except OSError as error:
        raise StoreUnusable(f"{path} cannot be written ({error}); let this user write to its folder.") from error
    finally:
        fresh.unlink(missing_ok=True)
        claim.release()
    return restored._replace(put_aside=put_aside)


def expect_unknown_posts(connection: sqlite3.Connection) -> None:
    """Write down for every stream that posts may exist which it does not remember, and of what time."""
    of_all = "SELECT DISTINCT enterprise_id, team_id, ?, '', json_object('since', ?, 'until', ?) FROM streams"
    of_each = (
        "SELECT enterprise_id, team_id, ?, stream, "
        "json_object('since', ?, 'until', ?, 'is_open', json(iif(is_open, 'true', 'false'))) FROM streams"
    )
    for each in (of_all, of_each):
        connection.execute(
            f"INSERT OR REPLACE INTO records (enterprise_id, team_id, kind, key, value) {each}",
            (UNKNOWN_POSTS, _newest(connection) or 0, time.time_ns() // 1_000_000),
        )


def _prepare(copy: sqlite3.Connection) -> None:
    migrate(copy, check_version(copy, Path("the copy")))
    expect_unknown_posts(copy)


def _check_that_it_was_replaced(path: Path) -> None:
    try:
        check_place(path)
    except StoreUnusable:
        return
    raise StoreUnusable(f"{path} is in its place already, with all that belongs to it; just start ToWow.")


def _check(opened: sqlite3.Connection, source: Path) -> None:
    """Check that the backup can be restored."""
    version = check_version(opened, source)
    if version == 0:
        raise StoreUnusable(f"{source} is an empty file and no backup; take another.")
    check_whole(opened, source)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        if version < NEWEST:
            opened.backup(copy)
            migrate(copy, version)
        looked_at = copy if version < NEWEST else opened
        for key in _streams(looked_at):
            if not reads.verify(looked_at, key):
                raise StoreUnusable(
                    f"{source} was rewritten: the events of {key.stream} are not those that were written; take another."
                )


def _check_tenants(copy: sqlite3.Connection, path: Path) -> None:
    """Check that the backup is of the same workspace as the database that is there."""
    try:
        there = Archive(path).tenants() if path.is_file() and path.stat().st_size else set()
    except StoreError:
        return  # nothing can be said of what is there, which is why it is restored
    brought = {each.tenant for each in _streams(copy)}
    if there and brought and not there & brought:
        names = ", ".join(sorted(each.team_id for each in brought))
        raise StoreUnusable(
            f"The backup is of another workspace ({names}) than {path}; move that one away first if you mean it."
        )


def _streams(connection: sqlite3.Connection) -> list[StreamKey]:
    rows = connection.execute("SELECT enterprise_id, team_id, stream FROM streams").fetchall()
    return [StreamKey(Tenant(team_id, enterprise_id), stream) for enterprise_id, team_id, stream in rows]


def _newest(connection: sqlite3.Connection) -> Millis | None:
    row = connection.execute("SELECT at FROM events ORDER BY position DESC LIMIT 1").fetchone()
    return None if row is None else int(row[0])


def _restored(copy: sqlite3.Connection) -> Restored:
    streams = dict(copy.execute("SELECT protocol, count(*) FROM streams GROUP BY protocol").fetchall())
    return Restored(streams, reads.last_position(copy), _newest(copy), None)


def _put_aside(path: Path) -> Path | None:
    """Move the file, and then what belongs to it, into a folder beside it.

    The file goes first: whatever is left where somebody pulls the plug, no ToWow starts on it.
    """
    there = [place for place in (beside(path, end) for end in FILES) if place.exists()]
    if not there:
        return None
    name = f".put-aside-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    folder, number = beside(path, name), 1
    while folder.exists():
        number += 1
        folder = beside(path, f"{name}-{number}")
    make_folder(folder)
    for place in there:
        os.replace(place, folder / place.name)
    sync(folder)
    return folder
