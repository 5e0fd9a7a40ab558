"""Carries out what a model calls. Every call has an outcome: a failure is told to the model in a plain sentence."""

import asyncio
import json
import logging
import traceback
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from pydantic import ValidationError

from engine.kernel import plain
from engine.llm.port import fenced
from engine.llm.reading import cleaned, describe_faults
from engine.llm.threads import without_blocking
from engine.llm.tools import Tool, ToolCall, ToolFault, ToolRefused, ToolUnavailable

log = logging.getLogger(__name__)

LONGEST_RESULT: Final = 30_000
"""Characters of JSON; a tool that says more has failed, since reading it would cost more than it helps."""


class ToolOutcome(msgspec.Struct, frozen=True):
    call: ToolCall
    result: Mapping[str, Any]
    """``{"success": true, "data": ...}`` or ``{"success": false, "error": ...}``, as seed 001 has it in section 3."""

    def told(self, nonce: str) -> str:
        """What the model is told: a result may quote people, so it is fenced like all their words; a fault is our own
        sentence.
        """
        if self.call.ok:
            return fenced(self.call.name, self.result, nonce)
        return str(self.result["error"])


async def call_tool(tools: Sequence[Tool[Any]], name: str, said: Any, seconds: float) -> ToolOutcome:
    """Carry out one call, whatever it says; nothing is raised.

    Args:
        said: the input, as JSON values; fields that the tool does not know are dropped.
        seconds: after which nobody waits for the result any more.
    """
    tool = next((each for each in tools if each.name == name), None)
    if tool is None:
        there = ", ".join(each.name for each in tools) or "none"
        return _fault("", ToolFault.UNKNOWN_TOOL, f"There is no tool of that name; there are: {there}.")
    try:
        asked = tool.takes.checked(cleaned(said))
    except ValidationError as error:
        faults = describe_faults(error, "the input")
        return _fault(
            name, ToolFault.INVALID_INPUT, f"The input cannot be used: {faults}. Call {name} again with that put right."
        )
    try:
        async with asyncio.timeout(seconds):
            result = {"success": True, "data": plain(await without_blocking(partial(tool.run, asked)))}
        length = len(json.dumps(result, ensure_ascii=False, allow_nan=False))
    except ToolRefused as refused:
        return _fault(name, ToolFault.REFUSED, str(refused))
    except ToolUnavailable as unavailable:
        log.warning("the tool %s does not work: %s", name, unavailable)
        return _fault(name, ToolFault.FAILED, f"{unavailable} {_GO_ON}")
    except TimeoutError:
        log.warning("the tool %s took longer than %g s", name, seconds)
        return _fault(name, ToolFault.TIMEOUT, f"{name} took too long. {_GO_ON}")
    except Exception as error:  # noqa: BLE001 - one tool must not cost the whole answer
        # The exception's text, which may quote people, stays out of the log.
        log.error("the tool %s failed: %s at %s", name, type(error).__name__, _place(error))
        return _fault(name, ToolFault.FAILED, f"{name} failed. {_GO_ON}")
    if length > LONGEST_RESULT:
        log.error("the tool %s said %d characters; at most %d are told", name, length, LONGEST_RESULT)
        return _fault(name, ToolFault.FAILED, f"{name} has more to say than can be told. {_GO_ON}")
    return ToolOutcome(ToolCall(name), result)


def too_many(tools: Sequence[Tool[Any]], name: str, most: int) -> ToolOutcome:
    """Refuse a call because others at the same time are enough."""
    known = name if any(each.name == name for each in tools) else ""
    return _fault(
        known, ToolFault.TOO_MANY, f"Only the first {most} calls were carried out; call {name} again if needed."
    )


_GO_ON: Final = "Answer without it, and say what is uncertain because of that."


def _fault(name: str, fault: ToolFault, sentence: str) -> ToolOutcome:
    return ToolOutcome(ToolCall(name, fault), {"success": False, "error": sentence})


def _place(error: Exception) -> str:
    """The line that raised it."""
    *_, last = traceback.extract_tb(error.__traceback__)
    return f"{last.filename}:{last.lineno}"
