"""A file has one ToWow, by whatever name; and what is deleted or replaced while one runs is noticed."""

import os
import shutil
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engine.errors import StoreUnavailable, StoreUnusable
from engine.kernel import StreamKey
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.claim import is_running_beside
from engine.store.sqlite.restore import restore

from .words import MEETUP, PICNIC, said, step

only_linux = pytest.mark.skipif(sys.platform != "linux", reason="the lock on the file itself")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(lambda path, other: other.symlink_to(path), id="a symbolic link"),
        pytest.param(lambda path, other: os.link(path, other), id="a hard link"),
    ],
)
async def test_two_towows_cannot_have_one_file_by_two_names(
    sqlite: SqliteStore, path: Path, tmp_path: Path, name: Callable[[Path, Path], None]
) -> None:
    other = tmp_path / "elsewhere" / "other.db"
    other.parent.mkdir()
    name(path, other)

    with pytest.raises(StoreUnusable, match="is used by another ToWow; stop that one"):
        await SqliteStore(other).open()

    await sqlite.commit(step())
    assert await sqlite.load(MEETUP) is not None


async def test_a_folder_by_two_names_has_one_towow(sqlite: SqliteStore, path: Path, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(tmp_path)

    with pytest.raises(StoreUnusable, match="is used by another ToWow"):
        await SqliteStore(tmp_path / "way" / path.name).open()


async def test_a_file_with_two_names_is_not_begun_with(path: Path, tmp_path: Path) -> None:
    """SQLite names the log after the file: by the other name, what is in it would be missing."""
    await filled(path)
    os.link(path, tmp_path / "other.db")

    for each in (path, tmp_path / "other.db"):
        with pytest.raises(StoreUnusable, match=r"has 2 names \(hard links\)"):
            await SqliteStore(each).open()


async def test_a_symbolic_link_leads_to_the_file_and_what_belongs_to_it(path: Path, tmp_path: Path) -> None:
    await filled(path)
    link = tmp_path / "link.db"
    link.symlink_to(path)

    async with opened(link) as store:
        assert await store.load(MEETUP) is not None

    assert not [each for each in names_in(tmp_path) if each.startswith("link.db-")]


# ── deleted or replaced while it runs ─────────────────────────────────────────────────────────────────────────────────


def deleted(path: Path) -> None:
    path.unlink()


def deleted_with_all(path: Path) -> None:
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).unlink()


