"""The law: a command asks, an event happened, an effect is owed.

Pure. Three protocols stand on these words; none of them is known here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, StrEnum
from functools import cache
from typing import Any, ClassVar, Final, Generic, NamedTuple, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from engine.errors import IllegalStep, Refusal

Millis = int
"""UTC, milliseconds since 1970-01-01."""


def iso(at: Millis) -> str:
    """ISO 8601, UTC, with Z."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Message(BaseModel):
    """Anything that is written down: frozen, and strangers among its fields are an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class _Private(Enum):
    MARK = "private"


PRIVATE: Final = _Private.MARK
"""``Annotated[str, PRIVATE]``: a person's own words, kept beside the event, where they can be erased."""


class Tenant(NamedTuple):
    """Whose data it is. Nothing is ever read or written without one."""

    team_id: str
    enterprise_id: str = ""


class StreamKey(NamedTuple):
    """One negotiation, deliberation or delivery of one tenant."""

    tenant: Tenant
    stream: str


class Command(Message):
    """An intention; it may be refused.

    ``command_id`` comes from its cause (a click, an effect, an alarm), so that the same cause twice is one command.
    """

    command_id: str
    at: Millis


class Ring(Command):
    """An alarm's time has come."""

    name: str


class Failed(Command):
    """An effect was tried as often as it may be."""

    name: str
    why: str


class Recover(Command):
    """Nothing has happened to a stream for longer than its rulebook is patient: look at it, and move it."""

    paying: tuple[str, ...] = ()
    """Names of its effects that are being paid at this moment; others that it owes are lost, or parked."""


class Event(Message):
    """A fact. ``event_type`` is its name on the wire; the fields are its payload."""

    event_type: ClassVar[str]

    @classmethod
    def private_fields(cls) -> frozenset[str]:
        return _private_fields(cls)


@cache
def _private_fields(event: type[Event]) -> frozenset[str]:
    return frozenset(name for name, field in event.model_fields.items() if PRIVATE in field.metadata)


class OnRestart(StrEnum):
    """What becomes of an effect that was under way when the process died."""

    REPEAT = "repeat"
    LOOK_UP = "look_up"
    NEVER = "never"


class Effect(Message):
    """A debt to the world, paid outside; its outcome comes back as a command.

    ``name`` tells the effects of one stream apart; ``scope`` names what they belong to: they are voided together.
    """

    kind: ClassVar[str]
    on_restart: ClassVar[OnRestart] = OnRestart.REPEAT

    name: str
    scope: str


class Ask(Effect):
    """Ask a model. What it is told is composed when it is asked, from the state and ``about``."""

    kind: ClassVar[str] = "ask"

    prompt: str
    about: str = ""


class Tell(Effect):
    """Hand a command to another stream of the same tenant; the first one begins it.

    The command is composed when it is handed over, from the state (`Rulebook.letter`). Its id comes from the effect, so
    that a letter which is delivered twice is read once.
    """

    kind: ClassVar[str] = "tell"

    to: str
    """The other stream."""
    protocol: str
    """The other stream's."""


class Told(Command):
    """The other stream has the command; ``refused`` says, where it did, that it would not take it."""

    name: str
    refused: str = ""


@dataclass(frozen=True, slots=True)
class SetAlarm:
    """Ring at ``due``. Setting a name again moves it and makes older rings stale."""

    name: str
    due: Millis


@dataclass(frozen=True, slots=True)
class Decision:
    """What follows from a command: all of it is committed, or none."""

    events: Sequence[Event] = ()
    effects: Sequence[Effect] = ()
    alarms: Sequence[SetAlarm] = ()
    clear: Sequence[str] = ()
    """Names of alarms that are not needed any more."""
    void: Sequence[str] = ()
    """Scopes whose unpaid effects have become pointless."""
    state: Any = None
    """What the events lead to, where the rules have applied them already; they need not be applied again."""


State = TypeVar("State")
Reader = TypeVar("Reader", contravariant=True)


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

    def decision(self) -> Decision:
        alarms = tuple(self._alarms.values())
        return Decision(self._events, self._effects, alarms, self._clear, self._void, self.state)


@dataclass(frozen=True, slots=True)
class Record:
    """A row beside the streams, to be found by the beginning of its key. ``value`` is JSON; None deletes the row."""

    kind: str
    key: str
    value: str | None


class Handled(NamedTuple, Generic[State]):
    """A command and what became of it, as a projection sees it."""

    stream: str
    turn: int
    """Its number among all the commands of its stream, refused ones too, from 1."""
    command: Command
    before: State
    after: State
    events: Sequence[Event] = ()
    refusal: Refusal | None = None


Projection = Callable[[Handled[State]], Sequence[Record]]
"""What is asked across streams, written in the commit that causes it. Pure."""


def _nobody_is_told(state: Any, tell: Tell, *, command_id: str, at: Millis) -> Command:
    raise NotImplementedError(f"nothing says what {tell.to} is told by {tell.name}")


class Letter(Protocol[Reader]):
    """What a stream tells another one. Pure."""

    def __call__(self, state: Reader, tell: Tell, *, command_id: str, at: Millis) -> Command: ...


@dataclass(frozen=True, slots=True)
class Rulebook(Generic[State]):
    """One protocol, as the runtime sees it."""

    protocol: str
    initial: State
    decide: Callable[[State, Command], Decision]
    evolve: Callable[[State, Event], State]
    events: Mapping[str, type[Event]]
    is_open: Callable[[State], bool]
    stuck_at: Callable[[State, Millis], Millis | None] = lambda _state, _since: None
    """When a stream counts as stuck that nothing has happened to since a time, and gets a `Recover`; None: never."""
    projections: Sequence[Projection[State]] = ()
    letter: Letter[State] = _nobody_is_told

    def project(self, handled: Handled[State]) -> tuple[Record, ...]:
        return tuple(record for projection in self.projections for record in projection(handled))

    def fold(self, events: Sequence[Event]) -> State:
        state = self.initial
        for event in events:
            state = self.evolve(state, event)
        return state


Status = TypeVar("Status", bound=StrEnum)


class Transitions(Generic[Status]):
    """A protocol's legal steps as data: the rules, the refusals and the README's diagram read the same table."""

    def __init__(self, start: Status, steps: Mapping[tuple[Status, type[Event]], Status]) -> None:
        self.start = start
        self._steps = dict(steps)

    def after(self, status: Status, event: type[Event]) -> Status:
        """The status that follows.

        Raises:
            IllegalStep: the event cannot happen in this status.
        """
        try:
            return self._steps[status, event]
        except KeyError:
            raise IllegalStep(self.refusal(status, event)) from None

    def refusal(self, status: Status, event: type[Event]) -> str:
        legal = sorted({str(at) for at, what in self._steps if what is event})
        when = " or ".join(map(repr, legal))
        return f"{event.event_type} cannot happen while {str(status)!r}; it happens while {when}."

    def __iter__(self) -> Iterator[tuple[Status, type[Event], Status]]:
        for (before, event), then in self._steps.items():
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
        ends = sorted({str(then) for _, _, then in self} - leaving)
        return "\n".join([*lines, *(f"    {end} --> [*]" for end in ends)])


def payload(event: Event) -> dict[str, Any]:
    """The event's fields as plain JSON values, private ones included."""
    return event.model_dump(mode="json")
