"""Asks Claude: retries a bounded number of times, repairs an answer at most once, and records every call."""

import logging
import random
import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Final, Generic

from anthropic.types import MessageParam
from msgspec.structs import replace

from engine.errors import InvalidAnswer, Misconfigured, ModelTimeout, ModelUnavailable
from engine.files import folders
from engine.kernel import Millis, encode, plain
from engine.llm.breaker import CallResult, CallsSuspended, CircuitBreaker
from engine.llm.ledger import NO_TENANT, Call, Ledger, Outcome
from engine.llm.messages_api import CallFailed, MessagesApi, Reply, Request, assistant, user
from engine.llm.port import Answer, Question, Returns
from engine.llm.prices import Tokens, cost
from engine.llm.prompts import SHARED, Prompt
from engine.llm.reading import read_answer
from engine.llm.schema import Schema, answer_schema, check_answer_schemas
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
        prompt = question.prompt
        seconds = self._timeout or prompt.timeout or TIMEOUT
        task = _Task(
            question,
            self._model_override or prompt.model,
            answer_schema(question.returns),
            seconds,
            ends=self._clock.after(1000 * seconds * TOTAL_TIME_FACTOR),
        )
        asked = user(*prompt.render_parts(question.given, secrets.token_hex(8)))
        try:
            with self.breaker.call() as result:
                if question.fault is None:
                    return await self._ask_and_repair(task, asked, result)
                said = encode(plain(question.fault.answer))
                return await self._repaired(task, asked, said, question.fault.what, result)
        except CallsSuspended as suspended:
            raise ModelUnavailable(f"{task.model} is not asked: {suspended}.") from suspended

    async def _ask_and_repair(self, task: "_Task[Returns]", asked: MessageParam, result: CallResult) -> Answer[Returns]:
        try:
            return await self._ask_with_retries(task, [asked], result)
        except _UnusableReply as misread:
            log.info("%s", misread)
            answer = await self._repaired(task, asked, misread.text, misread.fault, result)
            return replace(answer, is_final=True)

    async def _repaired(
        self, task: "_Task[Returns]", asked: MessageParam, said: str, fault: str, result: CallResult
    ) -> Answer[Returns]:
        """Ask again, showing the model what it said and what is wrong with it."""
        task.is_repair = True
        wording = user(self._repair.substitute(fault=fault))
        return await self._ask_with_retries(task, [asked, assistant(said), wording], result)

    async def _ask_with_retries(
        self, task: "_Task[Returns]", messages: Sequence[MessageParam], result: CallResult
    ) -> Answer[Returns]:
        """Call until there is an answer, or no call is left. A question that tests the API is not tried again."""
        tries = 0
        while True:
            tries += 1
            try:
                return await self._send(task, messages, result)
            except CallFailed as failure:
                next_try = self._clock.after(_pause(tries, failure.retry_after))
                given_up = failure.is_outage and self.breaker.is_open
                if not failure.is_retryable or given_up or tries == TRIES or next_try >= task.ends:
                    raise failure.as_model_error() from failure
                log.info("%s is asked again: %s", task.question.prompt.name, failure)
                await self._clock.until(next_try)

    async def _send(
        self, task: "_Task[Returns]", messages: Sequence[MessageParam], result: CallResult
    ) -> Answer[Returns]:
        """Make one call, unless no time is left.

        Raises:
            CallFailed: there is nothing to read.
            InvalidAnswer, ModelTimeout
        """
        prompt, at, started = task.question.prompt, self._clock.now(), time.perf_counter()
        left = (task.ends - self._clock.monotonic()) / 1000
        if left <= 0:
            raise ModelTimeout(f"{task.model} had no time left to answer {prompt.name} again.")
        task.calls += 1
        reply: Reply | None = None
        failure: CallFailed | None = None
        outcome = Outcome.CANCELLED
        try:
            request = Request(task.model, prompt.max_tokens, prompt.effort, task.schema, messages)
            reply = await self._api.send(request, min(task.seconds, left))
            result.failed = False
            outcome = Outcome.INVALID if reply.stop_reason == FINISHED else Outcome.STOPPED
            value = _read(reply, task.question)
            outcome = Outcome.ANSWERED
            return Answer(value, reply.model)
        except CallFailed as error:
            failure, outcome = error, error.outcome
            result.failed = error.is_outage
            raise
        finally:
            took = round(1000 * (time.perf_counter() - started))
            self._ledger.record(_ledger_row(task, at, took, outcome, reply, failure))


@dataclass(slots=True)
class _Task(Generic[Returns]):
    """One question that is being asked."""

    question: Question[Returns]
    model: str
    schema: Schema
    seconds: float
    """For one call."""
    ends: Monotonic
    """When the whole question times out."""
    calls: int = 0
    is_repair: bool = False


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


def _ledger_row(
    task: _Task[Returns], at: Millis, took: Millis, outcome: Outcome, reply: Reply | None, failure: CallFailed | None
) -> Call:
    question = task.question
    model = reply.model if reply else task.model
    tokens = reply.tokens if reply else Tokens()
    stopped = reply.stop_reason if reply and outcome is Outcome.STOPPED else ""
    return Call(
        at=at,
        tenant=question.key.tenant if question.key else NO_TENANT,
        stream=question.key.stream if question.key else "",
        prompt=question.prompt.name,
        content_hash=question.prompt.content_hash,
        model=model,
        attempt=task.calls,
        is_repair=task.is_repair,
        outcome=outcome,
        detail=failure.detail if failure else stopped,
        status=failure.status if failure else 200 if reply else None,
        request_id=failure.request_id if failure else reply.request_id if reply else "",
        latency_ms=took,
        input_tokens=tokens.input,
        output_tokens=tokens.output,
        cache_write_tokens=tokens.cache_write,
        cache_read_tokens=tokens.cache_read,
        cost_usd=cost(model, tokens),
    )


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
