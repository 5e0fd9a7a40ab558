"""``python -m benchmarks.peers.contender <name>``: what one of them costs, as one object on standard output.

Each runs in a process of its own, and towow and the peers in environments of their own.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.cost import Cost
from benchmarks.latency import AT_ONCE
from engine.runtime.gc_tuning import relax

MANY: Final = 200
ALONE: Final = 5
"""Runs of one negotiation by itself; the median counts."""

Run = Callable[[Path, int], Awaitable[Cost]]


def _ours(name: str) -> Run:
    module = import_module(f"benchmarks.{name}")

    async def cost(_: Path, at_once: int) -> Cost:
        found: Cost = await module.cost(at_once, AT_ONCE)
        return found

    return cost


def _peer(name: str) -> Run:
    run: Run = import_module(f"benchmarks.peers.{name}").cost
    return run


CONTENDERS: Final[dict[str, Callable[[], Run]]] = {
    "towow": lambda: _ours("engine"),
    "yardstick": lambda: _ours("yardstick"),
    "langgraph": lambda: _peer("langgraph_flow"),
    "agent-framework": lambda: _peer("agent_framework_flow"),
}


async def measure(run: Run) -> dict[str, float]:
    """Milliseconds of CPU per negotiation, by how many run at once."""
    await _once(run, 1)  # what is loaded once
    relax()
    return {
        "1": median([await _once(run, 1) for _ in range(ALONE)]),
        str(MANY): await _once(run, MANY),
    }


async def _once(run: Run, at_once: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        return (await run(Path(folder), at_once)).cpu_ms


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measure(CONTENDERS[sys.argv[1]]()))))
