"""The whole bot, from a mention in a channel to the last message of the thread.

Keys: ``bot_cpu_ms_<n>``, milliseconds of CPU per negotiation at n at once, where calls take no time;
``bot_staggered_cpu_ms_50``, the same at 50 at once with calls of 1 s +- 50%, where every answer changes a card while
others are awaited. It is the bot's process alone: the local workspace runs in its own. What the asker does, one HTTP
call a negotiation, is within. Slack's rates, which would leave some changes of cards out, do not hold.
"""

import asyncio
from collections.abc import Mapping
from statistics import median
from typing import Final

from aiohttp import ClientSession
from rich.console import Console
from rich.table import Table

from benchmarks.cost import Figures, cost_of
from benchmarks.engine import TWINS_ONLY
from benchmarks.latency import AT_ONCE, STAGGERED, Latency
from benchmarks.product import ASKER, CROWDED, Product, product
from benchmarks.stub import StubModel
from bot.listeners.negotiation.intake import stream_names
from bot.local_slack import Person
from engine.errors import UnknownStream
from engine.kernel import StreamKey

CELLS: Final[Mapping[str, tuple[int, Latency]]] = {
    "bot_cpu_ms_50": (50, AT_ONCE),
    "bot_cpu_ms_100": (100, AT_ONCE),
    "bot_staggered_cpu_ms_50": (50, STAGGERED),
}
RUNS: Final = 3
LOOK: Final = 0.5
"""Seconds between two looks at whether all have ended."""


async def measure() -> Figures:
    taken: dict[str, list[float]] = {key: [] for key in CELLS}
    for _ in range(RUNS):
        for key, (at_once, latency) in CELLS.items():
            async with product(StubModel(latency), TWINS_ONLY) as started:
                await _negotiate(started, 1)  # what is loaded once
                taken[key].append((await cost_of(at_once, _negotiate(started, at_once))).cpu_ms)
    return {key: median(costs) for key, costs in taken.items()}


def tell(found: Figures, console: Console) -> None:
    table = Table("at once", "calls take", "CPU ms", title="The whole bot, each")
    for key, (at_once, latency) in CELLS.items():
        table.add_row(str(at_once), str(latency), f"{found[key]:.0f}")
    console.print(table)


async def _negotiate(started: Product, at_once: int) -> None:
    """So many demands, until each has ended and every message of it stands."""
    async with ClientSession() as session:
        asker = Person(started.url, ASKER, session)
        waiting = await asyncio.gather(*(_ask(started, asker, number) for number in range(at_once)))
    while waiting:
        await asyncio.sleep(LOOK)
        await started.towow.idle()
        waiting = [key for key in waiting if await _is_open(started, key)]


async def _ask(started: Product, asker: Person, number: int) -> StreamKey:
    demand = await asker.say(CROWDED, f"<@{started.bot_user_id}> a meetup for {number + 50} people")
    return StreamKey(started.tenant, next(stream_names(started.tenant, CROWDED, demand.ts)))


async def _is_open(started: Product, key: StreamKey) -> bool:
    """
    Raises:
        RuntimeError: it ended otherwise than in agreement; its cost would mean nothing.
    """
    try:
        state, _ = await started.towow.runtime.read(key)
    except UnknownStream:
        return True  # the mention is on its way
    if not state.is_open and state.status != "finalized":
        raise RuntimeError(f"{key.stream} is {state.status}; what it cost would mean nothing")
    return bool(state.is_open)
