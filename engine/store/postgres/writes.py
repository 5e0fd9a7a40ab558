"""What a transaction says to the server: two round trips for a whole group of writes.

The first begins, locks the streams in the order of their ids, and reads their rows. The second writes everything and
commits, without waiting in between: also where this process is stopped meanwhile, the server goes on to the end.

Positions are the order in which events are committed, and not only that in which they were written: whoever writes
events takes the lock of positions as the last of all locks, just before it commits, and the server lets go of it after
everybody sees the commit. So a reader that has seen position n never meets a smaller one later. (A sequence does not
give that: its numbers are committed in any order. Nor does waiting for the oldest transaction that runs, since
somebody's long one would hold up every reader.) Everybody takes locks in one order: streams, records, positions.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from engine.errors import WrongVersion
from engine.kernel import Record, StreamKey, Tenant
from engine.store.chain import SealedEvent
from engine.store.port import Commit
from engine.store.postgres.database import Connection
from engine.store.postgres.reads import place
from engine.store.postgres.schema import POSITIONS, query
from engine.store.transaction import Row, Transaction, Work

# ── on each commit ────────────────────────────────────────────────────────────────────────────────────────────────────
# What somebody else writes in the transactions that keep commits.


Kept = Callable[[], Awaitable[None]]


class OnCommit(Protocol):
    """Writes what has to be committed together with commits, such as the jobs that pay their effects."""

    async def __call__(self, connection: Connection, commits: Sequence[Commit]) -> Kept | None:
        """Write to this connection, in the transaction that keeps these commits.

        It is called once a transaction, with all of its commits that add or drop effects, or set or clear alarms, in
        their order; their streams are locked and their versions checked. What it writes is kept if they are, and else
        it is not: after a failure it is called again, with the same commits or with some of them. Everybody who commits
        waits for it: it is called amid a pipeline, and reads what it asks only once that is over.

        It neither begins, commits, nor rolls back; it takes no lock that whoever holds it may hold while it waits for
        a stream; and it does not keep the connection. What it raises keeps the commits from being kept.

        Returns:
            What is called once they are kept, before anybody is told of it; not where that is not known for certain.
        """


# ── writes ────────────────────────────────────────────────────────────────────────────────────────────────────────────


PURGED_STREAMS = 20
PURGED_RECORDS = 2_000
"""So much of a tenant is deleted in one transaction, behind which whoever votes meanwhile has to wait."""


class Found(NamedTuple):
    """What the first round trip has brought, and locked."""

    rows: Mapping[StreamKey, Row]
    fresh_ids: deque[int]
    commands: frozenset[tuple[int, str]]
    """Those that are known of the ones that come."""
    members: frozenset[str]
    """Whose time is not over, of those who write."""
    histories: Mapping[StreamKey, Sequence[SealedEvent]]
    refused: Mapping[StreamKey, Mapping[str, str]]

    def row(self, key: StreamKey) -> Row | None:
        return self.rows.get(key)

    def new_id(self) -> int:
        return self.fresh_ids.popleft()

    def has_handled(self, stream: int, command_id: str) -> bool:
        return (stream, command_id) in self.commands

    def is_member(self, name: str) -> bool:
        return name in self.members

    def history(self, key: StreamKey) -> Sequence[SealedEvent]:
        return self.histories.get(key, ())

    def refusals(self, key: StreamKey) -> Mapping[str, str]:
        return self.refused.get(key, {})


async def begin(connection: Connection, works: Sequence[Work]) -> Found:
    """The first round trip; another one for each commit that erases."""
    keys = list(dict.fromkeys(each.key for each in works if each.key is not None))
    members = sorted({each.member for each in works} - {""})
    commits = [each.commit for each in works if each.commit is not None]
    handled = [(*place(commit.key), command_id) for commit in commits for command_id, _ in commit.commands]
    new = len({each.key for each in commits if each.expected_version == 0})
    async with connection.pipeline():
        await connection.execute("BEGIN")
        locked = await connection.execute(query("lock_streams"), _columns(3, map(place, keys)))
        known = await connection.execute(query("known_commands"), _columns(4, handled)) if handled else None
        drawn = await connection.execute(query("draw_ids"), (new,)) if new else None
        there = await connection.execute(query("lock_members"), (members,)) if members else None
    rows = {row.key: row for row in map(_row, await locked.fetchall())}
    erasing = [each for each in commits if (each.erase or each.reword) and each.key in rows]
    return Found(
        rows,
        deque(each for (each,) in await drawn.fetchall()) if drawn else deque(),
        frozenset((stream, each) for stream, each in await known.fetchall()) if known else frozenset(),
        frozenset(name for (name,) in await there.fetchall()) if there else frozenset(),
        {each.key: await _history(connection, each.key) for each in erasing if each.reword},
        {each.key: await _refusals(connection, rows[each.key]) for each in erasing if each.erase},
    )


async def finish(connection: Connection, transaction: Transaction, on_commit: OnCommit | None) -> Kept | None:
    """The second round trip."""
    concerned = [each for each in transaction.commits if _concerns_others(each)]
    kept: Kept | None = None
    rows = sorted(transaction.rows.values(), key=lambda row: row.key)
    async with connection.pipeline():
        for name, width, values in _statements(transaction, rows):
            if values := list(values):
                await connection.execute(query(name), _columns(width, values))
        if on_commit is not None and concerned:
            kept = await on_commit(connection, concerned)
        if transaction.appended:
            await lock_positions(connection)
            await connection.execute(query("append_events"), (*_events(transaction), *_advances(transaction)))
        if shown := [(row.id, row.shown) for row in rows if row.shown]:
            await connection.execute(query("mark_shown"), _columns(2, shown))
        await connection.execute("COMMIT")
    return kept


def _concerns_others(commit: Commit) -> bool:
    """Whether somebody has something to do after it, or nothing any more."""
    return bool(commit.add_effects or commit.drop_effects or commit.set_alarms or commit.clear_alarms)


def _statements(transaction: Transaction, rows: Sequence[Row]) -> Iterator[tuple[str, int, Iterable[Sequence[Any]]]]:
    """What is said in turn but for events: the statement, how many columns it takes, and its rows."""
    records = sorted(transaction.records.items())
    advanced = [row for row in rows if row.has_advanced]
    yield "create_streams", 5, ((row.id, *place(row.key), row.protocol) for row in advanced if row.is_new)
    yield "drop_records", 4, (at for at, value in records if value is None)
    yield "put_records", 5, ((*at, value) for at, value in records if value is not None)
    yield "handle", 3, ((row.id, name, _kept(said)) for row in advanced for name, said in row.commands.items())
    yield "clear_alarms", 2, ((row.id, name) for row in advanced for name, alarm in row.alarms.items() if not alarm)
    yield "set_alarms", 4, ((row.id, *each) for row in advanced for each in _alarms(row))
    yield "reword", 7, ((row.id, *each) for row in advanced for each in _reworded(row))
    yield "erase", 2, ((row.id, seq) for row in advanced for seq in row.erased)
    yield "word_refusals", 3, ((row.id, *each) for row in advanced for each in row.refusals.items())
    yield "write_outboxes", 4, ((row.id, *_outbox(row)) for row in rows if row.cell and not row.has_advanced)
    yield "advance_streams", 9, (_advanced(row) for row in advanced if not row.events)


async def lock_positions(connection: Connection) -> None:
    await connection.execute(query("lock_positions"), (POSITIONS,))


async def touch(connection: Connection) -> None:
    await connection.execute("UPDATE towow_schema SET version = version")


async def purge(connection: Connection, tenant: Tenant) -> bool:
    """Delete some of a tenant's rows, and return whether there may be more."""
    whose = (tenant.enterprise_id, tenant.team_id)
    async with connection.transaction():
        found = await connection.execute(query("streams_of_tenant"), (*whose, PURGED_STREAMS))
        streams = [stream for (stream,) in await found.fetchall()]
        for name in ("purge_held", "purge_booked", "purge_reserved", "purge_spent"):
            await connection.execute(query(name), whose)
        records = (await connection.execute(query("purge_records"), (*whose, PURGED_RECORDS))).rowcount
        await _delete_streams(connection, streams)
    return len(streams) == PURGED_STREAMS or records == PURGED_RECORDS


