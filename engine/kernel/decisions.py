"""Decisions: everything that follows from one command."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from engine.kernel.effects import Effect
from engine.kernel.events import Event
from engine.kernel.ids import Millis


class SetAlarm(msgspec.Struct, frozen=True, gc=False):
    """Ring at ``due``. Setting a name again moves it and makes older rings stale."""

    name: str
    due: Millis


class Decision(msgspec.Struct, frozen=True, gc=False):
    """What follows from a command: all of it is committed, or none."""

    events: Sequence[Event] = ()
    effects: Sequence[Effect] = ()
    alarms: Sequence[SetAlarm] = ()
    clear: Sequence[str] = ()
    """Names of alarms that are not needed any more."""
    void: Sequence[str] = ()
    """Scopes whose unpaid effects have become pointless."""
    drop: Sequence[str] = ()
    """Names of unpaid effects that have."""
    state: Any = None
    """What the events lead to, where the rules have applied them already; they need not be applied again."""


class Outstanding(msgspec.Struct, frozen=True, gc=False):
    """What a state wants of the world and waits for. What was done already may stand in it as long as the state does
    not tell: only the difference to the state before is committed.
    """

    effects: dict[Effect, object]
    """With what each is run on besides its own fields. Where this changes, the effect is run anew under its name."""
    alarms: dict[str, Millis]
    """When each rings, by name."""


State = TypeVar("State")


class Draft(Generic[State]):
    """A decision in the making: each event is applied at once, so that the next rule sees what has just happened."""

    def __init__(self, state: State, evolve: Callable[[State, Event], State]) -> None:
        self.state = state
        self._evolve = evolve
        self._events: list[Event] = []
        self._effects: list[Effect] = []
        self._alarms: dict[str, SetAlarm] = {}
        self._clear: list[str] = []
        self._void: list[str] = []
        self._drop: list[str] = []

    def happens(self, event: Event) -> None:
        self.state = self._evolve(self.state, event)
        self._events.append(event)

    def owes(self, effect: Effect) -> None:
        self._effects.append(effect)

    def sets(self, name: str, due: Millis) -> None:
        self._alarms[name] = SetAlarm(name, due)

    def clears(self, name: str) -> None:
        self._alarms.pop(name, None)
        self._clear.append(name)

    def voids(self, scope: str) -> None:
        self._effects = [each for each in self._effects if each.scope != scope]
        self._void.append(scope)

    def settle(self, before: Outstanding, now: Outstanding) -> None:
        """Owe what is wanted now and was not before, and drop what was and is not. Set and clear alarms likewise."""
        old, new = before.effects, now.effects
        for each in new:
            if each not in old or old[each] != new[each]:
                self._effects.append(each)
        for each in old:
            if each not in new or new[each] != old[each]:
                self._drop.append(each.name)
        rung, due = before.alarms, now.alarms
        if rung == due:
            return
        for name in rung:
            if name not in due:
                self.clears(name)
        for name in due:
            if name not in rung or rung[name] != due[name]:
                self.sets(name, due[name])

    def decision(self) -> Decision:
        alarms = tuple(self._alarms.values())
        return Decision(self._events, self._effects, alarms, self._clear, self._void, self._drop, self.state)
