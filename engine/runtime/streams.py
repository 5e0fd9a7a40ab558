"""Streams in memory: what is on disk about each, and what a decision makes of it."""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Final

from engine.errors import REFUSALS, IllegalStep, Refusal
from engine.kernel import Command, Decision, Effect, Handled, Millis, Recover, Rulebook, StreamKey
from engine.runtime.envelope import opened, sealed
from engine.store.port import Alarm, Commit, PendingEffect, StalledStream, Store, Stream

CACHE: Final = 1_024
"""Streams kept in memory; an idle one costs nothing beyond."""


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
        if said is None:
            return None
        name, _, message = said.partition(": ")
        return REFUSALS.get(name, IllegalStep)(message)

    def take(
        self,
        command: Command,
        decision: Decision,
        refusal: Refusal | None = None,
        *,
        outcome_of: str | None = None,
        alarm: Alarm | None = None,
    ) -> Commit:
        """Apply a decision; the commit says the same to the store.

        Args:
            outcome_of: the id of the effect whose outcome the command is.
            alarm: the alarm that the command is a ring of.
        """
        before, expected = self.state, self.version
        self.state = self._after(decision)
        self.version += len(decision.events)
        said = f"{type(refusal).__name__}: {refusal.message}" if refusal else None
        self.commands[command.command_id] = said
        dropped = self._drop(decision, outcome_of)
        added = tuple(self._pending(effect) for effect in decision.effects)
        self.outbox |= {each.effect_id: each for each in added}
        cleared = self._clear(decision, alarm)
        alarms = tuple(Alarm(self.key, each.name, self.version, each.due) for each in decision.alarms)
        self.alarms |= {each.name: each for each in alarms}
        if decision.events or isinstance(command, Recover):
            self.stalled_at = self.rulebook.stalled_at(self.state, command.at)
        handled = Handled(
            stream=self.key.stream,
            turn=len(self.commands),
            command=command,
            before=before,
            after=self.state,
            events=decision.events,
            refusal=refusal,
        )
        return Commit(
            key=self.key,
            protocol=self.rulebook.protocol,
            expected_version=expected,
            command_id=command.command_id,
            refusal=said,
            events=tuple(sealed(event, command.at) for event in decision.events),
            add_effects=added,
            drop_effects=dropped,
            set_alarms=alarms,
            clear_alarms=cleared,
            is_open=self.rulebook.is_open(self.state),
            stalled_at=self.stalled_at,
            records=self.rulebook.project(handled),
        )

    def _after(self, decision: Decision) -> Any:
        if decision.state is not None:
            return decision.state
        state = self.state
        for event in decision.events:
            state = self.rulebook.evolve(state, event)
        return state

    def _drop(self, decision: Decision, outcome_of: str | None) -> tuple[str, ...]:
        voided = [each.effect_id for each in self.outbox.values() if each.scope in decision.void]
        dropped = tuple(dict.fromkeys((*((outcome_of,) if outcome_of in self.outbox else ()), *voided)))
        for effect_id in dropped:
            del self.outbox[effect_id]
        return dropped

    def _pending(self, effect: Effect) -> PendingEffect:
        effect_id = f"{effect.name}@{self.version}"
        return PendingEffect(self.key, effect_id, effect.kind, effect.scope, effect.model_dump_json())

    def _clear(self, decision: Decision, alarm: Alarm | None) -> tuple[str, ...]:
        names = (*decision.clear, *((alarm.name,) if alarm else ()))
        return tuple(name for name in dict.fromkeys(names) if self.alarms.pop(name, None) is not None)


class Streams:
    """A bounded cache in front of the store."""

    def __init__(self, store: Store, rulebooks: dict[str, Rulebook[Any]]) -> None:
        self._store = store
        self._rulebooks = rulebooks
        self._cache: OrderedDict[StreamKey, Loaded] = OrderedDict()

    async def load(self, key: StreamKey) -> Loaded | None:
        """
        Raises:
            StoreError
        """
        loaded = self._cache.get(key)
        if loaded is not None:
            self._cache.move_to_end(key)
            return loaded
        stored = await self._store.load(key)
        if stored is None:
            return None
        # Somebody may have loaded, or even changed, it while we read.
        if (newer := self._cache.get(key)) is not None:
            return newer
        loaded = Loaded.from_store(stored, self._rulebooks[stored.protocol])
        self.keep(loaded)
        return loaded

    def keep(self, loaded: Loaded) -> None:
        """As committed."""
        self._cache[loaded.key] = loaded
        self._cache.move_to_end(loaded.key)
        while len(self._cache) > CACHE:
            self._cache.popitem(last=False)

    def forget(self, key: StreamKey) -> None:
        """What we know of it may be wrong."""
        self._cache.pop(key, None)