async def drop(connection: Connection, tenant: Tenant, streams: Mapping[str, int], records: Sequence[Record]) -> None:
    """Delete streams and records whole."""
    whose = (tenant.enterprise_id, tenant.team_id)
    async with connection.transaction():
        given = ([*streams], [*streams.values()])
        locked = await connection.execute(query("settled_streams"), (*given, *whose))
        found = [stream for (stream,) in await locked.fetchall()]
        if len(found) < len(streams):
            raise WrongVersion("A stream has moved, or something is waited for; none was deleted.")
        gone = [(*whose, each.kind, each.key) for each in records if each.value is None]
        put = [(*whose, each.kind, each.key, each.value) for each in records if each.value is not None]
        if gone:
            await connection.execute(query("drop_records"), _columns(4, gone))
        if put:
            await connection.execute(query("put_records"), _columns(5, put))
        await _delete_streams(connection, found)


async def _delete_streams(connection: Connection, streams: Sequence[int]) -> None:
    """Delete them by their ids, of which none is given to others, as no position is."""
    for name in ("purge_inbox", "purge_alarms", "purge_streams"):
        await connection.execute(query(name), (streams,))
    await lock_positions(connection)
    await connection.execute(query("remember_purged"), (0,))
    deleted = (await connection.execute(query("purge_events"), (streams,))).rowcount
    await connection.execute(query("remember_purged"), (deleted,))


