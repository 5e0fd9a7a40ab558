"""The whole bot, from a mention in a channel to the last message of the thread, with calls of about a second.

Keys: ``bot_cpu_ms_<n>``, milliseconds of CPU per negotiation at n at once. It is the bot's process alone: the local
workspace runs in its own. What the asker does, one HTTP call a negotiation, is within.
"""

import asyncio
from statistics import median

from aiohttp import ClientSession
from rich.console import Console

from benchmarks.cost import Figures, cost_of
from benchmarks.engine import TWINS_ONLY
from benchmarks.latency import STAGGERED
from benchmarks.product import ASKER, CROWDED, Product, product
from bot.listeners.negotiation.intake import stream_names
from bot.local_slack import Person
from engine.errors import UnknownChannel
from engine.kernel import StreamKey

AT_ONCE = (50, 100)
RUNS = 3
LOOK = 0.5
"""Seconds between two looks at whether all have ended."""


async def measure() -> Figures:
    taken: dict[int, list[float]] = {at_once: [] for at_once in AT_ONCE}
    for _ in range(RUNS):
        for at_once, costs in taken.items():
            async with product(STAGGERED, TWINS_ONLY) as started:
                await _negotiate(started, 1)  # what is loaded once
                costs.append((await cost_of(at_once, _negotiate(started, at_once))).cpu_ms)
    return {f"bot_cpu_ms_{at_once}": median(costs) for at_once, costs in taken.items()}


def tell(figures: Figures, console: Console) -> None:
    for at_once in AT_ONCE:
        console.print(f"The whole bot, {at_once} at once: {figures[f'bot_cpu_ms_{at_once}']:.1f} ms of CPU each")


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
    except UnknownChannel:
        return True  # the mention is on its way
    if not state.is_open and state.status != "finalized":
        raise RuntimeError(f"{key.stream} is {state.status}; what it cost would mean nothing")
    return bool(state.is_open)
