"""Claude behind the model port: a question, at most one repair, a bounded number of calls, and a row for each."""

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

from engine.errors import InvalidAnswer, Misconfigured, ModelTimeout, ModelUnavailable
from engine.files import folders
from engine.kernel import Millis
from engine.llm.breaker import Breaker, Suspended, Verdict
from engine.llm.ledger import NOBODY, Call, Ledger, Outcome
from engine.llm.messages_api import MessagesApi, NoReply, Reply, Request, assistant, user
from engine.llm.port import Answer, Question, Returns
from engine.llm.prices import Tokens, cost
from engine.llm.prompts import SHARED, Prompt
from engine.llm.reading import read_answer
from engine.llm.schema import Schema, answer_schema, check_answers
from engine.runtime.clock import Clock

log = logging.getLogger(__name__)

TRIES: Final = 3
"""Of a call that the API does not take: the first, and two more."""

PATIENCE: Final = 3
"""A question may take so many times the time of one call: tries, pauses and the repair included."""

FIRST_PAUSE: Final = 0.5
"""Seconds before the second try, doubled before the third; of them a random part, at least half."""

LONGEST_PAUSE: Final = 30.0
"""Seconds, whatever ``retry-after`` says."""

FINISHED: Final = "end_turn"
"""The stop reason of an answer that is whole."""


class ClaudeModel:
    """A `Model` (engine/llm/port.py).

    Args:
        prompts: all that will be asked: here it is found out whether the API can hold a model to their answers.
        base_url: where the Messages API is; the public one when left out.
        model_override: answers every prompt, whatever its header says.
        timeout: seconds for one call; a prompt's header may allow more.
        breaker: keeps calls from an API that does not answer; one of its own, when left out.

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
        timeout: float = 10.0,
        breaker: Breaker | None = None,
    ) -> None:
        check_answers(prompts)
        self._repair = repair_wording()
        self._ledger = ledger
        self._clock = clock
        self._model_override = model_override
        self._timeout = timeout
        self._wire = MessagesApi(api_key, base_url)
        self.breaker = breaker or Breaker(clock)

    async def close(self) -> None:
        """After the last question, and before the ledger is closed."""
        await self._wire.close()

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        """
        Raises:
            ModelUnavailable: not reached, overloaded or refused, as often as it was tried.
            ModelTimeout: no answer in time. It is not asked again: the time is spent, and the tokens may be billed.
            InvalidAnswer: ended early, or twice in no readable form.
        """
        prompt = question.prompt
        seconds = max(self._timeout, prompt.timeout or 0.0)
        task = _Task(
            question,
            self._model_override or prompt.model,
            answer_schema(question.returns),
            seconds,
            ends=self._clock.now() + round(1000 * seconds * PATIENCE),
        )
        asked = user(*prompt.render_parts(question.given, secrets.token_hex(8)))
        try:
            return await self._tried(task, [asked])
        except _Misread as misread:
            log.info("%s", misread)
            task.is_repair = True
            wording = user(self._repair.substitute(fault=misread.fault))
            return await self._tried(task, [asked, assistant(misread.text), wording])

    async def _tried(self, task: "_Task[Returns]", messages: Sequence[MessageParam]) -> Answer[Returns]:
        """One answer, after as many calls as it takes and may take."""
        tries = 0
        while True:
            tries += 1
            try:
                return await self._called(task, messages)
            except NoReply as failure:
                next_try = self._clock.now() + _pause(tries, failure.after)
                if not failure.again or tries == TRIES or next_try >= task.ends:
                    raise failure.told() from failure
                log.info("%s is asked again: %s", task.question.prompt.name, failure)
                await self._clock.until(next_try)

    async def _called(self, task: "_Task[Returns]", messages: Sequence[MessageParam]) -> Answer[Returns]:
        """One call and its row.

        Raises:
            NoReply: there is nothing to read.
            InvalidAnswer, ModelTimeout
        """
        prompt, at, started = task.question.prompt, self._clock.now(), time.perf_counter()
        left = (task.ends - at) / 1000
        if left <= 0:
            raise ModelTimeout(f"{task.model} had no time left to answer {prompt.name} again.")
        try:
            with self.breaker.call() as verdict:
                return await self._sent(task, messages, at, started, verdict)
        except Suspended as suspended:
            raise ModelUnavailable(f"{task.model} is not asked: {suspended}.") from suspended

    async def _sent(
        self, task: "_Task[Returns]", messages: Sequence[MessageParam], at: Millis, started: float, verdict: Verdict
    ) -> Answer[Returns]:
        prompt, left = task.question.prompt, (task.ends - at) / 1000
        task.calls += 1
        reply: Reply | None = None
        failure: NoReply | None = None
        outcome = Outcome.CANCELLED
        try:
            request = Request(task.model, prompt.max_tokens, prompt.effort, task.schema, messages)
            reply = await self._wire.send(request, min(task.seconds, left))
            verdict.failed = False
            outcome = Outcome.INVALID if reply.stop_reason == FINISHED else Outcome.STOPPED
            value = _read(reply, task.question)
            outcome = Outcome.ANSWERED
            return Answer(value, reply.model)
        except NoReply as error:
            failure, outcome = error, error.outcome
            verdict.failed = error.is_outage
            raise
        finally:
            took = round(1000 * (time.perf_counter() - started))
            self._ledger.enter(_row(task, at, took, outcome, reply, failure))


@dataclass(slots=True)
class _Task(Generic[Returns]):
    """One question on its way."""

    question: Question[Returns]
    model: str
    schema: Schema
    seconds: float
    """For one call."""
    ends: Millis
    """When there is no time left for anything."""
    calls: int = 0
    is_repair: bool = False


class _Misread(InvalidAnswer):
    """The one failure that is worth a repair."""

    def __init__(self, message: str, fault: str, text: str) -> None:
        super().__init__(message)
        self.fault = fault
        self.text = text


def _read(reply: Reply, question: Question[Returns]) -> Returns:
    """
    Raises:
        InvalidAnswer: it ended early; asked again, it would be as long, or be refused again.
        _Misread: it is whole, but not what was asked for.
    """
    name = question.prompt.name
    if reply.stop_reason != FINISHED:
        raise InvalidAnswer(
            f"{reply.model} ended its answer to {name} early: {reply.stop_reason or 'nobody knows why'}."
        )
    try:
        return read_answer(reply.text, question.returns)
    except InvalidAnswer as error:
        fault = str(error)
        raise _Misread(f"{reply.model} answered {name} in no usable form: {fault}", fault, reply.text) from error


def _pause(tries: int, asked: float) -> Millis:
    """How long to wait after so many tries, where the API asks for ``asked`` seconds."""
    share = random.uniform(0.5, 1.0)  # noqa: S311 - it spreads load and keeps no secret
    backoff = FIRST_PAUSE * 2.0 ** (tries - 1) * share
    return round(1000 * max(backoff, min(asked, LONGEST_PAUSE)))


def _row(
    task: _Task[Returns], at: Millis, took: Millis, outcome: Outcome, reply: Reply | None, failure: NoReply | None
) -> Call:
    question = task.question
    model = reply.model if reply else task.model
    tokens = reply.tokens if reply else Tokens()
    stopped = reply.stop_reason if reply and outcome is Outcome.STOPPED else ""
    return Call(
        at=at,
        tenant=question.key.tenant if question.key else NOBODY,
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
    """What a model is told whose answer cannot be read; ``$fault`` is filled in.

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