def _columns(number: int, rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """Rows turned by a quarter, as `unnest` takes them."""
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(number)]


def _row(found: tuple[Any, ...]) -> Row:
    number, enterprise_id, team_id, stream, version, revision, chain, unshown, outbox, owes, parked = found
    key = StreamKey(Tenant(team_id, enterprise_id), stream)
    return Row(number, key, version, revision, chain, unshown, outbox, owes, parked)


async def _history(connection: Connection, key: StreamKey) -> list[SealedEvent]:
    found = await connection.execute(query("events_of_stream"), place(key))
    return [SealedEvent(*columns) for _, _, *columns in await found.fetchall()]


async def _refusals(connection: Connection, row: Row) -> dict[str, str]:
    found = await connection.execute(query("refusals_of_stream"), (row.id,))
    return dict(await found.fetchall())


def _kept(refusal: str | None) -> str | None:
    """PostgreSQL keeps every character but one, which a person can write into what is refused."""
    return refusal and refusal.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _alarms(row: Row) -> Iterable[tuple[str, int, int]]:
    return ((each.name, each.generation, each.due) for each in row.alarms.values() if each is not None)


def _reworded(row: Row) -> Iterable[tuple[Any, ...]]:
    return ((seq, each.public, each.private, each.salt, each.digest, each.chain) for seq, each in row.reworded.items())


def _outbox(row: Row) -> tuple[str, bool, int]:
    if row.cell is None:
        return row.outbox, row.owes, row.parked
    return row.cell.text(), len(row.cell) > row.cell.parked, row.cell.parked


def _advanced(row: Row) -> tuple[Any, ...]:
    return (row.id, row.version, row.revision, row.chain, row.is_open, row.stalled_at, *_outbox(row))


def _advances(transaction: Transaction) -> list[list[Any]]:
    """With where the first event of each stands among all that are appended, from 1."""
    rows: dict[int, tuple[Any, ...]] = {}
    for nth, (row, _) in enumerate(transaction.appended, start=1):
        if row.id not in rows:
            rows[row.id] = (*_advanced(row), nth)
    return _columns(10, rows.values())


def _events(transaction: Transaction) -> list[list[Any]]:
    return _columns(10, ((row.id, seq, *row.events[seq]) for row, seq in transaction.appended))
