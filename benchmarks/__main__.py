"""``python -m benchmarks [part ...] [--json]``: what it costs. Without a part, everything.

With ``--json``, one object with the keys that the parts' docstrings explain, and nothing else, is printed; ``held`` has
the longest time that one callback held the event loop for, in milliseconds, by part; 0 where none did for 50.
``python -m benchmarks one --help`` is for profilers.
"""

import json
import sys
from argparse import ArgumentParser
from typing import Final, Protocol

from rich.console import Console

from benchmarks import (
    bot,
    calls,
    capacity,
    clicks,
    deliberation,
    delivery,
    everybody,
    free_times,
    goals,
    growth,
    journey,
    lockstep,
    measures,
    one,
    plan_heights,
    price,
    shortlist,
    staggered,
    start,
    thread_heights,
    waits,
)
from benchmarks.cost import Figures
from benchmarks.flow import CALLS, ROUNDS, SEATS
from engine.runtime import gc_tuning
from engine.runtime.gc_tuning import relax
from tests.held_loop import LONGEST, held_loop, worst


class Part(Protocol):
    """A module."""

    async def measure(self) -> Figures: ...

    def tell(self, found: Figures, console: Console, /) -> None: ...


PARTS: Final[dict[str, Part]] = {
    "engine": lockstep,
    "staggered": staggered,
    "start": start,
    "waits": waits,
    "clicks": clicks,
    "bot": bot,
    "growth": growth,
    "burst": everybody,
    "deliberation": deliberation,
    "shortlist": shortlist,
    "times": free_times,
    "delivery": delivery,
    "thread_heights": thread_heights,
    "plan_heights": plan_heights,
    "journey": journey,
    "calls": calls,
    "capacity": capacity,
    "cost": price,
    "measures": measures,
}


MOST_TOLD: Final = 3
"""Callbacks of a part that held the event loop for too long."""


async def measured(names: list[str], console: Console | None) -> Figures:
    figures: Figures = {}
    for name in names:
        with held_loop() as holds:
            found = await PARTS[name].measure()
        figures |= found
        held = worst(holds)
        figures.setdefault("held", {})[name] = round(1000 * held[0].seconds) if held else 0
        if console is not None:
            PARTS[name].tell(found, console)
            for each in held[:MOST_TOLD]:
                console.print(f"[dim]The event loop was held for {each} (goal {1000 * LONGEST:.0f} ms)[/dim]")
    if console is not None:
        goals.tell(figures, console)
    return figures


def main() -> None:
    parser = ArgumentParser("python -m benchmarks", description="Say what it costs.")
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], metavar="part", help=", ".join(PARTS))
    parser.add_argument("--json", action="store_true", help="print one object and nothing else")
    chosen = parser.parse_args()
    console = None if chosen.json else Console()
    if console is not None:
        console.print(f"One negotiation: {SEATS} seats, {ROUNDS} rounds, {CALLS} model calls; every commit is synced.")
    relax()  # as the bot does
    figures = gc_tuning.run(measured(chosen.parts or list(PARTS), console))
    if chosen.json:
        print(json.dumps(figures))


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        one.run(sys.argv[2:])
    else:
        main()
