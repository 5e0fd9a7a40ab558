"""The store as dicts: for tests, and the model that the others are held against. What is closed can be opened again."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice

from engine.errors import StoreUnavailable, WrongVersion
from engine.kernel import KeyRange, Millis, Record, StreamKey, Tenant
from engine.store.chain import SealedEvent, genesis, head, relinked, seal, without_words
from engine.store.checks import Leases, check_revision, check_stream, check_version, handled_before
from engine.store.health import StoreHealth
from engine.store.memory_sharing import MemorySharing
from engine.store.port import (
    Alarm,
    Commit,
    Lag,
    PendingEffect,
    RecordPlace,
    StalledStream,
    Standing,
    StoredEvent,
    Stream,
)


@dataclass(slots=True)
class _Stream:
    """One stream's rows."""

    number: int
    """In the order in which streams began."""
    key: StreamKey
    protocol: str
    version: int
    chain: bytes
    is_open: bool = True
    stalled_at: Millis | None = None
    revision: int = 0
    shown: int = 0
    history: list[SealedEvent] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    commands: dict[str, str | None] = field(default_factory=dict)
    outbox: dict[str, PendingEffect] = field(default_factory=dict)
    alarms: dict[str, Alarm] = field(default_factory=dict)

    @property
    def standing(self) -> Standing:
        owes = any(not each.parked for each in self.outbox.values())
        is_settled = not (self.is_open or owes or self.alarms) and self.shown == self.version
        last_at = self.history[-1].at if self.history else 0
        return Standing(self.key.stream, self.protocol, self.version, is_settled, last_at)

    def stored_events(self) -> Iterator[StoredEvent]:
        for seq, (position, event) in enumerate(zip(self.positions, self.history, strict=True), start=1):
            yield StoredEvent(
                self.key, position, seq, event.event_type, event.at, event.public, event.private, event.erased
            )


