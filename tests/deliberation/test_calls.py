"""How often a model is asked in a deliberation."""

from collections import Counter

import pytest

from engine.deliberation.policy import Policy
from engine.deliberation.state import Status
from engine.store.memory import MemoryStore

from .process import Script, running


@pytest.mark.parametrize(
    ("levels", "asked"),
    [
        pytest.param((0.95,), {"brief": 1, "plan": 1, "draft": 1, "report": 1}, id="two drafts that agree: one round"),
        pytest.param(
            (0.6, 0.75, 0.8, 0.85, 0.95),
            {"brief": 1, "plan": 1, "draft": 1, "revise": 4, "criticise": 4, "close": 2, "report": 1},
            id="five rounds",
        ),
    ],
)
async def test_nobody_is_asked_more_than_the_rounds_take(levels: tuple[float, ...], asked: dict[str, int]) -> None:
    async with running(MemoryStore(), Script(levels)) as process:
        await process.opens(Policy(host_speaks=False))
        await process.rests()
        assert (await process.state()).status is Status.CONVERGED
        assert Counter(process.script.asked) == asked
