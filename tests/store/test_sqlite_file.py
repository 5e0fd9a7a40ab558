"""The file: whose it is, what may be wrong with it, and what people are told."""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.errors import StoreUnavailable, StoreUnusable
from engine.kernel import StreamKey
from engine.store.sqlite import SqliteStore

from .words import ACME, BEES, MEETUP, effect, said, step


async def refusal(path: Path) -> str:
    """What `open` says to a file that it cannot use."""
    with pytest.raises(StoreUnusable) as refused:
        await SqliteStore(path).open()
    assert str(path) in str(refused.value)
    return str(refused.value)


async def written(path: Path, length: int = 10) -> None:
    """A store with 200 events in it, closed."""
    store = SqliteStore(path)
    await store.open()
    try:
        await store.commit(step(events=[said(json.dumps("x" * length)) for _ in range(200)]))
    finally:
        await store.close()


async def test_folders_on_the_way_to_a_new_file_are_made(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "var" / "lib" / "towow.db")
    await store.open()
    await store.close()

    assert (tmp_path / "var" / "lib" / "towow.db").exists()


async def test_a_closed_store_leaves_no_log_behind(path: Path) -> None:
    await written(path)

    assert sorted(file.name for file in path.parent.iterdir()) == ["towow.db", "towow.db-identity", "towow.db-lock"]


def _write_a_diary(path: Path) -> None:
    path.write_text("Dear diary, " * 1_000)


