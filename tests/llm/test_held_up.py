"""The time of machines does not pass while they wait for their turn, so that a limit of the API takes nobody's step."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine.kernel import Ask, StreamKey, Tenant
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.breaker import HeldUp
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import MemoryLedger
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.runtime.runtime import Runtime
from engine.store.memory import MemoryStore
from tests.anthropic_server import KEY as API_KEY
from tests.anthropic_server import LocalAnthropic, Received, Says, Status, Step
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import ALONE, REQUESTER

from .leaping_clock import NOON
from .prompt_cases import ASKS
from .test_caching import three_rounds
from .test_negotiation import lively

MINUTE = 60_000
QUIET = 6
"""Looks in a row that find nothing under way."""


@dataclass
class Limited:
    """So many requests a minute, as the API refills them; it says only how long to wait."""

    clock: JumpingClock
    a_minute: float
    answering: Any
    left: float = field(init=False)
    at: int = field(init=False)
    answered: int = 0

    def __post_init__(self) -> None:
        self.left, self.at = self.a_minute, self.clock.now()

    def __call__(self, received: Received) -> Step:
        now = self.clock.now()
        self.left, self.at = min(self.a_minute, self.left + (now - self.at) * self.a_minute / MINUTE), now
        if self.left < 1:
            return Status(429, retry_after=str(int((1 - self.left) * 60 / self.a_minute) + 1))
        self.left -= 1
        self.answered += 1
        step: Step = self.answering(received)
        return Says(step.what) if isinstance(step, Says) else step


async def rests(server: LocalAnthropic, store: MemoryStore, claude: ClaudeModel, clock: JumpingClock) -> bool:
    """Return once only the clock is waited for; False when nothing is."""
    seen, quiet = (-1, -1), 0
    while True:
        now = (len(server.requests), await store.last_position())
        quiet, seen = quiet + 1 if now == seen and not claude.pace.under_way else 0, now
        await asyncio.sleep(0.01)
        pending, _ = await store.pending_effects(0, 1)
        if quiet >= QUIET and not pending and not await store.due(clock.now() + 24 * 60 * MINUTE, 1):
            return False
        if quiet >= QUIET and (clock.next_wake is not None or not pending):
            return True


async def play(demands: int, a_minute: float, answering: Any) -> tuple[list[Negotiation], float, int]:
    """Let so many demands be posted at once.

    Returns:
        how they ended, after how many minutes, and how many calls were answered.
    """
    clock, store = JumpingClock(NOON), MemoryStore()
    await store.open()
    async with LocalAnthropic() as server:
        limited = Limited(clock, a_minute, answering)
        server.always(limited)
        claude = ClaudeModel(
            API_KEY, PROMPTS.values(), MemoryLedger(), clock, base_url=server.url, model_override="claude-haiku-5-5"
        )
        asker = Asker(claude, {"negotiation": for_every_tenant(ASKS)}, clock)
        runtime = in_process(store, clock, [RULEBOOK], {Ask.kind: asker}, [Ask], held_up=claude.held_up)
        await runtime.start()
        keys = [StreamKey(Tenant("T_ONE"), f"collab-{number:08}") for number in range(demands)]
        for number, key in enumerate(keys):
            await submit(runtime, key, number, clock)
        while await rests(server, store, claude, clock):
            alarms = [each.due for each in await store.due(clock.now() + 60 * MINUTE, 1000) if each.due > clock.now()]
            clock.jump(min([*alarms[:1], *([clock.next_wake] if clock.next_wake is not None else [])]))
            await runtime.sweep()
        states = [(await runtime.read(key))[0] for key in keys]
        await runtime.close()
        await claude.close()
    return states, (clock.now() - NOON) / MINUTE, limited.answered


async def submit(runtime: Runtime, key: StreamKey, number: int, clock: JumpingClock) -> None:
    demand: dict[str, Any] = {"demand_id": f"d-{number:08}", "channel_id": key.stream, "requester_id": REQUESTER}
    said = "An AI meetup for 50 people in Beijing"
    command = SubmitDemand(command_id=f"c{number}", at=clock.now(), raw_input=said, policy=ALONE, **demand)
    await runtime.handle(key, "negotiation", command)


@pytest.mark.parametrize(
    ("demands", "a_minute", "answering"),
    [
        pytest.param(3, 3, lively, id="3 small ones at 3 a minute"),
        pytest.param(10, 50, three_rounds, id="10 large ones at 50 a minute", marks=pytest.mark.exhaustive),
    ],
)
async def test_a_limit_of_the_api_costs_time_and_no_step(demands: int, a_minute: float, answering: Any) -> None:
    states, minutes, calls = await play(demands, a_minute, answering)
    assert Counter(each.prompt for state in states for each in state.degraded) == {}
    assert all(state.final is not None for state in states)
    # What the limit allows at once and then minute by minute is the shortest there is.
    assert minutes <= 1.1 * (calls - a_minute) / a_minute + 0.5


def test_time_in_which_several_wait_passes_once() -> None:
    clock = JumpingClock(NOON)
    held = HeldUp(clock)
    with held.waiting("one"):
        clock.jump(NOON + 1_000)
        with held.waiting("one"), held.waiting("another"):
            clock.jump(NOON + 3_000)
        assert (held.millis("one"), held.millis("another")) == (3_000, 2_000)
    clock.jump(NOON + 9_000)
    with held.waiting("one"):
        clock.jump(NOON + 10_000)
        assert held.millis("one") == 4_000
    assert (held.millis("one"), held.millis("another"), held.millis("a third")) == (4_000, 2_000, 0)
