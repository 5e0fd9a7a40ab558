"""A start with 10,000 negotiations open, each with a round that people are asked in and its alarm.

Keys: ``start_ms``, from a closed file to a runtime that has done whatever was due; ``start_mib``, memory it grew by.
"""

import os
import tempfile
import time
from pathlib import Path
from typing import Final

from rich.console import Console

from benchmarks.cost import Figures
from benchmarks.engine import engine, linked, open_many

OPEN: Final = 10_000


async def measure() -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "towow.db"
        await open_many(path, OPEN)
        _flush(path)
        before, began = _resident_mib(), time.perf_counter()
        async with engine(path, profiles=linked()):
            return {"start_ms": (time.perf_counter() - began) * 1000, "start_mib": _resident_mib() - before}


def tell(found: Figures, console: Console) -> None:
    console.print(
        f"Start with {OPEN:,} open negotiations: {found['start_ms']:.0f} ms, {found['start_mib']:.0f} MiB more"
    )


def _flush(path: Path) -> None:
    """Wait until all of it is on disk: else the first sync of the start writes what was made for it."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _resident_mib() -> float:
    """In memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
