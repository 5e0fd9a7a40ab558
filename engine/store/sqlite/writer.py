"""The only connection that writes, and the group commit.

Whatever arrives while one transaction is being synced to disk shares the next: what people wait for, or else as much of
the rest as can be written in a short time. One task owns the connection; a caller only waits for an answer, so
cancelling a caller cannot leave a transaction half done.
"""

import asyncio
import logging
import sqlite3
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Final

import aiosqlite

from engine.errors import StoreError, StoreUnavailable
from engine.store.sqlite.claim import Claim, Generations
from engine.store.sqlite.database import concerns_the_file, explain, in_one_hop, open_writer
from engine.store.sqlite.writes import MOST, Known, finish
from engine.store.transaction import Transaction, Work

log = logging.getLogger(__name__)

SOONER: Final = 0.0002
"""Seconds after which a thread that computes lets another one go on that wants to. Python's own 0.005 are waited for
twice a statement, a hundred milliseconds a transaction; always so short, they make everything else dearer."""

_waiting = 0
_before = sys.getswitchinterval()


@contextmanager
def hurrying() -> Iterator[None]:
    """While anybody is in here, threads of this process take turns faster."""
    global _waiting, _before
    if not _waiting:
        _before = sys.getswitchinterval()
        sys.setswitchinterval(SOONER)
    _waiting += 1
    try:
        yield
    finally:
        _waiting -= 1
        if not _waiting:
            sys.setswitchinterval(_before)


GROUP_SECONDS: Final = 0.025
"""For so long writes are added to one transaction: about as long as whoever comes meanwhile has to wait."""

Direct = Callable[[sqlite3.Connection], None]
"""What is said to the database by itself, about rows that no `Work` is about at that time."""


@dataclass(frozen=True, slots=True, eq=False)
class _Write:
    """What a caller wants written, and where the caller waits."""

    work: Work | Direct
    scrub: bool
    urgent: bool
    answer: asyncio.Future[None]

    @property
    def is_alone(self) -> bool:
        return self.work.is_alone if isinstance(self.work, Work) else True

    def settle(self, error: Exception | None = None) -> None:
        if self.answer.done():  # answered before, or its caller was cancelled
            return
        if error is None:
            self.answer.set_result(None)
        else:
            self.answer.set_exception(error)


