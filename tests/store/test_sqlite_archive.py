"""A database that is looked at and copied while somebody writes it."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from engine.errors import StoreError, StoreUnusable
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.archive import Archive

from .words import BEES, said, step
from .words import MEETUP as KEY


async def test_it_reads_what_was_committed_while_somebody_writes_on(sqlite: SqliteStore, path: Path) -> None:
    await sqlite.commit(step(KEY, 0, [said()]))

    archive = Archive(path)
    stored = archive.load(KEY)
    await sqlite.commit(step(KEY, 1, [said()]))

    assert stored is not None
    assert stored.version == 1
    later = archive.load(KEY)
    assert later == await sqlite.load(KEY)
    assert archive.verify(KEY)
    assert archive.counts() == await sqlite.counts()
    assert archive.damage() == []


async def test_it_finds_every_tenants_stream_of_a_name(sqlite: SqliteStore, path: Path) -> None:
    other = KEY._replace(tenant=BEES)
    for key in (KEY, other):
        await sqlite.commit(step(key, 0, [said()]))

    assert set(Archive(path).find(KEY.stream)) == {KEY, other}
    assert Archive(path).find("nothing") == []


async def test_a_backup_is_one_moment_and_can_be_put_in_its_place(
    sqlite: SqliteStore, path: Path, tmp_path: Path
) -> None:
    copies = []
    for number in range(30):
        await sqlite.commit(step(KEY, number, [said()]))
        if number % 10 == 9:
            copy = tmp_path / f"copy-{number}.db"
            writing = asyncio.create_task(sqlite.commit(step(KEY._replace(stream=f"other-{number}"), 0, [said()])))
            await asyncio.to_thread(Archive(path).back_up, copy)
            await writing
            copies.append((copy, number + 1))

    for copy, version in copies:
        assert beside(copy) == []
        restored = SqliteStore(copy)
        await restored.open()
        try:
            stored = await restored.load(KEY)
            assert stored is not None
            assert stored.version == version
            assert await restored.verify(KEY)
            await restored.commit(step(KEY, version, [said()]))
        finally:
            await restored.close()


async def test_a_backup_replaces_nothing(sqlite: SqliteStore, path: Path, tmp_path: Path) -> None:
    await sqlite.commit(step(KEY, 0, [said()]))
    kept = tmp_path / "kept.db"
    kept.write_text("an older backup")

    with pytest.raises(StoreUnusable, match="there already"):
        Archive(path).back_up(kept)
    with pytest.raises(StoreUnusable, match="no folder"):
        Archive(path).back_up(tmp_path / "nowhere" / "copy.db")

    assert kept.read_text() == "an older backup"


def test_what_is_no_store_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="no store"):
        Archive(tmp_path / "nothing.db")
    text = tmp_path / "text.db"
    text.write_text("This is a letter and not a database. " * 100)
    with pytest.raises(StoreError, match=r"text\.db"):
        Archive(text)
    other = tmp_path / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE notes (text)").connection.close()
    with pytest.raises(StoreUnusable, match="another program"):
        Archive(other)


async def test_damage_is_found_and_not_copied(sqlite: SqliteStore, path: Path, tmp_path: Path) -> None:
    for number in range(40):
        await sqlite.commit(step(KEY, number, [said("x" * 2_000)]))
    await sqlite.close()
    scribble_over(path)

    assert Archive(path).damage() != []
    copy = tmp_path / "copy.db"
    with pytest.raises(StoreUnusable, match=r"is damaged|is corrupt"):
        Archive(path).back_up(copy)
    assert beside(copy) == []


def scribble_over(path: Path) -> None:
    """Some pages in the middle."""
    content = bytearray(path.read_bytes())
    half = len(content) // 2 // 1_024 * 1_024
    content[half : half + 4_096] = b"\xff" * 4_096
    path.write_bytes(content)


def beside(copy: Path) -> list[str]:
    """What is there of a copy besides itself."""
    return [each.name for each in copy.parent.glob(f"{copy.name}*") if each != copy or each.stat().st_size == 0]
