"""What is asked costs no more where more has happened: each statement finds an index for what it looks for."""

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from engine.store.postgres import PostgresStore
from engine.store.postgres.schema import names, query
from tests.postgres import PostgresServer

ARRAYS: dict[str, list[Any]] = {
    "text": ["1"], "bigint": [1], "integer": [1], "bytea": [b"1"], "boolean": [True],
}  # fmt: skip

SMALL = {
    "count_streams": {"streams"},
    "orphans": {"held", "members"},
    "forget_members": {"members", "held"},
    "forget_reserved": {"reserved", "members"},
    "forget_booked": {"booked"},
    "forget_reserved_of_days": {"reserved"},
    "forget_spent": {"spent"},
    "forget_spent_of_ended": {"spent"},
    "count_alarms": {"alarms"},
}
"""Statements that look through a whole table, and which: of what is held, booked, spent or set now there is not much.
Streams are counted one by one only where they are not many."""

PARTIAL = {"streams_unshown", "streams_stalled", "streams_owing", "streams_parked", "streams_open"}
"""Indexes of what is under way: they hold little, however much has ended."""

SEARCHED = {"streams": {"streams"}}
"""Of commands."""


def given(statement: str) -> Any:
    if "%(" in statement:
        return {"enterprise": "1", "team": "1", "line": "1", "after": 1.0, "turns": 1.0}
    return [
        ARRAYS[kind] if kind else ["1"] if is_list else "1"
        for is_list, kind in re.findall(r"(ANY \()?%[sb](?:::(\w+)\[\])?", statement)
    ]


@pytest.mark.parametrize("name", names())
def test_a_statement_looks_nothing_through_that_grows(name: str, planned: "psycopg.Connection[Any]") -> None:
    statement = query(name)
    values = given(statement)
    row = planned.execute(f"EXPLAIN (FORMAT JSON) {statement}", values or None).fetchone()
    assert row is not None

    looked_through = set(_looked_through(row[0][0]["Plan"]))
    assert looked_through - {"purged"} == {**SMALL, **SEARCHED}.get(name, set())


def _looked_through(node: dict[str, Any]) -> Iterator[str]:
    """Yield tables of which every row is read, also in the order of an index."""
    is_whole = node["Node Type"] == "Seq Scan" or (
        node["Node Type"] in ("Index Scan", "Index Only Scan")
        and "Index Cond" not in node
        and node["Index Name"] not in PARTIAL
    )
    if is_whole:
        yield node["Relation Name"]
    for each in node.get("Plans", ()):
        yield from _looked_through(each)


@pytest.fixture(scope="module")
def planned(postgres_server: PostgresServer) -> Iterator["psycopg.Connection[Any]"]:
    """Whatever index there is, is used: an empty table would be looked through otherwise."""
    with postgres_server.schema() as url:
        asyncio.run(_made(url))
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("SET enable_seqscan = off; SET enable_bitmapscan = off")
            yield connection


async def _made(url: str) -> None:
    store = PostgresStore(url)
    await store.open()
    await store.close()
