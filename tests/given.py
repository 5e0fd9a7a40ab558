"""given/when/then over the pure rules of a protocol: the history is folded, one command is the when."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from engine.errors import Refusal
from engine.kernel import AlarmRang, Command, Decision, EffectFailed, Event, Millis, Rulebook, decode, encode

NOON = 1_800_000_000_000
"""Milliseconds; when every scenario begins."""
E = TypeVar("E", bound=Event)


class Moment(NamedTuple):
    """A stream as it stood once."""

    protocol: str
    state: Any
    history: tuple[Event, ...]
    now: Millis

    @property
    def stream(self) -> str:
        return str(getattr(self.state, "channel_id", "") or self.state.session_id)


@dataclass(kw_only=True)
class Given:
    """A stream in the making. Every command gets a fresh id; time passes only when told."""

    rulebook: ClassVar[Rulebook[Any]]
    state: Any = None
    now: int = NOON
    history: list[Event] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    """How it stood after each command."""
    last: Decision = field(default_factory=Decision)
    refused: Refusal | None = None
    _ids: int = 0

    # ── when ──────────────────────────────────────────────────────────────────────────────────────────────────────

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

    def rings(self, name: str) -> Self:
        return self.does(AlarmRang, name=name)

    def fails(self, name: str, why: str = "ModelUnavailable") -> Self:
        return self.does(EffectFailed, name=name, why=why)

    # ── then ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def then(self, *types: type[Event]) -> Self:
        """Exactly these events followed, in this order."""
        assert [type(each) for each in self.last.events] == list(types), self.last.events
        return self

    def is_refused(self, kind: type[Refusal], match: str = "") -> Self:
        """And nothing moved."""
        assert isinstance(self.refused, kind), self.refused
        assert match in str(self.refused)
        assert not self.last.events
        assert not self.last.effects
        return self

    def event(self, kind: type[E]) -> E:
        """The latest of its kind."""
        return next(each for each in reversed(self.history) if isinstance(each, kind))
