"""Which streams count as stalled is one query for all of them."""

import sqlite3
from pathlib import Path

from engine.store.port import StalledStream, Store
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.archive import Archive
from engine.store.sqlite.database import open_reader
from engine.store.sqlite.reads import query

from .words import BEES, MEETUP, PICNIC, said, step


async def test_streams_that_are_past_their_time_come_longest_stuck_first(store: Store) -> None:
    await store.commit(step(MEETUP, events=[said()], stalled_at=300))
    await store.commit(step(PICNIC, stalled_at=200))
    await store.commit(step(MEETUP._replace(tenant=BEES), stalled_at=301))
    await store.commit(step(PICNIC._replace(tenant=BEES)))

    assert await store.stalled(before=300, limit=10) == [StalledStream(PICNIC, 0, 200), StalledStream(MEETUP, 1, 300)]
    assert await store.stalled(before=300, limit=1) == [StalledStream(PICNIC, 0, 200)]
    assert await store.stalled(before=199, limit=10) == []


async def test_the_newest_commit_says_when(store: Store) -> None:
    await store.commit(step(stalled_at=300))
    await store.commit(step(command="later", stalled_at=400))
    await store.commit(step(command="much later", stalled_at=500))

    found = await store.load(MEETUP)
    assert found is not None
    assert found.stalled_at == 500
    assert await store.stalled(before=499, limit=10) == []

    await store.commit(step(command="it is over", is_open=False))
    assert await store.stalled(before=1_000, limit=10) == []


async def test_it_is_looked_up_in_an_index_however_many_streams_there_are(sqlite: SqliteStore, path: Path) -> None:
    reader = await open_reader(path)
    try:
        rows = await reader.execute_fetchall(f"EXPLAIN QUERY PLAN {query('stalled')}", (1_000, 10))
    finally:
        await reader.close()

    assert [str(detail) for *_, detail in rows] == ["SEARCH streams USING INDEX streams_stuck (stalled_at<?)"]


async def test_what_an_older_towow_left_open_is_looked_at_once(path: Path) -> None:
    """A file of version 1: it does not say when anything counts as stalled."""
    store = SqliteStore(path)
    await store.open()
    await store.commit(step(MEETUP, stalled_at=None))
    await store.commit(step(PICNIC, is_open=False))
    await store.close()
    _as_version_one(path)
    path.with_name("towow.db-identity").unlink()
    looked_at = Archive(path).load(MEETUP)  # also before anybody has brought it up to date
    assert looked_at is not None

    await store.open()
    try:
        assert await store.stalled(before=1_000, limit=10) == [StalledStream(MEETUP, 0, 0)]
    finally:
        await store.close()


def _as_version_one(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.executescript(
        """
        DROP INDEX streams_stuck; DROP INDEX streams_owing; DROP INDEX streams_parked; DROP INDEX streams_open;
        DROP INDEX streams_called;
        ALTER TABLE streams DROP COLUMN stalled_at; ALTER TABLE streams DROP COLUMN outbox;
        ALTER TABLE streams DROP COLUMN owes; ALTER TABLE streams DROP COLUMN parked;
        CREATE TABLE owed (stream, effect_id, kind, scope, body, attempts, not_before, parked, turn);
        DROP TABLE identity; DROP TABLE purged;
        PRAGMA user_version = 1;
        """
    )
    connection.close()
