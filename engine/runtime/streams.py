"""Streams in memory: what is on disk about each, and what the commands of one batch make of it, as one commit."""

import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec import NODEFAULT
from msgspec.structs import fields, replace

from engine.errors import Refusal
from engine.kernel import (
    Command,
    Decision,
    Effect,
    Event,
    Handled,
    Millis,
    Record,
    Recover,
    Rulebook,
    StreamKey,
    Validated,
    convert,
    decode,
    encode,
    iso,
    payload,
)
from engine.kernel.encoding import joined, parted, private_fields
from engine.runtime.ports import IsAbsent
from engine.store.port import TRACES, Alarm, Commit, NewEvent, PendingEffect, StalledStream, Store, StoredEvent, Stream

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


Kind = TypeVar("Kind", bound=Effect)


TRACEPARENT: Final = "traceparent"
"""Beside the fields of an effect, where traces are collected: what led to it."""


def body_of(effect: Effect, traceparent: str = "") -> str:
    """What the row does not say: everything but its name and scope.

    Args:
        traceparent: what led to it; empty where no traces are collected.
    """
    body = encode(replace(effect, name=msgspec.UNSET, scope=msgspec.UNSET))
    if not traceparent:
        return body
    return encode({**msgspec.json.decode(body), TRACEPARENT: traceparent})


def traceparent_of(pending: PendingEffect) -> str:
    """What led to an effect; empty where that was not written down."""
    return str(msgspec.json.decode(pending.body).get(TRACEPARENT, ""))


def effect_in(pending: PendingEffect, kind: type[Kind]) -> Kind:
    """An effect that an earlier ToWow left behind has its name and scope in its body, too."""
    name, _, _ = pending.effect_id.rpartition("@")
    said = msgspec.json.decode(pending.body)
    said.pop(TRACEPARENT, None)
    return convert({"name": name, "scope": pending.scope, **said}, kind)


CACHE: Final = 1_024
"""Streams kept in memory that are open or still owe something; an idle one costs nothing beyond."""

ENDED: Final = 256
"""Ended streams kept in memory: their last posts are made of them, when their turn comes among hundreds."""


class Committed(NamedTuple):
    """What is committed of one stream."""

    protocol: str
    state: Any
    version: int


@dataclass(slots=True)
class Loaded:
    """A stream as it is on disk, or, while a batch is being decided, as it will be."""

    key: StreamKey
    rulebook: Rulebook[Any]
    state: Any
    version: int = 0
    commands: dict[str, str | None] = field(default_factory=dict)
    outbox: dict[str, PendingEffect] = field(default_factory=dict)
    alarms: dict[str, Alarm] = field(default_factory=dict)
    stalled_at: Millis | None = None
    revision: int = 0

    @classmethod
    def from_store(cls, stored: Stream, rulebook: Rulebook[Any]) -> "Loaded":
        return cls(
            stored.key,
            rulebook,
            rulebook.fold([opened(each, rulebook.events) for each in stored.events]),
            stored.version,
            dict(stored.commands),
            {each.effect_id: each for each in stored.outbox},
            {each.name: each for each in stored.alarms},
            stored.stalled_at,
            stored.revision,
        )

    def copy(self) -> "Loaded":
        return Loaded(
            self.key,
            self.rulebook,
            self.state,
            self.version,
            dict(self.commands),
            dict(self.outbox),
            dict(self.alarms),
            self.stalled_at,
            self.revision,
        )

    def is_current(self, alarm: Alarm) -> bool:
        """Whether a ring of this alarm still means something."""
        known = self.alarms.get(alarm.name)
        return known is not None and known.generation == alarm.generation

    def is_stalled(self, found: StalledStream) -> bool:
        """Whether nothing has happened since this was found."""
        return (self.version, self.stalled_at) == (found.version, found.since)

    def refused_before(self, command_id: str) -> Refusal | None:
        """The refusal of a command that was handled before, so that it can be refused in the same words."""
        said = self.commands[command_id]
        return None if said is None else self.rulebook.refusal(said)


