"""Makes files and folders that only this user may read, whatever the umask is. What is there is left as it is."""

import os
import stat
from pathlib import Path
from typing import Final

FILE: Final = 0o600
FOLDER: Final = 0o700
OTHERS: Final = 0o077
"""What anybody else may do."""


def make_folder(path: Path) -> None:
    """Make a folder, and those on the way to it, unless it is there.

    Raises:
        OSError
    """
    if path.is_dir():
        return
    make_folder(path.parent)
    try:
        path.mkdir(FOLDER)
    except FileExistsError:
        if path.is_dir():  # somebody else was quicker
            return
        raise
    path.chmod(FOLDER)


def make_file(path: Path) -> None:
    """Make an empty file, unless it is there.

    Raises:
        OSError
    """
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, FILE)
    except FileExistsError:
        return
    try:
        os.chmod(path, FILE)
    finally:
        os.close(handle)


def is_open_to_others(path: Path) -> bool:
    """Whether somebody else on this machine may read or write it."""
    return os.name == "posix" and bool(path.stat().st_mode & OTHERS)


def is_changeable_by_others(folder: Path) -> bool:
    """Whether somebody else on this machine may delete or replace what is in it."""
    mode = folder.stat().st_mode
    return os.name == "posix" and bool(mode & (stat.S_IWGRP | stat.S_IWOTH)) and not mode & stat.S_ISVTX
