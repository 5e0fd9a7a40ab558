"""The statements of queries.sql by name."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import LiteralString

from engine.store.statements import read_statements


def query(name: str) -> LiteralString:
    return _queries()[name]


def names() -> list[str]:
    return list(_queries())


@cache
def _queries() -> "Mapping[str, LiteralString]":
    return read_statements(Path(__file__).with_name("queries.sql"))
