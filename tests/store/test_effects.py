"""Effects, alarms, and what shows that a stream stands still or is behind."""

import sqlite3
from pathlib import Path

from engine.store.port import Lag, StalledStream, Store
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.archive import Archive
from engine.store.sqlite.database import open_reader
from engine.store.sqlite.reads import query

from .words import BEES, MEETUP, PICNIC, alarm, effect, pending_ids, said, step


async def test_due_alarms_come_soonest_first_and_later_ones_stay(store: Store) -> None:
    await store.commit(step(MEETUP, alarms=[alarm("close", 300), alarm("remind", 100)]))
    await store.commit(step(PICNIC, alarms=[alarm("close", 200, PICNIC), alarm("give-up", 301, PICNIC)]))

    assert await store.due(before=300, limit=10) == [
        alarm("remind", 100),
        alarm("close", 200, PICNIC),
        alarm("close", 300),
    ]
    assert await store.due(before=300, limit=1) == [alarm("remind", 100)]
    assert await store.due(before=99, limit=10) == []


async def test_setting_an_alarm_again_moves_it(store: Store) -> None:
    await store.commit(step(alarms=[alarm("close", 100, generation=1)]))

    await store.commit(step(command="extend", alarms=[alarm("close", 900, generation=4)]))

    assert await store.due(before=1_000, limit=10) == [alarm("close", 900, generation=4)]


async def test_a_cleared_alarm_does_not_ring(store: Store) -> None:
    await store.commit(step(MEETUP, alarms=[alarm("close", 100), alarm("remind", 50)]))
    await store.commit(step(PICNIC, alarms=[alarm("close", 100, PICNIC)]))

    await store.commit(step(MEETUP, command="enough", clear=["close"]))

    assert await store.due(before=1_000, limit=10) == [alarm("remind", 50), alarm("close", 100, PICNIC)]


async def test_clearing_an_alarm_that_nobody_set_is_not_an_error(store: Store) -> None:
    await store.commit(step(clear=["never heard of"]))


async def test_a_commit_clears_before_it_sets(store: Store) -> None:
    await store.commit(step(alarms=[alarm("close", 100)]))

    await store.commit(step(command="again", clear=["close"], alarms=[alarm("close", 200)]))

    assert await store.due(before=1_000, limit=10) == [alarm("close", 200)]


async def test_the_next_alarm_is_the_soonest_of_all(store: Store) -> None:
    assert await store.next_due() is None
    await store.commit(step(MEETUP, alarms=[alarm("close", 300)]))
    await store.commit(step(PICNIC, alarms=[alarm("close", 200, PICNIC)]))

    assert await store.next_due() == 200


async def test_effects_come_stream_by_stream_in_the_order_they_were_added(store: Store) -> None:
    await store.commit(step(MEETUP, add=[effect("plan"), effect("ask-aya")]))
    await store.commit(step(PICNIC, add=[effect("plan", PICNIC)]))
    await store.commit(step(MEETUP, command="more", add=[effect("ask-bo")]))

    page, _ = await store.pending_effects(after=0, limit=10)

    assert page == [effect("plan"), effect("ask-aya"), effect("ask-bo"), effect("plan", PICNIC)]


async def test_effects_are_read_page_by_page(store: Store) -> None:
    for key in (MEETUP, PICNIC, MEETUP._replace(tenant=BEES), PICNIC._replace(tenant=BEES)):
        await store.commit(step(key, add=[effect("a", key), effect("b", key)]))
    await store.reschedule(effect("a", PICNIC)._replace(parked=True))
    await store.reschedule(effect("b", PICNIC)._replace(parked=True))

    first, after = await store.pending_effects(after=0, limit=2)
    rest, end = await store.pending_effects(after, limit=2)
    nothing, still = await store.pending_effects(end, limit=2)

    assert [each.key.stream for each in first] == ["meetup"] * 4
    assert [(each.key, each.effect_id) for each in rest] == [(PICNIC._replace(tenant=BEES), name) for name in "ab"]
    assert (list(nothing), still) == ([], end)


async def test_a_settled_effect_is_not_owed_any_more(store: Store) -> None:
    await store.commit(step(MEETUP, add=[effect("a"), effect("b")]))
    await store.commit(step(PICNIC, add=[effect("a", PICNIC)]))

    await store.commit(step(MEETUP, command="done", drop=["a"]))

    assert (await store.pending_effects(after=0, limit=10))[0] == [effect("b"), effect("a", PICNIC)]


async def test_settling_what_nobody_owes_is_not_an_error(store: Store) -> None:
    await store.commit(step(drop=["never heard of"]))


