"""``make bench``: the engine alone, a click through the whole product, and everybody at once at Slack's rates."""

import asyncio
import sys

from rich.console import Console
from rich.table import Table

from benchmarks import one
from benchmarks.burst import Burst, measure
from benchmarks.clicks import click_to_ack
from benchmarks.engine import cost, start_with
from benchmarks.latency import AT_ONCE, EVEN, Latency
from benchmarks.stub import CALLS, ROUNDS, SEATS
from engine.runtime.gc_tuning import relax

THINKING = Latency(1.0)
"""Seconds that a model call takes while clicks are measured: what real ones take."""
OPEN = 10_000


async def main() -> None:
    relax()  # as the bot does
    console = Console()
    console.print(
        f"One negotiation: {SEATS} seats, {ROUNDS} rounds, {CALLS} model calls, SQLite with every commit synced."
    )
    alone = Table("at once", "CPU ms each", "KiB written each", title="Engine, model calls take 0 ms")
    await cost(1, AT_ONCE)  # the first run pays for what is loaded once
    for at_once in (1, 200):
        measured = await cost(at_once, AT_ONCE)
        alone.add_row(str(at_once), f"{measured.cpu_ms:.1f}", f"{measured.written_kib:.0f}")
    console.print(alone)
    slow = Table(
        "at once", "wall / critical path", "CPU ms each", title=f"Engine, model calls take {EVEN.mean * 1000:.0f} ms"
    )
    for at_once in (1, 20, 200):
        measured = await cost(at_once, EVEN)
        slow.add_row(str(at_once), f"{measured.over_critical_path(EVEN.mean):.2f}", f"{measured.cpu_ms:.1f}")
    console.print(slow)
    seconds, memory = await start_with(OPEN)
    console.print(f"Start with {OPEN:,} open negotiations: {seconds * 1000:.0f} ms, {memory:.0f} MiB more")
    for running in (0, 200):
        took = await click_to_ack(running, THINKING)
        p50, p99 = took[len(took) // 2], took[int(len(took) * 0.99)]
        console.print(
            f"Click to ack with {running} negotiations running: p50 {p50 * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms "
            f"({len(took)} clicks)"
        )
    burst = Burst()
    found = await measure(burst)
    console.print(
        f"{burst.negotiations} negotiations, {burst.people} people in each, all voting within {burst.seconds} s, at "
        f"Slack's rates: a vote stands in the thread after {_worst(found.shown)}; a thread is right to the last word "
        f"{_worst(found.thread_right)} after its last vote, its direct messages {_worst(found.all_right)}; "
        f"{found.calls['chat.update']} edits, where {burst.fewest_edits} are the fewest; "
        f"{sum(found.throttled.values())} calls were refused for their rate, {len(found.wrong)} things were wrong"
    )


def _worst(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    return f"p50 {ordered[len(ordered) // 2]:.1f} s, at worst {ordered[-1]:.1f} s"


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        one.run(sys.argv[2:])
    else:
        asyncio.run(main())
