"""One run of a script, with or without a mishap; and all the runs of a series."""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from bot.config import SlackAccess
from bot.workspace import LocalWorkspace

from .bot_process import Papers
from .bots import Bots
from .fuse import Fuse
from .people import play
from .remains import Remains, remains
from .story import CHANNELS, USERS, Story

LIMIT: Final = 90.0
"""Seconds for one run on a machine that is busy with something else."""

AT_ONCE: Final = 4
"""Runs: a bot waits for its disk most of the time."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The workspace's: when it strikes, the bot is killed."""

    method: str
    do: Literal["hold", "drop_sent", "lose_ack"]
    nth: int


Mishap = Fuse | Fault


@dataclass(frozen=True, slots=True)
class Run:
    remains: Remains
    struck: bool
    log: str


async def run(story: Story, folder: Path, mishap: Mishap | None = None) -> Run:
    """
    Args:
        folder: where the bot keeps its file and its log.
    """
    log, database = folder / "bot.log", folder / "towow.db"
    async with (
        asyncio.timeout(LIMIT),
        LocalWorkspace(users=USERS, channels=CHANNELS, redelivery_delays=(0.0, 0.1, 0.1)) as workspace,
    ):
        slack = SlackAccess(workspace.bot_token, workspace.app_token, workspace.api_url, ping_seconds=1, limited=False)
        fuse = mishap if isinstance(mishap, Fuse) else None
        bots = Bots(Papers(slack, story, database, log, fuse))
        async with asyncio.TaskGroup() as group:
            living = group.create_task(bots.live())
            striking = group.create_task(_strike(workspace, bots, mishap)) if isinstance(mishap, Fault) else None
            demand = await play(story, workspace)
            await workspace.admin.idle(quiet=0.02)
            bots.finish()
            await living
            if striking is not None:
                striking.cancel()
        return Run(await remains(workspace, database, demand), bots.deaths > 0, log.read_text())


async def _strike(workspace: LocalWorkspace, bots: Bots, fault: Fault) -> None:
    handle = await workspace.admin.fault(fault.method, fault.do, nth=fault.nth)
    await handle.reached(LIMIT)
    bots.kill()
    await handle.release()


async def until_none_is_left(story: Story, folder: Path, mishap: Callable[[int], Mishap]) -> int:
    """A run with mishap 1, another with mishap 2, and so on until one was over before its mishap could strike.

    Returns:
        how many struck.

    Raises:
        AssertionError: names every mishap after which something is not as without any, and what.
    """
    expected = (await run(story, folder / "uninterrupted")).remains
    numbers = itertools.count(1)
    struck: list[int] = []
    faults: dict[int, str] = {}

    async def work() -> None:
        for number in numbers:
            each = mishap(number)
            try:
                result = await run(story, folder / str(number), each)
            except Exception as error:
                error.add_note(f"{each}, see {folder / str(number)}")
                raise
            if differences := expected.differences(result.remains):
                faults[number] = f"after {each}:\n{differences}\n{result.log}"
            if not result.struck:
                return
            struck.append(number)

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(work())
    assert not faults, "\n\n".join(text for _, text in sorted(faults.items()))
    return len(struck)
