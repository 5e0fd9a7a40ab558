"""What a transaction says to the database: one statement for many rows, so that a busy process is seldom waited for.

Python lets go of its lock around each step of a statement, and where another thread computes, it takes milliseconds to
get it back.

What the writer knows of what is on disk is kept: it has written it, and nobody else writes the file.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final, NamedTuple

from engine.errors import WrongVersion
from engine.kernel import Millis, Record, StreamKey, Tenant
from engine.store.chain import SealedEvent
from engine.store.sqlite.reads import query, query_among, query_for
from engine.store.transaction import RecordPlace, Row, Transaction

MOST: Final = 2_000
"""Streams that are remembered. Others are read again."""


class Stored(NamedTuple):
    """What of a stream's row is on disk, and is written only where it changes."""

    version: int = 0
    chain: bytes = b""
    shown: int = 0
    unshown: int | None = None
    is_open: bool = True
    stalled_at: Millis | None = None
    outbox: str = ""
    owes: bool = False
    parked: int = 0


class Known:
    """It is right as long as every transaction on its connection is kept: `forget` it with one that is not.

    Args:
        most: so many streams are remembered.
    """

    def __init__(self, connection: sqlite3.Connection, most: int = MOST) -> None:
        self._connection = connection
        self._most = most
        self._rows: dict[StreamKey, tuple[Row, Stored]] = {}
        """The one that was asked for last is the last one."""
        self._last_id: int | None = None
        self._last_position: int | None = None

    def forget(self) -> None:
        self._rows.clear()
        self._last_id = self._last_position = None

    def row(self, key: StreamKey) -> Row | None:
        found = self._rows.pop(key, None) or self._read(key)
        if found is None:
            return None
        self._rows[key] = found
        return found[0]

    def stored(self, key: StreamKey) -> Stored:
        """What is on disk of a row; of a new one, what its first statement writes."""
        found = self._rows.get(key)
        return found[1] if found else Stored()

    def keep(self, row: Row, stored: Stored) -> None:
        """Remember a row as it has been written."""
        self._rows[row.key] = row.written(), stored

    def drop(self, key: StreamKey) -> None:
        self._rows.pop(key, None)

    def shrink(self) -> None:
        """Forget the rows that nobody has asked for lately."""
        while len(self._rows) > self._most:
            del self._rows[next(iter(self._rows))]

    def _read(self, key: StreamKey) -> tuple[Row, Stored] | None:
        tenant = key.tenant
        found = self._one("find_stream", tenant.enterprise_id, tenant.team_id, key.stream)
        if found is None:
            return None
        number, version, chain, protocol, shown, unshown, is_open, stalled_at, outbox, owes, parked = found
        stored = Stored(version, bytes(chain), shown, unshown, bool(is_open), stalled_at, outbox, bool(owes), parked)
        row = Row(
            number,
            key,
            version,
            chain=stored.chain,
            outbox=outbox,
            protocol=protocol,
            is_open=stored.is_open,
            stalled_at=stalled_at,
        )
        return row, stored

    def new_id(self) -> int:
        if self._last_id is None:
            (self._last_id,) = self._one("last_stream") or (0,)
        self._last_id += 1
        return self._last_id

    def next_positions(self, number: int) -> range:
        """The positions of so many events that are appended."""
        if not number:
            return range(0)
        if self._last_position is None:
            (self._last_position,) = self._one("last_position") or (0,)
        first = self._last_position + 1
        self._last_position += number
        return range(first, first + number)

    def has_handled(self, stream: int, command_id: str) -> bool:
        return self._one("is_handled", stream, command_id) is not None

    def is_member(self, name: str) -> bool:
        """One process has the file to itself for as long as it likes."""
        return True

    def history(self, key: StreamKey) -> Sequence[SealedEvent]:
        row = self.row(key)
        if row is None:
            return ()
        rows = self._connection.execute(query("events_of_stream"), (row.id,))
        return [SealedEvent(*columns) for _, _, *columns in rows]

    def refusals(self, key: StreamKey) -> Mapping[str, str]:
        row = self.row(key)
        return dict(self._connection.execute(query("refusals_of_stream"), (row.id,)).fetchall()) if row else {}

    def _one(self, name: str, *values: str | int) -> tuple[Any, ...] | None:
        found: tuple[Any, ...] | None = self._connection.execute(query(name), values).fetchone()
        return found


