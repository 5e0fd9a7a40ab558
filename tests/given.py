"""given/when/then over the pure rules of a protocol: the history is folded, one command is the when."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Self

from engine.errors import Refusal
from engine.kernel import Command, Decision, Event, Millis, Rulebook, decode, encode


class Moment(NamedTuple):
    """A stream as it stood once."""

    protocol: str
    state: Any
    history: tuple[Event, ...]
    now: Millis

    @property
    def stream(self) -> str:
        return str(getattr(self.state, "channel_id", "") or self.state.session_id)


class Given:
    """A stream in the making. Every command gets a fresh id; time passes only when told."""

    rulebook: ClassVar[Rulebook[Any]]
    state: Any
    now: int
    history: list[Event]
    last: Decision
    refused: Refusal | None
    moments: list[Moment]
    """How it stood after each command."""
    _ids: int

    def does(self, command: type[Command], **fields: Any) -> Self:
        self._ids += 1
        return self.obeys(command(command_id=f"c{self._ids}", at=self.now, **fields))

    def obeys(self, order: Command) -> Self:
        self.refused = None
        try:
            self.last = self.rulebook.decide(self.state, order)
        except Refusal as refusal:
            self.last, self.refused = Decision(), refusal
        for event in self.last.events:
            self.state = self.rulebook.evolve(self.state, event)
            assert decode(encode(event), type(event)) == event, "it is not read as it was written"
            self.history.append(event)
        self.moments.append(Moment(self.rulebook.protocol, self.state, tuple(self.history), self.now))
        return self

    def later(self, seconds: float) -> Self:
        self.now += round(seconds * 1000)
        return self
