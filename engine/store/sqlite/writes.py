"""What is written, within a hop of the writer's."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.kernel import Millis, Record, StreamKey, Tenant
from engine.store.chain import SealedEvent, genesis, relinked, seal, without_words
from engine.store.checks import check_version, handled_before
from engine.store.outbox_cell import OutboxCell
from engine.store.port import Commit, PendingEffect
from engine.store.sqlite.queries import query

PURGED_STREAMS = 20
PURGED_RECORDS = 2_000
"""So much of a tenant is deleted in one transaction, behind which whoever votes meanwhile has to wait."""


class _Row(NamedTuple):
    """A stream's row before it is written."""

    id: int
    version: int
    chain: bytes
    protocol: str
    shown: int = 0
    unshown: int | None = None
    is_open: int = 1
    stalled_at: Millis | None = None
    outbox: str = "[]"
    owes: int = 0
    parked: int = 0


def keep(connection: sqlite3.Connection, commit: Commit) -> None:
    """
    Raises:
        WrongVersion
    """
    row = _find(connection, commit.key)
    if row is not None:
        check_version(commit, row.version)
    else:
        check_version(commit, 0)
        row = _create(connection, commit)
    _keep_commands(connection, row.id, commit)
    if commit.reword:
        row = row._replace(chain=_reword(connection, row, commit))
    sealed = seal(row.chain, commit.events)
    _append(connection, row, sealed)
    _keep_alarms(connection, row.id, commit)
    if commit.erase:
        _erase(connection, row.id, commit.erase)
    _put(connection, commit.key.tenant, commit.records)
    _advance(connection, row, commit, sealed)


def _find(connection: sqlite3.Connection, key: StreamKey) -> _Row | None:
    tenant = key.tenant
    found = connection.execute(query("find_stream"), (tenant.enterprise_id, tenant.team_id, key.stream)).fetchone()
    return None if found is None else _Row._make(found)


def _create(connection: sqlite3.Connection, commit: Commit) -> _Row:
    tenant, chain = commit.key.tenant, genesis(commit.key)
    (stream,) = connection.execute(
        query("create_stream"), (tenant.enterprise_id, tenant.team_id, commit.key.stream, commit.protocol, chain)
    ).fetchone()
    return _Row(stream, 0, chain, commit.protocol)


def _keep_commands(connection: sqlite3.Connection, stream: int, commit: Commit) -> None:
    if not commit.commands:
        return
    rows = [(stream, command_id, refusal) for command_id, refusal in commit.commands]
    if connection.executemany(query("handle"), rows).rowcount != len(rows):
        raise handled_before(commit)


def _append(connection: sqlite3.Connection, row: _Row, events: Sequence[SealedEvent]) -> None:
    if not events:
        return
    (last,) = connection.execute(query("last_position")).fetchone()
    if row.unshown is None:
        connection.execute(query("set_unshown"), (last + 1, row.id))
    rows = [(last + number, row.id, row.version + number, *event) for number, event in enumerate(events, start=1)]
    connection.executemany(query("append_event"), rows)


def _erase(connection: sqlite3.Connection, stream: int, seqs: Sequence[int]) -> None:
    connection.executemany(query("erase"), [(stream, seq) for seq in seqs])
    refused = connection.execute(query("refusals_of_stream"), (stream,)).fetchall()
    connection.executemany(query("word_refusal"), [(without_words(said), stream, each) for each, said in refused])


def _reword(connection: sqlite3.Connection, row: "_Row", commit: Commit) -> bytes:
    """Erase texts from public columns.

    Returns:
        the last link of the new chain.

    Raises:
        ValueError: the history is not what was written.
    """
    rows = connection.execute(query("events_of_stream"), (row.id,)).fetchall()
    history = [SealedEvent(*columns) for _, _, *columns in rows]
    after = relinked(commit.key, bytes(row.chain), history, dict(commit.reword))
    changed = [
        (new.public, new.private, new.salt, new.digest, new.chain, row.id, seq)
        for seq, (old, new) in enumerate(zip(history, after, strict=True), start=1)
        if old != new
    ]
    connection.executemany(query("reword"), changed)
    return after[-1].chain


