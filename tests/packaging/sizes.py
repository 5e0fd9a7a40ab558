"""Lists the files of the product that are longer than a glance: a look at where subjects could be cut, and no wall."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
LONG: Final = 450
"""Lines."""


def lengths() -> dict[str, int]:
    """Return how many lines each file of the product has, the longest first."""
    files = [path for folder in ("bot", "engine") for path in (ROOT / folder).rglob("*.py")]
    lines = {path.relative_to(ROOT).as_posix(): len(path.read_text("utf-8").splitlines()) for path in files}
    return dict(sorted(lines.items(), key=lambda each: -each[1]))


if __name__ == "__main__":
    for path, count in lengths().items():
        if count > LONG:
            print(f"{count:6,} lines: {path}")
