"""One bot after another: each is told to go, and one that is killed while it goes is followed by another one."""

import asyncio
import os
import signal
from multiprocessing.connection import Connection
from pathlib import Path

from bot.config import SlackAccess

from .bot_process import Papers
from .bots import Bots
from .story import VOTES


def dies_when_told_to_go(papers: Papers, pipe: Connection) -> None:
    """The first one; the second one goes."""
    with papers.log.open("a") as log:
        log.write("lived\n")
    try:
        while pipe.recv():
            pipe.send("done")
    except EOFError:
        if papers.log.read_text() == "lived\n":
            os.kill(os.getpid(), signal.SIGKILL)


async def test_a_bot_that_is_killed_while_it_goes_is_followed_by_one_that_is_dismissed_too(tmp_path: Path) -> None:
    papers = Papers(SlackAccess("", ""), VOTES, tmp_path / "towow.db", tmp_path / "bot.log")
    bots = Bots(lambda: papers, dies_when_told_to_go)
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        group.create_task(bots.live())
        await bots.dismiss()
    assert bots.crashes == 1
    assert papers.log.read_text() == "lived\n" * 2
