"""The engine alone beside the yardstick, with calls that take no time or 50 ms.

| key | what |
| --- | --- |
| ``cpu_ms_1``, ``cpu_ms_200`` | CPU per negotiation (engine and store), milliseconds, 1 or 200 at once, calls take 0 |
| ``cpu_ms_200_spread`` | of the runs: the dearest less the cheapest, milliseconds |
| ``ratio`` | wall time by critical path (10 calls of 50 ms in turn) at ``"1"``, ``"20"`` and ``"200"`` at once |
| ``written_kib_1``, ``written_kib_200`` | KiB handed to the operating system per negotiation, calls take 0 |
| ``yardstick_ms_1``, ``yardstick_ms_200``, ``yardstick_ms_200_spread`` | the same CPU, of the bare journal |

Every figure is the median of several runs, in which engine and yardstick take turns; runs end early on a slow machine,
so that the whole takes less than a minute.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Final

from rich.console import Console
from rich.table import Table

from benchmarks import engine
from benchmarks.comparison import Comparison, compare, cpu_ms, middle, spread, warm_up
from benchmarks.cost import Cost, Figures
from benchmarks.latency import AT_ONCE, EVEN

RUNS_ALONE: Final = 11
RUNS_OF_MANY: Final = 5
AT_LEAST: Final = 3
LATE: Final = 20.0
"""Seconds after which no more runs begin than there must be."""
WAITING_RUNS: Final = 3
VERY_LATE: Final = 35.0
"""Seconds after which a figure has one run."""


async def measure() -> Figures:
    began = time.perf_counter()
    await warm_up()
    alone = await compare(1, AT_ONCE, runs=RUNS_ALONE)
    many = await compare(200, AT_ONCE, runs=RUNS_OF_MANY, at_least=AT_LEAST, until=began + LATE)
    waiting: dict[int, list[Cost]] = {1: [], 20: [], 200: []}
    for at_once, costs in waiting.items():
        while not costs or (len(costs) < WAITING_RUNS and time.perf_counter() < began + VERY_LATE):
            costs.append(await engine.cost(at_once, EVEN))
    return figures(alone, many, waiting)


def figures(alone: Comparison, many: Comparison, waiting: Mapping[int, Sequence[Cost]]) -> Figures:
    """
    Args:
        alone, many: 1 and 200 at once, calls take no time.
        waiting: of the engine by how many run at once, calls take 50 ms.
    """
    return {
        "cpu_ms_1": middle(alone.ours, cpu_ms),
        "cpu_ms_200": middle(many.ours, cpu_ms),
        "cpu_ms_200_spread": spread(many.ours),
        "ratio": {str(at_once): middle(costs, _over_critical_path) for at_once, costs in waiting.items()},
        "written_kib_1": middle(alone.ours, _written),
        "written_kib_200": middle(many.ours, _written),
        "yardstick_ms_1": middle(alone.yardstick, cpu_ms),
        "yardstick_ms_200": middle(many.yardstick, cpu_ms),
        "yardstick_ms_200_spread": spread(many.yardstick),
    }


def tell(found: Figures, console: Console) -> None:
    table = Table("at once", "CPU ms", "yardstick", "ratio", "KiB written", title="Engine, calls take 0 ms, each")
    for at_once in (1, 200):
        ours, bare = found[f"cpu_ms_{at_once}"], found[f"yardstick_ms_{at_once}"]
        written = found[f"written_kib_{at_once}"]
        table.add_row(str(at_once), f"{ours:.1f}", f"{bare:.2f}", f"{ours / bare:.1f}", f"{written:.0f}")
    console.print(table)
    console.print(
        f"Spread at 200: {found['cpu_ms_200_spread']:.1f} ms, yardstick {found['yardstick_ms_200_spread']:.1f} ms"
    )
    ratios = ", ".join(f"{ratio:.2f} at {at_once}" for at_once, ratio in found["ratio"].items())
    console.print(f"Wall / critical path, calls take {EVEN}: {ratios} at once")


def _over_critical_path(cost: Cost) -> float:
    return cost.over_critical_path(EVEN.mean)


def _written(cost: Cost) -> float:
    return cost.written_kib