def without_its_log(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


def moved_away(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def replaced_by_a_rename(path: Path) -> None:
    shutil.copy(path, path.with_name("copy.db"))
    path.with_name("copy.db").replace(path)


def its_folder_moved(path: Path) -> None:
    path.parent.rename(path.parent.with_name("another"))


def overwritten_by_another(path: Path) -> None:
    other = path.with_name("another.db")
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    shutil.copyfile(other, path)


def emptied(path: Path) -> None:
    os.truncate(path, 0)


def overwritten_by_an_older_copy(path: Path) -> None:
    shutil.copyfile(path.with_name("before.db"), path)


GONE = [
    deleted, deleted_with_all, without_its_log, moved_away, replaced_by_a_rename, its_folder_moved,
    overwritten_by_another, overwritten_by_an_older_copy, emptied,
]  # fmt: skip


@pytest.mark.parametrize("loss", GONE, ids=lambda loss: loss.__name__)
async def test_nothing_is_acknowledged_once_the_file_is_not_at_its_place(
    tmp_path: Path, loss: Callable[[Path], None]
) -> None:
    path = tmp_path / "var" / "towow.db"
    await filled(path, PICNIC._replace(stream="before"))
    shutil.copyfile(path, path.with_name("before.db"))
    store = SqliteStore(path)
    await store.open()
    try:
        await store.commit(step(events=[said()]))
        loss(path)

        for _ in range(2):
            with pytest.raises(StoreUnavailable, match="was deleted or replaced while ToWow runs on it"):
                await store.commit(step(PICNIC))
            with pytest.raises(StoreUnavailable, match="was deleted or replaced"):
                await store.next_due()
    finally:
        await store.close()


async def test_it_goes_on_by_itself_once_its_files_are_back(path: Path) -> None:
    async with opened(path) as store:
        await store.commit(step())
        moved_away(path)
        with pytest.raises(StoreUnavailable):
            await store.commit(step(PICNIC))
        path.with_name("elsewhere.db").rename(path)

        await store.commit(step(PICNIC))

        assert await store.load(PICNIC) is not None


@pytest.mark.parametrize("loss", [deleted, deleted_with_all, without_its_log, replaced_by_a_rename])
async def test_what_was_acknowledged_before_is_saved_and_can_be_restored(
    path: Path, loss: Callable[[Path], None]
) -> None:
    async with opened(path) as store:
        for version in range(3):
            await store.commit(step(version=version, events=[said()]))
        loss(path)
        with pytest.raises(StoreUnavailable):
            await store.commit(step(PICNIC))
    [saved] = path.parent.glob("towow.db.rescued-*")

    restore(saved, path)

    async with opened(path) as store:
        found = await store.load(MEETUP)
        assert found is not None
        assert found.version == 3


async def test_it_is_saved_also_where_nobody_wrote_anything_since(path: Path) -> None:
    async with opened(path) as store:
        await store.commit(step())
        deleted_with_all(path)

    assert len([*path.parent.glob("towow.db.rescued-*")]) == 1


async def test_what_lies_there_instead_is_left_as_it_is(path: Path) -> None:
    async with opened(path) as store:
        await store.commit(step())
        replaced_by_a_rename(path)
        path.with_name("towow.db-wal").rename(path.with_name("moved-wal"))
        path.with_name("towow.db-wal").write_bytes(b"another log")
        before = bytes_of(path)

    assert bytes_of(path) == before
    assert bytes_of(path.with_name("towow.db-wal")) == b"another log"


async def test_a_file_that_was_overwritten_is_not_written_to_on_leaving(path: Path) -> None:
    async with opened(path) as store:
        await store.commit(step())
        overwritten_by_another(path)

    assert bytes_of(path) == bytes_of(path.with_name("another.db"))


async def test_another_program_may_read_touch_and_write_it(path: Path) -> None:
    async with opened(path) as store:
        await store.commit(step())
        os.utime(path)
        await store.commit(step(PICNIC))
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("INSERT INTO records VALUES ('', 'T', 'kind', 'key', '{}')")
        other.execute("PRAGMA wal_checkpoint(PASSIVE)")
        other.close()

        await store.commit(step(version=0, key=PICNIC._replace(stream="third")))

    assert [*path.parent.glob("*.rescued-*")] == []


@only_linux
@pytest.mark.parametrize("loss", [deleted, without_its_log, replaced_by_a_rename])
async def test_another_process_can_see_that_a_towow_has_lost_its_file(path: Path, loss: Callable[[Path], None]) -> None:
    assert not is_running_beside(path)
    async with opened(path) as store:
        await store.commit(step())
        assert not is_running_beside(path)
        loss(path)
        assert is_running_beside(path)
    assert not is_running_beside(path)


# ── who may read it ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
async def test_only_this_user_may_read_what_it_makes(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        path = tmp_path / "var" / "lib" / "towow.db"
        async with opened(path) as store:
            await store.commit(step())
            modes = {name: mode_of(path.with_name(name)) for name in names_in(path.parent)}
    finally:
        os.umask(before)

    assert {f"towow.db{end}" for end in ("", "-identity", "-lock", "-shm", "-wal")} <= modes.keys()
    assert set(modes.values()) == {0o600}
    assert [mode_of(each) for each in (path.parent, path.parent.parent)] == [0o700, 0o700]


async def test_what_somebody_allowed_stays_allowed(path: Path) -> None:
    await filled(path)
    os.chmod(path, 0o640)

    await filled(path, PICNIC)

    assert mode_of(path) == 0o640


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def bytes_of(path: Path) -> bytes:
    return path.read_bytes()


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def filled(path: Path, key: StreamKey = MEETUP) -> None:
    async with opened(path) as store:
        await store.commit(step(key))
