"""How the words of a person, or of a whole stream, are forgotten: what each protocol says about its own streams."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import fields

from engine.kernel.encoding import plain
from engine.kernel.message import SPARSE, Command, Message, Millis


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


OPERATOR = "operator"
"""Who acts where words are erased: it is no user's id."""


class Whose(Struct, frozen=True):
    """A person, and the twins that speak for them."""

    user_id: str = ""
    agent_ids: frozenset[str] = frozenset()


class Part(StrEnum):
    """What a stream has to do with whoever is forgotten."""

    WHOLE = "whole"
    """All of it is forgotten: they began it, or it was named."""
    OWN = "own"
    """They take or took part."""
    QUOTED = "quoted"
    """They did not, and what was written in a stream that belongs to it may quote them."""


class Link(NamedTuple):
    """A stream that words of this one have come to, or have come from."""

    stream: str
    is_later: bool
    """Whether that one was begun with words of this one; if not, this one was begun with words of that, which need not
    know of it: what is forgotten there is forgotten here."""
    is_part: bool
    """Whether one of both is a part of the other, and models are told of each what was said in the other."""


class Compose(Protocol):
    def __call__(self, state: Any, part: Part, whose: Whose, *, command_id: str, at: Millis) -> Sequence[Command]: ...


def _no_files(_history: Sequence[Event], _quoting: frozenset[int]) -> frozenset[str]:
    return frozenset()


def _not_needed(_state: Any) -> Millis:
    return 0


class Forgetter(Struct, frozen=True):
    """What a protocol says about forgetting. Pure."""

    twins_of: Callable[[Any, str], frozenset[str]]
    """The agent ids that a user is linked to in a state."""
    part_of: Callable[[Any, Whose], Part | None]
    """What a stream has to do with somebody, by itself; None for nothing."""
    links: Callable[[Any], Sequence[Link]]
    quotes: Callable[[Any, Whose], bool]
    """Whether anything may quote somebody in a stream, where one that it is a part of or that is a part of it does."""
    leave: Compose
    """How they leave it first, where it goes on: commands, in turn."""
    quoting: Callable[[Sequence[Event], Part, Whose], frozenset[int]]
    """Which events of a history hold or may quote their words, counted from 0."""
    erase: Compose
    """The commands that record the erasure. Each has a field ``former_chain``."""
    files: Callable[[Sequence[Event], frozenset[int]], frozenset[str]] = _no_files
    """What workers have left files about, such as tickets, that these events of a history speak of."""
    needed_until: Callable[[Any], Millis] = _not_needed
    """Until when a stream that has ended is needed, such as the day of its plan; 0 where it is not."""
