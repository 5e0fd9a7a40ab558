"""A short story of any protocol, told by a bot that kills itself at one of its writes."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from bot.config import SlackAccess
from bot.local_slack import LocalWorkspace
from engine.store.port import Store

from .bot_process import Papers
from .bots import Bots
from .databases import Databases, file, opened_store
from .fuse import Fuse
from .people import LIMIT
from .runs import AT_ONCE, REDELIVERIES
from .story import CHANNELS, USERS, VOTES


@dataclass(frozen=True, slots=True)
class ShortStory:
    live: Callable[[Papers, Connection], None]
    """What the process of each bot does."""
    play: Callable[[LocalWorkspace, Bots], Awaitable[None]]
    """What people do."""
    remains: Callable[[LocalWorkspace, Store], Awaitable[dict[str, Any]]]
    """What is left, without what the clock decides, and what is made of it."""


@dataclass(frozen=True, slots=True)
class Crash:
    """The bot kills itself at a write: of the first bot, or of the one that starts after a nap."""

    fuse: Fuse | None = None
    is_after_a_nap: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    remains: dict[str, Any]
    crashes: int


NONE = Crash()


async def run(story: ShortStory, folder: Path, crash: Crash = NONE, databases: Databases = file) -> Run:
    """
    Args:
        folder: where the bot keeps its log, and its file where it has one.
    """
    async with (
        asyncio.timeout(LIMIT),
        databases(folder) as database,
        LocalWorkspace(users=USERS, channels=CHANNELS, redelivery_delays=REDELIVERIES) as workspace,
    ):
        slack = SlackAccess(workspace.bot_token, workspace.app_token, workspace.api_url, ping_seconds=1, limited=False)
        papers = Papers(slack, VOTES, database.named, folder / "bot.log")

        def next_papers() -> Papers:
            is_armed = not bots.crashes and bool(bots.ahead) is crash.is_after_a_nap
            return replace(papers, ahead=bots.ahead, fuse=crash.fuse if is_armed else None)

        bots = Bots(next_papers, story.live, database.time_passes)
        async with asyncio.TaskGroup() as group:
            living = group.create_task(bots.live())
            await story.play(workspace, bots)
            await bots.nothing_is_left_to_do()
            await workspace.admin.idle(quiet=0.02)
            await bots.dismiss()
            await living
        async with opened_store(database) as store:
            return Run(await story.remains(workspace, store), bots.crashes)


async def killed_after_each(
    story: ShortStory,
    folder: Path,
    expected: dict[str, Any],
    *,
    every: int = 1,
    is_after_a_nap: bool = False,
    databases: Databases = file,
) -> int:
    """A run for each write, or each so many, at which the bot kills itself, until one is over before it could.

    Returns:
        how many it was killed at.

    Raises:
        AssertionError: something is not as without a kill.
    """
    struck = 0
    for first in itertools.count(1, AT_ONCE * every):
        writes = range(first, first + AT_ONCE * every, every)
        crashes = [Crash(Fuse("after", nth), is_after_a_nap) for nth in writes]
        found = await asyncio.gather(
            *(run(story, folder / str(nth), crash, databases) for nth, crash in zip(writes, crashes, strict=True))
        )
        for crash, each in zip(crashes, found, strict=True):
            assert each.remains == expected, crash
        struck += sum(each.crashes for each in found)
        if not all(each.crashes for each in found):
            return struck
    raise AssertionError
