"""An event on its way to disk and back, and the seeds' envelope around it."""

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from msgspec import NODEFAULT
from msgspec.structs import fields

from engine.kernel import Event, Millis, StreamKey, Validated, convert, decode, encode, iso, payload
from engine.kernel.privacy import joined, parted, private_fields
from engine.store.port import NewEvent, StoredEvent

EventKind = TypeVar("EventKind", bound=Event)


class Envelope(Validated):
    """Seed 000, section 3.1.2, plus ``seq``: the event's number in its stream."""

    event_id: str
    seq: int
    event_type: str
    timestamp: str
    payload: dict[str, Any]


def sealed(event: Event, at: Millis) -> NewEvent:
    """Write an event: its public fields, and, apart from them, what is private in it, if there is anything."""
    public, private = parted(event, is_written=True)
    return NewEvent(event.event_type, at, encode(public), encode(private) if private else None)


def opened(stored: StoredEvent, kinds: Mapping[str, type[Event]]) -> Event:
    """Read an event as it happened; words that were erased are empty."""
    kind = kinds[stored.event_type]
    needed = _needed(kind)
    if stored.private is None and not needed:
        return decode(stored.public, kind)
    found = needed | decode(stored.public, dict)
    return convert(found if stored.private is None else joined(found, decode(stored.private, dict)), kind)


def without_private(event: EventKind) -> EventKind:
    """Return what everybody may know of an event, whatever its row says: earlier versions kept less apart."""
    return parted(event)[0]


@cache
def _needed(kind: type[Event]) -> dict[str, Any]:
    """The private fields without a default, which are not written with what is public."""
    required = {each.name for each in fields(kind) if each.default is NODEFAULT}
    return {each.name: each.blank for each in private_fields(kind) if each.is_private and each.name in required}


def envelope(stored: StoredEvent, kinds: Mapping[str, type[Event]]) -> Envelope:
    return envelope_of(stored, payload(opened(stored, kinds)))


def envelope_of(stored: StoredEvent, said: dict[str, Any]) -> Envelope:
    return Envelope(
        event_id=event_id(stored.key, stored.seq),
        seq=stored.seq,
        event_type=stored.event_type,
        timestamp=iso(stored.at),
        payload=said,
    )


def event_id(key: StreamKey, seq: int) -> str:
    """Return the id of an event, which follows from its place in its stream."""
    cause = "\n".join((key.tenant.enterprise_id, key.tenant.team_id, key.stream, str(seq)))
    return f"evt-{hashlib.sha256(cause.encode()).hexdigest()[:12]}"
