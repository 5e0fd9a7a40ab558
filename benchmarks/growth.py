"""The engine on a database that has grown: what ended long ago should cost nothing now.

Keys: ``growth_ms_<n>``, milliseconds of CPU per negotiation, 50 at once, where n have ended before. The databases are
measured in turn, several times. The largest takes more than a gigabyte in the folder for temporary files.
"""

import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import median
from typing import Final

from rich.console import Console
from rich.table import Table

from benchmarks import engine
from benchmarks.cost import Figures, cost_of

FINISHED: Final = (10, 1_000, 20_000)
AT_ONCE: Final = 50
RUNS: Final = 5


async def measure() -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        paths = {finished: Path(folder) / f"{finished}.db" for finished in FINISHED}
        for finished, path in paths.items():
            await engine.finish_many(path, finished)
        numbers = count(1)  # 0 is there
        taken = [{finished: await _cpu_ms(path, numbers) for finished, path in paths.items()} for _ in range(RUNS)]
    return {f"growth_ms_{finished}": median(run[finished] for run in taken) for finished in FINISHED}


def tell(found: Figures, console: Console) -> None:
    table = Table("finished before", "CPU ms", title=f"Engine on a database that has grown, {AT_ONCE} at once, each")
    for finished in FINISHED:
        table.add_row(f"{finished:,}", f"{found[f'growth_ms_{finished}']:.1f}")
    console.print(table)


async def _cpu_ms(path: Path, numbers: Iterator[int]) -> float:
    async with engine.engine(path) as runtime:
        await engine.negotiate(runtime, [next(numbers)])  # what is loaded once
        begun = [next(numbers) for _ in range(AT_ONCE)]
        cost = await cost_of(AT_ONCE, engine.negotiate(runtime, begun))
        await engine.check(runtime, begun)
        return cost.cpu_ms
