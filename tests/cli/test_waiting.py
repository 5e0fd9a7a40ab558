"""What a command says where a model takes its time: how the thread stands, soon and then now and again."""

import asyncio

import pytest

from bot.commands import waiting
from bot.demo.demo import DemoSettings, running_demo
from bot.demo.negotiation.part import WINDOWS
from bot.demo.waiting import telling_what_is_waited_for
from bot.registry import PROTOCOLS
from engine.files.profiles import load_profiles
from engine.negotiation.policy import Policy


@pytest.mark.parametrize("asks_a_model", [True, False])
async def test_a_wait_is_told_where_a_model_is_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, asks_a_model: bool
) -> None:
    monkeypatch.setattr(waiting, "QUIET", 0.05)
    async with running_demo(DemoSettings(load_profiles(), Policy(**WINDOWS), PROTOCOLS)) as demo:
        async with telling_what_is_waited_for(demo, asks_a_model=asks_a_model):
            await demo.mention("We need a venue")
            await demo.settle()
            await asyncio.sleep(0.5)
        said = capsys.readouterr().err
        await asyncio.sleep(0.2)

    assert ("waiting for the model, " in said) is asks_a_model
    assert ("We need a venue · " in said) is asks_a_model
    assert not capsys.readouterr().err.count("waiting for")
