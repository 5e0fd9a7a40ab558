"""Asks Claude: retries a bounded number of times, repairs an answer at most once, and records every call."""

import logging
import random
import secrets
import time
from collections.abc import Iterable
from pathlib import Path
from string import Template
from typing import Final, Generic

import msgspec
from msgspec.structs import replace

from engine.errors import InvalidAnswer, Misconfigured, ModelTimeout, ModelUnavailable
from engine.files import folders
from engine.kernel import Millis, encode, plain
from engine.llm.breaker import CallResult, CallsSuspended, CircuitBreaker
from engine.llm.conversation import Conversation
from engine.llm.ledger import Ledger, Outcome
from engine.llm.messages_api import CallFailed, MessagesApi, Reply
from engine.llm.port import Answer, Question, Returns
from engine.llm.prompts import SHARED, Prompt
from engine.llm.reading import read_answer
from engine.llm.schema import answer_schema, check_answer_schemas
from engine.runtime.clock import Clock, Monotonic

log = logging.getLogger(__name__)

TRIES: Final = 3
"""Calls, at most, while the API fails: the first and two retries."""

TOTAL_TIME_FACTOR: Final = 3
"""A question may take this many times as long as one call, with its retries, pauses and repair."""

TIMEOUT: Final = 10.0
"""Seconds for one call, where neither a setting nor the prompt's header says otherwise."""

FIRST_PAUSE: Final = 0.5
"""Seconds before the second try, doubled before the third; of them a random part, at least half."""

LONGEST_PAUSE: Final = 30.0
"""Seconds, whatever ``retry-after`` says."""

FINISHED: Final = "end_turn"
"""The stop reason of an answer that is whole."""


class ClaudeModel:
    """A `Model` (engine/llm/port.py).

    Args:
        prompts: all that will be asked; their answers' schemas are checked here.
        base_url: where the Messages API is; the public one when left out.
        model_override: answers every prompt, whatever its header says.
        timeout: seconds for each call of any prompt; when left out, what the prompt's header says, else 10.
        breaker: stops questions to an API that does not answer; one of its own, when left out. A question counts once,
            however often it is tried.

    Raises:
        Misconfigured: an answer's schema breaks the API's limits, or the wording of the repair is broken.
    """

    def __init__(
        self,
        api_key: str,
        prompts: Iterable[Prompt],
        ledger: Ledger,
        clock: Clock,
        *,
        base_url: str | None = None,
        model_override: str | None = None,
        timeout: float | None = None,
        breaker: CircuitBreaker | None = None,
    ) -> None:
        check_answer_schemas(prompts)
        self._repair = repair_wording()
        self._ledger = ledger
        self._clock = clock
        self._model_override = model_override
        self._timeout = timeout
        self._api = MessagesApi(api_key, base_url)
        self.breaker = breaker or CircuitBreaker(clock)

    async def close(self) -> None:
        """Close the connections, after the last question and before the ledger is closed."""
        await self._api.close()

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        """
        Raises:
            ModelUnavailable: every call failed.
            ModelTimeout: no answer came in time. There is no retry: the time is spent, and the tokens may be billed.
            InvalidAnswer: the answer ended early, or could not be read even after a repair.
        """
        seconds = self._timeout or question.prompt.timeout or TIMEOUT
        talk = Conversation(
            question,
            self._model_override or question.prompt.model,
            answer_schema(question.returns),
            secrets.token_hex(8),
        )
        asking = _Asking(question, talk, seconds, ends=self._clock.after(1000 * seconds * TOTAL_TIME_FACTOR))
        try:
            with self.breaker.call() as result:
                answer = await self._ask_and_repair(asking, result)
        except CallsSuspended as suspended:
            raise ModelUnavailable(f"{talk.model} is not asked: {suspended}.") from suspended
        return replace(answer, tool_calls=tuple(talk.tool_calls))

    async def _ask_and_repair(self, asking: "_Asking[Returns]", result: CallResult) -> Answer[Returns]:
        known = asking.question.fault
        if known is not None:
            return await self._repaired(asking, encode(plain(known.answer)), known.what, result)
        try:
            return await self._ask_with_tools(asking, result)
        except _UnusableReply as misread:
            log.info("%s", misread)
            answer = await self._repaired(asking, misread.text, misread.fault, result)
            return replace(answer, is_final=True)

    async def _repaired(self, asking: "_Asking[Returns]", said: str, fault: str, result: CallResult) -> Answer[Returns]:
        """Ask again, showing the model what it said and what is wrong with it."""
        asking.talk.repair(said, self._repair.substitute(fault=fault))
        return await self._ask_with_tools(asking, result)

    async def _ask_with_tools(self, asking: "_Asking[Returns]", result: CallResult) -> Answer[Returns]:
        """Ask, and carry out what the model calls, until it answers."""
        while True:
            said = await self._ask_with_retries(asking, result)
            if isinstance(said, Answer):
                return said
            await asking.talk.use_tools(said, lambda: self._seconds_left(asking))

    async def _ask_with_retries(self, asking: "_Asking[Returns]", result: CallResult) -> Answer[Returns] | Reply:
        """Call until there is a reply, or no call is left. A question that tests the API is not tried again."""
        tries = 0
        while True:
            tries += 1
            try:
                return await self._send(asking, result)
            except CallFailed as failure:
                next_try = self._clock.after(_pause(tries, failure.retry_after))
                given_up = failure.is_outage and self.breaker.is_open
                if not failure.is_retryable or given_up or tries == TRIES or next_try >= asking.ends:
                    raise failure.as_model_error() from failure
                log.info("%s is asked again: %s", asking.question.prompt.name, failure)
                await self._clock.until(next_try)

    async def _send(self, asking: "_Asking[Returns]", result: CallResult) -> Answer[Returns] | Reply:
        """Make one call, unless no time is left; return the answer, or the reply that calls tools first.

        Raises:
            CallFailed: there is nothing to read.
            InvalidAnswer, ModelTimeout
        """
        talk, at, started = asking.talk, self._clock.now(), time.perf_counter()
        seconds = self._seconds_left(asking)
        if seconds <= 0:
            raise ModelTimeout(f"{talk.model} had no time left to answer {asking.question.prompt.name} again.")
        talk.calls += 1
        reply: Reply | None = None
        failure: CallFailed | None = None
        outcome = Outcome.CANCELLED
        try:
            reply = await self._api.send(talk.request, seconds)
            result.failed = False
            if talk.is_tool_step(reply):
                outcome = Outcome.TOOL_USE
                return reply
            outcome = Outcome.INVALID if reply.stop_reason == FINISHED else Outcome.STOPPED
            value = _read(reply, asking.question)
            outcome = Outcome.ANSWERED
            return Answer(value, reply.model)
        except CallFailed as error:
            failure, outcome = error, error.outcome
            result.failed = error.is_outage
            raise
        finally:
            took = round(1000 * (time.perf_counter() - started))
            self._ledger.record(talk.ledger_row(at, took, outcome, reply, failure))

    def _seconds_left(self, asking: "_Asking[Returns]") -> float:
        """How long the next call may take, of the API or of a tool; at most 0 where the question's time is over."""
        return min(asking.seconds, (asking.ends - self._clock.monotonic()) / 1000)


