"""What a protocol says to ``towow why``: why something in its streams is as it is, and what it goes on from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.kernel import Place


@dataclass(frozen=True, slots=True)
class Step:
    """One stream's part of the answer."""

    said: Sequence[str]
    """Lines, each a thing that led to what was asked about; the nearest one first."""
    origin: str = ""
    """The stream that this one goes on from; empty where somebody's message is the beginning."""
    part: str = ""
    """What is asked about there."""


@dataclass(frozen=True, slots=True)
class WhyPart:
    """All of it is pure."""

    step: Callable[[Any, str], Step]
    """A state, and what is asked about in it, such as a ticket; empty for the whole."""
    parts: Callable[[Any], Sequence[str]] = lambda _state: ()
    """What can be asked about by a name of its own, such as ``T-1``."""
    record: Callable[[Any], str] | None = None
    """All that is known of a whole stream, as text; None where the step says it."""
    record_json: Callable[[Any], str] | None = None
    """The same as JSON."""


def written(by: str, text: str, place: Place, when: str = "") -> str:
    """Say who wrote a message, and where it is."""
    where = [f"in {place.channel}" if place.channel else "", f"message {place.thread}" if place.thread else "", when]
    told = ", ".join(each for each in where if each)
    quoted = "\n  ".join(text.splitlines()) or "(its words were erased)"
    return f"{by} wrote{f' ({told})' if told else ''}:\n  {quoted}"
