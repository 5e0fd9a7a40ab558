"""The log of a delivery follows its events as files; deleted, it is made again, byte for byte."""

import logging
import shutil
import stat
from pathlib import Path

import pytest

from bot.listeners.delivery.session_logs import SessionLogs
from engine.delivery.review.session_log import FINAL, LOG, SUMMARY
from engine.store.sqlite import SqliteStore

from ..conftest import MEETUP, Towow

PLAN = "title: Move\ntasks: [{task_id: a, title: Book the van}]\n"


@pytest.fixture
def database(towow: Towow, tmp_path: Path) -> Path:
    """After one delivery."""
    plan, path = tmp_path / "plan.yaml", tmp_path / "towow.db"
    plan.write_text(PLAN, "utf-8")
    assert towow("deliver", "--plan", plan, "--json", "--db", path).code == 1
    return path


def files_in(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir()}


def session_in(logs: Path) -> Path:
    [session] = logs.iterdir()
    return session


def test_it_is_written_while_it_goes_on_for_nobody_else_to_read(database: Path, tmp_path: Path) -> None:
    session = session_in(tmp_path / "logs")

    assert {LOG, FINAL, SUMMARY, "000001-plan.json"} <= {*files_in(session)}
    assert {stat.S_IMODE(each.stat().st_mode) for each in session.iterdir()} == {0o600}
    assert stat.S_IMODE(session.stat().st_mode) == 0o700


def test_deleted_it_is_made_again_byte_for_byte(towow: Towow, database: Path, tmp_path: Path) -> None:
    session = session_in(tmp_path / "logs")
    before = files_in(session)
    shutil.rmtree(session)

    done = towow("logs", session.name, "--db", database)

    assert done.code == 0
    assert files_in(session) == before
    assert "0 of them changed" in towow("logs", session.name, "--db", database).out


def test_what_was_changed_in_it_is_put_right(towow: Towow, database: Path, tmp_path: Path) -> None:
    session = session_in(tmp_path / "logs")
    before = files_in(session)
    (session / LOG).write_text("nothing", "utf-8")
    (session / "000009-stray.json").write_text("{}", "utf-8")
    (session / FINAL).unlink()
    (session / FINAL).symlink_to(database)

    assert towow("logs", session.name, "--db", database).code == 0

    assert files_in(session) == before
    assert database.stat().st_size > 100


def test_it_is_made_elsewhere_as_well(towow: Towow, database: Path, tmp_path: Path) -> None:
    session = session_in(tmp_path / "logs")

    assert towow("logs", session.name, "--into", tmp_path / "elsewhere", "--db", database).code == 0

    assert files_in(tmp_path / "elsewhere" / session.name) == files_in(session)


def test_only_deliveries_have_one(towow: Towow, tmp_path: Path) -> None:
    path = tmp_path / "my.db"
    assert towow("ask", MEETUP, "--db", path).code == 0

    done = towow("logs", "directory", "--db", path)

    assert (done.code, "directory is no delivery" in done.err) == (2, True)


async def test_what_is_missing_is_written_at_the_next_start(database: Path, tmp_path: Path) -> None:
    session = session_in(tmp_path / "logs")
    before = files_in(session)
    shutil.rmtree(session)
    store = SqliteStore(database)
    await store.open()
    try:
        logs = SessionLogs(store, tmp_path / "logs")
        await logs.start()
        await logs.close()
    finally:
        await store.close()

    assert files_in(session) == before


async def test_a_folder_that_cannot_be_written_stops_nobody(
    database: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    store = SqliteStore(database)
    await store.open()
    try:
        logs = SessionLogs(store, tmp_path / "file")
        with caplog.at_level(logging.WARNING, SessionLogs.__module__):
            await logs.start()
            await logs.close()
    finally:
        await store.close()

    assert "could not be written" in caplog.text
