"""What is read, within one hop of the reader's."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import takewhile

from engine.kernel import Millis, StreamKey, Tenant
from engine.store.chain import SealedEvent, head
from engine.store.port import Alarm, Lag, PendingEffect, StalledStream, StoredEvent, Stream
from engine.store.sqlite.queries import query

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
    """What a file of any schema says of a stream."""
    with _snapshot(connection):
        return _load(connection, key)


def load_to_go_on(connection: sqlite3.Connection, key: StreamKey) -> Stream | None:
    """Also when it counts as stalled: only a file that a writer has prepared says so."""
    with _snapshot(connection):
        stream = _load(connection, key)
        if stream is None:
            return None
        tenant = key.tenant
        row = connection.execute(query("stalled_at"), (tenant.enterprise_id, tenant.team_id, key.stream)).fetchone()
        return replace(stream, stalled_at=row[0])


def _load(connection: sqlite3.Connection, key: StreamKey) -> Stream | None:
    row = _find(connection, key)
    if row is None:
        return None
    stream, version, _, protocol, _ = row
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
        outbox=tuple(_effect(key, *row) for row in connection.execute(query("owed_of_stream"), (stream,))),
        alarms=tuple(Alarm(key, *row) for row in connection.execute(query("alarms_of_stream"), (stream,))),
    )


def verify(connection: sqlite3.Connection, key: StreamKey) -> bool:
    with _snapshot(connection):
        row = _find(connection, key)
        if row is None:
            return False
        stream, version, chain, _, _ = row
        rows = connection.execute(query("events_of_stream"), (stream,)).fetchall()
    if [seq for _, seq, *_ in rows] != list(range(1, version + 1)):
        return False
    return head(key, (SealedEvent(*columns) for _, _, *columns in rows)) == chain


def pending_effects(connection: sqlite3.Connection, after: int, limit: int) -> tuple[Sequence[PendingEffect], int]:
    page = []
    for turn, enterprise_id, team_id, stream, *columns in connection.execute(query("owed_page"), (after, limit)):
        page.append(_effect(_key(enterprise_id, team_id, stream), *columns))
        after = turn
    return page, after


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


def records(connection: sqlite3.Connection, tenant: Tenant, kind: str, prefix: str) -> Mapping[str, str]:
    rows = connection.execute(query("records_from"), (tenant.enterprise_id, tenant.team_id, kind, prefix))
    return dict(takewhile(lambda row: row[0].startswith(prefix), rows))


def counts(connection: sqlite3.Connection) -> Mapping[str, int]:
    rows = connection.execute(query("counts"))
    return {name: int(value) for (name, *_), value in zip(rows.description, rows.fetchone(), strict=True)}


def _find(connection: sqlite3.Connection, key: StreamKey) -> tuple[int, int, bytes, str, int] | None:
    """Id, version, chain, protocol, shown."""
    tenant = key.tenant
    row: tuple[int, int, bytes, str, int] | None = connection.execute(
        query("find_stream"), (tenant.enterprise_id, tenant.team_id, key.stream)
    ).fetchone()
    return row


def _key(enterprise_id: str, team_id: str, stream: str) -> StreamKey:
    return StreamKey(Tenant(team_id, enterprise_id), stream)


def _erased(private: str | None, private_digest: bytes | None) -> bool:
    return private is None and private_digest is not None


def _effect(
    key: StreamKey, effect_id: str, kind: str, scope: str, body: str, attempts: int, not_before: Millis, parked: int
) -> PendingEffect:
    return PendingEffect(key, effect_id, kind, scope, body, attempts, not_before, bool(parked))