class Streams:
    """A bounded cache in front of the store. Where other processes write the store too, what was kept here is returned
    only if none of them has committed anything since."""

    def __init__(self, store: Store, rulebooks: dict[str, Rulebook[Any]]) -> None:
        self._store = store
        self._rulebooks = rulebooks
        self._is_shared = store.sharing is not None
        self._open: OrderedDict[StreamKey, Loaded] = OrderedDict()
        self._ended: OrderedDict[StreamKey, Loaded] = OrderedDict()

    def cached(self, key: StreamKey) -> Loaded | None:
        """What is known here of the stream; another process may have moved it since."""
        if (loaded := self._open.get(key)) is not None:
            self._open.move_to_end(key)
            return loaded
        return self._ended.get(key)

    async def load(self, key: StreamKey) -> Loaded | None:
        """What is committed of the stream, by whomever."""
        if self._is_shared:
            await self._forget_if_old(key)
        if (loaded := self.cached(key)) is not None:
            return loaded
        stored = await self._store.load(key)
        if stored is None:
            self.forget(key)
            return None
        # Somebody may have loaded, or even changed, it while we read.
        if (newer := self.cached(key)) is not None and newer.revision >= stored.revision:
            return newer
        loaded = Loaded.from_store(stored, self._rulebooks[stored.protocol])
        self.keep(loaded)
        return loaded

    async def _forget_if_old(self, key: StreamKey) -> None:
        if self.cached(key) is None:
            return
        revision = await self._store.revision(key)
        known = self.cached(key)
        # One that we have committed meanwhile is newer than the answer; 0 is that of a stream that was deleted.
        if known is not None and not 0 < revision <= known.revision:
            self.forget(key)

    def keep(self, loaded: Loaded) -> None:
        is_at_work = bool(loaded.outbox) or loaded.rulebook.is_open(loaded.state)
        among, others, most = (self._open, self._ended, CACHE) if is_at_work else (self._ended, self._open, ENDED)
        others.pop(loaded.key, None)
        among[loaded.key] = loaded
        among.move_to_end(loaded.key)
        while len(among) > most:
            among.popitem(last=False)

    def forget_all(self, is_absent: IsAbsent) -> None:
        """Forget the streams of tenants that are absent: they may be deleted meanwhile."""
        for key in [each for among in (self._open, self._ended) for each in among if is_absent(each.tenant)]:
            self.forget(key)

    def forget(self, key: StreamKey) -> None:
        self._open.pop(key, None)
        self._ended.pop(key, None)