PURGED_STREAMS = 20
PURGED_RECORDS = 2_000
"""So much of a tenant is deleted in one transaction, behind which whoever votes meanwhile has to wait."""

AT_ONCE: Final = 256
"""Rows in one statement. The rest is written by statements for half as many, and so on: all of these stay prepared."""

Values = tuple[Any, ...]


@dataclass(slots=True)
class _Rows:
    """What is to be written of streams, by statement."""

    created: list[Values] = field(default_factory=list)
    advanced: list[Values] = field(default_factory=list)
    postponed: list[Values] = field(default_factory=list)
    opened: list[Values] = field(default_factory=list)
    owing: list[Values] = field(default_factory=list)
    unshown: list[Values] = field(default_factory=list)

    def add(self, row: Row, before: Stored, now: Stored) -> None:
        if row.is_new:
            tenant = row.key.tenant
            place = (row.id, tenant.enterprise_id, tenant.team_id, row.key.stream, row.protocol)
            self.created.append((*place, now.version, now.chain, *_indexed(now)))
            return
        if now.stalled_at != before.stalled_at:
            self.postponed.append((row.id, now.version, now.chain, now.outbox, now.stalled_at))
        elif (now.version, now.chain, now.outbox) != (before.version, before.chain, before.outbox):
            self.advanced.append((row.id, now.version, now.chain, now.outbox))
        if now.is_open != before.is_open:
            self.opened.append((row.id, now.is_open))
        if (now.owes, now.parked) != (before.owes, before.parked):
            self.owing.append((row.id, now.owes, now.parked))
        if now.unshown != before.unshown:
            self.unshown.append((row.id, now.unshown))


def finish(connection: sqlite3.Connection, transaction: Transaction, known: Known) -> None:
    """Write all that the works of a transaction have led to, and remember it."""
    positions = known.next_positions(len(transaction.appended))
    firsts: dict[int, int] = {}
    for position, (row, _) in zip(positions, transaction.appended, strict=True):
        firsts.setdefault(row.id, position)
    rows, found = _Rows(), []
    for row in transaction.rows.values():
        before = known.stored(row.key)
        now = _as_written(row, before, firsts)
        rows.add(row, before, now)
        found.append((row, now))
    _put(connection, "create_stream", rows.created)
    _put(connection, "advance_stream", rows.advanced)
    _put(connection, "advance_and_postpone", rows.postponed)
    _put(connection, "set_open", rows.opened)
    _put(connection, "set_owing", rows.owing)
    _put(connection, "set_unshown", rows.unshown)
    _keep_records(connection, transaction.records)
    _keep_parts(connection, [row for row, _ in found if row.has_advanced])
    appended = zip(positions, transaction.appended, strict=True)
    _put(connection, "append_event", [(at, row.id, seq, *row.events[seq]) for at, (row, seq) in appended])
    for row, now in found:
        _mark_shown(connection, row, now, known)
    known.shrink()


def _as_written(row: Row, before: Stored, firsts: dict[int, int]) -> Stored:
    outbox, owes, parked = before.outbox or row.outbox, before.owes, before.parked
    if row.cell is not None:
        outbox, parked = row.cell.text(), row.cell.parked
        owes = len(row.cell) > parked
    unshown = firsts.get(row.id) if before.unshown is None else before.unshown
    return Stored(row.version, row.chain, before.shown, unshown, row.is_open, row.stalled_at, outbox, owes, parked)


def _indexed(now: Stored) -> Values:
    return now.unshown, now.is_open, now.stalled_at, now.outbox, now.owes, now.parked


def _keep_records(connection: sqlite3.Connection, records: Mapping[RecordPlace, str | None]) -> None:
    _delete(connection, "drop_record", [place for place, value in records.items() if value is None])
    _put(connection, "put_record", [(*place, value) for place, value in records.items() if value is not None])


