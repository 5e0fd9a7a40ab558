"""The bot, as a process of its own: the real app on a real database, until it is dismissed or killed."""

import asyncio
import logging
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from bot.app import ToWow, running
from bot.config import SlackAccess
from bot.databases import Database
from bot.posts.post_records import doubtful_streams
from bot.protocol_row import Protocol
from bot.registry import PROTOCOLS
from engine.kernel import Millis
from engine.llm.port import Model
from engine.runtime.clock import JumpingClock

from .fuse import LIGHTS, Fuse, fused
from .line import DONE, Line
from .scripted_model import ScriptedModel
from .story import ASKER, Story, profiles

A_MOMENT: Final[Millis] = 20


@dataclass(frozen=True, slots=True)
class Papers:
    """What a bot is started with."""

    slack: SlackAccess
    story: Story
    database: Database
    log: Path
    fuse: Fuse | None = None
    ahead: Millis = 0
    """How much later it is for this bot than for the machine."""


def live(papers: Papers, pipe: Connection) -> None:
    live_with(ScriptedModel(papers.story), PROTOCOLS, papers, pipe)


def live_with(model: Model, protocols: Sequence[Protocol], papers: Papers, pipe: Connection) -> None:
    """Answers each question in the pipe once everything is paid and shown. Ends when nobody is at the other end."""
    papers.log.parent.mkdir(exist_ok=True)
    tempfile.tempdir = str(papers.log.parent)  # whoever is killed leaves a folder behind
    with papers.log.open("a") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    logging.basicConfig(format="%(asctime)s %(process)d %(name)s %(levelname)s %(message)s", level=logging.INFO)
    asyncio.run(_live(model, protocols, papers, pipe))


async def _live(model: Model, protocols: Sequence[Protocol], papers: Papers, pipe: Connection) -> None:
    line = Line(pipe)
    clock = JumpingClock()
    clock.jump(clock.now() + papers.ahead)
    store = fused(papers.database, papers.fuse)
    for when, light in LIGHTS.items():
        asyncio.get_running_loop().add_signal_handler(light, store.light, when)
    policy, zone = papers.story.policy, ASKER.tz  # where Slack does not answer, the same as where it does
    async with running(
        papers.slack, store, model, profiles(), clock, policy, protocols=protocols, time_zone=zone
    ) as towow:
        while (asked := await line.hear()) is not None:
            await _nothing_is_left_to_do(towow, clock, is_over=asked == DONE)
            line.say("yes")
    line.close()


async def _nothing_is_left_to_do(towow: ToWow, clock: JumpingClock, *, is_over: bool) -> None:
    """What waits for a second try is waited for as well; once it is over, what may stand there twice is looked for now,
    for which time passes."""
    while True:
        await towow.idle()
        due = towow.posts.next_due or clock.now()
        if (await towow.store.counts())["owed"]:
            await clock.until(clock.after(A_MOMENT))  # for a second try, or until whoever had it counts as gone
        elif await towow.store.lagging(1) or towow.posts.has_digests_behind:
            await clock.until(clock.after(due - clock.now()))
        elif is_over and await doubtful_streams(towow.store):
            clock.jump(due)
        else:
            return
