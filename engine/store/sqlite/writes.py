"""What is written, within a hop and a savepoint of the writer's."""

import sqlite3
from collections.abc import Mapping, Sequence

from engine.kernel import Record, StreamKey, Tenant
from engine.store.batch import check_versions, handled_before
from engine.store.chain import SealedEvent, genesis, seal
from engine.store.port import Commit, PendingEffect
from engine.store.sqlite.queries import query


def keep(connection: sqlite3.Connection, key: StreamKey, commits: Sequence[Commit]) -> None:
    """One batch.

    Raises:
        WrongVersion
    """
    stream, version, chain = _row_of(connection, key, commits[0].protocol)
    check_versions(commits, version)
    first: int | None = None
    for commit in commits:
        sealed = seal(chain, commit.events)
        position = _append(connection, stream, version, sealed)
        _keep_consequences(connection, stream, commit)
        _put(connection, key.tenant, commit.records)
        first = first or position
        version += len(sealed)
        chain = sealed[-1].chain if sealed else chain
    last = commits[-1]
    connection.execute(query("advance_stream"), (version, chain, last.is_open, last.stalled_at, first, stream))


def _row_of(connection: sqlite3.Connection, key: StreamKey, protocol: str) -> tuple[int, int, bytes]:
    """The stream's id, version and chain; a stream that is not there yet begins."""
    tenant = key.tenant
    row = connection.execute(query("find_stream"), (tenant.enterprise_id, tenant.team_id, key.stream)).fetchone()
    if row is not None:
        return row[0], row[1], row[2]
    chain = genesis(key)
    (stream,) = connection.execute(
        query("create_stream"), (tenant.enterprise_id, tenant.team_id, key.stream, protocol, chain)
    ).fetchone()
    return stream, 0, chain


def _append(connection: sqlite3.Connection, stream: int, version: int, events: Sequence[SealedEvent]) -> int | None:
    """Position of the first of the appended events."""
    first: int | None = None
    for seq, event in enumerate(events, start=version + 1):
        appended = connection.execute(
            query("append_event"),
            (
                stream, seq, event.event_type, event.at, event.public, event.private,
                event.salt, event.private_digest, event.digest, event.chain,
            ),
        )  # fmt: skip
        first = first or appended.lastrowid
    return first


def _keep_consequences(connection: sqlite3.Connection, stream: int, commit: Commit) -> None:
    """All but events and records. There is none or one of most of it: executemany would cost more than it saves."""
    execute = connection.execute
    if not execute(query("handle"), (stream, commit.command_id, commit.refusal)).rowcount:
        raise handled_before(commit)
    for effect_id in commit.drop_effects:
        execute(query("settle"), (stream, effect_id))
    for each in commit.add_effects:
        execute(
            query("owe"),
            (stream, each.effect_id, each.kind, each.scope, each.body, each.attempts, each.not_before, each.parked),
        )
    for name in commit.clear_alarms:
        execute(query("clear_alarm"), (stream, name))
    for alarm in commit.set_alarms:
        execute(query("set_alarm"), (stream, alarm.name, alarm.generation, alarm.due))
    for seq in commit.erase:
        execute(query("erase"), (stream, seq))


def reschedule(connection: sqlite3.Connection, effect: PendingEffect) -> None:
    tenant = effect.key.tenant
    connection.execute(
        query("reschedule"),
        (
            effect.attempts, effect.not_before, effect.parked,
            effect.effect_id, tenant.enterprise_id, tenant.team_id, effect.key.stream,
        ),
    )  # fmt: skip


def mark_shown(connection: sqlite3.Connection, key: StreamKey, version: int) -> None:
    tenant = key.tenant
    row = connection.execute(query("find_stream"), (tenant.enterprise_id, tenant.team_id, key.stream)).fetchone()
    if row is None:
        return
    stream, newest, _, _, shown = row
    version = min(version, newest)
    if version > shown:
        connection.execute(query("mark_shown"), {"stream": stream, "version": version})


def put_records(connection: sqlite3.Connection, tenant: Tenant, kind: str, records: Mapping[str, str | None]) -> None:
    _put(connection, tenant, [Record(kind, key, value) for key, value in records.items()])


def _put(connection: sqlite3.Connection, tenant: Tenant, records: Sequence[Record]) -> None:
    for each in records:
        place = (tenant.enterprise_id, tenant.team_id, each.kind, each.key)
        if each.value is None:
            connection.execute(query("drop_record"), place)
        else:
            connection.execute(query("put_record"), (*place, each.value))
