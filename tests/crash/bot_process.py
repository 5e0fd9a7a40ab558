"""The bot, as a process of its own: the real app on a real file, until it is told to finish or is killed."""

import asyncio
import logging
import os
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from bot.app import ToWow, running
from bot.config import SlackAccess
from engine.clock import JumpingClock
from engine.kernel import Millis
from engine.store.sqlite import SqliteStore

from .fuse import Fuse, FusedStore
from .scripted_model import ScriptedModel
from .story import Story, profiles


@dataclass(frozen=True, slots=True)
class Papers:
    """What a bot is started with."""

    slack: SlackAccess
    story: Story
    database: Path
    log: Path
    fuse: Fuse | None = None
    ahead: Millis = 0
    """How much later it is for this bot than for the machine."""


def live(papers: Papers, line: Connection) -> None:
    """Ends once everything is shown and paid after ``line`` said so, or when nobody is at its other end any more."""
    papers.log.parent.mkdir(exist_ok=True)
    with papers.log.open("a") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    logging.basicConfig(format="%(asctime)s %(process)d %(name)s %(levelname)s %(message)s", level=logging.INFO)
    asyncio.run(_live(papers, line))


async def _live(papers: Papers, line: Connection) -> None:
    told = asyncio.Event()
    asyncio.get_running_loop().add_reader(line.fileno(), told.set)
    clock = JumpingClock()
    clock.jump(clock.now() + papers.ahead)
    store = FusedStore(papers.database, papers.fuse) if papers.fuse else SqliteStore(papers.database)
    model = ScriptedModel(papers.story)
    async with running(papers.slack, store, model, profiles(), clock, papers.story.policy) as towow:
        await told.wait()
        await _finished(towow, clock)


async def _finished(towow: ToWow, clock: JumpingClock) -> None:
    """What waits for a second try is waited for as well."""
    while True:
        await towow.idle()
        if not await towow.store.lagging(1):
            return
        await clock.until(towow.posts.next_due or clock.now())
