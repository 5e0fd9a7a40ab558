"""What is read, in one round trip each, of one state where it is more than a statement; several who ask for the
revisions of streams at once share a read.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from engine.errors import StoreError
from engine.kernel import KeyRange, Millis, StreamKey, Tenant
from engine.store.chain import SealedEvent, head
from engine.store.port import Alarm, Lag, PendingEffect, RecordPlace, StalledStream, Standing, StoredEvent, Stream
from engine.store.postgres.database import Connection
from engine.store.postgres.schema import query
from engine.store.transaction import OutboxCell, effects_in

Read = Callable[[Sequence[StreamKey]], Awaitable[Mapping[StreamKey, int]]]


class Revisions:
    """
    Args:
        read: reads those of several streams; one that there is not is left out.
    """

    def __init__(self, read: Read) -> None:
        self._read = read
        self._asked: dict[StreamKey, asyncio.Future[int]] = {}
        """Of which no read is under way."""
        self._reading: asyncio.Task[None] | None = None

    async def of(self, key: StreamKey) -> int:
        """Return what is committed now or later, 0 for a stream that there is not."""
        answer = self._asked.get(key)
        if answer is None:
            answer = self._asked[key] = asyncio.get_running_loop().create_future()
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_all(), name="revisions")
        return await asyncio.shield(answer)  # others may wait for it too

    async def _read_all(self) -> None:
        try:
            while self._asked:
                asked, self._asked = self._asked, {}
                await self._answer(asked)
        finally:
            self._reading = None

    async def _answer(self, asked: Mapping[StreamKey, "asyncio.Future[int]"]) -> None:
        try:
            found = await self._read(list(asked))
        except StoreError as error:
            for answer in asked.values():
                answer.set_exception(error)
                answer.exception()  # marked as seen: whoever asked may have gone
        else:
            for key, answer in asked.items():
                answer.set_result(found.get(key, 0))
        finally:
            for answer in asked.values():
                answer.cancel()  # where it was not answered: the process ends


# ── rows ──────────────────────────────────────────────────────────────────────────────────────────────────────────────
# What rows mean.


Row = tuple[Any, ...]


def key_of(enterprise_id: str, team_id: str, stream: str) -> StreamKey:
    return StreamKey(Tenant(team_id, enterprise_id), stream)


def stream_of(
    key: StreamKey, row: Row, events: Iterable[Row], commands: Mapping[str, str | None], alarms: Iterable[Row]
) -> Stream:
    _, version, chain, protocol, stalled_at, outbox, revision = row
    return Stream(
        key,
        protocol,
        version,
        events=tuple(
            StoredEvent(key, position, seq, event_type, at, public, private, _is_erased(private, private_digest))
            for position, seq, event_type, at, public, private, _, private_digest, _, _ in events
        ),
        commands=commands,
        outbox=effects_in(key, outbox),
        alarms=tuple(Alarm(key, *alarm) for alarm in alarms),
        stalled_at=stalled_at,
        chain=chain,
        revision=revision,
    )


def is_intact(key: StreamKey, row: Row | None, events: Sequence[Row]) -> bool:
    """Whether every digest and chain hash of the stream is what its rows say."""
    if row is None:
        return False
    _, version, chain, *_ = row
    if [seq for _, seq, *_ in events] != list(range(1, version + 1)):
        return False
    return head(key, (SealedEvent(*columns) for _, _, *columns in events)) == bytes(chain)


def event_of(tenant: Tenant, row: Row) -> StoredEvent:
    stream, position, seq, event_type, at, public, private, private_digest = row
    erased = _is_erased(private, private_digest)
    return StoredEvent(StreamKey(tenant, stream), position, seq, event_type, at, public, private, erased)


def owed_in(row: Row) -> list[PendingEffect]:
    _, enterprise_id, team_id, stream, outbox = row
    return [each for each in effects_in(key_of(enterprise_id, team_id, stream), outbox) if not each.parked]


def _is_erased(private: str | None, private_digest: bytes | None) -> bool:
    return private is None and private_digest is not None


# ── reads ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


WINDOW: Final = 20_000
"""Positions looked through in one read, of a tenant that may have few events among many."""

ONE_STATE: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

_COUNTS: Final = {
    "streams": "count_streams",
    "open_streams": "count_open",
    "events": "count_events",
    "parked": "count_parked",
    "alarms": "count_alarms",
}
COUNTED: Final = (*_COUNTS.values(), "owing_cells")


async def load(connection: Connection, key: StreamKey) -> Stream | None:
    names = ("find_stream", "events_of_stream", "commands_of_stream", "alarms_of_stream")
    found, events, commands, alarms = await _of_one_state(connection, names, place(key))
    return stream_of(key, found[0], events, dict(commands), alarms) if found else None


async def verify(connection: Connection, key: StreamKey) -> bool:
    found, events = await _of_one_state(connection, ("find_stream", "events_of_stream"), place(key))
    return is_intact(key, found[0] if found else None, events)


async def revisions(connection: Connection, keys: Sequence[StreamKey]) -> Mapping[StreamKey, int]:
    columns = [list(column) for column in zip(*map(place, keys), strict=True)]
    return {key_of(*row[:3]): int(row[3]) for row in await _all(connection, "revisions", *columns)}


async def pending_effects(connection: Connection, after: int, limit: int) -> tuple[Sequence[PendingEffect], int]:
    rows = await _all(connection, "owing_streams", after, limit)
    return [each for row in rows for each in owed_in(row)], int(rows[-1][0]) if rows else after


async def due(connection: Connection, before: Millis, limit: int) -> Sequence[Alarm]:
    return [Alarm(key_of(*row[:3]), *row[3:]) for row in await _all(connection, "due", before, limit)]


async def next_due(connection: Connection) -> Millis | None:
    ((soonest,),) = await _all(connection, "next_due")
    return None if soonest is None else int(soonest)


async def stalled(connection: Connection, before: Millis, limit: int) -> Sequence[StalledStream]:
    return [StalledStream(key_of(*row[:3]), *row[3:]) for row in await _all(connection, "stalled", before, limit)]


async def events(connection: Connection, tenant: Tenant, after: int, limit: int) -> tuple[Sequence[StoredEvent], bool]:
    """The tenant's among the next `WINDOW` positions, and whether there are positions beyond."""
    whose = (tenant.enterprise_id, tenant.team_id)
    async with connection.pipeline():
        last = await connection.execute(query("last_position"))
        rows = await connection.execute(query("events_of_tenant"), (after, after + WINDOW, *whose, limit))
    ((newest,),) = await last.fetchall()
    return [event_of(tenant, row) for row in await rows.fetchall()], after + WINDOW < newest


