"""Decisions: what happened and what is owed because of it, by the legal steps of a protocol.

A protocol's rulebook is what the runtime sees of it. Projections are rows that are asked for across streams, written in
the commit that causes them.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from engine.errors import REFUSALS, IllegalStep, Refusal
from engine.kernel.forgetting import Event, Forgetter
from engine.kernel.handover import Handover
from engine.kernel.message import Command, Effect, FindRecords, Millis, SendCommand

Status = TypeVar("Status", bound=StrEnum)


class Transitions(Generic[Status]):
    """A protocol's legal steps as data: the rules, the refusals and the diagram of the docs read the same table.

    Where the event itself says what follows, a step leads to one of several statuses.
    """

    def __init__(
        self,
        start: Status,
        steps: Mapping[tuple[Status, type[Event]], Status | tuple[Status, ...]],
        ends: Collection[Status] = (),
    ) -> None:
        """
        Args:
            ends: statuses that are an end though a step leads on from them.
        """
        self.start = start
        self._steps = {step: then if isinstance(then, tuple) else (then,) for step, then in steps.items()}
        self._ends = ends

    def after(self, status: Status, event: type[Event], then: Status | None = None) -> Status:
        """The status that follows.

        Args:
            then: which one the event leads to, where it may lead to several.

        Raises:
            IllegalStep: the event cannot happen in this status, or does not lead there.
        """
        known = self._steps.get((status, event), ())
        if then is None and len(known) == 1:
            return known[0]
        if then is None or then not in known:
            raise IllegalStep(self.refusal(status, event))
        return then

    def refusal(self, status: Status, event: type[Event]) -> str:
        legal = sorted({str(at) for at, what in self._steps if what is event})
        when = " or ".join(map(repr, legal))
        return f"{event.event_type} cannot happen while {str(status)!r}; it happens while {when}."

    def __iter__(self) -> Iterator[tuple[Status, type[Event], Status]]:
        for (before, event), known in self._steps.items():
            for then in known:
                yield before, event, then

    def diagram(self) -> str:
        """The steps that change the status, as a mermaid state diagram."""
        lines = ["stateDiagram-v2", f"    [*] --> {self.start}"]
        labels: dict[tuple[str, str], list[str]] = {}
        for before, event, then in self:
            if before is not then:
                labels.setdefault((str(before), str(then)), []).append(event.event_type.removeprefix("towow."))
        lines += [f"    {before} --> {then}: {', '.join(names)}" for (before, then), names in labels.items()]
        leaving = {str(before) for before, _, then in self if before is not then}
        ends = sorted(({str(then) for _, _, then in self} - leaving) | {str(each) for each in self._ends})
        return "\n".join([*lines, *(f"    {end} --> [*]" for end in ends)])


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


class Record(msgspec.Struct, frozen=True, gc=False):
    """A row beside the streams, to be found by the beginning of its key. ``value`` is JSON; None deletes the row."""

    kind: str
    key: str
    value: str | None


class KeyRange(msgspec.Struct, frozen=True, gc=False):
    """Records whose keys are from ``first`` on, and before ``end``, at most ``limit``, the first ones."""

    kind: str
    first: str
    end: str
    limit: int


class Handled(msgspec.Struct, Generic[State], frozen=True):
    """A command and what became of it, as a projection sees it.

    Outcomes of effects and rings that are handled one after the other in one batch are one: ``command`` is the last of
    them, ``before`` is what was before the first, and ``events`` are those of all. No outcome of an effect is refused
    to a person, so nothing is lost.
    """

    stream: str
    turn: int
    """Its number among the commands of its stream that came from outside, refused ones too, from 1."""
    command: Command
    before: State
    after: State
    events: Sequence[Event] = ()
    refusal: Refusal | None = None


Projection = Callable[[Handled[State]], Sequence[Record]]
"""What is asked across streams, written in the commit that causes it. Pure."""


Reader = TypeVar("Reader", contravariant=True)


def _sends_nothing(state: Any, effect: SendCommand, *, command_id: str, at: Millis) -> Command:
    raise NotImplementedError(f"nothing says what {effect.to} is told by {effect.name}")


class ComposeCommand(Protocol[Reader]):
    """What a stream tells another one. Pure."""

    def __call__(self, state: Reader, effect: SendCommand, *, command_id: str, at: Millis) -> Command: ...


class Search(Protocol[Reader]):
    """What a stream looks for among the records of all, and what it makes of them. Pure."""

    def ranges(self, state: Reader, effect: FindRecords) -> Sequence[KeyRange]:
        """Return where to look; nothing where there is nothing to look for any more."""

    def found(
        self, state: Reader, effect: FindRecords, records: Mapping[str, str], *, command_id: str, at: Millis
    ) -> Command:
        """Compose the command that says what was found.

        Args:
            records: values by key.
        """


@dataclass(frozen=True, slots=True)
class Rulebook(Generic[State]):
    """One protocol, as the runtime sees it."""

    protocol: str
    initial: State
    decide: Callable[[State, Command], Decision]
    evolve: Callable[[State, Event], State]
    events: Mapping[str, type[Event]]
    is_open: Callable[[State], bool]
    stalled_at: Callable[[State, Millis], Millis | None] = lambda _state, _since: None
    """When a stream counts as stalled that nothing has happened to since a time, and gets a `Recover`; None: never."""
    ends_machines_time: Callable[[State, str], bool] = lambda _state, _alarm: False
    """Whether an alarm ends the time of machines alone. It waits for as long as they have waited for their turn."""
    projections: Sequence[Projection[State]] = ()
    compose_command: ComposeCommand[State] = _sends_nothing
    forgetter: Forgetter | None = None
    """None where no stream holds people's words."""
    is_kept: bool = False
    """Whether its streams stay however old they are, since nothing in them comes to an end."""
    search: Search[State] | None = None
    """Of a protocol that owes a `FindRecords`."""
    hand_over: Callable[[State], Handover | None] = lambda _state: None
    """What another protocol may go on from; None while, or where, there is nothing to go on from."""
    refusals: Sequence[type[Refusal]] = ()
    """The protocol's own, which it may say besides the general ones."""

    def project(self, handled: Handled[State]) -> tuple[Record, ...]:
        return tuple(record for projection in self.projections for record in projection(handled))

    def refusal(self, said: str) -> Refusal:
        """The refusal that was written down as ``Name: message``, in the same words."""
        name, _, message = said.partition(": ")
        kinds = REFUSALS | {each.__name__: each for each in self.refusals}
        return kinds.get(name, IllegalStep)(message)

    def fold(self, events: Sequence[Event]) -> State:
        state = self.initial
        for event in events:
            state = self.evolve(state, event)
        return state
