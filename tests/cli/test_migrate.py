"""`towow migrate` and `towow move`, as they are typed."""

import asyncio
import sqlite3
from pathlib import Path

import psycopg
import pytest

from bot.command_line import main
from engine.store.postgres import PostgresStore, schema
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.database import MIGRATIONS
from tests.runtime.test_earlier_databases import DUMPS
from tests.store.words import MEETUP, said, step


def _of_version_one(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(Path(schema.__file__).with_name("schema.sql").read_bytes())


def _version(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT version FROM towow_schema").fetchone()
    assert row is not None
    return int(row[0])


def test_an_earlier_database_is_brought_up_to_date(postgres_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    _of_version_one(postgres_url)

    assert main(["migrate", "--db", postgres_url, "--dry-run"]) == 0
    said_first = capsys.readouterr().out
    assert f"has schema 1; this ToWow has {schema.NEWEST}.\n- Version 2: what the processes" in said_first
    assert "Nothing was changed." in said_first
    assert _version(postgres_url) == 1

    assert main(["migrate", "--db", postgres_url]) == 0
    assert _version(postgres_url) == schema.NEWEST
    assert main(["migrate", "--db", postgres_url]) == 0
    assert "nothing is to be done" in capsys.readouterr().out


def test_nothing_is_migrated_while_it_is_in_use(postgres_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    _of_version_one(postgres_url)
    with psycopg.connect(postgres_url, autocommit=True) as user:
        user.execute("SELECT pg_advisory_lock_shared(%s, hashtext(current_schema()))", (schema.IN_USE,))

        assert main(["migrate", "--db", postgres_url]) == 75
    assert "is used by other ToWows (1); stop them first" in capsys.readouterr().err
    assert _version(postgres_url) == 1


def test_an_earlier_file_is_brought_up_to_date(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "earlier.db"
    connection = sqlite3.connect(path)
    connection.executescript(DUMPS[0].read_text("utf-8"))
    (earlier,) = connection.execute("PRAGMA user_version").fetchone()
    connection.close()

    assert main(["migrate", "--db", str(path), "--dry-run"]) == 0
    assert f"has schema {earlier}; this ToWow has {len(MIGRATIONS)}." in capsys.readouterr().out
    assert main(["migrate", "--db", str(path)]) == 0
    assert main(["migrate", "--db", str(path)]) == 0
    assert "nothing is to be done" in capsys.readouterr().out


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate", "--db", str(tmp_path / "nothing.db")]) == 2
    assert "There is no store" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_moved(tmp_path: Path, postgres_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "towow.db"

    async def begin() -> None:
        store = SqliteStore(path)
        await store.open()
        await store.commit(step(MEETUP, 0, [said()]))
        await store.close()

    async def is_there() -> bool:
        store = PostgresStore(postgres_url)
        await store.open()
        try:
            return await store.verify(MEETUP)
        finally:
            await store.close()

    asyncio.run(begin())

    assert main(["move", str(path), postgres_url]) == 0
    assert "1 streams with 1 events, and 0 records" in capsys.readouterr().out
    assert asyncio.run(is_there())
    assert main(["move", str(path), postgres_url]) == 2
