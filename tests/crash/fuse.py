"""A store that kills its own process at a write that was chosen beforehand."""

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from bot.databases import Database
from engine.kernel import StreamKey, Tenant
from engine.store.port import Commit, PendingEffect
from engine.store.postgres import PostgresStore
from engine.store.sqlite import SqliteStore

if TYPE_CHECKING:

    class _Writes:
        """What every store has, by which it is written to."""

        async def commit(self, commit: Commit, *, urgent: bool = False) -> None:
            raise NotImplementedError

        async def reschedule(self, effect: PendingEffect) -> None:
            raise NotImplementedError

        async def mark_shown(self, key: StreamKey, version: int) -> None:
            raise NotImplementedError

        async def put_records(
            self, tenant: Tenant, kind: str, records: Mapping[str, str | None], *, member: str = ""
        ) -> None:
            raise NotImplementedError

else:
    _Writes = object

When = Literal["before", "after"]
WHENS: tuple[When, ...] = ("before", "after")
LIGHTS: Final[Mapping[When, signal.Signals]] = {"before": signal.SIGUSR1, "after": signal.SIGUSR2}
"""By which a bot is told from outside to end at its next write."""


@dataclass(frozen=True, slots=True)
class Fuse:
    """``before``: nothing of the write is on disk. ``after``: all of it is, and nobody has been told."""

    when: When
    nth: int = 1
    cause: str = ""
    """Where there is one, only commits of commands whose id starts with this are counted."""


class FusedStore(_Writes):
    """Comes before a real store among its bases; what that one writes, and what it answers, is untouched."""

    _fuse: Fuse | None = None
    _writes: int = 0

    def arm(self, fuse: Fuse | None) -> None:
        self._fuse = fuse

    def light(self, when: When) -> None:
        """The next write is the one."""
        self._fuse, self._writes = Fuse(when), 0

    async def commit(self, commit: Commit, *, urgent: bool = False) -> None:
        handled = [command_id for command_id, _ in commit.commands]
        with self._burning([*handled, *(f"effect:{each}" for each in commit.drop_effects)]):
            await super().commit(commit, urgent=urgent)

    async def reschedule(self, effect: PendingEffect) -> None:
        with self._burning():
            await super().reschedule(effect)

    async def mark_shown(self, key: StreamKey, version: int) -> None:
        with self._burning():
            await super().mark_shown(key, version)

    async def put_records(
        self, tenant: Tenant, kind: str, records: Mapping[str, str | None], *, member: str = ""
    ) -> None:
        with self._burning():
            await super().put_records(tenant, kind, records, member=member)

    @contextmanager
    def _burning(self, causes: Sequence[str] = ()) -> Iterator[None]:
        self._burn("before", causes)
        yield
        self._burn("after", causes)

    def _burn(self, when: When, causes: Sequence[str]) -> None:
        fuse = self._fuse
        if fuse is None or fuse.when != when:
            return
        if fuse.cause and not any(each.startswith(fuse.cause) for each in causes):
            return
        self._writes += 1
        if self._writes == fuse.nth:
            os.kill(os.getpid(), signal.SIGKILL)


class FusedSqlite(FusedStore, SqliteStore):
    pass


class FusedPostgres(FusedStore, PostgresStore):
    pass


def fused(database: Database, fuse: Fuse | None) -> FusedSqlite | FusedPostgres:
    store = FusedSqlite(database) if isinstance(database, Path) else FusedPostgres(database.url)
    store.arm(fuse)
    return store
