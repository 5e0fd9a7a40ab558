"""An event on its way to disk and back, and the seeds' envelope around it."""

import hashlib
from collections.abc import Mapping
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_core import from_json

from engine.kernel import Event, Millis, StreamKey, Validated, iso
from engine.store.port import NewEvent, StoredEvent


class Envelope(Validated):
    """Seed 000, section 3.1.2, plus ``seq``: the event's number in its stream."""

    event_id: str
    seq: int
    event_type: str
    timestamp: str
    payload: dict[str, Any]


def sealed(event: Event, at: Millis) -> NewEvent:
    private = event.private_fields()
    if not private:
        return NewEvent(event.event_type, at, event.model_dump_json())
    return NewEvent(
        event.event_type,
        at,
        event.model_dump_json(exclude=set(private)),
        event.model_dump_json(include=set(private)),
    )


def opened(stored: StoredEvent, kinds: Mapping[str, type[Event]]) -> Event:
    """The event as it happened; erased words read as empty."""
    kind = kinds[stored.event_type]
    fields: dict[str, Any] = from_json(stored.public)
    if stored.private is not None:
        fields |= from_json(stored.private)
    else:
        fields |= {name: _nothing(kind.model_fields[name]) for name in kind.private_fields()}
    return kind.model_validate(fields)


def _nothing(field: FieldInfo) -> Any:
    """What is left where words were erased."""
    return "" if field.annotation is str else field.get_default()


def envelope(stored: StoredEvent, kinds: Mapping[str, type[Event]]) -> Envelope:
    return Envelope(
        event_id=event_id(stored.key, stored.seq),
        seq=stored.seq,
        event_type=stored.event_type,
        timestamp=iso(stored.at),
        payload=opened(stored, kinds).model_dump(mode="json"),
    )


def event_id(key: StreamKey, seq: int) -> str:
    """The same event has the same id for ever."""
    cause = "\n".join((key.tenant.enterprise_id, key.tenant.team_id, key.stream, str(seq)))
    return f"evt-{hashlib.sha256(cause.encode()).hexdigest()[:12]}"
