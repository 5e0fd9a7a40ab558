"""A local Anthropic server and a Claude that asks it, on a clock that leaps to whatever is waited for."""

from collections.abc import AsyncIterator

import pytest

from engine.llm.claude import ClaudeModel
from engine.llm.ledger import MemoryLedger
from tests.anthropic_server import KEY, LocalAnthropic
from tests.negotiation.prompts import PROMPTS

from .leaping_clock import LeapingClock


@pytest.fixture
async def server() -> AsyncIterator[LocalAnthropic]:
    async with LocalAnthropic() as server:
        yield server


@pytest.fixture
def ledger() -> MemoryLedger:
    return MemoryLedger()


@pytest.fixture
def clock() -> LeapingClock:
    return LeapingClock()


@pytest.fixture
async def claude(server: LocalAnthropic, ledger: MemoryLedger, clock: LeapingClock) -> AsyncIterator[ClaudeModel]:
    claude = ClaudeModel(KEY, PROMPTS.values(), ledger, clock, base_url=server.url)
    yield claude
    await claude.close()
