"""The port for tools: what a model may call before it answers, and what became of each call."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Generic, TypeVar

import msgspec

from engine.kernel import ModelAnswer

Takes = TypeVar("Takes", bound=ModelAnswer)


class Tool(msgspec.Struct, Generic[Takes], frozen=True):
    """Something a model may call before it answers a question.

    What it returns follows from its input and from what it was made with, such as a moment and a time zone. So the
    question fixes what its tools say.
    """

    name: str
    """Letters, digits, ``_`` and ``-``, at most 64; no other tool of the question has it."""
    description: str
    """Tells the model what the tool does, when to call it, and what comes back."""
    takes: type[Takes]
    """A model must give every field, as in an answer. What a field means is said in its `pydantic.Field`."""
    run: Callable[[Takes], Any]
    """Returns what can be written as JSON, and no more than a model should read. It has no effects, since it may run
    twice. It may wait for the encoder of sentences, and for nothing else.

    Raises:
        ToolRefused: this input cannot be worked with.
        ToolUnavailable: the tool does not work at the moment, whatever the input.
    """


class ToolRefused(Exception):
    """A call cannot be carried out as it is. The message tells the model what would work; it quotes no input."""


class ToolUnavailable(Exception):
    """A tool does not work at the moment. The message tells the model why; it quotes no input."""


class ToolFault(StrEnum):
    """Why a call gave no result."""

    UNKNOWN_TOOL = "unknown_tool"
    INVALID_INPUT = "invalid_tool_input"
    REFUSED = "tool_refused"
    """The input could be read, but not worked with."""
    TOO_MANY = "too_many_tool_calls"
    FAILED = "tool_execution_failed"
    """Seed 001, section 7.3."""
    TIMEOUT = "tool_timeout"


BROKEN = frozenset({ToolFault.FAILED, ToolFault.TIMEOUT})
"""Faults of a tool. The others are mistakes of the model, which is told of them and may call again."""


class ToolCall(msgspec.Struct, frozen=True):
    """One call, without what was said in it."""

    name: str
    """Empty where the model named no tool that it was given."""
    fault: ToolFault | None = None

    @property
    def ok(self) -> bool:
        return self.fault is None
