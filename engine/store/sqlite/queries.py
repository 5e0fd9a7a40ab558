"""The statements of queries.sql by name. Their text never varies, so that sqlite3 prepares each of them once."""

import re
from functools import cache
from pathlib import Path


def query(name: str) -> str:
    return _queries()[name]


def names() -> list[str]:
    return list(_queries())


@cache
def _queries() -> dict[str, str]:
    text = Path(__file__).with_name("queries.sql").read_text(encoding="utf-8")
    _, *parts = re.split(r"^-- name: (\w+)\n", text, flags=re.MULTILINE)
    return {name: statement.strip() for name, statement in zip(parts[::2], parts[1::2], strict=True)}
