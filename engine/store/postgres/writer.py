"""The connection that commits, and the group commit.

Whatever arrives while one transaction is under way shares the next, people's first. One task owns the connection; a
caller only waits for an answer, so cancelling a caller cannot leave a transaction half done.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import psycopg

from engine.errors import StoreError, StoreUnavailable
from engine.store.address import place_of
from engine.store.postgres import writes
from engine.store.postgres.database import Connection, connect
from engine.store.postgres.faults import concerns_the_data, explain
from engine.store.postgres.schema import use
from engine.store.postgres.writes import OnCommit
from engine.store.transaction import Transaction, Work

MOST: Final = 200
"""Writes in one transaction."""

ATTEMPTS: Final = 3
"""Of a write by itself that others got in the way of."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class _Write:
    """What a caller wants written, and where the caller waits."""

    work: Work
    answer: asyncio.Future[None]

    def settle(self, error: Exception | None = None) -> None:
        if self.answer.done():  # answered before, or its caller was cancelled
            return
        if error is None:
            self.answer.set_result(None)
        else:
            self.answer.set_exception(error)


class Writer:
    def __init__(self, url: str, on_commit: Callable[[], OnCommit | None]) -> None:
        self._url = url
        self._place = place_of(url)
        self._on_commit = on_commit
        self._connection: Connection | None = None
        self._urgent: deque[_Write] = deque()
        self._others: deque[_Write] = deque()
        self._something_to_do = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._closing = False

    async def open(self) -> None:
        """Connect, and begin to write."""
        await self._connected()
        self._running = asyncio.create_task(self._run(), name=f"writer of {self._place}")

    async def close(self) -> None:
        """Write what waits, and nothing after it."""
        self._closing = True
        self._something_to_do.set()
        try:
            if self._running is not None:
                await asyncio.shield(self._running)
        finally:
            await self._disconnect()

    async def write(self, work: Work, *, urgent: bool = False) -> None:
        """Durable on return. ``work`` is done once more after another's has failed."""
        if self._running is None or self._closing:
            raise StoreUnavailable(f"The store {self._place} is closed; open it first.")
        write = _Write(work, asyncio.get_running_loop().create_future())
        (self._urgent if urgent else self._others).append(write)
        self._something_to_do.set()
        await write.answer

    async def _run(self) -> None:
        try:
            while self._urgent or self._others or not self._closing:
                await self._something_to_do.wait()
                self._something_to_do.clear()
                while group := self._next_group():
                    await self._write(group)
        finally:
            self._closing = True
            for write in (*self._urgent, *self._others):
                write.settle(StoreUnavailable(f"The store {self._place} was closed before this was written."))

    def _next_group(self) -> list[_Write]:
        group: list[_Write] = []
        for waiting in (self._urgent, self._others):
            while waiting and len(group) < MOST:
                if group and (waiting[0].work.is_alone or group[0].work.is_alone):
                    return group
                group.append(waiting.popleft())
        return group

    async def _write(self, group: Sequence[_Write]) -> None:
        """One transaction, or one for each where one fails. Everybody in ``group`` is answered, whatever happens."""
        try:
            if len(group) == 1 or not await self._try(group):
                # Seldom: each by itself, so that the bad one fails alone.
                for write in group:
                    await self._write_alone(write)
        except (psycopg.Error, StoreError) as error:
            reason = explain(error, self._place) if isinstance(error, psycopg.Error) else error
            log.warning("%s", reason)
            for write in group:
                write.settle(type(reason)(*reason.args))
            await self._disconnect()
        finally:
            for write in group:
                write.settle(StoreUnavailable(f"The store {self._place} was stopped while this was being written."))

    async def _try(self, group: Sequence[_Write]) -> bool:
        """Write all of them in one transaction; return whether that could be done."""
        connection = await self._connected()
        try:
            outcomes = await self._transaction(connection, [write.work for write in group])
        except Exception as error:
            if not await self._undo(connection):
                raise
            log.debug("a group of %d is written one by one: %s", len(group), error)
            return False
        for write, outcome in zip(group, outcomes, strict=True):
            write.settle(outcome)
        return True

    async def _write_alone(self, write: _Write) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            connection = await self._connected()
            try:
                write.settle(*await self._transaction(connection, [write.work]))
                return
            except Exception as error:
                if not await self._undo(connection):
                    raise
                if _is_in_the_way(error) and attempt < ATTEMPTS:
                    continue
                write.settle(self._alone(error))
                return

    def _alone(self, error: Exception) -> Exception:
        """What the one caller is told whose write failed by itself."""
        if concerns_the_data(error):
            return ValueError(f"The store cannot keep this: {error}.")
        return explain(error, self._place) if isinstance(error, psycopg.Error) else error

    async def _transaction(self, connection: Connection, works: Sequence[Work]) -> list[Exception | None]:
        """What became of each: None, or why it alone is not kept."""
        transaction = Transaction(await writes.begin(connection, works))
        outcomes = [transaction.attempt(work) for work in works]
        if all(outcome is not None for outcome in outcomes):
            await connection.execute("ROLLBACK")
            return outcomes
        kept = await writes.finish(connection, transaction, self._on_commit())
        if kept is not None:
            await kept()
        return outcomes

    async def _connected(self) -> Connection:
        if self._connection is None or self._connection.closed:
            connection = await connect(self._url)
            try:
                await use(connection, self._place)
            except psycopg.Error as error:
                await connection.close()
                raise explain(error, self._place) from error
            except BaseException:
                await connection.close()
                raise
            self._connection = connection
        return self._connection

    async def _undo(self, connection: Connection) -> bool:
        """Roll back what was begun; return whether the server was there for it.

        The connection is not used again: psycopg believes that all statements of a pipeline were prepared, also those
        that came after the one that failed.
        """
        try:
            await connection.execute("ROLLBACK")
        except psycopg.Error:
            return False
        await self._disconnect()
        return True

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


def _is_in_the_way(error: Exception) -> bool:
    """Whether others did something meanwhile that makes another try worthwhile: then it is known why it is refused."""
    return isinstance(error, psycopg.errors.UniqueViolation | psycopg.errors.TransactionRollback)
