"""The commands on a database of PostgreSQL: they do what they do with a file, or name what does it instead."""

import asyncio
import os
from pathlib import Path

import pytest

from bot.command_line import main
from bot.commands.doctor_postgres import postgres
from bot.commands.findings import Health
from bot.config import read_config
from bot.databases import PostgresAddress, database_named, store_in
from bot.protocol_row import policies
from bot.registry import PROTOCOLS
from engine.store.postgres import PostgresStore
from tests.postgres import PASSWORD, PostgresServer
from tests.store.words import MEETUP, said, step

TOKENS = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1"}


@pytest.fixture
def database(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> PostgresAddress:
    monkeypatch.setenv("TOWOW_DB", postgres_url)
    return PostgresAddress(postgres_url)


def _begun(database: PostgresAddress) -> None:
    async def begin() -> None:
        store = PostgresStore(database.url)
        await store.open()
        await store.commit(step(MEETUP, 0, [said()]))
        await store.close()

    asyncio.run(begin())


def test_an_address_in_place_of_a_file_is_postgres() -> None:
    address = f"postgres://towow:{PASSWORD}@db.example:5433/towow?sslmode=require"
    config = read_config(TOKENS | {"TOWOW_DB": address}, policies(PROTOCOLS))

    assert config.database == PostgresAddress(address)
    assert isinstance(store_in(config.database), PostgresStore)
    assert str(config.database) == "db.example:5433/towow"
    assert PASSWORD not in f"{config!r} {config.database}"
    assert config.workers.sessions == Path("sessions")
    assert database_named("towow.db") == Path("towow.db")


def test_doctor_looks_at_an_empty_database_and_at_one_in_use(database: PostgresAddress) -> None:
    assert [each.health for each in postgres(database)] == [Health.FINE, Health.BROKEN, Health.FINE]
    _begun(database)

    server, careless, kept = postgres(database)
    assert "PostgreSQL" in server.said
    assert "does not wait for its disk" in careless.said
    assert kept.said.endswith("answers: 1 streams, 1 open")


def test_doctor_says_that_a_database_is_not_there(postgres_server: PostgresServer) -> None:
    (finding,) = postgres(PostgresAddress(postgres_server.url("nothing")))

    assert finding.health is Health.BROKEN
    assert "has no such user or database" in finding.said


def test_what_is_looked_at_is_looked_at_there(database: PostgresAddress, capsys: pytest.CaptureFixture[str]) -> None:
    _begun(database)

    assert main(["costs"]) == 0
    assert main(["export", "nothing"]) == 2
    assert "There is nothing called nothing in this store." in capsys.readouterr().err


def test_an_empty_one_is_not_made_by_looking_at_it(
    database: PostgresAddress, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "anything"]) == 2
    assert "is empty; its tables are made at the first start" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["backup", "copy.db"], ["restore", "copy.db"]], ids=["backup", "restore"])
def test_a_copy_is_made_by_postgres_itself(
    command: list[str], database: PostgresAddress, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2
    said = capsys.readouterr().err
    assert "pg_dump --format" in said or "use pg_restore" in said
    assert os.environ["TOWOW_DB"] not in said
