"""``python -m benchmarks.peers [--python <interpreter of the peers' environment>] [--json]``.

Engine, yardstick and peers take turns, each in a process of its own; medians of CPU milliseconds per negotiation, by
name and by how many run at once, are printed.
"""

import json
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from statistics import median
from typing import Final

from rich.console import Console
from rich.table import Table

RUNS: Final = 5
AT_ONCE: Final = ("1", "200")

Taken = dict[str, dict[str, float]]


def main() -> None:
    parser = ArgumentParser("python -m benchmarks.peers", description="The same flow on other engines.")
    parser.add_argument("--python", default=".venv-peers/bin/python", help="the interpreter that has the peers")
    parser.add_argument("--runs", type=int, default=RUNS, metavar="N", help="of each")
    parser.add_argument("--json", action="store_true", help="print one object and nothing else")
    chosen = parser.parse_args()
    interpreters = {
        "yardstick": sys.executable,
        "towow": sys.executable,
        "agent-framework": chosen.python,
        "langgraph": chosen.python,
    }
    runs = [{name: _cost(python, name) for name, python in interpreters.items()} for _ in range(chosen.runs)]
    taken = {
        name: {at_once: median(run[name][at_once] for run in runs) for at_once in AT_ONCE} for name in interpreters
    }
    if chosen.json:
        print(json.dumps(taken))
    else:
        _tell(taken)


def medians(runs: Sequence[Taken]) -> Taken:
    return {name: {at_once: median(run[name][at_once] for run in runs) for at_once in AT_ONCE} for name in runs[0]}


def _cost(python: str, name: str) -> dict[str, float]:
    """Of one turn.

    Raises:
        CalledProcessError: it failed; why stands on standard error.
    """
    command = [python, "-m", "benchmarks.peers.contender", name]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    cost: dict[str, float] = json.loads(said.splitlines()[-1])
    return cost


def _tell(taken: Taken) -> None:
    table = Table("", *(f"{at_once} at once, CPU ms" for at_once in AT_ONCE), "of towow's at 200")
    for name, costs in taken.items():
        times = costs["200"] / taken["towow"]["200"]
        table.add_row(name, *(f"{costs[at_once]:.1f}" for at_once in AT_ONCE), f"{times:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
