"""What is read, within one hop of the reader's; and the statements of queries.sql by name."""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from engine.kernel import KeyRange, Millis, StreamKey, Tenant
from engine.store.archive import read_statements
from engine.store.chain import SealedEvent, head
from engine.store.port import (
    Alarm,
    Lag,
    PendingEffect,
    RecordPlace,
    StalledStream,
    Standing,
    StoredEvent,
    Stream,
)
from engine.store.transaction import OutboxCell, effects_in

_VALUES: Final = re.compile(r"VALUES (\([?, ]+\))")
_AMONG: Final = "IN (?)"


def query(name: str) -> str:
    return _queries()[name]


@cache
def query_for(name: str, rows: int) -> str:
    """The statement that writes so many rows, of one that writes a row of values."""
    one, values = query(name), _VALUES.search(query(name))
    if values is None:
        raise ValueError(f"The statement {name!r} takes no row of values.")
    return one.replace(values[1], ", ".join([values[1]] * rows))


@cache
def query_among(name: str, values: int) -> str:
    """The statement about rows with one of so many values, of one about rows with one value."""
    one = query(name)
    if _AMONG not in one:
        raise ValueError(f"The statement {name!r} looks for no value among others.")
    return one.replace(_AMONG, f"IN ({', '.join('?' * values)})")


def names() -> list[str]:
    return list(_queries())


@cache
def _queries() -> Mapping[str, str]:
    return read_statements(Path(__file__).with_name("queries.sql"))


_COUNTS: Final = {
    "streams": "count_streams",
    "open_streams": "count_open",
    "events": "count_events",
    "parked": "count_parked",
    "alarms": "count_alarms",
}

WINDOW = 20_000
"""Positions looked through in one read: a tenant with few events among many must not hold the log open."""


@contextmanager
def _snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """Several statements that see one state."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:  # some errors end it by themselves
            connection.execute("ROLLBACK")


def load(connection: sqlite3.Connection, key: StreamKey) -> Stream | None:
    with _snapshot(connection):
        row = _find(connection, key)
        if row is None:
            return None
        stream, version, chain, protocol, _, _, _, stalled_at, outbox, *_ = row
        return Stream(
            key,
            protocol,
            version,
            events=tuple(
                StoredEvent(key, position, seq, event_type, at, public, private, _erased(private, private_digest))
                for position, seq, event_type, at, public, private, _, private_digest, _, _ in connection.execute(
                    query("events_of_stream"), (stream,)
                )
            ),
            commands=dict(connection.execute(query("commands_of_stream"), (stream,)).fetchall()),
            outbox=effects_in(key, outbox),
            alarms=tuple(Alarm(key, *row) for row in connection.execute(query("alarms_of_stream"), (stream,))),
            stalled_at=stalled_at,
            chain=bytes(chain),
        )


def verify(connection: sqlite3.Connection, key: StreamKey) -> bool:
    with _snapshot(connection):
        row = _find(connection, key)
        if row is None:
            return False
        stream, version, chain, *_ = row
        rows = connection.execute(query("events_of_stream"), (stream,)).fetchall()
    if [seq for _, seq, *_ in rows] != list(range(1, version + 1)):
        return False
    return head(key, (SealedEvent(*columns) for _, _, *columns in rows)) == bytes(chain)


def pending_effects(connection: sqlite3.Connection, after: int, limit: int) -> tuple[Sequence[PendingEffect], int]:
    found: list[PendingEffect] = []
    for number, enterprise_id, team_id, stream, outbox in connection.execute(query("owing_streams"), (after, limit)):
        after = number
        found += (each for each in effects_in(_key(enterprise_id, team_id, stream), outbox) if not each.parked)
    return found, after


def due(connection: sqlite3.Connection, before: Millis, limit: int) -> Sequence[Alarm]:
    return [
        Alarm(_key(enterprise_id, team_id, stream), name, generation, due)
        for enterprise_id, team_id, stream, name, generation, due in connection.execute(query("due"), (before, limit))
    ]


def next_due(connection: sqlite3.Connection) -> Millis | None:
    soonest: Millis | None = connection.execute(query("next_due")).fetchone()[0]
    return soonest


def stalled(connection: sqlite3.Connection, before: Millis, limit: int) -> Sequence[StalledStream]:
    return [
        StalledStream(_key(enterprise_id, team_id, stream), version, stalled_at)
        for enterprise_id, team_id, stream, version, stalled_at in connection.execute(query("stalled"), (before, limit))
    ]


def events(
    connection: sqlite3.Connection, tenant: Tenant, after: int, limit: int
) -> tuple[Sequence[StoredEvent], bool]:
    """The tenant's among the next `WINDOW` positions, and whether there are positions beyond."""
    last = last_position(connection)
    rows = connection.execute(
        query("events_of_tenant"),
        {
            "enterprise": tenant.enterprise_id,
            "team": tenant.team_id,
            "after": after,
            "up_to": after + WINDOW,
            "limit": limit,
        },
    )
    page = [
        StoredEvent(
            StreamKey(tenant, stream), position, seq, event_type, at, public, private, _erased(private, private_digest)
        )
        for stream, position, seq, event_type, at, public, private, private_digest in rows
    ]
    return page, after + WINDOW < last


