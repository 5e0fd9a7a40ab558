"""``towow``, in whose process it is watched what holds the event loop: a line of the file ``HELD_LOOP`` for each."""

import os
import sys
from pathlib import Path

from tests.held_loop import HeldLoop, Hold


def run() -> None:
    told = Path(os.environ["HELD_LOOP"])

    def tell(hold: Hold) -> None:
        with told.open("a", encoding="utf-8") as file:
            file.write(f"{hold.seconds:.3f} {hold.where}\n")

    HeldLoop(tell).start()
    from bot.__main__ import run as towow

    sys.argv[0] = "towow"
    towow()


def holds_in(path: Path) -> list[Hold]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [Hold(float(seconds), where) for seconds, _, where in (each.partition(" ") for each in lines)]


if __name__ == "__main__":
    run()
