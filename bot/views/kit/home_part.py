"""What a protocol adds to somebody's App Home."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from bot.texts import Texts
from bot.views.kit.blocks import Block

State = TypeVar("State")

MOST: Final = 10
"""Streams of each kind that are shown."""


@dataclass(frozen=True, slots=True)
class Agenda(Generic[State]):
    """The streams of one protocol that somebody's Home is about."""

    asked: Sequence[State] = ()
    """Where they were asked for something, and can still answer."""
    undecided: Sequence[State] = ()
    """Where a decision of theirs is still waited for."""
    own: Sequence[State] = ()
    """What they asked for themselves; what moved last comes first."""
    older: int = 0
    """How many more of those there are."""


@dataclass(frozen=True, slots=True)
class HomeSections:
    """The same, as it is shown. Where there is nothing to be said, nothing is."""

    asked: Sequence[Block] = ()
    undecided: Sequence[Block] = ()
    own: Sequence[Block] = ()


@dataclass(frozen=True, slots=True)
class HomePart:
    """Where the agenda is found, and how it is shown.

    The first three are kinds of records (`Store.records`). The key of each record begins with its user's id and a
    slash, and its value names the stream under ``stream``; that of an own stream says under ``since`` when it moved.
    """

    asked: str
    undecided: str
    own: str
    draw: Callable[[Agenda[Any], str, Texts], HomeSections]
    """Called with the user's id, too. Pure."""
