"""How each protocol describes what happens in its streams: in the log, in metrics, on the demo's page, in replays.

A protocol has one `Descriptions`, in a module beside its views. Whatever it does not describe is told in plain words.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from engine.kernel import Event, Millis

Names = Mapping[str, str]
"""What users and agents are called, by id."""

Fields = Mapping[str, Any]
"""An event's payload as JSON values."""

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


def plain_summary(_event: Event, _at: Millis, _names: Names) -> str:
    """Add nothing to an event's type, which is told anyway."""
    return ""


def plain_deadline(alarm: str, _names: Names) -> str:
    """Return the alarm's own name."""
    return alarm


@dataclass(frozen=True, slots=True, eq=False)
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

    # ── the log ───────────────────────────────────────────────────────────────────────────────────────────────────

    log_line: Callable[[Event], LogLine] = plain_line
    unlogged: frozenset[str] = frozenset()
    """Types of events that are not worth a line each."""

    # ── metrics and server-sent events ────────────────────────────────────────────────────────────────────────────

    endings: Mapping[str, Callable[[Fields], Ending]] = field(default_factory=lambda: MappingProxyType({}))
    """By event type: how a stream ended with an event of these public fields. Without any, endings are not counted."""
    resumptions: frozenset[str] = frozenset()
    """Types of events with which a stream goes on that was counted as ended."""
    success: str = "Of those that ended by themselves, the part that succeeded"
    """What the share of successful endings means."""
    public_payload: Callable[[str, Fields], dict[str, Any]] | None = None
    """An event's type and payload, without private fields -> what everybody may read of it over HTTP; None where these
    events are not told to programs, and not counted for them."""

    # ── the demo's page ───────────────────────────────────────────────────────────────────────────────────────────

    summary: Callable[[Event, Millis, Names], str] = plain_summary
    """What an event's type does not say, in few words: of an event without its private fields, that happened then."""
    unlisted: frozenset[str] = frozenset()
    """Types of events that would only hide the others."""
    actors: tuple[str, ...] = ("agent_id", "by")
    """Fields that say who did something, the first one that is filled in counts."""
    deadline: Callable[[str, Names], str] = plain_deadline
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


PLAIN: Final = Descriptions()
"""Of events that no protocol knows."""


def by_event_type(descriptions: Iterable[Descriptions]) -> Mapping[str, Descriptions]:
    """Return whose event each type is.

    Raises:
        ValueError: two protocols have an event of the same type.
    """
    found: dict[str, Descriptions] = {}
    for each in descriptions:
        if shared := sorted(found.keys() & each.events.keys()):
            raise ValueError(f"two protocols have events of the type {', '.join(shared)}")
        found |= dict.fromkeys(each.events, each)
    return found
