"""Runs every "ask a model": composes the question, asks, reads the answer; a failure degrades the step, visibly.

An answer that does not pass the question's own check is asked for once more, with what is wrong with it.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Any, Protocol, cast, runtime_checkable

from msgspec.structs import replace

from engine.errors import ModelError
from engine.kernel import Ask, Command, Millis, Tenant
from engine.llm.port import Answer, Fault, Model, Prompt, Question, Returns
from engine.llm.threads import left_behind, without_blocking
from engine.runtime.clock import Clock
from engine.runtime.ports import EffectRun
from engine.times.availability import CalendarLookUp

log = logging.getLogger(__name__)


class Asks(Protocol):
    """One protocol's questions."""

    def compose(self, state: Any, ask: Ask) -> Question[Any]: ...

    def read(
        self, state: Any, ask: Ask, prompt: Prompt, answer: Answer[Any], *, command_id: str, at: Millis
    ) -> Command: ...

    def fallback(self, state: Any, ask: Ask, why: ModelError, *, command_id: str, at: Millis) -> Command: ...


@runtime_checkable
class LooksUp(Protocol):
    """Questions for some of which it is looked up what time it is and when people are busy, before they are made."""

    async def looked_up(self, state: Any, ask: Ask, calendars: CalendarLookUp | None, at: Millis) -> Asks: ...


@cache
def _looks_up(asks: type[Asks]) -> bool:
    """Whether questions of this class are `LooksUp`. It costs too much to look again at each."""
    return issubclass(asks, LooksUp)


AsksOf = Callable[[Tenant], Awaitable[Asks]]
"""Returns a tenant's questions: each tenant has its own people, and they may change at any time."""


def for_every_tenant(asks: Asks) -> AsksOf:
    """The same questions for every tenant."""

    async def of(_: Tenant) -> Asks:
        return asks

    return of


async def checked_answer(model: Model, question: Question[Returns]) -> Answer[Returns]:
    """Return what is known, or a model's answer, or its second one where the first is wrong by the question's check."""
    if question.known is not None:
        return question.known
    answer = await model.answer(question)
    if question.check is None or answer.is_final or not (what := await _checked(question, question.check, answer)):
        return answer
    # What a check says may quote people, and this is logged.
    log.info("%s answered %s with what does not fit what is known", answer.model, question.prompt.name)
    try:
        second = await model.answer(replace(question, fault=Fault(answer.value, what)))
        return replace(second, tool_calls=answer.tool_calls + second.tool_calls)
    except ModelError as error:
        log.info("the first answer to %s is taken, since there is no second: %s", question.prompt.name, error)
        return answer


async def _checked(question: Question[Returns], check: Callable[[Returns], str], answer: Answer[Returns]) -> str:
    if not question.is_slow_to_read:
        return check(answer.value)
    return await left_behind(lambda: check(answer.value))


class Asker:
    """
    Args:
        asks: by protocol.
        calendars: makes what looks up, for a tenant, when people are busy; None where nobody has a calendar.
    """

    def __init__(
        self,
        model: Model,
        asks: Mapping[str, AsksOf],
        clock: Clock,
        calendars: Callable[[Tenant], CalendarLookUp] | None = None,
    ) -> None:
        self._model = model
        self._asks = asks
        self._clock = clock
        self._calendars = calendars

    async def __call__(self, run: EffectRun) -> Command:
        ask, asks = run.effect, await self._asks[run.protocol](run.key.tenant)
        assert isinstance(ask, Ask)  # noqa: S101 - runners are registered by the effect's kind
        if _looks_up(type(asks)):
            calendars = self._calendars(run.key.tenant) if self._calendars is not None else None
            asks = await cast(LooksUp, asks).looked_up(run.state, ask, calendars, self._clock.now())
        try:
            composed = await without_blocking(lambda: asks.compose(run.state, ask))
            question = replace(composed, key=run.key)
            answer = await checked_answer(self._model, question)
            now = self._clock.now()

            def read() -> Command:
                return asks.read(run.state, ask, question.prompt, answer, command_id=run.command_id, at=now)

            return await (left_behind if question.is_slow_to_read else without_blocking)(read)
        except ModelError as error:
            log.warning("%s of %s is degraded: %s", ask.name, run.key.stream, error)
            why, at = error, self._clock.now()
            return await without_blocking(lambda: asks.fallback(run.state, ask, why, command_id=run.command_id, at=at))
