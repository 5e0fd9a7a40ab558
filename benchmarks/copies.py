"""Many negotiations like one that was played, made cheaply: its rows are copied within the database, table by table.

Of the schema it knows only what a row belongs to; which columns there are, it asks.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

CHUNK: Final = 500
"""Copies in one transaction."""

_NAME: Final = "printf('copy-%0*d', length(:name) - 5, number)"
"""A copy's, as long as the original's."""


def multiply(path: Path, stream: str, copies: int) -> None:
    """So many streams like ``stream``, with all that it has: events, inbox, outbox, alarms, records across streams.

    Nobody else may have the file open.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")  # nobody would miss it
        first, highest = connection.execute(
            "SELECT id, (SELECT max(id) FROM streams) FROM streams WHERE stream = ?", (stream,)
        ).fetchone()
        values = {"first": first, "name": stream, "highest": highest}
        statements = [_prepare(connection, table, values) for table in _tables(connection)]
        for start in range(0, copies, CHUNK):
            values |= {"from": start + 1, "to": min(start + CHUNK, copies)}
            connection.execute("BEGIN IMMEDIATE")
            for each in statements:
                connection.execute(each, values)
            connection.execute("COMMIT")


def _tables(connection: sqlite3.Connection) -> list[str]:
    """Those that have something of a stream; the streams themselves go first."""
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    tables = [name for name in names if {"stream", "key"} & _columns(connection, name).keys()]
    return sorted(tables, key=lambda name: name != "streams")


def _prepare(connection: sqlite3.Connection, table: str, values: Mapping[str, Any]) -> str:
    """The statement that copies what the stream has in this table, which is put aside."""
    columns = _columns(connection, table)
    if table == "streams":
        changed, where = {"id": ":highest + number", "stream": _NAME}, "id = :first"
    elif "stream" in columns:
        changed, where = {"stream": ":highest + number"}, "stream = :first"
    else:
        changed, where = {each: f"replace({each}, :name, {_NAME})" for each in ("key", "value")}, "instr(key, :name)"
    connection.execute(f"CREATE TEMP TABLE its_{table} AS SELECT * FROM {table} WHERE {where}", values)
    taken = [each for each, counted in columns.items() if not counted or each in changed]
    return f"""
        WITH RECURSIVE copies (number) AS (SELECT :from UNION ALL SELECT number + 1 FROM copies WHERE number < :to)
        INSERT INTO {table} ({", ".join(taken)})
        SELECT {", ".join(changed.get(each, each) for each in taken)} FROM copies CROSS JOIN its_{table}
    """


def _columns(connection: sqlite3.Connection, table: str) -> dict[str, bool]:
    """By name, whether the column is a number that SQLite counts up by itself."""
    rows = connection.execute(f"PRAGMA table_info({table})").fetchall()
    alone = sum(bool(key) for *_, key in rows) == 1
    return {name: bool(key) and alone and kind == "INTEGER" for _, name, kind, _, _, key in rows}