class MemoryStore:
    """`Store` without a disk. Every call yields to other tasks before it touches a row, as a hop to a thread does.

    Args:
        sharing: for what stands in for several processes; None for one.
    """

    def __init__(self, sharing: MemorySharing | None = None) -> None:
        self._sharing = sharing
        self._streams: dict[StreamKey, _Stream] = {}
        self._records: dict[tuple[Tenant, str], dict[str, str]] = {}
        self._positions = count(1)
        self._numbers = count(1)
        self._last_position = 0
        self._leases = Leases()
        self.health = StoreHealth()
        self._is_open = False

    @property
    def sharing(self) -> MemorySharing | None:
        return self._sharing

    async def touch(self) -> None:
        await self._hop()

    async def open(self) -> None:
        self._is_open = True

    async def close(self) -> None:
        self._is_open = False
        self._leases.end()

    async def load(self, key: StreamKey) -> Stream | None:
        await self._hop()
        if (stream := self._streams.get(key)) is None:
            return None
        return Stream(
            key,
            stream.protocol,
            stream.version,
            events=tuple(stream.stored_events()),
            commands=dict(stream.commands),
            outbox=tuple(stream.outbox.values()),
            alarms=tuple(stream.alarms[name] for name in sorted(stream.alarms)),
            stalled_at=stream.stalled_at,
            chain=stream.chain,
            revision=stream.revision,
        )

    async def revision(self, key: StreamKey) -> int:
        await self._hop()
        stream = self._streams.get(key)
        return stream.revision if stream else 0

    async def lease(self, *, take_over: bool = False) -> int:
        await self._hop()
        return self._leases.take(take_over=take_over)

    async def release(self, epoch: int) -> None:
        self._leases.release(epoch)

    async def commit(self, commit: Commit, *, urgent: bool = False) -> None:
        check_stream(commit)
        await self._hop()
        self._leases.check(commit.epoch)
        stream = self._streams.get(commit.key) or _Stream(
            next(self._numbers), commit.key, commit.protocol, 0, genesis(commit.key)
        )
        check_version(commit, stream.version)
        check_revision(commit, stream.revision)
        commands = dict(commit.commands)
        if len(commands) < len(commit.commands) or not stream.commands.keys().isdisjoint(commands):
            raise handled_before(commit)
        history = relinked(commit.key, stream.chain, stream.history, dict(commit.reword)) if commit.reword else None
        sealed = seal(history[-1].chain if history else stream.chain, commit.events)
        _check_texts(commit)
        # Whatever may fail has been done by now: from here the commit is kept as a whole.
        stream.history = history or stream.history
        self._keep(stream, commit, sealed)
        self._streams[commit.key] = stream
        if self._sharing is not None:
            self._sharing.committed(commit.key, len(commit.events))
        await asyncio.sleep(0)

    def _keep(self, stream: _Stream, commit: Commit, events: Sequence[SealedEvent]) -> None:
        stream.history += events
        stream.positions += islice(self._positions, len(events))
        self._last_position = max([self._last_position, *stream.positions[-1:]])
        stream.version += len(events)
        stream.chain = stream.history[-1].chain if stream.history else stream.chain
        stream.revision += self._sharing is not None
        stream.is_open = commit.is_open
        stream.stalled_at = commit.stalled_at
        stream.commands |= commit.commands
        for effect_id in (*commit.drop_effects, *(effect.effect_id for effect in commit.add_effects)):
            stream.outbox.pop(effect_id, None)
        stream.outbox |= {effect.effect_id: effect for effect in commit.add_effects}
        for name in commit.clear_alarms:
            stream.alarms.pop(name, None)
        stream.alarms.update({alarm.name: alarm for alarm in commit.set_alarms})
        for seq in commit.erase:
            if 1 <= seq <= stream.version:
                stream.history[seq - 1] = stream.history[seq - 1].without_private()
        if commit.erase:
            stream.commands = {each: said and without_words(said) for each, said in stream.commands.items()}
        for record in commit.records:
            self._put(commit.key.tenant, record)

    async def reschedule(self, effect: PendingEffect) -> None:
        await self._hop()
        stream = self._streams.get(effect.key)
        if stream is not None and effect.effect_id in stream.outbox:
            stream.outbox[effect.effect_id] = stream.outbox[effect.effect_id]._replace(
                attempts=effect.attempts,
                not_before=effect.not_before,
                parked=effect.parked,
            )
        await asyncio.sleep(0)

    async def pending_effects(self, after: int, limit: int) -> tuple[Sequence[PendingEffect], int]:
        await self._hop()
        found: list[PendingEffect] = []
        owing = (
            (stream.number, [effect for effect in stream.outbox.values() if not effect.parked])
            for stream in self._streams.values()
            if stream.number > after
        )
        for number, pending in islice(((number, pending) for number, pending in owing if pending), limit):
            found += pending
            after = number
        return found, after

    async def due(self, before: Millis, limit: int) -> Sequence[Alarm]:
        await self._hop()
        alarms = [
            alarm
            for stream in self._streams.values()
            for _, alarm in sorted(stream.alarms.items())
            if alarm.due <= before
        ]
        return sorted(alarms, key=lambda alarm: alarm.due)[:limit]

    async def next_due(self) -> Millis | None:
        await self._hop()
        return min((alarm.due for stream in self._streams.values() for alarm in stream.alarms.values()), default=None)

    async def stalled(self, before: Millis, limit: int) -> Sequence[StalledStream]:
        await self._hop()
        found = [
            StalledStream(stream.key, stream.version, stream.stalled_at)
            for stream in self._streams.values()
            if stream.stalled_at is not None and stream.stalled_at <= before
        ]
        return sorted(found, key=lambda each: each.since)[:limit]

    async def events(self, tenant: Tenant, after: int, limit: int) -> Sequence[StoredEvent]:
        await self._hop()
        events = [
            event
            for stream in self._streams.values()
            if stream.key.tenant == tenant
            for event in stream.stored_events()
            if event.position > after
        ]
        return sorted(events, key=lambda event: event.position)[:limit]

    async def last_position(self) -> int:
        await self._hop()
        return self._last_position

    async def verify(self, key: StreamKey) -> bool:
        await self._hop()
        stream = self._streams.get(key)
        return stream is not None and head(key, stream.history) == stream.chain

    async def lagging(self, limit: int) -> Sequence[Lag]:
        await self._hop()
        behind = [stream for stream in self._streams.values() if stream.shown < stream.version]
        behind.sort(key=lambda stream: stream.positions[stream.shown])
        return [Lag(stream.key, stream.version, stream.shown) for stream in behind[:limit]]

    async def mark_shown(self, key: StreamKey, version: int) -> None:
        await self._hop()
        if (stream := self._streams.get(key)) is not None:
            stream.shown = max(stream.shown, min(version, stream.version))
        await asyncio.sleep(0)

    async def put_records(
        self, tenant: Tenant, kind: str, records: Mapping[str, str | None], *, member: str = ""
    ) -> None:
        await self._hop()
        if member and self._sharing is not None:
            self._sharing.check(member)
        for key, value in records.items():
            self._put(tenant, Record(kind, key, value))
        await asyncio.sleep(0)

    def _put(self, tenant: Tenant, record: Record) -> None:
        kept = self._records.setdefault((tenant, record.kind), {})
        if record.value is None:
            kept.pop(record.key, None)
        else:
            kept[record.key] = record.value

    async def records(
        self,
        tenant: Tenant,
        kind: str,
        prefix: str = "",
        *,
        limit: int | None = None,
        after: str | None = None,
        reverse: bool = False,
    ) -> Mapping[str, str]:
        await self._hop()
        kept = self._records.get((tenant, kind), {})
        keys = (key for key in sorted(kept, reverse=reverse) if key.startswith(prefix))
        beyond = (key for key in keys if after is None or (key < after if reverse else key > after))
        return {key: kept[key] for key in islice(beyond, limit)}

    async def records_in(self, tenant: Tenant, ranges: Sequence[KeyRange]) -> Mapping[str, str]:
        await self._hop()
        found: dict[str, str] = {}
        for each in ranges:
            kept = self._records.get((tenant, each.kind), {})
            keys = sorted(key for key in kept if each.first <= key < each.end)
            found |= {key: kept[key] for key in keys[: each.limit]}
        return found

    async def tenants(self) -> Sequence[Tenant]:
        await self._hop()
        kept = {tenant for (tenant, _), records in self._records.items() if records}
        return sorted(kept, key=lambda each: (each.enterprise_id, each.team_id))

    async def standings(self, tenant: Tenant, after: str, limit: int) -> Sequence[Standing]:
        await self._hop()
        names = sorted(key.stream for key in self._streams if key.tenant == tenant and key.stream > after)
        return [self._streams[StreamKey(tenant, name)].standing for name in names[:limit]]

    async def record_places(self, tenant: Tenant, after: RecordPlace, limit: int) -> Sequence[RecordPlace]:
        await self._hop()
        kept = ((kind, key) for (whose, kind), records in self._records.items() if whose == tenant for key in records)
        return sorted(each for each in kept if each > after)[:limit]

    async def drop(self, tenant: Tenant, streams: Mapping[str, int], records: Sequence[Record]) -> None:
        await self._hop()
        for name, version in streams.items():
            found = self._streams.get(StreamKey(tenant, name))
            if found is None or found.version != version or not found.standing.is_settled:
                raise WrongVersion(f"{name} has moved, or something is waited for; it was not deleted.")
        for name in streams:
            del self._streams[StreamKey(tenant, name)]
        for record in records:
            self._put(tenant, record)
        await asyncio.sleep(0)

    async def purge(self, tenant: Tenant) -> None:
        await self._hop()
        self._streams = {key: stream for key, stream in self._streams.items() if key.tenant != tenant}
        self._records = {kept: records for kept, records in self._records.items() if kept[0] != tenant}
        if self._sharing is not None:
            self._sharing.purge(tenant)
        await asyncio.sleep(0)

    async def open_streams(self, tenant: Tenant, limit: int) -> int:
        await self._hop()
        return min(limit, sum(each.is_open for key, each in self._streams.items() if key.tenant == tenant))

    async def counts(self) -> Mapping[str, int]:
        await self._hop()
        streams = self._streams.values()
        owed = [effect for stream in streams for effect in stream.outbox.values()]
        return {
            "streams": len(streams),
            "open_streams": sum(stream.is_open for stream in streams),
            "events": sum(stream.version for stream in streams),
            "owed": sum(not each.parked for each in owed),
            "parked": sum(each.parked for each in owed),
            "alarms": sum(len(stream.alarms) for stream in streams),
        }

    async def _hop(self) -> None:
        await asyncio.sleep(0)
        if not self._is_open:
            raise StoreUnavailable("The memory store is closed; open it first.")


def _check_texts(commit: Commit) -> None:
    """Check that a disk could keep all texts of a commit."""
    for record in commit.records:
        f"{record.kind}{record.key}{record.value}".encode()
    for command_id, refusal in commit.commands:
        f"{command_id}{refusal}".encode()
    for effect in commit.add_effects:
        f"{effect.effect_id}{effect.scope}{effect.body}".encode()
