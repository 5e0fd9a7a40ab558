"""How many calls a deliberation takes, and what of them a cache keeps."""

from collections import Counter

import pytest

from engine.deliberation.policy import Policy
from engine.deliberation.state import Status
from engine.store.memory import MemoryStore
from tests.anthropic_server.sent_again import read_in_turn, sent_again

from .encoders import no_encoder
from .process import Script, running
from .sessions import asked_of_claude, prompt_of
from .test_session import ENDLESS, arguing


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


@pytest.mark.parametrize("prompt", ["revise", "criticise"])
async def test_rules_and_brief_are_read_from_the_second_time_on(prompt: str) -> None:
    played = await asked_of_claude(arguing, no_encoder(), policy=ENDLESS)
    turns = [each for each in played.requests if prompt_of(each) == prompt]
    read = list(read_in_turn(turns))
    assert [tokens > 0 for tokens in read] == [False, True, True, True]
    assert sum(read) >= 0.95 * sum(sent_again(turns))
