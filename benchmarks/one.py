"""So many negotiations and nothing else, for whoever counts instructions or looks for what takes the time.

    python -m benchmarks one --at-once 50 [--times 2] [--yardstick] [--staggered]

What a negotiation costs is the difference between two runs, so that neither start nor imports count:

    for times in 1 2; do
        valgrind --tool=callgrind --callgrind-out-file=callgrind.$times \\
            python -m benchmarks one --at-once 50 --times $times
    done

The instructions of the second run less those of the first, by fifty, are those of one negotiation.
"""

import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from benchmarks import engine, yardstick
from benchmarks.journal import Journal
from benchmarks.latency import AT_ONCE, STAGGERED, Latency
from engine.runtime import gc_tuning
from engine.runtime.gc_tuning import relax


def run(arguments: Sequence[str]) -> None:
    parser = ArgumentParser("python -m benchmarks one", description="Run so many negotiations and nothing else.")
    parser.add_argument("--at-once", type=int, default=1, metavar="N")
    parser.add_argument("--times", type=int, default=1, metavar="N", help="how often so many, one after another")
    parser.add_argument("--yardstick", action="store_true", help="the bare journal instead of the engine")
    parser.add_argument("--staggered", action="store_true", help="calls take about a second instead of none")
    chosen = parser.parse_args(arguments)
    latency = STAGGERED if chosen.staggered else AT_ONCE
    waves = [range(time * chosen.at_once, (time + 1) * chosen.at_once) for time in range(chosen.times)]
    relax()  # as the bot does
    gc_tuning.run((_yardstick if chosen.yardstick else _engine)(waves, latency))


async def _engine(waves: Sequence[range], latency: Latency) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with engine.engine(Path(folder) / "towow.db", latency) as runtime:
            for numbers in waves:
                await engine.negotiate(runtime, numbers)
                await engine.check(runtime, numbers)


async def _yardstick(waves: Sequence[range], latency: Latency) -> None:
    with tempfile.TemporaryDirectory() as folder, closing(Journal(Path(folder) / "journal.db")) as journal:
        for numbers in waves:
            await yardstick.negotiate(journal, numbers, latency)
