"""Events: what has happened to a stream."""

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

from msgspec.structs import fields

from engine.kernel.encoding import plain
from engine.kernel.message import SPARSE, Message


class Event(Message):
    """A fact. ``event_type`` is its name on the wire; the fields are its payload."""

    event_type: ClassVar[str]


def events_in(names: Mapping[str, object]) -> dict[str, type[Event]]:
    """Return the events that a module says by name, by their names on the wire.

    Args:
        names: the module's, as ``vars()`` tells them at its end.
    """
    kinds = [each for each in names.values() if isinstance(each, type) and issubclass(each, Event)]
    return {each.event_type: each for each in kinds if "event_type" in vars(each)}


def payload(event: Event) -> dict[str, Any]:
    """Return the event's fields as JSON values, including private ones and those that have their default."""
    values: dict[str, Any] = plain(event)
    for name in _marked(type(event), SPARSE):
        if getattr(event, name) == _defaults(type(event))[name]:
            del values[name]
    return values


@cache
def _marked(event: type[Event], mark: object) -> frozenset[str]:
    return frozenset(each.name for each in fields(event) if mark in getattr(each.type, "__metadata__", ()))


@cache
def _defaults(event: type[Event]) -> dict[str, Any]:
    return {each.name: each.default for each in fields(event)}