async def test_a_commit_settles_before_it_owes(store: Store) -> None:
    await store.commit(step(add=[effect("ask")]))

    await store.commit(step(command="again", drop=["ask"], add=[effect("ask")._replace(body='{"try":2}')]))

    assert (await store.pending_effects(after=0, limit=10))[0] == [effect("ask")._replace(body='{"try":2}')]


async def test_owing_an_effect_again_replaces_it(store: Store) -> None:
    await store.commit(step(add=[effect("ask"), effect("plan")]))

    await store.commit(step(command="again", add=[effect("ask", scope="round-2")]))

    assert (await store.pending_effects(after=0, limit=10))[0] == [effect("plan"), effect("ask", scope="round-2")]


async def test_a_failed_attempt_is_remembered(store: Store) -> None:
    await store.commit(step(add=[effect("ask")]))
    tried = effect("ask")._replace(attempts=2, not_before=60_000)

    await store.reschedule(tried)

    assert (await store.pending_effects(after=0, limit=10))[0] == [tried]
    stream = await store.load(MEETUP)
    assert stream is not None
    assert stream.outbox == (tried,)


async def test_a_failed_attempt_changes_nothing_of_what_is_owed_but_when(store: Store) -> None:
    await store.commit(step(add=[effect("ask")]))

    await store.reschedule(effect("ask", scope="elsewhere")._replace(body="{}", attempts=1))

    assert (await store.pending_effects(after=0, limit=10))[0] == [effect("ask")._replace(attempts=1)]


async def test_a_parked_effect_blocks_nobody_and_stays_visible(store: Store) -> None:
    await store.commit(step(add=[effect("hopeless"), effect("ask")]))

    await store.reschedule(effect("hopeless")._replace(attempts=5, parked=True))

    assert await pending_ids(store) == ["ask"]
    stream = await store.load(MEETUP)
    assert stream is not None
    assert [each.effect_id for each in stream.outbox if each.parked] == ["hopeless"]
    counts = await store.counts()
    assert (counts["owed"], counts["parked"]) == (1, 1)


async def test_an_effect_that_was_settled_meanwhile_is_not_owed_again_by_its_failure(store: Store) -> None:
    await store.commit(step(add=[effect("ask")]))
    await store.commit(step(command="voided", drop=["ask"]))

    await store.reschedule(effect("ask")._replace(attempts=1))
    await store.reschedule(effect("ask", PICNIC)._replace(attempts=1))

    assert await pending_ids(store) == []


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


async def test_a_stream_is_behind_until_its_version_was_shown(store: Store) -> None:
    await store.commit(step(events=[said(), said()]))
    assert await store.lagging(limit=10) == [Lag(MEETUP, version=2, shown=0)]

    await store.mark_shown(MEETUP, 1)
    assert await store.lagging(limit=10) == [Lag(MEETUP, version=2, shown=1)]

    await store.mark_shown(MEETUP, 2)
    assert await store.lagging(limit=10) == []


async def test_an_event_puts_a_shown_stream_behind_again(store: Store) -> None:
    await store.commit(step(version=0, events=[said()]))
    await store.mark_shown(MEETUP, 1)

    await store.commit(step(version=1, events=[said()]))

    assert await store.lagging(limit=10) == [Lag(MEETUP, version=2, shown=1)]


async def test_a_commit_without_events_leaves_nothing_to_show(store: Store) -> None:
    await store.commit(step(refusal="NotAllowed: only the requester may."))

    assert await store.lagging(limit=10) == []


async def test_the_stream_with_the_oldest_unshown_event_comes_first(store: Store) -> None:
    await store.commit(step(MEETUP, 0, [said()]))
    await store.commit(step(PICNIC, 0, [said()]))
    await store.commit(step(MEETUP, 1, [said()]))
    assert [lag.key for lag in await store.lagging(limit=10)] == [MEETUP, PICNIC]
    assert [lag.key for lag in await store.lagging(limit=1)] == [MEETUP]

    await store.mark_shown(MEETUP, 1)

    assert [lag.key for lag in await store.lagging(limit=10)] == [PICNIC, MEETUP]


async def test_what_was_shown_never_goes_back(store: Store) -> None:
    await store.commit(step(events=[said(), said()]))
    await store.mark_shown(MEETUP, 2)

    await store.mark_shown(MEETUP, 1)

    assert await store.lagging(limit=10) == []


async def test_what_does_not_exist_yet_cannot_have_been_shown(store: Store) -> None:
    await store.mark_shown(MEETUP, 3)
    await store.commit(step(version=0, events=[said()]))
    await store.mark_shown(MEETUP, 3)

    await store.commit(step(version=1, events=[said()]))

    assert await store.lagging(limit=10) == [Lag(MEETUP, version=2, shown=1)]
