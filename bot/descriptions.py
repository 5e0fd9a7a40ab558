"""How each protocol describes what happens in its streams: in the log, in metrics, on the demo's page, in replays.

A protocol has one `Descriptions`, in a module beside its views, with a `Telling` for each type of event of which its
type does not say all. What has no descriptions is told in plain words.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from bot.texts import Texts
from engine.kernel import Event, Millis

Names = Mapping[str, str]
"""What users and agents are called, by id."""

Fields = Mapping[str, Any]
"""An event's payload as JSON values."""

EventT = TypeVar("EventT", bound=Event)

NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log. It never quotes anybody."""

    text: str
    fields: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    level: int = logging.INFO


@dataclass(frozen=True, slots=True)
class Ending:
    """How a stream ended, for metrics."""

    outcome: str
    is_success: bool | None = None
    """None where a person ended it, which is neither a success nor a failure."""


def plain_line(event: Event) -> LogLine:
    """Return the log line of an event that nobody has described: only its type is told."""
    return LogLine("an event was recorded", {"event_type": event.event_type})


@dataclass(frozen=True, slots=True)
class Aside:
    """What is known where an event is told in few words."""

    at: Millis
    names: Names

    def name(self, anybody: str) -> str:
        return self.names.get(anybody, anybody)


@dataclass(frozen=True, slots=True)
class Telling(Generic[EventT]):
    """How the events of one type are told, wherever they are."""

    event: type[EventT]
    summary: Callable[[EventT, Aside], str] | None = None
    """What its type does not say, in few words, of an event without its private fields: for the demo's page."""
    line: Callable[[EventT, Any], str] | None = None
    """What the timeline on the page of its story says; it is called with a `bot.views.kit.story.model.Narration`."""
    log: Callable[[EventT], LogLine] | None = None
    """None where it is not worth a line of the log."""
    ending: Callable[[Fields], Ending] | None = None
    """How a stream ended with an event of these public fields."""
    resumes: bool = False
    """Whether a stream goes on with it that was counted as ended."""
    is_listed: bool = True
    """Whether the demo's page lists it; not where it would only hide the others."""


def plain_deadline(alarm: str, _names: Names, _texts: Texts) -> str:
    return alarm


@dataclass(frozen=True, eq=False)
class Descriptions:
    """How one protocol's streams and events are told. Everything in it is pure."""

    protocol: str = ""
    events: Mapping[str, type[Event]] = field(default_factory=lambda: MappingProxyType({}))
    """By event type."""
    plural: str = "streams"
    """What its streams are called, in the names of metrics and to programs."""

    # ── names ─────────────────────────────────────────────────────────────────────────────────────────────────────

    other_ids: Callable[[str], Mapping[str, str]] = lambda _stream: NOTHING
    """What else a stream is called in the log: field -> id. Empty for a stream of another protocol."""
    stream_named: Callable[[str], str] = lambda name: name
    """The stream that people mean by a name, where the name is of this protocol; else the name itself."""

    # ── events ────────────────────────────────────────────────────────────────────────────────────────────────────

    tellings: Sequence[Telling[Any]] = ()
    """An event without one is told by its type alone; where there are none at all, it has a plain line in the log.
    Without any ending among them, endings are not counted."""
    success: str = "Of those that ended by themselves, the part that succeeded"
    """What the share of successful endings means."""
    public_payload: Callable[[str, Fields], dict[str, Any]] | None = None
    """An event's type and payload, without private fields -> what everybody may read of it over HTTP; None where these
    events are not told to programs, and not counted for them."""

    # ── the demo's page ───────────────────────────────────────────────────────────────────────────────────────────

    actors: tuple[str, ...] = ("agent_id", "by")
    """Fields that say who did something, the first one that is filled in counts."""
    deadline: Callable[[str, Names, Texts], str] = plain_deadline
    """What happens when an alarm of this name rings."""
    unawaited_alarms: frozenset[str] = frozenset()
    """Alarms after which nothing goes on, so that nobody waits for them."""
    distant_alarms: frozenset[str] = frozenset()
    """Names of alarms that nobody waits for while models are answering."""

    # ── replays ───────────────────────────────────────────────────────────────────────────────────────────────────

    status: Callable[[Any], str] = lambda _state: ""
    """How a state stands, in a few words."""
    in_every_event: frozenset[str] = frozenset()
    """Fields that are the same in all events of a stream."""

    # ── forgetting ────────────────────────────────────────────────────────────────────────────────────────────────

    leaving: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """What happens to a stream that somebody who is forgotten leaves, by the kind of the command."""

    @cached_property
    def by_type(self) -> Mapping[str, Telling[Any]]:
        """The tellings, by event type."""
        silent = {name: Telling(each) for name, each in self.events.items()} if self.tellings else {}
        return silent | {each.event.event_type: each for each in self.tellings}

    def log_line(self, event: Event) -> LogLine | None:
        """Return the line of the log; None where it is not worth one."""
        told = self.by_type.get(event.event_type)
        if told is None:
            return plain_line(event)
        return told.log(event) if told.log else None

    def summary(self, event: Event, at: Millis, names: Names) -> str:
        """Say what its type does not say of an event without its private fields, that happened then."""
        told = self.by_type.get(event.event_type)
        return told.summary(event, Aside(at, names)) if told and told.summary else ""

    def is_listed(self, event_type: str) -> bool:
        told = self.by_type.get(event_type)
        return told is None or told.is_listed

    @property
    def endings(self) -> Mapping[str, Callable[[Fields], Ending]]:
        """Return how streams end, by event type."""
        return {name: each.ending for name, each in self.by_type.items() if each.ending}


PLAIN: Final = Descriptions()
"""Of events that no protocol knows."""


def by_event_type(descriptions: Iterable[Descriptions]) -> Mapping[str, Descriptions]:
    """Return whose event each type is."""
    found: dict[str, Descriptions] = {}
    for each in descriptions:
        if shared := sorted(found.keys() & each.events.keys()):
            raise ValueError(f"two protocols have events of the type {', '.join(shared)}")
        found |= dict.fromkeys(each.events, each)
    return found