def _keep_parts(connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """What belongs to streams and is no event: alarms, commands, and what is erased of both events and commands."""
    _put(connection, "handle", [(row.id, *each) for row in rows for each in row.commands.items()])
    alarms = [(row.id, name, alarm) for row in rows for name, alarm in row.alarms.items()]
    _delete(connection, "clear_alarm", [(name, stream) for stream, name, alarm in alarms if not alarm])
    was_set = [(stream, name, alarm.generation, alarm.due) for stream, name, alarm in alarms if alarm]
    _put(connection, "set_alarm", was_set)
    _change(
        connection,
        "reword",
        [
            (each.public, each.private, each.salt, each.digest, each.chain, row.id, seq)
            for row in rows
            for seq, each in row.reworded.items()
        ],
    )
    _change(connection, "erase", [(row.id, seq) for row in rows for seq in row.erased])
    refusals = [(said, row.id, command_id) for row in rows for command_id, said in row.refusals.items()]
    _change(connection, "word_refusal", refusals)


def _mark_shown(connection: sqlite3.Connection, row: Row, now: Stored, known: Known) -> None:
    version = min(row.shown, row.version)
    if version <= now.shown:
        known.keep(row, now)
        return
    connection.execute(query("mark_shown"), {"stream": row.id, "version": version})
    if version == row.version:
        known.keep(row, now._replace(shown=version, unshown=None))
    else:
        known.drop(row.key)  # which event is the first that is not shown, the statement has found out


def _put(connection: sqlite3.Connection, name: str, rows: Sequence[Values]) -> None:
    done = 0
    while done < len(rows):
        number = min(AT_ONCE, 1 << (len(rows) - done).bit_length() - 1)
        connection.execute(query_for(name, number), [*chain.from_iterable(rows[done : done + number])])
        done += number


def _delete(connection: sqlite3.Connection, name: str, rows: Sequence[Values]) -> None:
    """Delete rows, all at once that differ only in their last value."""
    among: dict[Values, list[Any]] = {}
    for row in rows:
        among.setdefault(row[:-1], []).append(row[-1])
    for place, values in among.items():
        for first in range(0, len(values), AT_ONCE):
            some = values[first : first + AT_ONCE]
            number = 1 << (len(some) - 1).bit_length()  # few lengths, so that all of them stay prepared
            given = (*place, *some, *some[-1:] * (number - len(some)))
            connection.execute(query_among(name, number), given)


def _change(connection: sqlite3.Connection, name: str, rows: Sequence[Values]) -> None:
    if rows:
        connection.executemany(query(name), rows)


def touch(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE identity SET mark = mark")


def purge(connection: sqlite3.Connection, tenant: Tenant) -> bool:
    """Delete some of a tenant's rows, and return whether there may be more."""
    place = (tenant.enterprise_id, tenant.team_id)
    streams = connection.execute(query("streams_of_tenant"), (*place, PURGED_STREAMS)).fetchall()
    _delete_streams(connection, streams)
    records = connection.execute(query("purge_records"), (*place, PURGED_RECORDS)).rowcount
    return len(streams) == PURGED_STREAMS or records == PURGED_RECORDS


def drop(connection: sqlite3.Connection, tenant: Tenant, streams: Mapping[str, int], records: Sequence[Record]) -> None:
    """Delete streams and records whole."""
    place = (tenant.enterprise_id, tenant.team_id)
    found: list[tuple[int]] = []
    for stream, version in streams.items():
        row = connection.execute(query("settled_stream"), (*place, stream, version)).fetchone()
        if row is None:
            raise WrongVersion(f"{stream} has moved, or something is waited for; it was not deleted.")
        found.append(row)
    _delete_streams(connection, found)
    _keep_records(connection, {(*place, each.kind, each.key): each.value for each in records})


def _delete_streams(connection: sqlite3.Connection, streams: Sequence[tuple[int]]) -> None:
    """Delete them by their ids. Neither these nor positions are given to others."""
    connection.execute(query("remember_purged"), (0, 0))
    deleted = connection.executemany(query("purge_events"), streams).rowcount if streams else 0
    connection.execute(query("remember_purged"), (deleted, len(streams)))
    for name in ("purge_inbox", "purge_alarms", "purge_stream"):
        connection.executemany(query(name), streams)
