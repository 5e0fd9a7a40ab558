"""What the commands of one batch make of a stream, as one commit."""

from collections.abc import Sequence
from typing import Any

from engine.errors import Refusal
from engine.kernel import Command, Decision, Effect, Event, Handled, Millis, Record, Recover, encode
from engine.runtime.effect_body import body_of
from engine.runtime.envelope import sealed
from engine.runtime.streams import Loaded
from engine.store.port import TRACES, Alarm, Commit, NewEvent, PendingEffect


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
