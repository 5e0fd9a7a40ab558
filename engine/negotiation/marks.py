"""Marks: how sure what a version says is. Data that was compared is checked or broken; the rest is as somebody said it.

A mark is no verdict: it moves no status and removes nobody. People see it beside what it is about.
"""

from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from engine.facts.circumstances import When
from engine.facts.data import Datum
from engine.kernel import Message

if TYPE_CHECKING:
    from engine.negotiation.state import Negotiation

About = Literal[
    "need", "condition", "request", "when", "deadline", "budget", "capacity", "hours", "milestone", "complete"
]


class MarkKind(StrEnum):
    CHECKED = "checked"
    """Data against data."""
    SAID = "said"
    DOUBTED = "doubted"
    """Another reader says no."""
    BROKEN = "broken"
    """Two data contradict each other; both are shown."""


class Mark(Message, kw_only=True):
    about: About
    kind: MarkKind
    agent_id: str = ""
    """Whose seat, condition or request it is about."""
    need_id: str = ""
    number: int = 0
    """Of the condition or the milestone, counted from 1."""
    wanted: Datum | None = None
    found: Datum | None = None
    wanted_when: When | None = None
    found_when: When | None = None
    quote: str = ""
    """The words that a claim rests on."""
    why: str = ""
    """What the other reader says, where it doubts."""


def marks_of(state: "Negotiation", version: int) -> tuple[Mark, ...]:
    """Return the marks of a version, as far as they are known."""
    return ()
