"""Statements of SQL by name, as they stand in a file. Their text never varies, so that each is prepared once."""

import re
from collections.abc import Mapping
from pathlib import Path


def read_statements(path: Path) -> Mapping[str, str]:
    text = path.read_text(encoding="utf-8")
    _, *parts = re.split(r"^-- name: (\w+)\n", text, flags=re.MULTILINE)
    return {name: statement.strip() for name, statement in zip(parts[::2], parts[1::2], strict=True)}
