"""Keeps the files of one folder equal to what they should be, each whole at any moment and for nobody else to read."""

import errno
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from engine.files.private import make_folder

HALF: Final = ".half-"
"""How the name of a file begins that is being written."""


def keep_folder(folder: Path, files: Mapping[str, bytes]) -> int:
    """Write what is missing or different, and delete what is no longer wanted.

    Args:
        files: by name; the folder is wholly theirs, but for folders in it and names that begin with a dot. What a
            process which was killed has left half written is deleted as well.

    Returns:
        how many files were changed.

    Raises:
        OSError
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
    """Write these files, and look at no others.

    Raises:
        OSError
    """
    _make(folder)
    for name, content in files.items():
        _replace(folder / name, content)


def _make(folder: Path) -> None:
    if folder.is_symlink():
        raise NotADirectoryError(errno.ENOTDIR, "It is a link, which is not followed", str(folder))
    make_folder(folder)


def _replace(path: Path, content: bytes) -> None:
    """Put a whole new file into its place."""
    handle, written = tempfile.mkstemp(prefix=HALF, dir=path.parent)  # for nobody else to read
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(written, path)
    except OSError:
        Path(written).unlink(missing_ok=True)
        raise
