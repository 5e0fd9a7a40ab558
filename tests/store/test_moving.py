"""All of a store goes from a file to PostgreSQL and back; what goes wrong on the way leaves both as they were."""

from collections.abc import Mapping
from dataclasses import replace
from glob import glob
from pathlib import Path

import psycopg
import pytest
from slack_sdk.oauth.installation_store import Installation

from bot.commands.move import carried
from bot.databases import PostgresAddress
from bot.slack.oauth.database import InstallationDatabase, opened
from engine.errors import StoreUnusable
from engine.kernel import StreamKey
from engine.store.port import Store
from engine.store.postgres import PostgresStore
from engine.store.sqlite import SqliteStore

from .words import ACME, BEES, MEETUP, PICNIC, alarm, effect, row, said, step

OTHERS = StreamKey(BEES, "meetup")


async def _lived(store: Store) -> None:
    """Something of everything."""
    await store.open()
    try:
        await store.commit(
            step(MEETUP, 0, [said(private='"I can host"'), said(private='"no"')], refusal="NotAllowed: Ann")
        )
        await store.commit(step(MEETUP, 2, [said()], erase=[1], add=[effect("ask"), effect("tell")], stalled_at=9))
        await store.commit(step(PICNIC, 0, [said("你好")], alarms=[alarm("close", 5, PICNIC)], is_open=False))
        await store.commit(step(OTHERS, 0, [said()], records=[row("a", '"1"')]))
        await store.mark_shown(MEETUP, 2)
        await store.reschedule(effect("ask")._replace(attempts=3, not_before=7, parked=True))
        await store.put_records(ACME, "ledger", {"x": "{}", "Ä": "{}"})
        await store.purge(BEES)
        await store.commit(step(OTHERS, 0, [said()], records=[row("b", '"2"')]))
    finally:
        await store.close()


async def _all_of(store: Store) -> Mapping[str, object]:
    await store.open()
    try:
        streams = [await store.load(key) for key in (MEETUP, PICNIC, OTHERS)]
        return {
            "streams": [each and replace(each, revision=0) for each in streams],
            "verified": [await store.verify(key) for key in (MEETUP, PICNIC, OTHERS)],
            "events": [await store.events(tenant, 0, 100) for tenant in (ACME, BEES)],
            "records": [await store.records(tenant, kind) for tenant in (ACME, BEES) for kind in ("ledger", "vote")],
            "unknown": await store.records(ACME, "unknown_posts"),
            "lagging": await store.lagging(10),
            "owed": await store.pending_effects(0, 10),
            "due": await store.due(100, 10),
            "stalled": await store.stalled(100, 10),
            "counts": await store.counts(),
            "last": await store.last_position(),
        }
    finally:
        await store.close()


async def _goes_on(store: Store) -> None:
    await store.open()
    try:
        await store.commit(step(MEETUP, 3, [said()]))
        await store.commit(step(StreamKey(ACME, "new"), 0, [said()]))
        assert await store.verify(MEETUP)
        assert await store.last_position() == 8
    finally:
        await store.close()


async def test_everything_goes_there_and_back(path: Path, tmp_path: Path, postgres_url: str) -> None:
    file, database, back = SqliteStore(path), PostgresStore(postgres_url), SqliteStore(tmp_path / "back.db")
    await _lived(file)
    before = await _all_of(file)

    moved = await carried(path, PostgresAddress(postgres_url))
    assert (moved["streams"], moved["events"], moved["records"]) == (3, 5, 3)
    assert await _all_of(database) == before
    await carried(PostgresAddress(postgres_url), tmp_path / "back.db")

    assert await _all_of(back) == before
    assert await _all_of(file) == before
    await _goes_on(database)
    await _goes_on(back)


async def test_a_target_that_is_not_empty_is_left_alone(path: Path, tmp_path: Path, postgres_url: str) -> None:
    await _lived(SqliteStore(path))
    await _lived(PostgresStore(postgres_url))

    with pytest.raises(StoreUnusable, match="is not empty; name a database that is"):
        await carried(path, PostgresAddress(postgres_url))
    with pytest.raises(StoreUnusable, match="is there already; name a file that is not there yet"):
        await carried(PostgresAddress(postgres_url), path)
    assert not (tmp_path / "towow.db.moving").exists()


async def test_nothing_is_moved_from_or_to_what_is_in_use(path: Path, tmp_path: Path, postgres_url: str) -> None:
    file, database = SqliteStore(path), PostgresStore(postgres_url)
    await _lived(file)
    await file.open()
    try:
        with pytest.raises(StoreUnusable, match="is used by another ToWow"):
            await carried(path, PostgresAddress(postgres_url))
    finally:
        await file.close()
    await database.open()
    try:
        with pytest.raises(StoreUnusable, match=r"is used by other ToWows \(1\); stop them first"):
            await carried(path, PostgresAddress(postgres_url))
        with pytest.raises(StoreUnusable, match=r"is used by other ToWows \(1\); stop them first"):
            await carried(PostgresAddress(postgres_url), tmp_path / "back.db")
    finally:
        await database.close()


async def test_what_was_rewritten_is_moved_nowhere(path: Path, tmp_path: Path, postgres_url: str) -> None:
    database = PostgresStore(postgres_url)
    await _lived(database)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("UPDATE events SET public = '{}' WHERE position = 3")

    with pytest.raises(StoreUnusable, match="The events of meetup are not those that were written"):
        await carried(PostgresAddress(postgres_url), tmp_path / "back.db")
    assert glob(str(tmp_path / "back.db*")) == []


async def test_a_text_that_postgres_does_not_keep_leaves_nothing_there(path: Path, postgres_url: str) -> None:
    file = SqliteStore(path)
    await file.open()
    await file.commit(step(MEETUP, 0, [said()]))
    await file.put_records(ACME, "kind", {"a zero: \0": "{}"})
    await file.close()

    with pytest.raises(StoreUnusable, match="cannot keep what it is given"):
        await carried(path, PostgresAddress(postgres_url))

    with psycopg.connect(postgres_url) as connection:
        found = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()").fetchone()
    assert found == (0,)


async def test_installations_of_workspaces_come_along(path: Path, tmp_path: Path, postgres_url: str) -> None:
    await _lived(SqliteStore(path))
    installed = Installation(app_id="A1", team_id="T_ACME", user_id="U_AYA", bot_id="B1", bot_token="sealed")
    async with opened(InstallationDatabase(path, "1.1")) as beside:
        await beside.installations.async_save(installed)

    await carried(path, PostgresAddress(postgres_url))
    await carried(PostgresAddress(postgres_url), tmp_path / "back.db")

    for database in (PostgresAddress(postgres_url), tmp_path / "back.db"):
        async with opened(InstallationDatabase(database, "1.1")) as there:
            found = await there.installations.async_find_bot(enterprise_id=None, team_id="T_ACME")
            assert found is not None
            assert found.bot_token == "sealed"
            await there.installations.async_save(installed)