async def last_position(connection: Connection) -> int:
    ((last,),) = await _all(connection, "last_position")
    return int(last)


async def lagging(connection: Connection, limit: int) -> Sequence[Lag]:
    return [Lag(key_of(*row[:3]), *row[3:]) for row in await _all(connection, "lagging", limit)]


async def records(
    connection: Connection,
    tenant: Tenant,
    kind: str,
    prefix: str,
    limit: int | None,
    after: str | None,
    *,
    reverse: bool,
) -> Mapping[str, str]:
    end = _end_of(prefix)
    given = (tenant.enterprise_id, tenant.team_id, kind, prefix, end, end, after, after, limit)
    return dict(await _all(connection, "records_backwards" if reverse else "records", *given))


async def records_in(connection: Connection, tenant: Tenant, ranges: Sequence[KeyRange]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    async with connection.pipeline():
        whose = (tenant.enterprise_id, tenant.team_id)
        pages = [
            await connection.execute(
                query("records"), (*whose, each.kind, each.first, each.end, each.end, None, None, each.limit)
            )
            for each in ranges
        ]
    for page in pages:
        found.update(await page.fetchall())
    return found


async def tenants(connection: Connection) -> Sequence[Tenant]:
    """One short look for each, however many records they have."""
    found: list[Tenant] = []
    last: tuple[str, str] = ("", "")
    while rows := await _all(connection, "tenant_after", *last):
        last = rows[0][0], rows[0][1]
        found.append(Tenant(team_id=last[1], enterprise_id=last[0]))
    return found


async def standings(connection: Connection, tenant: Tenant, after: str, limit: int) -> Sequence[Standing]:
    whose = (tenant.enterprise_id, tenant.team_id)
    return [Standing(*row) for row in await _all(connection, "standings", *whose, after, limit)]


async def record_places(
    connection: Connection, tenant: Tenant, after: RecordPlace, limit: int
) -> Sequence[RecordPlace]:
    rows = await _all(connection, "record_places", tenant.enterprise_id, tenant.team_id, *after, limit)
    return [(kind, key) for kind, key in rows]


async def open_streams(connection: Connection, tenant: Tenant, limit: int) -> int:
    ((count,),) = await _all(connection, "count_open_of_tenant", tenant.enterprise_id, tenant.team_id, limit)
    return int(count)


async def counts(connection: Connection) -> Mapping[str, int]:
    return counted(await _of_one_state(connection, COUNTED))


def counted(found: Sequence[Sequence[Row]]) -> Mapping[str, int]:
    """What the statements of `COUNTED` have found, by name."""
    numbers = {name: int(rows[0][0]) for name, rows in zip(_COUNTS, found, strict=False)}
    return numbers | {"owed": sum(OutboxCell(cell).owed for (cell,) in found[-1])}


def _end_of(prefix: str) -> str | None:
    """What every text that begins so comes before; None where nothing comes after them."""
    known = prefix.rstrip("\U0010ffff")
    if not known:
        return None
    follows = ord(known[-1]) + 1
    return known[:-1] + chr(0xE000 if follows == 0xD800 else follows)  # halves of surrogate pairs are no characters


def place(key: StreamKey) -> tuple[str, str, str]:
    return key.tenant.enterprise_id, key.tenant.team_id, key.stream


async def _all(connection: Connection, name: str, *given: Any) -> list[Row]:
    return await (await connection.execute(query(name), given)).fetchall()


async def _of_one_state(connection: Connection, names: Sequence[str], given: Sequence[Any] = ()) -> list[list[Row]]:
    async with connection.pipeline():
        await connection.execute(ONE_STATE)
        cursors = [await connection.execute(query(name), given) for name in names]
        await connection.execute("COMMIT")
    return [await each.fetchall() for each in cursors]
