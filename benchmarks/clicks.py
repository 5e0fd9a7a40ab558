"""From a click to Slack's ack, alone and while 200 negotiations run and are shown.

Keys: ``click_p50_ms_<n>`` and ``click_p99_ms_<n>``, milliseconds, measured where the person clicks (bot, workspace and
people have a process each), while n others run;
``clicks_missed_<n>`` of them were not acknowledged within Slack's three seconds.
"""

import asyncio
from statistics import quantiles

from rich.console import Console
from rich.table import Table

from benchmarks.clicking import CLICKS, Clicked, clicking
from benchmarks.cost import Figures
from benchmarks.flow import wanted
from benchmarks.latency import Latency
from benchmarks.product import ASKER, CROWDED, WATCHED, Product, product
from benchmarks.stub import StubModel
from bot.app import ToWow
from bot.listeners.negotiation.intake import stream_names
from bot.views.negotiation.button_values import ACCEPT
from engine.kernel import Place, StreamKey, Tenant
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.policy import Policy
from engine.negotiation.rules import RULEBOOK
from engine.runtime.clock import WallClock

THINKING = Latency(1.0)
"""What real models take."""
RUNNING = (0, 200)


async def measure() -> Figures:
    figures: Figures = {}
    for running in RUNNING:
        took, missed = await click_to_ack(running, THINKING)
        cuts = quantiles(took, n=100)
        figures[f"click_p50_ms_{running}"] = cuts[49] * 1000
        figures[f"click_p99_ms_{running}"] = cuts[98] * 1000
        figures[f"clicks_missed_{running}"] = missed
    return figures


def tell(found: Figures, console: Console) -> None:
    table = Table("negotiations running", "p50 ms", "p99 ms", "missed", title=f"Click to ack, {CLICKS} clicks")
    for running in RUNNING:
        shown = [f"{found[f'click_{cut}_ms_{running}']:.0f}" for cut in ("p50", "p99")]
        table.add_row(str(running), *shown, str(found[f"clicks_missed_{running}"]))
    console.print(table)


async def click_to_ack(at_once: int, latency: Latency) -> Clicked:
    async with product(StubModel(latency), Policy()) as started, clicking(started.url) as click:
        card = await open_round(started)
        stop = asyncio.Event()
        load = asyncio.create_task(_load(started.towow, started.tenant, at_once, stop))
        try:
            return await click(card)
        finally:
            stop.set()
            await load


async def open_round(started: Product) -> str:
    """The ts of the message of a round that stays open: somebody is waited for."""
    asking = started.person(ASKER)
    demand = await asking.say(WATCHED, f"<@{started.bot_user_id}> a meetup for fifty people")
    card = await asking.until_message(WATCHED, lambda each: ACCEPT in str(each.blocks), thread_ts=demand.ts, within=30)
    return card.ts


async def _load(towow: ToWow, tenant: Tenant, at_once: int, stop: asyncio.Event) -> None:
    """So many negotiations under way at any time, each shown in a thread of its own."""

    async def one_after_the_other(lane: int) -> None:
        number = 0
        while not stop.is_set():
            number += 1
            name = next(stream_names(tenant, str(lane), str(number))).removeprefix("collab-")
            key = StreamKey(tenant, f"collab-{name}")
            await towow.runtime.handle(
                key,
                RULEBOOK.protocol,
                SubmitDemand(
                    command_id=name,
                    at=WallClock().now(),
                    demand_id=f"d-{name}",
                    channel_id=key.stream,
                    requester_id=ASKER,
                    raw_input=wanted(key.stream),
                    policy=Policy(human_window=0, override_window=0),
                    place=Place(channel=CROWDED),
                ),
            )
            state, _ = await towow.runtime.read(key)
            while state.is_open and not stop.is_set():
                await asyncio.sleep(0.5)
                state, _ = await towow.runtime.read(key)

    await asyncio.gather(*(one_after_the_other(lane) for lane in range(at_once)))
