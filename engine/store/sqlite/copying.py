"""Copies a database into one file, complete or not there at all."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from engine.errors import StoreUnusable
from engine.files.kept_folder import make_file
from engine.store.sqlite.database import explain
from engine.store.sqlite.identity import draw_new


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
