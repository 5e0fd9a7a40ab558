"""The stand-in stays small."""

from pathlib import Path
from typing import Final

import engine.offline

FOLDER: Final = Path(engine.offline.__file__).parent
MOST_LINES: Final = 3_000
"""For all protocols, data files included."""


def test_the_stand_in_has_at_most_three_thousand_lines() -> None:
    files = [each for each in FOLDER.rglob("*") if each.suffix in (".py", ".yaml")]
    assert sum(len(each.read_text("utf-8").splitlines()) for each in files) <= MOST_LINES
