"""An event on its way to disk and back, and the seeds' envelope around it."""

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import NODEFAULT, UNSET
from msgspec.structs import fields, replace

from engine.kernel import Event, Millis, StreamKey, Validated, convert, decode, encode, iso, payload
from engine.store.port import NewEvent, StoredEvent


class Envelope(Validated):
    """Seed 000, section 3.1.2, plus ``seq``: the event's number in its stream."""

    event_id: str
    seq: int
    event_type: str
    timestamp: str
    payload: dict[str, Any]


def sealed(event: Event, at: Millis) -> NewEvent:
    """Write an event: its public fields, and, apart from them, the private ones of an event that may have any."""
    private = event.private_fields()
    if not private:
        return NewEvent(event.event_type, at, encode(event))
    kept = {name: value for name, default in _private(type(event)) if (value := getattr(event, name)) is not default}
    return NewEvent(event.event_type, at, encode(replace(event, **_withheld(type(event)))), encode(kept))


def opened(stored: StoredEvent, kinds: Mapping[str, type[Event]]) -> Event:
    """Read an event as it happened; words that were erased are empty."""
    kind = kinds[stored.event_type]
    private = kind.private_fields()
    if not private:
        return decode(stored.public, kind)
    found = decode(stored.public, dict)
    if stored.private is not None:
        found |= decode(stored.private, dict)
    else:
        found |= {name: "" for name, default in _private(kind) if default is NODEFAULT}
    return convert(found, kind)


@cache
def _private(kind: type[Event]) -> tuple[tuple[str, Any], ...]:
    """Return the name of each private field, and its default."""
    private = kind.private_fields()
    return tuple((each.name, each.default) for each in fields(kind) if each.name in private)


@cache
def _withheld(kind: type[Event]) -> dict[str, Any]:
    """Return what the private fields are replaced with, so that they are not written."""
    return dict.fromkeys(kind.private_fields(), UNSET)


def envelope(stored: StoredEvent, kinds: Mapping[str, type[Event]]) -> Envelope:
    return Envelope(
        event_id=event_id(stored.key, stored.seq),
        seq=stored.seq,
        event_type=stored.event_type,
        timestamp=iso(stored.at),
        payload=payload(opened(stored, kinds)),
    )


def event_id(key: StreamKey, seq: int) -> str:
    """Return the id of an event, which follows from its place in its stream."""
    cause = "\n".join((key.tenant.enterprise_id, key.tenant.team_id, key.stream, str(seq)))
    return f"evt-{hashlib.sha256(cause.encode()).hexdigest()[:12]}"
