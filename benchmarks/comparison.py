"""Engine and yardstick, run in turn in one process, so that both meet the same moods of the machine."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks import engine, yardstick
from benchmarks.cost import Cost
from benchmarks.latency import Latency


@dataclass(frozen=True, slots=True)
class Comparison:
    ours: Sequence[Cost]
    yardstick: Sequence[Cost]


async def compare(
    at_once: int, latency: Latency, *, runs: int, at_least: int = 1, until: float = float("inf")
) -> Comparison:
    """
    Args:
        runs: of each.
        at_least: so many also where it gets late.
        until: when it is late, by `time.perf_counter`.
    """
    ours: list[Cost] = []
    bare: list[Cost] = []
    while len(ours) < at_least or (len(ours) < runs and time.perf_counter() < until):
        ours.append(await engine.cost(at_once, latency))
        bare.append(await yardstick.cost(at_once, latency))
    return Comparison(ours, bare)


async def warm_up() -> None:
    """The first run of each pays for what is loaded once."""
    await engine.cost(1, Latency())
    await yardstick.cost(1, Latency())


def middle(costs: Sequence[Cost], figure: Callable[[Cost], float]) -> float:
    return median(map(figure, costs))


def cpu_ms(cost: Cost) -> float:
    return cost.cpu_ms


def spread(costs: Sequence[Cost]) -> float:
    """Of the CPU: the dearest run less the cheapest."""
    taken = [each.cpu_ms for each in costs]
    return max(taken) - min(taken)
