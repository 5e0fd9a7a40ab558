"""What is asked costs no more where more has happened: the rows that each statement reads of 100,000 are counted.

A plan says which index is sought in, and not from where to where it is read.
"""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import psycopg
import pytest

from engine.store.port import Store
from engine.store.postgres import PostgresStore
from engine.store.postgres.schema import names as postgres_names
from engine.store.postgres.schema import query as postgres_query
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.reads import names, query
from tests.postgres import PostgresServer
from tests.store import test_postgres_plans as postgres_plans
from tests.store.test_query_plans import SEARCHED, SMALL

ROWS = 100_000
UNDER_WAY = 10
"""Streams that are open, owe an effect, have one parked, and have something that nobody was shown."""
MOST_STEPS = 1_000
"""Of SQLite's, that a statement may take where it may return ten rows. Each row that is read takes one at least."""
MOST_ROWS = 100
"""That PostgreSQL may read for one."""

MIDDLE = ROWS // 2
STREAM = f"d-{MIDDLE:06}"
ACME = ("", "T1")
PAGE = 10
RECORD = ("note", f"{MIDDLE:06}")

FILL = f"""
CREATE TEMP TABLE numbers AS
    WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < {ROWS})
    SELECT n, printf('%06d', n) AS name, n > {ROWS - UNDER_WAY} AS is_under_way FROM counted;
INSERT INTO streams (id, enterprise_id, team_id, stream, protocol, version, chain, is_open, shown, unshown,
    stalled_at, outbox, owes, parked)
SELECT n, '', 'T1', 'd-' || name, 'toy', 1, x'', is_under_way, 1 - is_under_way, iif(is_under_way, n, NULL),
    iif(is_under_way, 0, NULL), '[]', is_under_way, is_under_way FROM numbers;
INSERT INTO events (position, stream, seq, event_type, at, public, digest, chain)
SELECT n, n, 1, 'said', n, '{{}}', x'', x'' FROM numbers;
INSERT INTO inbox (stream, command_id) SELECT n, 'c-' || name FROM numbers;
INSERT INTO alarms (stream, name, generation, due) SELECT n, 'window', 1, {ROWS} + n FROM numbers WHERE n <> {MIDDLE};
INSERT INTO records (enterprise_id, team_id, kind, key, value) SELECT '', 'T1', 'note', name, '1' FROM numbers;
INSERT INTO records (enterprise_id, team_id, kind, key, value) VALUES ('', 'T2', 'note', '1', '1');
"""  # noqa: S608 - of numbers that stand here

GIVEN: dict[str, Any] = {
    "find_stream": (*ACME, STREAM),
    "streams_called": (STREAM,),
    "create_stream": (ROWS + 1, *ACME, "d-new", "toy", 1, b"", None, 1, None, "[]", 0, 0),
    "advance_stream": (MIDDLE, 2, b"", "[]"),
    "advance_and_postpone": (MIDDLE, 2, b"", "[]", 1),
    "set_open": (MIDDLE, 1),
    "set_owing": (MIDDLE, 1, 0),
    "set_unshown": (MIDDLE, 1),
    "is_handled": (MIDDLE, f"c-{MIDDLE:06}"),
    "handle": (MIDDLE, "c-new", None),
    "append_event": (ROWS + 1, MIDDLE, 2, "said", 1, "{}", None, None, None, b"", b""),
    "erase": (MIDDLE, 1),
    "reword": ("{}", None, None, b"", b"", MIDDLE, 1),
    "refusals_of_stream": (MIDDLE,),
    "word_refusal": ("no", MIDDLE, f"c-{MIDDLE:06}"),
    "set_alarm": (MIDDLE, "window", 1, 1),
    "clear_alarm": ("window", MIDDLE + 1),
    "mark_shown": {"stream": MIDDLE, "version": 1},
    "put_record": (*ACME, *RECORD, "2"),
    "drop_record": (*ACME, *RECORD),
    "events_of_stream": (MIDDLE,),
    "commands_of_stream": (MIDDLE,),
    "alarms_of_stream": (MIDDLE,),
    "owing_streams": (0, PAGE),
    "due": (ROWS * 2, PAGE),
    "stalled": (1, PAGE),
    "events_of_tenant": {"enterprise": "", "team": "T1", "after": MIDDLE, "up_to": ROWS, "limit": PAGE},
    "lagging": (PAGE,),
    "tenant_after": {"enterprise": "", "team": "T1"},
    "records": (*ACME, *RECORD, b"", PAGE),
    "records_backwards": (*ACME, "note", "", RECORD[1], PAGE),
    "count_open_of_tenant": ACME,
    "standings": (*ACME, STREAM, PAGE),
    "record_places": (*ACME, *RECORD, PAGE),
    "settled_stream": (*ACME, STREAM, 1),
    "streams_of_tenant": (*ACME, PAGE),
    "remember_purged": (1, 1),
    "purge_events": (MIDDLE,),
    "purge_inbox": (MIDDLE,),
    "purge_alarms": (MIDDLE + 1,),
    "purge_stream": (ROWS + 1,),
    "purge_records": (*ACME, PAGE),
}
"""What each statement is asked with, where it is asked with anything."""


