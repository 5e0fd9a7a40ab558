"""``python -m tests.chaos --seconds 120 --seed 7``: a siege of the running product; prints what became of it."""

import argparse
import asyncio
import logging
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .shared_siege import SharedSiege
from .siege import Siege


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120, help="how long it goes on; the end comes on top")
    parser.add_argument("--seed", type=int, default=7, help="decides what goes wrong when, and what people do")
    parser.add_argument("--folder", type=Path, help="an empty folder to keep everything in; else a temporary one")
    parser.add_argument("--bots", type=int, default=1, help="more than one: on a server of PostgreSQL, killed as well")
    chosen = parser.parse_args(arguments)
    logging.basicConfig(level=logging.CRITICAL)
    with tempfile.TemporaryDirectory(prefix="towow-chaos-") as temporary:
        folder = chosen.folder or Path(temporary)
        given = (chosen.seed, chosen.seconds, folder, _say)
        siege = SharedSiege(*given, chosen.bots) if chosen.bots > 1 else Siege(*given)
        report = asyncio.run(siege.run())
    for line in report.lines():
        _say(line)
    return 1 if report.problems else 0


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
