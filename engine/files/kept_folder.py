"""Keeps the files of one folder equal to what they should be, each whole at any moment and for nobody else to read."""

import errno
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from engine.errors import Misconfigured

# ── folders ───────────────────────────────────────────────────────────────────────────────────────────────────────────
# Finds prompts/ and profiles/: beside the code in a checkout, inside the package in an installed wheel.


PACKAGE = Path(__file__).parents[1]


def folder(name: Literal["prompts", "profiles"], package: Path = PACKAGE) -> Path:
    """The folder of that name that came with the code.

    Source: pyproject.toml, ``tool.hatch.build.targets.wheel.force-include``.
    """
    places = (package / "_files" / name, package.parent / name)
    for place in places:
        if place.is_dir():
            return place
    raise Misconfigured([f"The folder {name!r} is neither at {places[0]} nor at {places[1]}."])


# ── files of one user ─────────────────────────────────────────────────────────────────────────────────────────────────
# Makes files and folders that only this user may read, whatever the umask is. What is there is left as it is.


FILE: Final = 0o600
FOLDER: Final = 0o700
OTHERS: Final = 0o077
"""What anybody else may do."""


def make_folder(path: Path) -> None:
    """Make a folder, and those on the way to it, unless it is there."""
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
    """Make an empty file, unless it is there."""
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


# ── a folder that is kept ─────────────────────────────────────────────────────────────────────────────────────────────


HALF: Final = ".half-"
"""How the name of a file begins that is being written."""


def keep_folder(folder: Path, files: Mapping[str, bytes]) -> int:
    """Write what is missing or different, and delete what is no longer wanted.

    Args:
        files: by name; the folder is wholly theirs, but for folders in it and names that begin with a dot. What a
            process which was killed has left half written is deleted as well.

    Returns:
        how many files were changed.
    """
    _make(folder)
    changed = 0
    for name, content in files.items():
        path = folder / name
        if not (path.is_file() and not path.is_symlink() and path.read_bytes() == content):
            _replace(path, content)
            changed += 1
    for path in folder.iterdir():
        if path.name.startswith(HALF):
            path.unlink()
        elif path.name not in files and not path.name.startswith(".") and not path.is_dir():
            path.unlink()
            changed += 1
    return changed


def put_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write these files, and look at no others."""
    _make(folder)
    for name, content in files.items():
        _replace(folder / name, content)


def _make(folder: Path) -> None:
    if folder.is_symlink():
        raise NotADirectoryError(errno.ENOTDIR, "It is a link, which is not followed", str(folder))
    make_folder(folder)


def _replace(path: Path, content: bytes) -> None:
    handle, written = tempfile.mkstemp(prefix=HALF, dir=path.parent)  # for nobody else to read
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(written, path)
    except OSError:
        Path(written).unlink(missing_ok=True)
        raise