@pytest.mark.parametrize("name", [each for each in names() if each not in SEARCHED | SMALL])
def test_a_statement_reads_no_more_rows_of_sqlite_than_it_needs(name: str, filled: sqlite3.Connection) -> None:
    assert _steps(filled, query(name), GIVEN.get(name, ())) <= MOST_STEPS


def _steps(connection: sqlite3.Connection, statement: str, given: Any) -> int:
    """Count SQLite's steps by its own progress handler."""
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    connection.execute("BEGIN")
    connection.set_progress_handler(step, 1)
    try:
        connection.execute(statement, given).fetchall()
    finally:
        connection.set_progress_handler(None, 0)
        connection.execute("ROLLBACK")
    return steps


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    path = tmp_path_factory.mktemp("rows") / "towow.db"
    asyncio.run(_opened(SqliteStore(path)))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(f"BEGIN; {FILL} COMMIT;")
        yield connection


FILL_POSTGRES = f"""
CREATE TEMP TABLE numbers AS
    SELECT n, CASE WHEN n = {MIDDLE} THEN '1' ELSE n % 2 || to_char(n, 'FM000000') END AS name,
        n > {ROWS - UNDER_WAY} AS is_under_way
    FROM generate_series(2, {ROWS}) AS n;
INSERT INTO streams (id, enterprise_id, team_id, stream, protocol, version, chain, is_open, shown, unshown,
    stalled_at, outbox, owes, parked)
SELECT n, '1', '1', name, 'toy', 1, '', is_under_way, (NOT is_under_way)::int, CASE WHEN is_under_way THEN n END,
    CASE WHEN is_under_way THEN 0 END, '[]', is_under_way, is_under_way::int FROM numbers;
INSERT INTO events (position, stream, seq, event_type, at, public, digest, chain)
SELECT n, n, 1, 'said', n, '{{}}', '', '' FROM numbers;
INSERT INTO inbox (stream, command_id) SELECT n, name FROM numbers;
INSERT INTO alarms (stream, name, generation, due) SELECT n, 'window', 1, n FROM numbers;
INSERT INTO records (enterprise_id, team_id, kind, key, value) SELECT '1', '1', '1', name, '1' FROM numbers;
ANALYZE;
"""  # noqa: S608 - of numbers that stand here
"""Whatever is asked for by a text is called "1": half of the names come before it."""

NEW: dict[str, Any] = {"create_streams": ([ROWS + 1], ["1"], ["1"], ["new"], ["toy"])}
"""What a statement is asked with that writes what is not there yet."""


@pytest.mark.parametrize(
    "name", [each for each in postgres_names() if each not in {**postgres_plans.SMALL, **postgres_plans.SEARCHED}]
)
def test_a_statement_reads_no_more_rows_of_postgresql_than_it_needs(
    name: str, filled_postgres: "psycopg.Connection[Any]"
) -> None:
    statement = postgres_query(name)
    with filled_postgres.transaction(force_rollback=True):
        row = filled_postgres.execute(
            f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", NEW.get(name, postgres_plans.given(statement)) or None
        ).fetchone()
    assert row is not None

    assert sum(_rows_read(row[0][0]["Plan"])) <= MOST_ROWS


def _rows_read(node: dict[str, Any]) -> Iterator[float]:
    """Yield how many rows each part of a plan has read of a table, also those that it did not return."""
    if "Relation Name" in node or "Index Name" in node:
        read = node["Actual Rows"] + sum(count for what, count in node.items() if what.startswith("Rows Removed"))
        yield read * node["Actual Loops"]
    for each in node.get("Plans", ()):
        yield from _rows_read(each)


@pytest.fixture(scope="module")
def filled_postgres(postgres_server: PostgresServer) -> Iterator["psycopg.Connection[Any]"]:
    with postgres_server.schema() as url:
        asyncio.run(_opened(PostgresStore(url)))
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(FILL_POSTGRES)
            yield connection


async def _opened(store: Store) -> None:
    """Have the tables made."""
    await store.open()
    await store.close()
