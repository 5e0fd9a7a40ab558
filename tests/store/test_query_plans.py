"""What is asked costs no more where more has happened: no statement looks through a table that grows with history."""

import re
from pathlib import Path

import pytest

from engine.store.sqlite import SqliteStore
from engine.store.sqlite.database import open_reader
from engine.store.sqlite.reads import names, query, query_among, query_for
from engine.store.sqlite.writes import AT_ONCE

SEARCHED = {"streams": "SCAN streams"}
"""Statements of commands that look through everything, while no ToWow runs."""

SMALL = {"count_alarms": "SCAN alarms USING COVERING INDEX alarms_due"}
"""Statements that look through a whole table, and which: what is set now is not much, however much has ended."""


def forms(name: str) -> list[str]:
    """The statement, and as it is said of many rows."""
    many = [query_for(name, AT_ONCE)] if "VALUES (" in query(name) else []
    among = [query_among(name, AT_ONCE)] if "IN (?)" in query(name) else []
    return [query(name), *many, *among]


@pytest.mark.parametrize(
    ("name", "statement"),
    [pytest.param(each, form, id=f"{each} {number}") for each in names() for number, form in enumerate(forms(each))],
)
async def test_a_statement_looks_nothing_through_that_grows(
    path: Path, sqlite: SqliteStore, name: str, statement: str
) -> None:
    reader = await open_reader(path)
    try:
        values = dict.fromkeys(re.findall(r":(\w+)", statement), 1)
        given = values or [1] * statement.count("?")
        rows = await reader.execute_fetchall(f"EXPLAIN QUERY PLAN {statement}", given)
    finally:
        await reader.close()
    plan = [str(detail) for *_, detail in rows]

    scans = [each for each in plan if each.startswith("SCAN") and "USING INDEX streams_" not in each]
    scans = [each for each in scans if each != "SCAN now" and "CONSTANT ROW" not in each]  # what is given with it
    scans = [each for each in scans if "USING COVERING INDEX streams_open" not in each]
    known = SMALL | SEARCHED
    assert scans == ([known[name]] if name in known else [])
