"""Rulebooks: one protocol each, as the runtime sees it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from engine.errors import REFUSALS, IllegalStep, Refusal
from engine.kernel.commands import Command
from engine.kernel.decisions import Decision
from engine.kernel.effects import FindRecords, SendCommand
from engine.kernel.events import Event
from engine.kernel.forgetting import Forgetter
from engine.kernel.handover import Handover
from engine.kernel.ids import Millis
from engine.kernel.projections import Handled, KeyRange, Projection, Record

State = TypeVar("State")
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