class Batch:
    """Decisions about one stream, each made on what the one before has led to.

    ``before`` is what is on disk; ``after`` is what will be once `commit` is kept. An effect that is added and dropped
    within a batch never reaches the disk.
    """

    def __init__(self, before: Loaded) -> None:
        self.before = before
        self.after = before.copy()
        self.effects: dict[str, Effect] = {}
        """What was added to the outbox, by its id there."""
        self.traceparent = ""
        """What leads to whatever is taken now; empty where no traces are collected."""
        self._events: list[NewEvent] = []
        self._commands: list[tuple[str, str | None]] = []
        self._records: list[Record] = []
        self._postponed: list[tuple[Command, Any, Sequence[Event], Refusal | None]] = []
        """Outcomes and rings that are projected together: each with the state before it, and what it has led to."""
        self._moved_by = ""
        """What led to what happened last; empty where no traces are collected."""
        self._moved_at: Millis | None = None
        """When something happened last, or was looked for."""
        self._is_empty = True

    def take(
        self,
        command: Command,
        decision: Decision,
        refusal: Refusal | None = None,
        *,
        outcome_of: str | None = None,
        alarm: Alarm | None = None,
    ) -> None:
        """Apply a decision.

        Args:
            outcome_of: the id of the effect whose outcome the command is.
            alarm: the alarm that the command is a ring of.
        """
        self._is_empty = False
        is_from_outside = outcome_of is None and alarm is None
        if is_from_outside:
            self._project_postponed()  # what has come before it, as it was before it
        loaded = self.after
        before, loaded.state = loaded.state, self._state_after(decision)
        loaded.version += len(decision.events)
        self._events += [sealed(event, command.at) for event in decision.events]
        if outcome_of is not None:
            loaded.outbox.pop(outcome_of, None)
        if decision.void:
            self._void(decision)
        if decision.drop and [*decision.drop] != [(outcome_of or "").rpartition("@")[0]]:  # that one is gone already
            self._drop(decision.drop)
        for effect in decision.effects:
            self._add(effect)
        if alarm is not None:
            loaded.alarms.pop(alarm.name, None)
        for name in decision.clear:
            loaded.alarms.pop(name, None)
        for each in decision.alarms:
            self._set_alarm(each.name, each.due)
        if decision.events or isinstance(command, Recover):
            self._moved_at, self._moved_by = command.at, self.traceparent
        if is_from_outside:
            said = f"{type(refusal).__name__}: {refusal.message}" if refusal else None
            loaded.commands[command.command_id] = said
            self._commands.append((command.command_id, said))
            self._project(command, before, decision.events, refusal)
        else:
            self._postponed.append((command, before, decision.events, refusal))

    def commit(self, epoch: int | None) -> Commit | None:
        """All of it; None where nothing was decided.

        Args:
            epoch: of the lease; None where others decide too, so that it counts only if none of them has meanwhile.
        """
        if self._is_empty:
            return None
        self._project_postponed()
        if self._moved_by:
            self._records.append(Record(TRACES, self.after.key.stream, encode(self._moved_by)))
        before, after = self.before, self.after
        if self._moved_at is not None:
            after.stalled_at = after.rulebook.stalled_at(after.state, self._moved_at)
        if epoch is None:
            after.revision = before.revision + 1
        return Commit(
            key=after.key,
            protocol=after.rulebook.protocol,
            expected_version=before.version,
            commands=tuple(self._commands),
            events=tuple(self._events),
            add_effects=tuple(each for name, each in after.outbox.items() if before.outbox.get(name) is not each),
            drop_effects=tuple(name for name in before.outbox if name not in after.outbox),
            set_alarms=tuple(each for name, each in after.alarms.items() if before.alarms.get(name) is not each),
            clear_alarms=tuple(name for name in before.alarms if name not in after.alarms),
            is_open=after.rulebook.is_open(after.state),
            stalled_at=after.stalled_at,
            records=tuple(self._records),
            epoch=epoch,
            expected_revision=before.revision if epoch is None else None,
        )

    def _state_after(self, decision: Decision) -> Any:
        if decision.state is not None:
            return decision.state
        state = self.after.state
        for event in decision.events:
            state = self.after.rulebook.evolve(state, event)
        return state

    def _void(self, decision: Decision) -> None:
        outbox = self.after.outbox
        for effect_id in [each.effect_id for each in outbox.values() if each.scope in decision.void]:
            del outbox[effect_id]

    def _drop(self, names: Sequence[str]) -> None:
        outbox, begins = self.after.outbox, tuple([f"{name}@" for name in names])
        for effect_id in [each for each in outbox if each.startswith(begins)]:
            del outbox[effect_id]

    def _add(self, effect: Effect) -> None:
        effect_id = f"{effect.name}@{self.after.version}"
        self.after.outbox[effect_id] = PendingEffect(
            self.after.key, effect_id, effect.kind, effect.scope, body_of(effect, self.traceparent)
        )
        self.effects[effect_id] = effect

    def _set_alarm(self, name: str, due: Millis) -> None:
        known = self.after.alarms.get(name)
        if known is None or known.due != due:
            self.after.alarms[name] = Alarm(self.after.key, name, self.after.version, due)

    def _project_postponed(self) -> None:
        if self._postponed:
            _, before, _, _ = self._postponed[0]
            command, _, _, refusal = self._postponed[-1]
            events = [event for _, _, led_to, _ in self._postponed for event in led_to]
            self._postponed = []
            self._project(command, before, events, refusal)

    def _project(self, command: Command, before: Any, events: Sequence[Event], refusal: Refusal | None) -> None:
        loaded = self.after
        handled = Handled(loaded.key.stream, len(loaded.commands), command, before, loaded.state, events, refusal)
        self._records += loaded.rulebook.project(handled)
