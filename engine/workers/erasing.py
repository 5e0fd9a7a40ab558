"""Deletes what workers have left of a session, and its log."""

import shutil
from collections.abc import Iterator, Set
from pathlib import Path

from engine.workers.registry import FOLDERS, WorkersAccess


def left_of(access: WorkersAccess, session: str, about: Set[str] | None) -> list[Path]:
    """Return the files and folders that are there, without looking into them.

    Args:
        about: such as tickets; None for the whole session.
    """
    return [each for each in _named(access, session, about) if each.is_symlink() or each.exists()]


def erase(access: WorkersAccess, session: str, about: Set[str] | None) -> None:
    """Delete them. A link is deleted, and what it leads to stays."""
    for path in left_of(access, session, about):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _named(access: WorkersAccess, session: str, about: Set[str] | None) -> Iterator[Path]:
    if not _is_name(session):
        return
    if access.logs is not None:
        yield access.logs / session  # made anew of what is left
    home = access.sessions / session
    if about is None:
        yield home
        return
    for folder in FOLDERS:
        yield from (home / folder / each for each in sorted(about) if _is_name(each))


def _is_name(said: str) -> bool:
    """Whether it can be the name of one folder within another."""
    return said not in ("", ".", "..") and "/" not in said and "\\" not in said and "\0" not in said
