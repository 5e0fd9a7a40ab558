"""`Store` in one SQLite file."""

import logging
import shutil
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import aiosqlite

from engine.errors import StoreFull, StoreUnavailable
from engine.kernel import KeyRange, Millis, Record, StreamKey, Tenant
from engine.store.checks import Leases, check_stream
from engine.store.health import StoreHealth
from engine.store.port import (
    Alarm,
    Commit,
    Lag,
    PendingEffect,
    RecordPlace,
    StalledStream,
    Standing,
    StoredEvent,
    Stream,
)
from engine.store.sqlite import reads, writes
from engine.store.sqlite.claim import Claim
from engine.store.sqlite.database import check_integrity, explain, in_one_hop, open_reader
from engine.store.sqlite.identity import is_brought, real_path
from engine.store.sqlite.restore import expect_unknown_posts
from engine.store.sqlite.writer import GROUP_SECONDS, Direct, Writer
from engine.store.sqlite.writes import MOST
from engine.store.transaction import Transaction, Work

log = logging.getLogger(__name__)

Result = TypeVar("Result")

ROOM: Final = 1 << 20
"""Bytes that are taken to be enough for what is written next."""


class SqliteStore:
    """Everything in the file ``path``, beside which SQLite keeps ``-wal`` and ``-shm``, and ToWow ``-lock`` and
    ``-identity``.

    On a network file system SQLite's locks cannot be trusted: the file must be on a local disk.

    Args:
        group_seconds: for how long writes are added to one transaction.
        remembered: how many streams need not be read before they are written.
    """

    def __init__(self, path: Path, *, group_seconds: float = GROUP_SECONDS, remembered: int = MOST) -> None:
        self._path = real_path(path)
        self._group_seconds = group_seconds
        self._remembered = remembered
        self._writer: Writer | None = None
        self._reader: aiosqlite.Connection | None = None
        self._claim: Claim | None = None
        self._leases = Leases()
        self.health = StoreHealth(lambda: shutil.disk_usage(self._path.parent).free)

    @property
    def sharing(self) -> None:
        """One process has the file to itself: its claim sees to that."""
        return None

    async def open(self) -> None:
        if self._claim is not None:
            return
        try:
            self._claim = Claim.take(self._path)
            has_come = is_brought(self._path)
            self._writer = Writer(self._claim, self._group_seconds, self._remembered)
            await self._writer.open()
            if has_come:
                log.warning("%s was brought here from elsewhere: posts are looked for before they are made", self._path)
                await self._write(expect_unknown_posts)
            self._reader = await open_reader(self._path)
            await self._read(partial(check_integrity, path=self._path))
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Writes what waits. The last connection to go puts the log into the database, and deletes it.

        That is the writer's, unless somebody has replaced the files: those that are there now are left alone.
        """
        claim, writer, reader = self._claim, self._writer, self._reader
        self._claim = self._writer = self._reader = None
        async with AsyncExitStack() as stack:
            if claim is not None:
                stack.callback(claim.release)
            stack.callback(self._leases.end)
            last = [] if writer is None else [writer.disconnect]
            try:
                if writer is not None:
                    await writer.finish()
            finally:
                first = [] if reader is None else [reader.close]
                is_in_place = claim is None or claim.is_in_place
                for closing in (*last, *first) if is_in_place else (*first, *last):
                    stack.push_async_callback(closing)

    async def lease(self, *, take_over: bool = False) -> int:
        if self._writer is None:
            raise self._closed()
        return self._leases.take(take_over=take_over)

    async def release(self, epoch: int) -> None:
        self._leases.release(epoch)

    async def commit(self, commit: Commit, *, urgent: bool = False) -> None:
        check_stream(commit)
        self._leases.check(commit.epoch)
        work = Work(partial(self._keep, commit), commit.key, commit)
        await self._write(work, scrub=bool(commit.erase or commit.reword), urgent=urgent)

    def _keep(self, commit: Commit, transaction: Transaction) -> None:
        self._leases.check(commit.epoch)  # once more: it has waited for its turn
        transaction.keep(commit)

    async def reschedule(self, effect: PendingEffect) -> None:
        await self._write(Work(lambda transaction: transaction.reschedule(effect), effect.key))

    async def mark_shown(self, key: StreamKey, version: int) -> None:
        await self._write(Work(lambda transaction: transaction.mark_shown(key, version), key))

    async def put_records(
        self, tenant: Tenant, kind: str, records: Mapping[str, str | None], *, member: str = ""
    ) -> None:
        put = [Record(kind, key, value) for key, value in records.items()]
        await self._write(Work(lambda transaction: transaction.put(tenant, put)))

    async def touch(self) -> None:
        with self.health.watching(writes=True):
            if shutil.disk_usage(self._path.parent).free < ROOM:  # what is little may fit where no commit does
                raise StoreFull(
                    f"The store {self._path} found no room on its disk; free some, and it goes on by itself."
                )
        await self._write(writes.touch)

    async def purge(self, tenant: Tenant) -> None:
        is_left = True

        def work(connection: sqlite3.Connection) -> None:
            nonlocal is_left
            is_left = writes.purge(connection, tenant)

        while is_left:
            await self._write(work, scrub=True)

    async def drop(self, tenant: Tenant, streams: Mapping[str, int], records: Sequence[Record]) -> None:
        await self._write(partial(writes.drop, tenant=tenant, streams=streams, records=records), scrub=True)

    async def load(self, key: StreamKey) -> Stream | None:
        return await self._read(partial(reads.load, key=key))

    async def revision(self, key: StreamKey) -> int:
        return 0

    async def pending_effects(self, after: int, limit: int) -> tuple[Sequence[PendingEffect], int]:
        return await self._read(partial(reads.pending_effects, after=after, limit=limit))

    async def due(self, before: Millis, limit: int) -> Sequence[Alarm]:
        return await self._read(partial(reads.due, before=before, limit=limit))

    async def next_due(self) -> Millis | None:
        return await self._read(reads.next_due)

    async def stalled(self, before: Millis, limit: int) -> Sequence[StalledStream]:
        return await self._read(partial(reads.stalled, before=before, limit=limit))

    async def events(self, tenant: Tenant, after: int, limit: int) -> Sequence[StoredEvent]:
        found: list[StoredEvent] = []
        more = True
        while more and len(found) < limit:
            page, more = await self._read(partial(reads.events, tenant=tenant, after=after, limit=limit - len(found)))
            found += page
            after += reads.WINDOW
        return found

    async def last_position(self) -> int:
        return await self._read(reads.last_position)

    async def verify(self, key: StreamKey) -> bool:
        return await self._read(partial(reads.verify, key=key))

    async def lagging(self, limit: int) -> Sequence[Lag]:
        return await self._read(partial(reads.lagging, limit=limit))

    async def records(
        self,
        tenant: Tenant,
        kind: str,
        prefix: str = "",
        *,
        limit: int | None = None,
        after: str | None = None,
        reverse: bool = False,
    ) -> Mapping[str, str]:
        read = partial(
            reads.records, tenant=tenant, kind=kind, prefix=prefix, limit=limit, after=after, reverse=reverse
        )
        return await self._read(read)

    async def records_in(self, tenant: Tenant, ranges: Sequence[KeyRange]) -> Mapping[str, str]:
        return await self._read(partial(reads.records_in, tenant=tenant, ranges=ranges))

    async def standings(self, tenant: Tenant, after: str, limit: int) -> Sequence[Standing]:
        return await self._read(partial(reads.standings, tenant=tenant, after=after, limit=limit))

    async def record_places(self, tenant: Tenant, after: RecordPlace, limit: int) -> Sequence[RecordPlace]:
        return await self._read(partial(reads.record_places, tenant=tenant, after=after, limit=limit))

    async def tenants(self) -> Sequence[Tenant]:
        return await self._read(reads.tenants)

    async def open_streams(self, tenant: Tenant, limit: int) -> int:
        return await self._read(partial(reads.open_streams, tenant=tenant, limit=limit))

    async def counts(self) -> Mapping[str, int]:
        return await self._read(reads.counts)

    async def _write(self, work: Work | Direct, *, scrub: bool = False, urgent: bool = False) -> None:
        if self._writer is None:
            raise self._closed()
        with self.health.watching(writes=True):
            await self._writer.write(work, scrub=scrub, urgent=urgent)

    async def _read(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        if self._reader is None or self._claim is None:
            raise self._closed()
        with self.health.watching():
            self._claim.glance()
            try:
                return await in_one_hop(self._reader, work)
            except sqlite3.Error as error:
                raise explain(error, self._path) from error

    def _closed(self) -> StoreUnavailable:
        return StoreUnavailable(f"The store {self._path} is closed; open it first.")
