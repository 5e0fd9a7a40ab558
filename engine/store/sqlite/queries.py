"""The statements of queries.sql by name."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from engine.store.statements import read_statements

_VALUES: Final = re.compile(r"VALUES (\([?, ]+\))")
_AMONG: Final = "IN (?)"


def query(name: str) -> str:
    return _queries()[name]


@cache
def query_for(name: str, rows: int) -> str:
    """The statement that writes so many rows, of one that writes a row of values."""
    one, values = query(name), _VALUES.search(query(name))
    if values is None:
        raise ValueError(f"The statement {name!r} takes no row of values.")
    return one.replace(values[1], ", ".join([values[1]] * rows))


@cache
def query_among(name: str, values: int) -> str:
    """The statement about rows with one of so many values, of one about rows with one value."""
    one = query(name)
    if _AMONG not in one:
        raise ValueError(f"The statement {name!r} looks for no value among others.")
    return one.replace(_AMONG, f"IN ({', '.join('?' * values)})")


def names() -> list[str]:
    return list(_queries())


@cache
def _queries() -> Mapping[str, str]:
    return read_statements(Path(__file__).with_name("queries.sql"))
