"""Lets time pass until a stream is over whose questions go over the wire, on a clock that jumps."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.kernel import Command, StreamKey
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import MemoryLedger, Outcome
from engine.llm.port import Answer, Question, Returns
from engine.runtime.clock import JumpingClock
from engine.runtime.ports import EffectRun, EffectRunner
from engine.runtime.runtime import Runtime
from engine.store.port import Store
from tests.anthropic_server import LocalAnthropic

DAY: Final = 24 * 3_600_000
"""Milliseconds of the clock, in which everything has to be over."""
LONGEST_CALL: Final = 400.0
"""Seconds, in which any call has timed out."""
QUIET: Final = 6
"""Looks in a row that find nothing new."""


@dataclass
class UnderWay:
    """Knows whether anything is done that does not wait for the clock: a call, or work of ours, also in a thread.

    It stands in for the model, and for what runs effects.
    """

    claude: ClaudeModel
    ledger: MemoryLedger
    server: LocalAnthropic
    effects: int = 0
    """That are run now."""
    questions: int = 0
    """Of them, those that the model has."""

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        self.questions += 1
        try:
            return await self.claude.answer(question)
        finally:
            self.questions -= 1

    def runners(self, runners: Mapping[str, EffectRunner]) -> dict[str, EffectRunner]:
        return {kind: self._counted(each) for kind, each in runners.items()}

    def _counted(self, runner: EffectRunner) -> EffectRunner:
        async def run(effect: EffectRun) -> Command:
            self.effects += 1
            try:
                return await runner(effect)
            finally:
                self.effects -= 1

        return run

    @property
    def is_stalled(self) -> bool:
        """Whether every call that is under way is one of which nothing more comes."""
        ended = sum(each.outcome in (Outcome.TIMEOUT, Outcome.CANCELLED) for each in self.ledger.calls)
        return 0 < self.claude.pace.under_way == self.server.stalled - ended

    @property
    def is_still(self) -> bool:
        return self.effects == self.questions and not self.claude.pace.under_way


async def until_over(
    runtime: Runtime,
    store: Store,
    work: UnderWay,
    clock: JumpingClock,
    key: StreamKey,
    *,
    rests: Callable[[Any], bool] = lambda _: False,
) -> Any:
    """Return how a stream ends, once it owes nothing any more, either.

    Args:
        rests: whether it waits for somebody in this state, so that no time passes.
    """
    claude = work.claude
    began = clock.now()
    while True:
        state = await _rests(runtime, work, key)
        pending, _ = await store.pending_effects(0, 1)
        if not pending and (not state.is_open or rests(state)):
            break
        dues = [each.due for each in await store.due(clock.now() + DAY, 1_000) if each.due > clock.now()]
        wakes = [clock.next_wake] if clock.next_wake is not None else []
        assert dues or wakes, "nothing will ever happen"
        clock.jump(min([*dues[:1], *wakes]))
        assert clock.now() < began + DAY
        await runtime.sweep()
    await runtime.activity.idle()
    assert (claude.pace.under_way, claude.pace.waiting, claude.breaker.waiting) == (0, 0, 0)
    return (await runtime.read(key))[0]


async def _rests(runtime: Runtime, work: UnderWay, key: StreamKey) -> Any:
    """Return the state once nothing but the clock is waited for."""
    seen, quiet = None, 0
    while quiet < QUIET:
        await asyncio.sleep(0.001)
        if work.is_stalled:
            let_time_outs_pass()
        state, _ = await runtime.read(key)
        is_still = state is seen and work.is_still
        seen, quiet = state, quiet + 1 if is_still else 0
    return seen


def let_time_outs_pass() -> None:
    """Let the running event loop think that it is later than whatever it waits for.

    So a test of what does not come needs no short time-out, in which on a busy machine nothing else would come, either.
    """
    loop = asyncio.get_running_loop()
    before = loop.time
    loop.time = lambda: before() + LONGEST_CALL  # type: ignore[method-assign]
