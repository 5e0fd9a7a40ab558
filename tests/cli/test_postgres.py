"""The commands on a database of PostgreSQL: they do what they do with a file, or name what does it instead."""

import asyncio
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psycopg
import pytest
from psycopg import sql

from bot.command_line import main
from bot.commands.doctor import postgres
from bot.commands.findings import Health
from bot.config import read_config
from bot.databases import PostgresAddress, database_named, store_in
from bot.protocol_row import policies
from bot.registry import PROTOCOLS
from engine.store.port import Store
from engine.store.postgres import PostgresStore
from engine.store.sqlite import SqliteStore
from tests.equipment import POSTGRES
from tests.postgres import GUARDED, PASSWORD, PostgresServer
from tests.store.words import MEETUP, said, step

TOKENS = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1"}


@pytest.fixture
def database(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> PostgresAddress:
    monkeypatch.setenv("TOWOW_DB", postgres_url)
    return PostgresAddress(postgres_url)


def _begun(database: PostgresAddress) -> None:
    asyncio.run(_begun_in(PostgresStore(database.url)))


async def _begun_in(store: Store) -> None:
    await store.open()
    await store.commit(step(MEETUP, 0, [said()]))
    await store.close()


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


# ── as the page says it ───────────────────────────────────────────────────────────────────────────────────────────────

PAGE: Final = Path(__file__).parents[2] / "docs" / "operations.md"
PLACE: Final = "towow@db.example:5432"
"""Of the database on the page."""


@pytest.fixture
def guarded(postgres_server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of two empty databases whose user has a password, which is in no address; the home is empty."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("PGPASSFILE", raising=False)
    names = [f"kept_{os.getpid()}", f"new_{os.getpid()}"]
    with psycopg.connect(postgres_server.url("postgres"), autocommit=True) as connection:
        for each in names:
            made = sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE template0")
            connection.execute(made.format(sql.Identifier(each), sql.Identifier(GUARDED)))
        yield names
        for each in names:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(each)))


def as_the_page_says(server: PostgresServer, names: list[str]) -> list[str]:
    """Return the page's lines for these databases; the line of the editor writes what it says."""
    page = PAGE.read_text("utf-8")
    (block,) = re.findall(r"```sh\n(.*?pg_dump.*?)```", page.partition("## PostgreSQL")[2], re.S)
    lines = [each.strip() for each in block.splitlines() if each.strip()]
    kept, new = names
    place = f"{GUARDED}@127.0.0.1:{server.port}"
    lines = [
        each.replace(f"{PLACE}/towow_new", f"{place}/{new}").replace(f"{PLACE}/towow", f"{place}/{kept}")
        for each in lines
    ]
    written = lines[1].partition("# a line like ")[2]
    assert written.endswith(":PASSWORD")
    written = written.replace("db.example:5432", f"127.0.0.1:{server.port}").replace(":towow:", f":{GUARDED}:")
    lines[1] = f"echo '{written.replace('PASSWORD', PASSWORD)}' > ~/.pgpass"
    return lines


def test_a_copy_is_made_and_brought_back_as_the_page_says_and_no_line_has_the_password(
    postgres_server: PostgresServer, guarded: list[str], tmp_path: Path
) -> None:
    kept, new = (PostgresAddress(postgres_server.url(each, user=GUARDED)) for each in guarded)
    lines = as_the_page_says(postgres_server, guarded)
    assert [each for each in lines if PASSWORD in each] == [lines[1]], "which the shell itself does, or an editor"
    subprocess.run(["/bin/sh", "-ec", "\n".join(lines[:2])], cwd=tmp_path, check=True)
    _begun(kept)

    programs = f"{Path(POSTGRES.needed()).parent}{os.pathsep}{os.environ['PATH']}"
    script = "\n".join([lines[0], *lines[2:]])
    done = subprocess.run(
        ["/bin/sh", "-ec", script], cwd=tmp_path, env={**os.environ, "PATH": programs}, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "towow.dump").stat().st_mode & 0o077 == 0
    assert [*postgres(new)][-1].said.endswith("answers: 1 streams, 1 open")


def test_a_store_is_moved_to_an_address_without_a_password(
    postgres_server: PostgresServer, guarded: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, url = tmp_path / "towow.db", postgres_server.url(guarded[0], user=GUARDED)
    asyncio.run(_begun_in(SqliteStore(file)))
    assert main(["move", str(file), url]) != 0, "it takes a password"
    (tmp_path / ".pgpass").touch(0o600)
    (tmp_path / ".pgpass").write_text(f"127.0.0.1:{postgres_server.port}:*:{GUARDED}:{PASSWORD}\n")
    assert main(["move", str(file), url]) == 0, capsys.readouterr().err
    assert [*postgres(PostgresAddress(url))][-1].said.endswith("answers: 1 streams, 1 open")
