"""What the writer knows of what is on disk: it has written it, and nobody else writes the file."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine.kernel import Millis, StreamKey
from engine.store.chain import SealedEvent
from engine.store.sqlite.queries import query
from engine.store.transaction import Row

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
