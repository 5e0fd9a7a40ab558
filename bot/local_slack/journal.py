"""The workspace's file: one JSON line for each change, written before anyone is told of it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TextIO


class Journal:
    """Append-only. A kill can tear the last line only, and that line was never acknowledged; reading drops it.

    Opening rewrites the file with what is current, so it does not grow for ever.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._out: TextIO | None = None
        self._kept: dict[str, dict[str, str]] = {}

    def open(self) -> None:
        if self._file is None:
            return
        self._kept = _read(self._file) if self._file.exists() else {}
        _make_folder(self._file.parent)
        fresh = self._file.with_name(self._file.name + ".new")
        fresh.unlink(missing_ok=True)
        with open(fresh, "x", encoding="utf-8", opener=_private) as out:
            out.writelines(
                _line(kind, key, body) for kind, bodies in self._kept.items() for key, body in bodies.items()
            )
        fresh.replace(self._file)
        self._out = self._file.open("a", encoding="utf-8")

    def take(self, kind: str) -> list[str]:
        """The bodies of this kind that the file held when it was opened, oldest first; handed out once."""
        return list(self._kept.pop(kind, {}).values())

    def put(self, kind: str, key: str, body: str | None) -> None:
        """Keep this body (JSON) under this key; None forgets the key."""
        if self._out is not None:
            self._out.write(_line(kind, key, body))
            self._out.flush()  # with the kernel now: a killed process loses nothing

    def close(self) -> None:
        if self._out is not None:
            self._out.close()
            self._out = None


def _make_folder(folder: Path) -> None:
    """Make it, and those on the way to it, for this user alone, whatever the umask is."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(0o700)
        folder.chmod(0o700)


def _private(path: str, flags: int) -> int:
    """Open a new file that only this user may read: it has what people have written."""
    file = os.open(path, flags, 0o600)
    os.chmod(path, 0o600)
    return file


def _line(kind: str, key: str, body: str | None) -> str:
    return f"{json.dumps([kind, key], ensure_ascii=False)[:-1]}, {body or 'null'}]\n"


def _read(file: Path) -> dict[str, dict[str, str]]:
    kept: dict[str, dict[str, str]] = {}
    with file.open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            if not line.endswith("]\n"):
                break
            kind, key, body = json.loads(line)
            if body is None:
                kept.get(kind, {}).pop(key, None)
            else:
                kept.setdefault(kind, {})[key] = json.dumps(body, ensure_ascii=False)
    return kept
