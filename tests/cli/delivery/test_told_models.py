"""What ``towow deliver`` says while its Manager, a model, takes its time."""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path

import pytest

from tests.anthropic_server import KEY, LocalAnthropic, Stalls

from ...equipment import WITHOUT_ENCODER
from ..conftest import ended, process

IN_TIME = 60
"""Seconds, on a machine that is busy."""


@pytest.mark.parametrize("how", [(), ("--json",)], ids=["lines", "json"])
async def test_it_says_what_it_waits_for_while_the_model_says_nothing(how: tuple[str, ...], tmp_path: Path) -> None:
    async with LocalAnthropic() as server:
        server.always(Stalls())
        environment = {
            **os.environ,
            "PYTHONPATH": WITHOUT_ENCODER,
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": server.url,
        }
        towow = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "deliver", "Move our office", *how,
            env=environment, cwd=tmp_path, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE,
        )  # fmt: skip
        assert towow.stderr is not None
        try:
            async with asyncio.timeout(IN_TIME):
                while b"waiting for the model, 3 s: Move our office" not in (line := await towow.stderr.readline()):
                    assert line, "it ended without a word"
        finally:
            towow.kill()
            await towow.wait()
    assert line.decode().rstrip().endswith((" · planning", " · clarifying"))


@pytest.mark.parametrize("command", ["deliver", "plan"])
async def test_where_no_model_could_be_asked_it_says_why_and_what_to_do(command: str, tmp_path: Path) -> None:
    async with LocalAnthropic() as server:
        there = {"ANTHROPIC_API_KEY": "sk-ant-other", "ANTHROPIC_BASE_URL": server.url, "LLM_MODEL": "claude-haiku-5-5"}
        done = await asyncio.to_thread(
            lambda: ended(process(command, "Move our office", cwd=tmp_path, screen=PIPE, **there))
        )
    assert done.code != 0
    assert "towow: Anthropic refuses the key; copy ANTHROPIC_API_KEY anew" in done.err
    if command == "deliver":
        assert "It has ended: no model made a plan" in done.out
