"""A tenant that has gone for good leaves no row, and whoever stays notices nothing."""

from pathlib import Path

import pytest

from engine.kernel import StreamKey
from engine.store.port import Store
from engine.store.sqlite import SqliteStore

from .words import ACME, BEES, MEETUP, PICNIC, alarm, effect, row, said, step

CANARY = "canary-of-acme"
THEIRS = StreamKey(BEES, MEETUP.stream)


async def _lives(store: Store, key: StreamKey, text: str) -> None:
    await store.commit(
        step(
            key,
            0,
            [said(f'{{"by":"{text}"}}', f'"{text}"')],
            add=[effect("ask", key)],
            alarms=[alarm("close", 100, key)],
            records=[row("a", f'"{text}"')],
            refusal=f"NotAllowed: {text}",
            stalled_at=1,
        )
    )
    await store.put_records(key.tenant, "ledger", {text: f'"{text}"'})


@pytest.fixture
async def gone(store: Store) -> Store:
    await _lives(store, THEIRS, "theirs")
    for key in (MEETUP, PICNIC):
        await _lives(store, key, CANARY)
    await store.purge(ACME)
    return store


async def test_nothing_of_it_is_found(gone: Store) -> None:
    assert await gone.load(MEETUP) is None
    assert await gone.events(ACME, after=0, limit=10) == []
    assert await gone.records(ACME, "vote") == await gone.records(ACME, "ledger") == {}
    assert await gone.tenants() == [BEES]


async def test_what_is_counted_is_what_there_is_whoever_began_first_and_begins_later(store: Store) -> None:
    await _lives(store, MEETUP, CANARY)
    await _lives(store, THEIRS, "theirs")
    await store.purge(ACME)
    assert (await store.counts())["streams"] == 1

    await _lives(store, PICNIC, "back again")
    assert (await store.counts())["streams"] == 2
    await store.purge(ACME)
    await store.purge(BEES)
    await _lives(store, MEETUP, "back again")
    assert (await store.counts())["streams"] == 1


async def test_others_keep_all_they_had(gone: Store) -> None:
    theirs = await gone.load(THEIRS)
    assert theirs is not None
    assert await gone.verify(THEIRS)
    assert [each.key for each in (await gone.pending_effects(after=0, limit=10))[0]] == [THEIRS]
    assert [each.key for each in await gone.due(before=1_000, limit=10)] == [THEIRS]
    assert [each.key for each in await gone.stalled(before=1_000, limit=10)] == [THEIRS]
    assert [each.key for each in await gone.lagging(limit=10)] == [THEIRS]
    expected = {"streams": 1, "open_streams": 1, "events": 1, "owed": 1, "parked": 0, "alarms": 1}
    assert await gone.counts() == expected


async def test_positions_are_not_given_again(gone: Store) -> None:
    """Whoever reads events in their order goes on from the last position they have seen."""
    assert await gone.last_position() == 3

    await gone.commit(step(THEIRS, 1, [said()]))

    assert [each.position for each in await gone.events(BEES, after=3, limit=10)] == [4]
    assert await gone.last_position() == 4
    assert (await gone.counts())["events"] == 2
    await gone.mark_shown(THEIRS, 2)
    assert await gone.lagging(limit=10) == []


async def test_it_begins_anew_and_may_be_purged_again(gone: Store) -> None:
    await _lives(gone, MEETUP, "anew")
    assert await gone.verify(MEETUP)

    await gone.purge(ACME)
    await gone.purge(ACME)

    assert await gone.load(MEETUP) is None


async def test_however_much_there_is(sqlite: SqliteStore) -> None:
    for number in range(45):
        await sqlite.commit(step(StreamKey(ACME, f"stream-{number}"), 0, [said()]))
    await sqlite.put_records(ACME, "kind", {f"{number}": "{}" for number in range(4_001)})

    await sqlite.purge(ACME)

    counts = await sqlite.counts()
    assert (counts["streams"], counts["events"]) == (0, 0)
    assert await sqlite.tenants() == []


async def test_no_byte_of_it_is_left_in_the_files(sqlite: SqliteStore, path: Path) -> None:
    await _lives(sqlite, THEIRS, "theirs")
    await _lives(sqlite, MEETUP, CANARY)

    await sqlite.purge(ACME)
    await sqlite.close()

    files = [each for each in path.parent.iterdir() if each.is_file()]
    assert [each.name for each in files if CANARY.encode() in each.read_bytes()] == []
