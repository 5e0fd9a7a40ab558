"""Spans of questions to models, and of the calls that they take. What was asked and answered is in none."""

import time
from typing import Final, Protocol

from engine.errors import ModelError
from engine.llm.ledger import Call, Outcome
from engine.llm.port import Answer, Model, Question, Returns
from engine.runtime.tracing import Role, Tracing

WELL: Final = frozenset({Outcome.ANSWERED, Outcome.TOOL_USE, Outcome.CANCELLED})


class TracedModel:
    """The same model, with a span for each question, from when it waits for its turn."""

    def __init__(self, model: Model, tracing: Tracing) -> None:
        self._model = model
        self._tracing = tracing

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        name = question.prompt.name
        with self._tracing.span(f"model {name}", Role.INTERNAL, {"towow.prompt": name}) as span:
            try:
                answer = await self._model.answer(question)
            except ModelError as error:
                span.end(error.code, is_fault=True)
                raise
            span.note({"towow.model": answer.model})
            return answer


class Recorded(Protocol):
    """What each call is recorded in."""

    def record(self, call: Call) -> None: ...


class TracedLedger:
    """The same ledger, with a span for each call that is recorded."""

    def __init__(self, ledger: Recorded, tracing: Tracing) -> None:
        self._ledger = ledger
        self._tracing = tracing

    def record(self, call: Call) -> None:
        self._ledger.record(call)
        began = time.time_ns() - 1_000_000 * call.latency_ms
        told: dict[str, str | int] = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "anthropic",
            "gen_ai.request.model": call.model,
            "gen_ai.usage.input_tokens": call.input_tokens + call.cache_read_tokens + call.cache_write_tokens,
            "gen_ai.usage.output_tokens": call.output_tokens,
            "towow.attempt": call.attempt,
        }
        if call.status is not None:
            told["http.response.status_code"] = call.status
        span = self._tracing.start(f"chat {call.model}", Role.CLIENT, told, self._tracing.current, began=began)
        span.end(call.outcome.value, is_fault=call.outcome not in WELL)