def _keep_alarms(connection: sqlite3.Connection, stream: int, commit: Commit) -> None:
    if commit.clear_alarms:
        connection.executemany(query("clear_alarm"), [(stream, name) for name in commit.clear_alarms])
    if commit.set_alarms:
        rows = [(stream, each.name, each.generation, each.due) for each in commit.set_alarms]
        connection.executemany(query("set_alarm"), rows)


def _advance(connection: sqlite3.Connection, row: _Row, commit: Commit, sealed: Sequence[SealedEvent]) -> None:
    outbox = row.outbox
    if commit.add_effects or commit.drop_effects:
        cell = OutboxCell(row.outbox)
        cell.drop(commit.drop_effects)
        cell.add(commit.add_effects)
        outbox = cell.text()
        _flag(connection, row, cell)
    version, chain = row.version + len(sealed), sealed[-1].chain if sealed else row.chain
    if commit.stalled_at != row.stalled_at:
        connection.execute(query("advance_and_postpone"), (version, chain, outbox, commit.stalled_at, row.id))
    elif sealed or commit.reword or outbox != row.outbox:
        connection.execute(query("advance_stream"), (version, chain, outbox, row.id))
    if commit.is_open != bool(row.is_open):
        connection.execute(query("set_open"), (commit.is_open, row.id))


def _flag(connection: sqlite3.Connection, row: _Row, cell: OutboxCell) -> None:
    parked = cell.parked
    owes = len(cell) > parked
    if (owes, parked) != (bool(row.owes), row.parked):
        connection.execute(query("set_owing"), (owes, parked, row.id))


def reschedule(connection: sqlite3.Connection, effect: PendingEffect) -> None:
    row = _find(connection, effect.key)
    if row is None:
        return
    cell = OutboxCell(row.outbox)
    if cell.reschedule(effect):
        connection.execute(query("write_outbox"), (cell.text(), row.id))
        _flag(connection, row, cell)


def mark_shown(connection: sqlite3.Connection, key: StreamKey, version: int) -> None:
    row = _find(connection, key)
    if row is not None and (version := min(version, row.version)) > row.shown:
        connection.execute(query("mark_shown"), {"stream": row.id, "version": version})


def put_records(connection: sqlite3.Connection, tenant: Tenant, kind: str, records: Mapping[str, str | None]) -> None:
    _put(connection, tenant, [Record(kind, key, value) for key, value in records.items()])


def _put(connection: sqlite3.Connection, tenant: Tenant, records: Sequence[Record]) -> None:
    """What is written last is what stays: of two values of one record, the first is not written at all."""
    if not records:
        return
    newest = {(tenant.enterprise_id, tenant.team_id, each.kind, each.key): each.value for each in records}
    if dropped := [place for place, value in newest.items() if value is None]:
        connection.executemany(query("drop_record"), dropped)
    if put := [(*place, value) for place, value in newest.items() if value is not None]:
        connection.executemany(query("put_record"), put)


def purge(connection: sqlite3.Connection, tenant: Tenant) -> bool:
    """Delete some of a tenant's rows, and return whether there may be more."""
    place = (tenant.enterprise_id, tenant.team_id)
    streams = connection.execute(query("streams_of_tenant"), (*place, PURGED_STREAMS)).fetchall()
    connection.execute(query("remember_purged"), (0, 0))
    deleted = connection.executemany(query("purge_events"), streams).rowcount if streams else 0
    connection.execute(query("remember_purged"), (deleted, len(streams)))
    for name in ("purge_inbox", "purge_alarms", "purge_stream"):
        connection.executemany(query(name), streams)
    records = connection.execute(query("purge_records"), (*place, PURGED_RECORDS)).rowcount
    return len(streams) == PURGED_STREAMS or records == PURGED_RECORDS
