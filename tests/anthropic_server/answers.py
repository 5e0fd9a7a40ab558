"""What the server can be told to do with a request. ``after``: seconds that it takes."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Says:
    """Exactly this: a text, or data as JSON."""

    what: str | Mapping[str, Any]
    stop_reason: str = "end_turn"
    usage: Mapping[str, Any] | None = None
    """Instead of counting."""
    model: str | None = None
    """Who answers, instead of who was asked."""
    thinking: str = ""
    """A block of its own before the text."""
    every: float = 0.0
    """Seconds between the pieces, where it is streamed."""
    after: float = 0.0

    @property
    def text(self) -> str:
        return self.what if isinstance(self.what, str) else json.dumps(self.what, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Fits:
    """An answer made from the request's schema."""

    items: int = 1
    """In every list."""
    after: float = 0.0


@dataclass(frozen=True, slots=True)
class Uses:
    """It calls tools before it answers: each call is a name and an input."""

    calls: Sequence[tuple[str, Any]]
    text: str = ""
    """Said before the calls."""
    thinking: str = ""
    stop_reason: str = "tool_use"
    after: float = 0.0


def Truncated(text: str) -> Says:  # noqa: N802 - one of the steps, like the others
    """It ran into ``max_tokens``."""
    return Says(text, stop_reason="max_tokens")


@dataclass(frozen=True, slots=True)
class Refuses:
    """The model declines: no content, and that as its stop reason."""

    after: float = 0.0


@dataclass(frozen=True, slots=True)
class Status:
    """An error of the API's."""

    status: int
    retry_after: str | None = None
    should_retry: str | None = None
    message: str = "As the test wants it."
    after: float = 0.0


@dataclass(frozen=True, slots=True)
class Garbled:
    """A body that is no message, nor an error of the API's."""

    body: str = '{"type": "message", "content": [{"type": "te'
    content_type: str = "application/json"
    status: int = 200
    after: float = 0.0


@dataclass(frozen=True, slots=True)
class Drops:
    """The connection is cut: before anything was answered, or in the middle of the answer."""

    when: Literal["before", "after"]
    after: float = 0.0


@dataclass(frozen=True, slots=True)
class Stalls:
    """Nothing comes, ever; or nothing after the first half of the answer."""

    when: Literal["before", "after"] = "before"
    after: float = 0.0


@dataclass(frozen=True, slots=True)
class Breaks:
    """An error of the API's within a stream: where nothing is streamed, instead of the answer."""

    kind: str = "overloaded_error"
    after: float = 0.0


@dataclass(frozen=True, slots=True)
class Drips:
    """A blank, or a sign of life, every few milliseconds, and never an answer: nobody can say that nothing comes."""

    every: float = 0.01
    after: float = 0.0


Step = Says | Fits | Uses | Refuses | Status | Garbled | Drops | Stalls | Breaks | Drips