class Writer:
    """
    Args:
        claim: the database that this process has to itself.
        remembered: how many streams need not be read before they are written.
    """

    def __init__(self, claim: Claim, group_seconds: float = GROUP_SECONDS, remembered: int = MOST) -> None:
        self._path = claim.path
        self._claim = claim
        self._generations = Generations(claim)
        self._group_seconds = group_seconds
        self._remembered = remembered
        self._connection: aiosqlite.Connection | None = None
        self._known: Known | None = None
        """By this connection."""
        self._urgent: deque[_Write] = deque()
        self._others: deque[_Write] = deque()
        self._left_out = False
        """Whether the rest was left out of the last transaction."""
        self._something_to_do = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._closing = False
        self._scrub = False

    async def open(self) -> None:
        self._connection = await open_writer(self._path)
        try:
            await in_one_hop(self._connection, self._generations.begin)
        except sqlite3.Error as error:
            await self.disconnect()
            raise explain(error, self._path) from error
        except BaseException:
            await self.disconnect()
            raise
        self._running = asyncio.create_task(self._run(), name=f"writer of {self._path.name}")

    async def finish(self) -> None:
        """Write what waits, and nothing after it."""
        self._closing = True
        self._something_to_do.set()
        if self._running is not None:
            await asyncio.shield(self._running)

    async def write(self, work: Work | Direct, *, scrub: bool = False, urgent: bool = False) -> None:
        """Durable on return. ``work`` is done in the connection's thread, once more after another's has failed.

        Args:
            urgent: it goes before whatever is not, and without it.
            scrub: what this overwrites must not linger in the write-ahead log.
        """
        if self._running is None or self._closing:
            raise StoreUnavailable(f"The store {self._path} is closed; open it first.")
        write = _Write(work, scrub, urgent, asyncio.get_running_loop().create_future())
        (self._urgent if urgent else self._others).append(write)
        self._something_to_do.set()
        with hurrying() if urgent else nullcontext():
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
                write.settle(StoreUnavailable(f"The store {self._path} was closed before this was written."))
            if self._connection is not None:
                await in_one_hop(self._connection, self._generations.end)

    def _next_group(self) -> list[_Write]:
        """What people wait for, but never twice in a row without the rest.

        What says something by itself has a transaction to itself.
        """
        goes_alone = bool(self._urgent) and not self._left_out
        self._left_out = goes_alone and bool(self._others)
        group: list[_Write] = []
        for waiting in (self._urgent,) if goes_alone else (self._urgent, self._others):
            while waiting:
                if group and (waiting[0].is_alone or group[0].is_alone):
                    return group
                group.append(waiting.popleft())
        return group

    async def _write(self, group: Sequence[_Write]) -> None:
        """One transaction. Everybody in ``group`` is answered or waits for the next one, whatever happens."""
        try:
            if self._connection is None:
                self._claim.check()
                self._connection = await open_writer(self._path)
            works = [write.work for write in group]
            outcomes = await in_one_hop(self._connection, partial(self._transaction, works=works))
            group, rest = group[: len(outcomes)], group[len(outcomes) :]
            for write in reversed(rest):
                (self._urgent if write.urgent else self._others).appendleft(write)
            for write, outcome in zip(group, outcomes, strict=True):
                write.settle(outcome)
            self._scrub = self._scrub or any(write.scrub for write in group)
            if self._scrub:
                self._scrub = not await in_one_hop(self._connection, _empty_the_log)
        except (sqlite3.Error, StoreError) as error:
            reason = explain(error, self._path) if isinstance(error, sqlite3.Error) else error
            log.warning("%s", reason)
            for write in group:
                write.settle(type(reason)(*reason.args))
            if self._connection is not None:
                await in_one_hop(self._connection, self._generations.rescue)
            # What a connection believes after a failed commit depends on the failure; a fresh one asks the file.
            await self.disconnect()
        finally:
            for write in group:
                write.settle(StoreUnavailable(f"The store {self._path} was stopped while this was being written."))

    def _transaction(self, connection: sqlite3.Connection, works: Sequence[Work | Direct]) -> list[Exception | None]:
        """One, in the file that is at its place before and after it."""
        self._generations.check()
        known = self._known = self._known or Known(connection, self._remembered)
        outcomes = _transaction(connection, works, known, self._group_seconds)
        self._generations.follow(connection)
        return outcomes

    async def disconnect(self) -> None:
        connection, self._connection = self._connection, None
        self._known = None
        if connection is not None:
            await connection.close()


def _transaction(
    connection: sqlite3.Connection, works: Sequence[Work | Direct], known: Known, seconds: float
) -> list[Exception | None]:
    """What became of each: None, or why it alone was not kept. Those that there was no time for are left out.

    IMMEDIATE, because a transaction that turns into a writing one later is refused in spite of any busy timeout.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        outcomes = _done(connection, works, known, seconds)
    except Exception as error:
        known.forget()
        if concerns_the_file(error):
            raise
        # Seldom: all is undone and done again, each by itself, so that the bad one fails alone.
        connection.execute("ROLLBACK")
        connection.execute("BEGIN IMMEDIATE")
        outcomes = [_attempt(connection, work, known) for work in works]
    try:
        connection.execute("COMMIT")
    except BaseException:
        known.forget()
        raise
    return outcomes


def _done(
    connection: sqlite3.Connection, works: Sequence[Work | Direct], known: Known, seconds: float
) -> list[Exception | None]:
    transaction = Transaction(known)
    outcomes: list[Exception | None] = []
    ends = time.monotonic() + seconds
    for work in works:
        if isinstance(work, Work):
            outcomes.append(transaction.attempt(work))
        else:
            known.forget()
            work(connection)
            outcomes.append(None)
        if time.monotonic() > ends:
            break
    finish(connection, transaction, known)
    return outcomes


def _attempt(connection: sqlite3.Connection, work: Work | Direct, known: Known) -> Exception | None:
    connection.execute("SAVEPOINT attempt")
    outcome: Exception | None = None
    try:
        (outcome,) = _done(connection, [work], known, seconds=0)
    except Exception as error:
        known.forget()
        if concerns_the_file(error):
            raise
        connection.execute("ROLLBACK TO attempt")
        outcome = ValueError(f"The store cannot keep this: {error}.") if isinstance(error, sqlite3.Error) else error
    connection.execute("RELEASE attempt")
    return outcome


def _empty_the_log(connection: sqlite3.Connection) -> bool:
    """Whether it could be done: somebody who reads for long is in the way."""
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy
