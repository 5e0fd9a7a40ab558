"""Copies the file beside the SQLite database that has the installations of workspaces, as they are encrypted there.

It needs no key, and neither SQLAlchemy nor cryptography.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

SUFFIX: Final = "-installations"


def installations_beside(database: Path) -> Path:
    return database.with_name(database.name + SUFFIX)


def back_up_installations(database: Path, to: Path) -> Path | None:
    """Copy it beside a backup, also while ToWow runs, and return the copy; None where there is one workspace."""
    source = installations_beside(database)
    return _copied(source, installations_beside(to)) if source.is_file() else None


def restore_installations(backup: Path, database: Path) -> bool:
    """Bring it back, unless it is there: what is there is newer, and a token that was exchanged since is of no use."""
    source, to = installations_beside(backup), installations_beside(database)
    return source.is_file() and not to.exists() and _copied(source, to) is not None


def _copied(source: Path, to: Path) -> Path:
    os.close(os.open(to, os.O_CREAT | os.O_RDWR | os.O_EXCL, 0o600))
    read_only = f"{source.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(read_only, uri=True)) as one, closing(sqlite3.connect(to)) as other:
        one.backup(other)
    return to
