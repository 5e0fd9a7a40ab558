"""What ``towow deliver`` says while its Manager, a model, takes its time."""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path

import pytest

from tests.anthropic_server import KEY, LocalAnthropic, Stalls

ROOT = Path(__file__).parents[3]
IN_TIME = 60
"""Seconds, on a machine that is busy."""


@pytest.mark.parametrize("how", [(), ("--json",)], ids=["lines", "json"])
async def test_it_says_what_it_waits_for_while_the_model_says_nothing(how: tuple[str, ...], tmp_path: Path) -> None:
    async with LocalAnthropic() as server:
        server.always(Stalls())
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
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
