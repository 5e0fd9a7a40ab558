"""The engine alone beside the yardstick as models really answer: each call takes about a second, no two the same.

Keys: ``staggered_ms_200``, milliseconds of CPU per negotiation at 200 at once with calls of 1 s +- 50%;
``staggered_yardstick_ms_200``, the same of the bare journal; ``staggered_ratio_200``, the median of the pairs' ratios.
A call takes as long in both, and as long in every run.
"""

from statistics import median
from typing import Final

from rich.console import Console
from rich.table import Table

from benchmarks.comparison import compare, cpu_ms, middle, warm_up
from benchmarks.cost import Figures
from benchmarks.latency import STAGGERED

AT_ONCE: Final = 200
RUNS: Final = 3


async def measure() -> Figures:
    await warm_up()
    found = await compare(AT_ONCE, STAGGERED, runs=RUNS)
    return {
        "staggered_ms_200": middle(found.ours, cpu_ms),
        "staggered_yardstick_ms_200": middle(found.yardstick, cpu_ms),
        "staggered_ratio_200": median(
            ours.cpu_ms / bare.cpu_ms for ours, bare in zip(found.ours, found.yardstick, strict=True)
        ),
    }


def tell(found: Figures, console: Console) -> None:
    table = Table("at once", "CPU ms", "yardstick", "ratio", title=f"Engine, calls take {STAGGERED}, each")
    ours, bare = found["staggered_ms_200"], found["staggered_yardstick_ms_200"]
    table.add_row(str(AT_ONCE), f"{ours:.1f}", f"{bare:.1f}", f"{found['staggered_ratio_200']:.2f}")
    console.print(table)
