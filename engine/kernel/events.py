"""Events: what has happened to a stream."""

from functools import cache
from typing import Any, ClassVar

from engine.kernel.message import PRIVATE, Message


class Event(Message):
    """A fact. ``event_type`` is its name on the wire; the fields are its payload."""

    event_type: ClassVar[str]

    @classmethod
    def private_fields(cls) -> frozenset[str]:
        return _private_fields(cls)


@cache
def _private_fields(event: type[Event]) -> frozenset[str]:
    return frozenset(name for name, field in event.model_fields.items() if PRIVATE in field.metadata)


def payload(event: Event) -> dict[str, Any]:
    """The event's fields as plain JSON values, private ones included."""
    return event.model_dump(mode="json")
