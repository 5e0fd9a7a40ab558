"""One run of a script, with or without a mishap; and all the runs of a series."""

import asyncio
import itertools
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bot.config import SlackAccess
from bot.local_slack import LocalWorkspace

from .bot_process import Papers
from .bots import Bots
from .databases import Databases, file
from .mishaps import NONE, Mishap
from .people import LIMIT, play
from .remains import Remains, remains
from .story import CHANNELS, USERS, Nap, Story

REDELIVERIES: Final = (0.0,) * 50
"""Seconds before each. Slack stops after three: what no bot lived long enough to take is then lost."""

AT_ONCE: Final = 4
"""Runs: a bot waits for its disk most of the time."""


@dataclass(frozen=True, slots=True)
class Run:
    remains: Remains
    struck: bool
    """Whether the mishap came about before everything was over."""
    calls: Counter[str]
    """Of each method; how often is nobody's promise."""


async def run(story: Story, folder: Path, mishap: Mishap = NONE, databases: Databases = file) -> Run:
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
        papers = Papers(slack, story, database.named, folder / "bot.log")
        strike: asyncio.Task[None] | None = None

        def next_papers() -> Papers:
            now = replace(papers, ahead=bots.ahead)
            return mishap.papers(now, bots.crashes) if strike else now

        bots = Bots(next_papers, killed=database.time_passes)
        async with asyncio.TaskGroup() as group:

            async def lie_in_wait() -> asyncio.Task[None]:
                return strike or group.create_task((await mishap.lie_in_wait(workspace, database))(bots))

            async def sleep(nap: Nap) -> None:
                nonlocal strike
                await bots.nothing_is_left_to_do()
                strike = await lie_in_wait()
                await bots.nap(nap.length)

            if not story.is_safe_until_the_nap:
                strike = await lie_in_wait()
            living = group.create_task(bots.live())
            demand = await play(story, workspace, sleep, bots.everything_is_shown)
            await bots.nothing_is_left_to_do()
            await workspace.admin.idle(quiet=0.02)
            assert strike is not None, "nothing went wrong: the story has no nap"
            await bots.dismiss()
            await living
            struck = strike.done() or bots.crashes > 0
            strike.cancel()
        return Run(await remains(workspace, database, demand, story), struck, await workspace.admin.calls())


Series = Callable[[int], Mishap | None]
"""Mishap 1, mishap 2, and so on; None where no more are wanted."""


async def until_none_is_left(story: Story, folder: Path, *series: Series, databases: Databases = file) -> int:
    """A run for each mishap of each series, until one was over before its mishap could strike.

    Returns:
        how many struck.

    Raises:
        AssertionError: names every mishap after which something is not as without any, and what.
    """
    expected = (await run(story, folder / "uninterrupted", databases=databases)).remains
    exhausted: set[Series] = set()
    faults: list[str] = []
    struck = 0
    todo = enumerate(_in_turn(series, exhausted), start=1)

    async def work() -> None:
        nonlocal struck
        for number, (each, mishap) in todo:
            place = folder / str(number)
            try:
                result = await run(story, place, mishap, databases)
            except Exception:  # noqa: BLE001 - whatever a run dies of, the others are looked at as well
                faults.append(f"{mishap}, see {place}:\n{traceback.format_exc()}")
                exhausted.add(each)
                continue
            if differences := expected.differences(result.remains):
                faults.append(f"{mishap}, see {place}:\n{differences}")
            if result.struck:
                struck += 1
            else:
                exhausted.add(each)

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(work())
    assert not faults, "\n\n".join(faults)
    return struck


def _in_turn(series: Sequence[Series], exhausted: set[Series]) -> Iterator[tuple[Series, Mishap]]:
    for number in itertools.count(1):
        left = [each for each in series if each not in exhausted]
        if not left:
            return
        for each in left:
            mishap = each(number)
            if mishap is None:
                exhausted.add(each)
            else:
                yield each, mishap
