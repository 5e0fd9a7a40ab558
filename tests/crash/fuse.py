"""A store that kills its own process at a write that was chosen beforehand."""

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine.kernel import StreamKey, Tenant
from engine.store.port import Commit, Owed
from engine.store.sqlite import SqliteStore

When = Literal["before", "after"]
WHENS: tuple[When, ...] = ("before", "after")


@dataclass(frozen=True, slots=True)
class Fuse:
    """``before``: nothing of the write is on disk. ``after``: all of it is, and nobody has been told."""

    when: When
    nth: int = 1
    cause: str = ""
    """Where there is one, only commits of commands whose id starts with this are counted."""


class FusedStore(SqliteStore):
    """The real store; what it writes, and what it answers, is untouched."""

    def __init__(self, path: Path, fuse: Fuse) -> None:
        super().__init__(path)
        self._fuse = fuse
        self._writes = 0

    async def commit(self, commits: Sequence[Commit]) -> None:
        with self._burning([each.command_id for each in commits]):
            await super().commit(commits)

    async def reschedule(self, owed: Owed) -> None:
        with self._burning():
            await super().reschedule(owed)

    async def mark_shown(self, key: StreamKey, version: int) -> None:
        with self._burning():
            await super().mark_shown(key, version)

    async def put_records(self, tenant: Tenant, kind: str, records: Mapping[str, str | None]) -> None:
        with self._burning():
            await super().put_records(tenant, kind, records)

    @contextmanager
    def _burning(self, causes: Sequence[str] = ()) -> Iterator[None]:
        counts = not self._fuse.cause or any(each.startswith(self._fuse.cause) for each in causes)
        if counts and self._fuse.when == "before":
            self._burn()
        yield
        if counts and self._fuse.when == "after":
            self._burn()

    def _burn(self) -> None:
        self._writes += 1
        if self._writes == self._fuse.nth:
            os.kill(os.getpid(), signal.SIGKILL)
