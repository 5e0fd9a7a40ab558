"""A backup comes back as it was made; a file that somebody put there by hand is noticed before anything is written."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from engine.errors import StoreUnusable
from engine.kernel import StreamKey
from engine.store.port import UNKNOWN_POSTS
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.archive import Archive
from engine.store.sqlite.restore import restore

from .words import BEES, MEETUP, said, step

SECONDS = 1_000
ENDS = ("", "-wal", "-shm", "-identity")


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def goes_on(path: Path, events: int = 1, key: StreamKey = MEETUP) -> None:
    """Some more happens, and all is closed."""
    async with opened(path) as store:
        await happens(store, events, key)


async def happens(store: SqliteStore, events: int = 1, key: StreamKey = MEETUP) -> None:
    found = await store.load(key)
    version = found.version if found else 0
    await store.commit(step(key, version, [said(at=SECONDS * (version + each)) for each in range(1, events + 1)]))


async def fills(store: SqliteStore, times: int) -> None:
    """More is written than the log may hold."""
    for number in range(times):
        key = StreamKey(BEES, f"hive {os.getpid()} {number}")
        await store.commit(step(key, 0, [said("x" * 500_000)]))


def killed(path: Path, events: int = 1, doing: str = "happens") -> None:
    """Some more happens in another process, which is killed: the log stays."""
    code = (
        "import asyncio, os, pathlib, sys; from engine.store.sqlite import SqliteStore\n"
        "from tests.store import test_sqlite_restore\n"
        "async def main():\n"
        "    store = SqliteStore(pathlib.Path(sys.argv[1]))\n"
        "    await store.open()\n"
        "    await getattr(test_sqlite_restore, sys.argv[3])(store, int(sys.argv[2]))\n"
        f"    os.kill(os.getpid(), {int(signal.SIGKILL)})\n"
        "asyncio.run(main())\n"
    )
    ended = subprocess.run([sys.executable, "-c", code, path, str(events), doing], timeout=60, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert path.with_name(f"{path.name}-wal").stat().st_size


async def version(path: Path, key: StreamKey = MEETUP) -> int:
    async with opened(path) as store:
        found = await store.load(key)
        assert await store.verify(key)
        return found.version if found else 0


async def refusal(path: Path) -> str:
    """What is said of a file that was put there by hand, of which nothing is changed."""
    before = contents(path)
    with pytest.raises(StoreUnusable) as refused:
        await SqliteStore(path).open()
    with pytest.raises(StoreUnusable):
        Archive(path)
    assert contents(path) == before
    assert "towow restore" in str(refused.value)
    return str(refused.value)


async def expected(store: SqliteStore) -> dict[str, int]:
    """Since when posts may exist that are not remembered."""
    rows = await store.records(MEETUP.tenant, UNKNOWN_POSTS)
    return {stream: json.loads(row)["since"] for stream, row in rows.items()}


def contents(path: Path) -> dict[str, bytes]:
    files = [path.with_name(path.name + end) for end in ENDS]
    return {each.name: each.read_bytes() for each in files if each.is_file() and not each.name.endswith("-shm")}


# ── what somebody does by hand ────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
async def backup(path: Path, tmp_path: Path) -> Path:
    """Made while it ran, with three events in it; two more have happened since, and the process was killed."""
    kept = tmp_path / "kept.db"
    async with opened(path) as store:
        await happens(store, 3)
        Archive(path).back_up(kept)
    killed(path, 2)
    return kept


def in_its_place(backup: Path, path: Path) -> None:
    shutil.copyfile(backup, path)


def by_a_rename(backup: Path, path: Path) -> None:
    shutil.copyfile(backup, path.with_name("fresh.db"))
    path.with_name("fresh.db").replace(path)


def without_the_log(backup: Path, path: Path) -> None:
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink()
    shutil.copyfile(backup, path)


@pytest.mark.parametrize("put", [in_its_place, by_a_rename, without_the_log])
async def test_a_backup_that_was_put_there_by_hand_is_noticed(
    path: Path, backup: Path, put: Callable[[Path, Path], None]
) -> None:
    put(backup, path)

    assert "was replaced by hand" in await refusal(path)


@pytest.mark.parametrize("put", [in_its_place, by_a_rename, without_the_log])
async def test_another_database_that_was_put_there_by_hand_is_noticed(
    path: Path, backup: Path, tmp_path: Path, put: Callable[[Path, Path], None]
) -> None:
    other = tmp_path / "other" / "towow.db"
    await goes_on(other, 7, StreamKey(BEES, "hive"))
    put(other, path)

    assert "was replaced by hand" in await refusal(path)


@pytest.mark.parametrize("put", [in_its_place, by_a_rename, without_the_log])
@pytest.mark.parametrize("ends_well", [True, False], ids=["it was stopped", "it was killed"])
async def test_an_older_copy_of_itself_is_noticed(
    path: Path, tmp_path: Path, put: Callable[[Path, Path], None], ends_well: bool
) -> None:
    await goes_on(path, 3)
    older = tmp_path / "older.db"
    shutil.copyfile(path, older)
    if ends_well:
        await goes_on(path, 2)
        shutil.copyfile(older, path)
    else:
        killed(path, 2)
        put(older, path)

    assert "was replaced by hand" in await refusal(path)


async def test_a_copy_that_was_made_while_it_ran_is_noticed(path: Path, tmp_path: Path) -> None:
    async with opened(path) as store:
        await happens(store, 3)
        shutil.copyfile(path, tmp_path / "older.db")
        await happens(store, 2)
    shutil.copyfile(tmp_path / "older.db", path)

    assert "it is an older copy" in await refusal(path)


async def test_a_copy_from_before_the_log_was_put_into_the_file_is_noticed(path: Path, tmp_path: Path) -> None:
    async with opened(path) as store:
        await happens(store)
        shutil.copyfile(path, tmp_path / "older.db")
        await fills(store, 30)
        for end in ("", "-wal", "-identity"):
            shutil.copyfile(path.with_name(path.name + end), tmp_path / f"after.db{end}")
    shutil.copyfile(tmp_path / "older.db", tmp_path / "after.db")

    assert "was replaced by hand" in await refusal(tmp_path / "after.db")


async def test_a_copy_that_sqlite_has_packed_is_noticed(path: Path, tmp_path: Path) -> None:
    await goes_on(path, 3)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("VACUUM INTO ?", (str(tmp_path / "packed.db"),))
    killed(path)
    shutil.copyfile(tmp_path / "packed.db", path)

    assert "was replaced by hand" in await refusal(path)


async def test_a_log_that_somebody_deleted_is_missed(path: Path) -> None:
    await goes_on(path)
    killed(path)
    path.with_name("towow.db-wal").unlink()

    assert "towow.db-wal, which had the newest" in await refusal(path)


@pytest.mark.parametrize("ends", [[""], ["", "-wal", "-shm"], ["", "-identity"]])
async def test_a_file_that_somebody_deleted_is_missed(path: Path, ends: list[str]) -> None:
    await goes_on(path)
    killed(path)
    for end in ends:
        path.with_name(path.name + end).unlink()

    assert "is gone" in await refusal(path)


# ── what is no replacement ────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_killed_towow_goes_on_with_its_log(path: Path) -> None:
    for _ in range(3):
        killed(path, 2)
    assert await version(path) == 6


async def test_a_long_reader_does_not_make_a_killed_towow_look_replaced(path: Path) -> None:
    """While somebody reads, SQLite puts the log into the file in part, again and again."""
    await goes_on(path)
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM events").fetchone()
        for _ in range(2):
            killed(path, 60, "fills")

    async with opened(path) as store:
        assert (await store.counts())["events"] == 121


async def test_another_program_may_put_the_log_into_the_file_meanwhile(path: Path) -> None:
    killed(path, 2)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (2,)
    assert not path.with_name("towow.db-wal").exists()

    assert await version(path) == 2


async def test_a_database_may_move_with_all_that_belongs_to_it(path: Path, tmp_path: Path) -> None:
    killed(path, 2)
    (tmp_path / "new").mkdir()
    for end in ENDS:
        shutil.move(path.with_name(path.name + end), tmp_path / "new" / f"towow.db{end}")

    assert await version(tmp_path / "new" / "towow.db") == 2
    async with opened(tmp_path / "new" / "towow.db") as store:
        assert await store.records(MEETUP.tenant, UNKNOWN_POSTS) == {}


async def test_a_database_that_comes_from_elsewhere_expects_unknown_posts(path: Path, tmp_path: Path) -> None:
    await goes_on(path, 2)
    shutil.copyfile(path, tmp_path / "brought.db")

    async with opened(tmp_path / "brought.db") as store:
        assert await expected(store) == {"": 2 * SECONDS, MEETUP.stream: 2 * SECONDS}
    async with opened(path) as store:
        assert await store.records(MEETUP.tenant, UNKNOWN_POSTS) == {}


# ── towow restore ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("put", [None, in_its_place, by_a_rename, without_the_log])
async def test_a_backup_comes_back_whatever_lies_there(
    path: Path, backup: Path, put: Callable[[Path, Path], None] | None
) -> None:
    if put is not None:
        put(backup, path)
    before = contents(path)

    restored = restore(backup, path)

    assert (restored.streams, restored.events, restored.until) == ({"negotiation": 1}, 3, 3 * SECONDS)
    assert restored.put_aside is not None
    assert contents(restored.put_aside / path.name) == before
    assert await version(path) == 3
    async with opened(path) as store:
        assert await expected(store) == {"": 3 * SECONDS, MEETUP.stream: 3 * SECONDS}


async def test_what_was_put_aside_can_be_brought_back(path: Path, backup: Path) -> None:
    aside = restore(backup, path).put_aside
    assert aside is not None

    restore(aside / path.name, path)

    assert await version(path) == 5


async def test_the_file_that_was_put_there_by_hand_can_be_taken(path: Path, backup: Path) -> None:
    in_its_place(backup, path)

    restored = restore(path, path)

    assert restored.events == 3
    assert await version(path) == 3


async def test_a_database_in_its_place_needs_no_restoring(path: Path) -> None:
    killed(path, 2)

    with pytest.raises(StoreUnusable, match="is in its place already"):
        restore(path, path)

    assert await version(path) == 2


async def test_it_comes_back_where_nothing_is_left(path: Path, backup: Path, tmp_path: Path) -> None:
    for end in ENDS:
        os.unlink(tmp_path / f"towow.db{end}")

    assert restore(backup, path).put_aside is None
    assert await version(path) == 3
    assert os.stat(path).st_mode & 0o777 == 0o600


async def test_a_killed_databases_log_comes_along(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "towow.db"
    killed(path, 2)

    restore(path, other)

    assert await version(other) == 2


async def test_nothing_is_restored_while_a_towow_runs(sqlite: SqliteStore, path: Path, tmp_path: Path) -> None:
    await sqlite.commit(step(events=[said()]))
    Archive(path).back_up(tmp_path / "kept.db")

    with pytest.raises(StoreUnusable, match="is used by another ToWow; stop that one"):
        restore(tmp_path / "kept.db", path)

    await sqlite.commit(step(version=1, events=[said()]))


def damaged(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * 8_192)


def rewritten(path: Path) -> None:
    _run(path, """UPDATE events SET public = '{"by":"U_EVE"}' WHERE seq = 2""")


def shortened(path: Path) -> None:
    _run(path, "DELETE FROM events WHERE seq = 3")


def of_a_newer_towow(path: Path) -> None:
    _run(path, "PRAGMA user_version = 99")


def of_another_program(path: Path) -> None:
    _run(path, "PRAGMA application_id = 1")


def of_another_workspace(path: Path) -> None:
    _run(path, "DELETE FROM events; DELETE FROM inbox; UPDATE streams SET team_id = 'T_OTHERS', version = 0")
    with closing(sqlite3.connect(path)) as connection:
        from engine.store.chain import genesis

        ((enterprise, stream),) = connection.execute("SELECT enterprise_id, stream FROM streams").fetchall()
        chain = genesis(StreamKey(BEES._replace(team_id="T_OTHERS", enterprise_id=enterprise), stream))
        connection.execute("UPDATE streams SET chain = ?", (chain,))
        connection.commit()


def a_text(path: Path) -> None:
    path.write_text("Dear diary, " * 1_000)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def missing(path: Path) -> None:
    path.unlink()


def _run(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(sql)


@pytest.mark.parametrize(
    ("ruin", "sentence"),
    [
        (damaged, "is (damaged|corrupt)"),
        (rewritten, "was rewritten: the events of .* are not those"),
        (shortened, "was rewritten"),
        (of_a_newer_towow, "has schema 99, and this ToWow knows up to"),
        (of_another_program, "is a database of another program"),
        (of_another_workspace, "is of another workspace"),
        (a_text, "is not a SQLite database"),
        (empty, "is an empty file and no backup"),
        (missing, "There is no file"),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
async def test_what_is_no_good_backup_is_refused_and_nothing_is_changed(
    path: Path, backup: Path, ruin: Callable[[Path], None], sentence: str
) -> None:
    ruin(backup)
    before = contents(path)

    with pytest.raises(StoreUnusable, match=sentence):
        restore(backup, path)

    assert contents(path) == before
    assert [each.name for each in path.parent.iterdir() if "aside" in each.name or "restoring" in each.name] == []
    assert await version(path) == 5