def _lose_the_end(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _scribble_over_the_middle(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xff" * (size // 4))


def _keep_recipes(path: Path) -> None:
    path.unlink()
    _run(path, "CREATE TABLE recipes (name TEXT)")


def _come_from_the_future(path: Path) -> None:
    _run(path, "PRAGMA user_version = 99")


def _become_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _run(path: Path, sql: str) -> None:
    """What somebody else does to the file."""
    connection = sqlite3.connect(path)
    connection.executescript(sql)
    connection.close()


@pytest.mark.parametrize(
    ("ruin", "sentence"),
    [
        pytest.param(_write_a_diary, "is not a SQLite database; bring a backup", id="a text"),
        pytest.param(_lose_the_end, "is corrupt; bring a backup", id="the first half of a store"),
        pytest.param(_scribble_over_the_middle, "is corrupt; bring a backup", id="a damaged page"),
        pytest.param(_keep_recipes, "is a database of another program; choose another path", id="another program's"),
        pytest.param(_come_from_the_future, "has schema 99, and this ToWow knows up to 6; run", id="a newer ToWow's"),
        pytest.param(_become_a_folder, "is a folder; choose a file in it", id="a folder"),
    ],
)
async def test_a_file_that_cannot_be_used_is_refused_and_left_as_it_is(
    path: Path, ruin: Callable[[Path], None], sentence: str
) -> None:
    await written(path)
    ruin(path)
    before = _bytes_of(path)

    assert sentence in await refusal(path)
    assert _bytes_of(path) == before


def _bytes_of(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


async def test_damage_that_is_done_later_is_reported_when_it_is_met(path: Path) -> None:
    await written(path, length=50_000)  # more than is kept in memory
    store = SqliteStore(path)
    await store.open()
    _scribble_over_the_middle(path)
    try:
        with pytest.raises(StoreUnusable, match="is corrupt"):
            await store.load(MEETUP)
        assert store.health.is_damaged
    finally:
        await store.close()


async def test_a_file_that_another_program_has_locked_is_not_there_just_now(path: Path) -> None:
    await written(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    store = SqliteStore(path)

    with pytest.raises(StoreUnavailable, match=r"towow\.db is locked by another program"):
        await store.open()
    other.close()

    await store.open()
    assert await store.load(MEETUP) is not None
    await store.close()


async def test_a_store_below_a_file_is_refused(path: Path) -> None:
    await written(path)

    assert "can have no folder" in await refusal(path / "towow.db")


async def test_a_file_that_cannot_be_written_is_refused() -> None:
    with _folder_for_everybody() as folder:
        path = folder / "towow.db"
        await written(path)
        path.chmod(0o444)
        (folder / "towow.db-lock").chmod(0o666)

        with _as_nobody():
            assert "let this user write to the file and to its folder" in await refusal(path)


async def test_a_folder_that_cannot_be_written_is_refused() -> None:
    with _folder_for_everybody() as folder:
        folder.chmod(0o555)

        with _as_nobody():
            assert "let this user write to the file and to its folder" in await refusal(folder / "towow.db")


async def test_what_root_has_left_beside_it_is_told() -> None:
    with _folder_for_everybody() as folder:
        path = folder / "towow.db"
        await written(path)
        folder.chmod(0o777)
        for each in (path, folder / "towow.db-lock"):
            each.chmod(0o666)
        (folder / "towow.db-identity").chmod(0 if os.geteuid() else 0o600)

        with _as_nobody():
            assert "towow.db-identity cannot be read" in await refusal(path)


@contextmanager
def _folder_for_everybody() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        path.chmod(0o755)
        yield path
        path.chmod(0o755)


@contextmanager
def _as_nobody() -> Iterator[None]:
    """Root may write everything; for a while we are somebody else."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(0)


async def test_a_file_has_one_towow_at_a_time(sqlite: SqliteStore, path: Path) -> None:
    assert "is used by another ToWow; stop that one, or choose another path" in await refusal(path)

    await sqlite.commit(step())
    assert await sqlite.load(MEETUP) is not None


async def test_a_long_reader_lets_the_log_grow_only_as_long_as_it_reads(sqlite: SqliteStore, path: Path) -> None:
    log = path.with_name("towow.db-wal")
    large = said("x" * 500_000)
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM events").fetchone()
    for version in range(60):
        await sqlite.commit(step(version=version, events=[large]))
    grown = log.stat().st_size
    reader.close()

    for version in range(60, 100):
        await sqlite.commit(step(version=version, events=[large]))

    assert grown > 20_000_000
    assert log.stat().st_size < grown / 2


async def test_a_tenant_with_few_events_among_many_finds_them_all(sqlite: SqliteStore) -> None:
    theirs = StreamKey(BEES, "hive")
    await sqlite.commit(step(theirs, 0, [said()]))
    await sqlite.commit(step(MEETUP, 0, [said("{}")] * 20_500))
    await sqlite.commit(step(theirs, 1, [said()]))

    assert [event.seq for event in await sqlite.events(BEES, after=0, limit=10)] == [1, 2]


async def test_ten_thousand_open_streams_cost_nothing_at_the_start(sqlite: SqliteStore) -> None:
    keys = [StreamKey(ACME, f"demand-{number}") for number in range(10_000)]
    await asyncio.gather(
        *(sqlite.commit(step(key, events=[said()], add=[effect("ask", key), effect("plan", key)])) for key in keys)
    )

    await sqlite.close()
    await sqlite.open()

    page, _ = await sqlite.pending_effects(after=0, limit=50)
    assert [each.key for each in page[::2]] == keys[:50]
    assert (await sqlite.counts())["open_streams"] == 10_000


def test_a_store_that_nobody_closed_does_not_hang_the_exit(path: Path) -> None:
    forgetful = (
        "import asyncio, pathlib, sys; from engine.store.sqlite import SqliteStore\n"
        "async def main():\n"
        "    await SqliteStore(pathlib.Path(sys.argv[1])).open()\n"
        "asyncio.run(main())\n"
    )

    ended = subprocess.run([sys.executable, "-W", "ignore", "-c", forgetful, str(path)], timeout=30, check=False)

    assert ended.returncode == 0


async def test_an_erased_text_is_in_none_of_the_files(sqlite: SqliteStore, path: Path) -> None:
    words = "the words of a person who regrets them " * 300  # long enough for pages of its own
    await sqlite.commit(step(version=0, events=[said("{}", words), said("{}", "short regret")]))
    assert b"regret" in _all_bytes(path)

    await sqlite.commit(step(version=2, events=[said()], erase=[1, 2]))

    await sqlite.close()
    assert b"regret" not in _all_bytes(path)


def _all_bytes(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(path.parent.iterdir()))
