"""No file of the product has to be scrolled for long to be understood."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
MOST_LINES: Final = 450


def test_no_file_of_the_product_is_longer_than_can_be_overlooked() -> None:
    files = [path for folder in ("bot", "engine") for path in (ROOT / folder).rglob("*.py")]
    lines = {path.relative_to(ROOT).as_posix(): len(path.read_text("utf-8").splitlines()) for path in files}

    assert len(lines) > 200
    assert {path: count for path, count in lines.items() if count > MOST_LINES} == {}
