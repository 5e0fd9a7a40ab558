"""Projections: rows that are asked for across streams, written in the commit that causes them."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import msgspec

from engine.errors import Refusal
from engine.kernel.commands import Command
from engine.kernel.events import Event

State = TypeVar("State")


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
