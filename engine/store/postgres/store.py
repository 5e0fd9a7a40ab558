"""`Store` in a database of PostgreSQL, which several processes share."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TypeVar

from psycopg_pool import AsyncConnectionPool

from engine.errors import StoreUnavailable
from engine.kernel import KeyRange, Millis, Record, StreamKey, Tenant
from engine.store.address import place_of
from engine.store.checks import check_stream
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
from engine.store.postgres import reads, writes
from engine.store.postgres.database import Connection, is_lost, lent, pool_of
from engine.store.postgres.reads import Revisions
from engine.store.postgres.sharing import PostgresSharing
from engine.store.postgres.writer import Writer
from engine.store.postgres.writes import OnCommit
from engine.store.sharing import Sharing
from engine.store.transaction import Work

log = logging.getLogger(__name__)

Result = TypeVar("Result")


class PostgresStore:
    """Everything in one schema of a database: the first one of its search_path.

    What holds a process to itself on one machine does not hold here: everybody may decide, and each commit is checked
    against the revision that it was decided on. So a lease is granted to everybody, and never ends.

    Args:
        url: ``postgresql://user:password@host:port/database``; the server, or a pooler that keeps sessions.
        on_commit: see `OnCommit`; may be given later.
    """

    def __init__(self, url: str, *, on_commit: OnCommit | None = None) -> None:
        self._url = url
        self._place = place_of(url)
        self.on_commit = on_commit
        self._writer: Writer | None = None
        self._readers: AsyncConnectionPool[Connection] | None = None
        self.health = StoreHealth()
        self._sharing = PostgresSharing(self._lent)
        self._revisions = Revisions(lambda keys: self._read(partial(reads.revisions, keys=keys)))

    @property
    def url(self) -> str:
        return self._url

    @property
    def sharing(self) -> Sharing:
        return self._sharing

    async def open(self) -> None:
        if self._writer is not None:
            return
        writer = Writer(self._url, lambda: self.on_commit)
        await writer.open()
        self._writer, self._readers = writer, pool_of(self._url)
        await self._readers.open()

    async def close(self) -> None:
        writer, readers = self._writer, self._readers
        self._writer = self._readers = None
        async with AsyncExitStack() as stack:
            if readers is not None:
                stack.push_async_callback(readers.close)
            if writer is not None:
                await writer.close()

    async def lease(self, *, take_over: bool = False) -> int:
        if self._writer is None:
            raise self._closed()
        return 0

    async def release(self, epoch: int) -> None:
        pass

    async def commit(self, commit: Commit, *, urgent: bool = False) -> None:
        check_stream(commit)
        await self._write(Work(lambda transaction: transaction.keep(commit), commit.key, commit), urgent=urgent)

    async def reschedule(self, effect: PendingEffect) -> None:
        await self._write(Work(lambda transaction: transaction.reschedule(effect), effect.key))

    async def mark_shown(self, key: StreamKey, version: int) -> None:
        await self._write(Work(lambda transaction: transaction.mark_shown(key, version), key))

    async def put_records(
        self, tenant: Tenant, kind: str, records: Mapping[str, str | None], *, member: str = ""
    ) -> None:
        put = [Record(kind, key, value) for key, value in records.items()]
        await self._write(Work(lambda transaction: transaction.put_records(tenant, put, member), member=member))

    async def touch(self) -> None:
        with self.health.watching(writes=True):
            async with self._lent() as connection:
                await writes.touch(connection)

    async def purge(self, tenant: Tenant) -> None:
        is_left = True
        while is_left:
            async with self._lent() as connection:
                is_left = await writes.purge(connection, tenant)

    async def drop(self, tenant: Tenant, streams: Mapping[str, int], records: Sequence[Record]) -> None:
        async with self._lent() as connection:
            await writes.drop(connection, tenant, streams, records)

    async def load(self, key: StreamKey) -> Stream | None:
        return await self._read(partial(reads.load, key=key))

    async def revision(self, key: StreamKey) -> int:
        return await self._revisions.of(key)

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

    async def _write(self, work: Work, *, urgent: bool = False) -> None:
        if self._writer is None:
            raise self._closed()
        with self.health.watching(writes=True):
            await self._writer.write(work, urgent=urgent)

    async def _read(self, work: Callable[[Connection], Awaitable[Result]]) -> Result:
        """Read; once more where the connection was lost, as each is when the server was restarted meanwhile."""
        try:
            async with self._lent() as connection:
                return await work(connection)
        except StoreUnavailable as error:
            if not is_lost(error):
                raise
        async with self._lent() as connection:
            return await work(connection)

    @asynccontextmanager
    async def _lent(self) -> AsyncIterator[Connection]:
        if self._readers is None:
            raise self._closed()
        with self.health.watching():
            async with lent(self._readers, self._place) as connection:
                yield connection

    def _closed(self) -> StoreUnavailable:
        return StoreUnavailable(f"The store {self._place} is closed; open it first.")
