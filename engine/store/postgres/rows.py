"""What rows mean."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.kernel import StreamKey, Tenant
from engine.store.chain import SealedEvent, head
from engine.store.port import Alarm, PendingEffect, StoredEvent, Stream
from engine.store.transaction import effects_in

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
