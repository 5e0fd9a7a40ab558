"""People who click, in a process of their own: a clock in the bot's process would run late whenever the bot is busy.

``python -m benchmarks.clicking URL`` says when it is ready, is told which message to click, and says what it took.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

from benchmarks.product import PEOPLE, WATCHED
from bot.local_slack import Person
from bot.views.negotiation.button_values import ACCEPT

CLICKS: Final = 500
PAUSE: Final = 0.02
"""Seconds between two clicks."""
VOTERS: Final = PEOPLE[:7]
"""Of those who have a seat, all but the eighth: the round stays open, however long the clicks take."""


class Clicked(NamedTuple):
    took: list[float]
    """Seconds, of each click."""
    missed: int
    """How many were not acknowledged."""


@asynccontextmanager
async def clicking(url: str) -> AsyncIterator[Callable[[str], Awaitable[Clicked]]]:
    """Have people at hand in a workspace who click the message of a given ts, as often as `CLICKS` says."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.clicking", url, stdin=pipe, stdout=pipe
    )
    told, said = process.stdin, process.stdout
    if told is None or said is None:
        raise RuntimeError("nobody can be talked to")

    async def click(card: str) -> Clicked:
        told.write(f"{card}\n".encode())
        return Clicked(*json.loads(await said.readline()))

    try:
        await said.readline()
        yield click
    finally:
        told.close()
        await process.wait()


async def _click(url: str) -> None:
    """One person's mind changes after another's, again and again."""
    print("ready", flush=True)
    card = (await asyncio.to_thread(sys.stdin.readline)).strip()
    if not card:  # whoever started this has gone
        return
    took, missed = [], 0
    for number in range(CLICKS):
        await asyncio.sleep(PAUSE)
        began = time.perf_counter()
        outcome = await Person(url, VOTERS[number % len(VOTERS)]).click(WATCHED, card, ACCEPT)
        took.append(time.perf_counter() - began)
        missed += not outcome.acked
    print(json.dumps(Clicked(took, missed)), flush=True)


if __name__ == "__main__":
    asyncio.run(_click(sys.argv[1]))
