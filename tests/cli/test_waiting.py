"""What a command says where a model takes its time: how the thread stands, soon and then now and again."""

import asyncio
import socket
from pathlib import Path

import pytest

from bot.commands import waiting
from bot.demo.demo import DemoSettings, running_demo, telling_what_is_waited_for
from bot.demo.negotiation.part import WINDOWS
from bot.registry import PROTOCOLS
from engine.files.profiles import load_profiles
from engine.negotiation.policy import Policy

from .conftest import Towow


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


def test_a_database_that_does_not_answer_is_said_to_be_waited_for_and_doctor_says_what_it_looks_at(
    tmp_path: Path, towow: Towow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "QUIET", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it lets everybody in, and says nothing
        address = f"postgresql://towow@127.0.0.1:{silent.getsockname()[1]}/towow"
        shown = address.rpartition("@")[2]
        costs = towow("costs", "--db", address)
        assert (costs.code, costs.complaints[0]) == (75, f"towow: waiting for {shown}")
        for name, value in {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1", "TOWOW_DB": address}.items():
            monkeypatch.setenv(name, value)
        assert f"towow: waiting for the database {shown}" in towow("doctor").complaints