class _Asking(msgspec.Struct, Generic[Returns], frozen=True):
    """One question that is being asked."""

    question: Question[Returns]
    talk: Conversation
    seconds: float
    """For one call."""
    ends: Monotonic
    """When the whole question times out."""


class _UnusableReply(InvalidAnswer):
    """The answer is whole, but cannot be read: what is repaired."""

    def __init__(self, reply: Reply, prompt: str, fault: str) -> None:
        super().__init__(f"{reply.model} answered {prompt} in no usable form: {fault}")
        self.fault = fault
        self.text = reply.text


def _read(reply: Reply, question: Question[Returns]) -> Returns:
    """
    Raises:
        InvalidAnswer: it ended early; a repeated question would end the same way.
        _UnusableReply: it is whole, but not what was asked for.
    """
    name = question.prompt.name
    if reply.stop_reason != FINISHED:
        raise InvalidAnswer(
            f"{reply.model} ended its answer to {name} early: {reply.stop_reason or 'nobody knows why'}."
        )
    try:
        return read_answer(reply.text, question.returns)
    except InvalidAnswer as error:
        raise _UnusableReply(reply, name, str(error)) from error


def _pause(tries: int, asked: float) -> Millis:
    """How long to wait after this many tries, at least the ``asked`` seconds of the API."""
    share = random.uniform(0.5, 1.0)  # noqa: S311 - it spreads load and keeps no secret
    backoff = FIRST_PAUSE * 2.0 ** (tries - 1) * share
    return round(1000 * max(backoff, min(asked, LONGEST_PAUSE)))


def repair_wording(prompts: Path | None = None) -> Template:
    """What a model is told when its answer cannot be read; ``$fault`` is filled in.

    Args:
        prompts: the folder that came with the code, unless told otherwise.

    Raises:
        Misconfigured
    """
    path = (prompts or folders.folder("prompts")) / SHARED / "repair.md"
    try:
        wording = Template(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured([f"{path}: this text is needed, and it is not there or cannot be read"]) from error
    if not wording.is_valid() or wording.get_identifiers() != ["fault"]:
        raise Misconfigured([f"{path}: `$fault` belongs in it, and no other name; a plain dollar sign is `$$`"])
    return wording
