"""The workspace's file: one JSON line for each change, written before anyone is told of it; and tables kept in it."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Generic, TextIO, TypeVar

from .model import Record


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


T = TypeVar("T", bound=Record)


class Table(Generic[T]):
    """Every `put` is in the journal before `changed` tells anyone."""

    def __init__(self, kind: str, model: type[T], journal: Journal, changed: Callable[[T], None] | None = None) -> None:
        self._kind = kind
        self._model = model
        self._journal = journal
        self._changed = changed
        self._things: dict[str, T] = {}

    def load(self) -> None:
        """Take what the journal kept; nobody is told, for nothing changed."""
        for body in self._journal.take(self._kind):
            thing = self._model.model_validate_json(body)
            self._things[thing.key] = thing

    def put(self, thing: T) -> T:
        self._journal.put(self._kind, thing.key, thing.model_dump_json(exclude_defaults=True))
        self._things[thing.key] = thing
        if self._changed is not None:
            self._changed(thing)
        return thing

    def drop(self, key: str) -> None:
        if self._things.pop(key, None) is not None:
            self._journal.put(self._kind, key, None)

    def get(self, key: str | None) -> T | None:
        return self._things.get(key) if key is not None else None

    def __getitem__(self, key: str) -> T:
        return self._things[key]

    def __contains__(self, key: object) -> bool:
        return key in self._things

    def __iter__(self) -> Iterator[T]:
        return iter(list(self._things.values()))

    def __len__(self) -> int:
        return len(self._things)


class Activity:
    """Counts running API calls and unacknowledged envelopes."""

    def __init__(self) -> None:
        self._running = 0
        self._changed = asyncio.Event()

    @contextmanager
    def busy(self) -> Iterator[None]:
        self._running += 1
        self._changed.set()
        try:
            yield
        finally:
            self._running -= 1
            self._changed.set()

    async def idle(self, quiet: float) -> None:
        """Returns once nothing ran for `quiet` seconds on end (an app acks first and posts a moment later)."""
        while True:
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), quiet)
            except TimeoutError:
                if self._running == 0:
                    return


class LateCalls:
    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def put_off(self, call: Coroutine[Any, Any, None]) -> None:
        """Run it in the background. It does not count as activity: nobody knows of it yet."""
        task = asyncio.create_task(call)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def __len__(self) -> int:
        """How many were not carried out yet."""
        return len(self._tasks)

    async def close(self) -> None:
        """Forget those that were not carried out yet."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
