"""What a run of so many negotiations at once costs this process."""

import gc
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.flow import CRITICAL_PATH

Figures = dict[str, Any]
"""What a part of the benchmarks has found, by key."""


@dataclass(frozen=True, slots=True)
class Cost:
    cpu_ms: float
    """Of the whole process (the journal's thread too), per negotiation."""
    wall: float
    """Seconds, from the first demand to the last final proposal."""
    written_kib: float
    """Handed to the operating system, per negotiation."""

    def over_critical_path(self, latency: float) -> float:
        """How many times the shortest time there is, with calls that take ``latency`` seconds each."""
        return self.wall / (CRITICAL_PATH * latency)


async def cost_of(at_once: int, work: Awaitable[object]) -> Cost:
    """Of awaiting ``work``, which plays so many negotiations."""
    gc.collect()  # what an earlier run has left is not this one's
    cpu, wall, written = time.process_time(), time.perf_counter(), _written()
    await work
    cpu, wall, written = time.process_time() - cpu, time.perf_counter() - wall, _written() - written
    return Cost(cpu * 1000 / at_once, wall, written / 1024 / at_once)


def _written() -> int:
    """Bytes handed to write calls by this process so far; 0 where the system does not count them."""
    counters = Path("/proc/self/io")
    if not counters.exists():
        return 0
    return int(next(line.split()[1] for line in counters.read_text().splitlines() if line.startswith("wchar")))
