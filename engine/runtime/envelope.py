"""An event on its way to disk and back, and the seeds' envelope around it."""

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import NODEFAULT
from msgspec.structs import fields

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
    told: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for name, default, is_private in _layout(type(event)):
        if (value := getattr(event, name)) is not default:
            told[is_private][name] = value
    return NewEvent(event.event_type, at, encode(told[False]), encode(told[True]))


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
        found |= {name: "" for name, default, is_private in _layout(kind) if is_private and default is NODEFAULT}
    return convert(found, kind)


@cache
def _layout(kind: type[Event]) -> tuple[tuple[str, Any, bool], ...]:
    """Return the name of each field, its default, and whether it is private."""
    private = kind.private_fields()
    return tuple((each.name, each.default, each.name in private) for each in fields(kind))


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
