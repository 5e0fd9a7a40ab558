"""What is told of a model that is not asked just now: that it is so, and how many questions wait for it."""

import asyncio

from bot.api.metrics import Meter
from engine.llm.breaker import RECOVERY, THRESHOLD
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import MemoryLedger
from engine.runtime.clock import JumpingClock, Monotonic
from tests.anthropic_server import KEY, LocalAnthropic, Says
from tests.llm.prompt_cases import case_for
from tests.negotiation.prompts import PROMPTS

ASKED = case_for("respond")
NOON = 1_800_000_000_000


def told(meter: Meter, name: str) -> float:
    lines = meter.exposition({}).decode().splitlines()
    return float(next(line for line in lines if line.startswith(f"{name} ")).split()[-1])


async def test_questions_that_wait_for_the_model_are_counted_until_they_are_asked() -> None:
    clock, meter = JumpingClock(NOON), Meter([])
    async with LocalAnthropic() as server:
        server.always(Says(ASKED.good))
        claude = ClaudeModel(KEY, PROMPTS.values(), MemoryLedger(), clock, base_url=server.url)
        model = meter.model(claude)
        assert (told(meter, "circuit_breaker_open"), told(meter, "towow_llm_waiting")) == (0, 0)
        for _ in range(THRESHOLD):
            async with claude.breaker.call(Monotonic(0)) as result:
                result.failed = True

        asking = [asyncio.create_task(model.answer(ASKED.question)) for _ in range(3)]
        for _ in range(20):
            await asyncio.sleep(0)
        assert (told(meter, "circuit_breaker_open"), told(meter, "towow_llm_waiting")) == (1, 3)

        clock.jump(clock.now() + round(1_000 * RECOVERY))
        await asyncio.gather(*asking)
        await claude.close()
    assert (told(meter, "circuit_breaker_open"), told(meter, "towow_llm_waiting")) == (0, 0)


async def test_tokens_are_told_by_prompt_and_kind() -> None:
    meter = Meter([])
    async with LocalAnthropic() as server:
        usage = {"input_tokens": 40, "output_tokens": 50}
        usage |= {"cache_read_input_tokens": 900, "cache_creation_input_tokens": 100}
        server.always(Says(ASKED.good, usage=usage))
        claude = ClaudeModel(KEY, PROMPTS.values(), MemoryLedger(), JumpingClock(NOON), base_url=server.url)
        model = meter.model(claude)
        for _ in range(2):
            await model.answer(ASKED.question)
        await claude.close()
    kinds = {"input": 80, "cache_write": 200, "cache_read": 1800, "output": 100}
    for kind, count in kinds.items():
        assert told(meter, f'towow_llm_tokens_total{{kind="{kind}",prompt="negotiation/respond"}}') == count