def last_position(connection: sqlite3.Connection) -> int:
    last: int = connection.execute(query("last_position")).fetchone()[0]
    return last


def lagging(connection: sqlite3.Connection, limit: int) -> Sequence[Lag]:
    return [
        Lag(_key(enterprise_id, team_id, stream), version, shown)
        for enterprise_id, team_id, stream, version, shown in connection.execute(query("lagging"), (limit,))
    ]


def records(
    connection: sqlite3.Connection,
    tenant: Tenant,
    kind: str,
    prefix: str,
    limit: int | None,
    after: str | None,
    reverse: bool,
) -> Mapping[str, str]:
    first: str = prefix
    end: str | bytes = _end_of(prefix)
    if after is not None and reverse:
        end = after if isinstance(end, bytes) else min(after, end)
    elif after is not None:
        first = max(prefix, f"{after}\0")
    name = "records_backwards" if reverse else "records"
    most = -1 if limit is None else limit
    return dict(connection.execute(query(name), (tenant.enterprise_id, tenant.team_id, kind, first, end, most)))


def records_in(connection: sqlite3.Connection, tenant: Tenant, ranges: Sequence[KeyRange]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for each in ranges:
        given = (tenant.enterprise_id, tenant.team_id, each.kind, each.first, each.end, each.limit)
        found.update(connection.execute(query("records"), given))
    return found


def tenants(connection: sqlite3.Connection) -> Sequence[Tenant]:
    """One short look for each, however many records they have."""
    found: list[Tenant] = []
    enterprise, team = "", ""
    while row := connection.execute(query("tenant_after"), {"enterprise": enterprise, "team": team}).fetchone():
        enterprise, team = row
        found.append(Tenant(team, enterprise))
    return found


def _end_of(prefix: str) -> str | bytes:
    """What every text that begins so comes before. A blob comes after every text."""
    known = prefix.rstrip("\U0010ffff")
    if not known:
        return b""
    follows = ord(known[-1]) + 1
    return known[:-1] + chr(0xE000 if follows == 0xD800 else follows)  # halves of surrogate pairs are no characters


def standings(connection: sqlite3.Connection, tenant: Tenant, after: str, limit: int) -> Sequence[Standing]:
    given = (tenant.enterprise_id, tenant.team_id, after, limit)
    rows = connection.execute(query("standings"), given)
    return [Standing(stream, protocol, version, bool(settled), at) for stream, protocol, version, settled, at in rows]


def record_places(
    connection: sqlite3.Connection, tenant: Tenant, after: RecordPlace, limit: int
) -> Sequence[RecordPlace]:
    return connection.execute(query("record_places"), (tenant.enterprise_id, tenant.team_id, *after, limit)).fetchall()


def open_streams(connection: sqlite3.Connection, tenant: Tenant, limit: int) -> int:
    found = connection.execute(query("count_open_of_tenant"), (tenant.enterprise_id, tenant.team_id)).fetchone()
    return min(limit, int(found[0]))


def counts(connection: sqlite3.Connection) -> Mapping[str, int]:
    with _snapshot(connection):
        numbers = {name: connection.execute(query(statement)).fetchone()[0] for name, statement in _COUNTS.items()}
        owed = sum(OutboxCell(outbox).owed for (outbox,) in connection.execute(query("owing_cells")))
        return numbers | {"owed": owed}


def _find(connection: sqlite3.Connection, key: StreamKey) -> tuple[Any, ...] | None:
    """Id, version, chain, protocol, shown, unshown, is_open, stalled_at, outbox, owes, parked."""
    tenant = key.tenant
    row: tuple[Any, ...] | None = connection.execute(
        query("find_stream"), (tenant.enterprise_id, tenant.team_id, key.stream)
    ).fetchone()
    return row


def _key(enterprise_id: str, team_id: str, stream: str) -> StreamKey:
    return StreamKey(Tenant(team_id, enterprise_id), stream)


def _erased(private: str | None, private_digest: bytes | None) -> bool:
    return private is None and private_digest is not None
