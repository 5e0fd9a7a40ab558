"""What Claude and we say to each other until one question is answered: calls of tools, their results, a repair."""

import asyncio
import json
import logging
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import msgspec
from anthropic.types import MessageParam
from pydantic import ValidationError

from engine.kernel import Millis, plain
from engine.llm.ledger import NO_TENANT, Call, Outcome
from engine.llm.messages_api import (
    CallFailed,
    Reply,
    Request,
    assistant,
    cached_up_to_here,
    tool_result,
    tool_results,
    user,
)
from engine.llm.port import Question, fenced
from engine.llm.reading import cleaned, describe_faults
from engine.llm.schema import Schema
from engine.llm.spending import Tokens, cost
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


CALLS_TOOLS: Final = "tool_use"
"""The stop reason of a reply that calls tools first."""

MOST_TOOL_STEPS: Final = 4
"""Replies of one question that may call tools; after them the model may only answer."""

MOST_CALLS_AT_ONCE: Final = 8
"""Calls of one reply that are carried out."""


@dataclass(slots=True)
class Conversation:
    question: Question[Any]
    model: str
    schema: Schema
    nonce: str
    """Fences off what people wrote, in the question and in what tools return."""
    parts: tuple[str, ...] = field(init=False)
    """Of the prompt."""
    messages: list[MessageParam] = field(init=False)
    calls: int = 0
    """Of the API."""
    is_repair: bool = False
    tool_steps: int = 0
    tool_calls: list[ToolCall] = field(default_factory=list)

    def __post_init__(self) -> None:
        question = self.question
        self.parts = question.prompt.render_parts(question.given, self.nonce, question.language)
        self.messages = [user(*self.parts)]

    @property
    def request(self) -> Request:
        prompt = self.question.prompt
        return Request(
            self.model,
            prompt.max_tokens,
            prompt.effort,
            self.schema,
            self._cached(),
            self.question.tools,
            may_call=self._may_call,
        )

    @property
    def shared(self) -> tuple[str, ...]:
        """What calls of other questions begin with, too; none where the whole prompt is this question's own."""
        return self.parts[:-1]

    def _cached(self) -> list[MessageParam]:
        """Return the messages; of those behind the first, the last results of tools end what is kept."""
        if len(self.messages) == 1 or self.is_repair or not self._may_call:
            return self.messages
        return [*self.messages[:-1], cached_up_to_here(self.messages[-1])]

    @property
    def _may_call(self) -> bool:
        return bool(self.question.tools) and self.tool_steps < MOST_TOOL_STEPS

    def is_tool_step(self, reply: Reply) -> bool:
        """Whether the reply calls tools, as it may, instead of answering."""
        return reply.stop_reason == CALLS_TOOLS and reply.turn is not None and self._may_call

    async def use_tools(self, reply: Reply, seconds: Callable[[], float]) -> None:
        """Carry out the calls of a reply, one after the other, and tell the model what came of each.

        Args:
            seconds: how long the next call may take.
        """
        results = []
        for number, use in enumerate(reply.tool_uses):
            if number < MOST_CALLS_AT_ONCE:
                outcome = await call_tool(self.question.tools, use.name, use.input, seconds())
            else:
                outcome = too_many(self.question.tools, use.name, MOST_CALLS_AT_ONCE)
            self.tool_calls.append(outcome.call)
            results.append(tool_result(use, outcome.told(self.nonce), outcome.call.ok))
        self.tool_steps += 1
        if reply.turn is not None:
            self.messages += [reply.turn, tool_results(results)]

    def repair(self, said: str, wording: str) -> None:
        """Show the model what it said and what is wrong with it."""
        self.is_repair = True
        self.messages += [assistant(said), user(wording)]

    def ledger_row(
        self, at: Millis, took: Millis, outcome: Outcome, reply: Reply | None, failure: CallFailed | None
    ) -> Call:
        question = self.question
        model = reply.model if reply else self.model
        tokens = reply.tokens if reply else failure.spent if failure else Tokens()
        return Call(
            at=at,
            tenant=question.key.tenant if question.key else NO_TENANT,
            stream=question.key.stream if question.key else "",
            charged_to=question.charged_to,
            prompt=question.prompt.name,
            content_hash=question.prompt.content_hash,
            model=model,
            attempt=self.calls,
            is_repair=self.is_repair,
            outcome=outcome,
            detail=failure.detail if failure else self._detail(outcome, reply),
            status=failure.status if failure else 200 if reply else None,
            request_id=failure.request_id if failure else reply.request_id if reply else "",
            latency_ms=took,
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            cache_write_tokens=tokens.cache_write,
            cache_read_tokens=tokens.cache_read,
            cost_usd=cost(model, tokens),
        )

    def _detail(self, outcome: Outcome, reply: Reply | None) -> str:
        match outcome, reply:
            case Outcome.STOPPED, Reply(stop_reason=reason):
                return reason
            case Outcome.TOOL_USE, Reply(tool_uses=uses):
                called = {each.name for each in uses}
                return ", ".join(each.name for each in self.question.tools if each.name in called)
            case _:
                return ""
