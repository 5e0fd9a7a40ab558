"""Two processes on one database: whatever they do at once, each commit is decided on what is there, and no event is
ever found behind one that was seen. Two stores in one process stand in for them: the server cannot tell."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from engine.errors import WrongVersion
from engine.kernel import StreamKey
from engine.store.port import UNKNOWN_POSTS, Commit
from engine.store.postgres import PostgresStore
from engine.store.postgres.database import connect
from engine.store.postgres.schema import POSITIONS

from .words import ACME, BEES, MEETUP, PICNIC, alarm, effect, row, said, step

STREAMS = [StreamKey(tenant, f"demand-{number}") for tenant in (ACME, BEES) for number in range(3)]


@pytest.fixture
async def pair(postgres_url: str) -> AsyncIterator[tuple[PostgresStore, PostgresStore]]:
    async with AsyncExitStack() as stack:
        stores = [PostgresStore(postgres_url) for _ in range(2)]
        for store in stores:
            await store.open()
            stack.push_async_callback(store.close)
        yield stores[0], stores[1]


async def _adds(store: PostgresStore, key: StreamKey, name: str, times: int) -> None:
    """Decide anew each time that somebody else was first, as a runtime does."""
    for number in range(times):
        while True:
            stream = await store.load(key)
            version, revision = (stream.version, stream.revision) if stream else (0, 0)
            records = [row(f"{each}", f'"{name}"') for each in range(3)]
            commit = step(
                key, version, [said()], command=f"{name}-{number}", records=records, alarms=[alarm("a", 1, key)]
            )
            try:
                await store.commit(replace(commit, expected_revision=revision))
                break
            except WrongVersion:
                continue


async def test_whoever_commits_to_the_same_streams_loses_nothing(pair: tuple[PostgresStore, PostgresStore]) -> None:
    await asyncio.gather(*(_adds(store, key, f"{n}", 4) for n, store in enumerate(pair) for key in STREAMS))

    for key in STREAMS:
        stream = await pair[0].load(key)
        assert stream is not None
        assert (stream.version, stream.revision, len(stream.commands)) == (8, 8, 8)
        assert await pair[1].verify(key)


async def test_of_two_that_decided_on_the_same_one_is_told(pair: tuple[PostgresStore, PostgresStore]) -> None:
    first, second = pair
    at_once = [
        store.commit(replace(commit, expected_revision=0))
        for store, commit in ((first, step(MEETUP, 0, [said()], command="one")), (second, step(MEETUP, 0, command="b")))
    ]

    outcomes = await asyncio.gather(*at_once, return_exceptions=True)

    assert sorted(str(type(each)) for each in outcomes) == sorted([str(type(None)), str(WrongVersion)])
    stream = await first.load(MEETUP)
    assert stream is not None
    assert len(stream.commands) == 1


async def test_a_reader_never_finds_an_event_behind_one_that_it_has_seen(
    pair: tuple[PostgresStore, PostgresStore],
) -> None:
    seen: list[int] = []
    is_over = asyncio.Event()

    async def read() -> None:
        store = PostgresStore(pair[0].url)
        await store.open()
        try:
            while True:
                last = is_over.is_set()
                seen.extend(each.position for each in await store.events(ACME, seen[-1] if seen else 0, 5))
                if last and len(seen) >= 3 * 16:
                    return
        finally:
            await store.close()

    reading = asyncio.create_task(read())
    await asyncio.gather(*(_adds(store, key, f"{n}", 8) for n, store in enumerate(pair) for key in STREAMS))
    is_over.set()
    await reading

    assert seen == sorted(set(seen))
    assert len(seen) == 3 * 16


async def test_jobs_are_kept_with_the_commits_that_owe_them_or_not_at_all(postgres_url: str) -> None:
    """One call for all commits of a transaction that owe something, once more where the transaction was undone."""
    calls: list[Sequence[Commit]] = []

    async def defer(connection: Any, commits: Sequence[Commit]) -> None:
        calls.append(commits)
        for commit in commits:
            await connection.execute("INSERT INTO jobs VALUES (%s)", (commit.key.stream,))
        if any(each.key == PICNIC for each in commits):
            raise ValueError("no such job")

    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE jobs (stream text)")
        store = PostgresStore(postgres_url, on_commit=defer)
        await store.open()
        try:
            keys = [StreamKey(ACME, f"demand-{number}") for number in range(5)]
            owing = [step(key, 0, [said()], add=[effect("ask", key)]) for key in keys]
            await asyncio.gather(*(store.commit(each) for each in [*owing, step(MEETUP, 0, [said()])]))
            assert [len(each) for each in calls] == [5]

            owing = [step(key, 1, alarms=[alarm("close", 1, key)], command="late") for key in keys[:2]]
            outcomes = await asyncio.gather(
                *(store.commit(each) for each in [*owing, step(PICNIC, 0, add=[effect("ask", PICNIC)])]),
                return_exceptions=True,
            )
            assert [str(each) for each in outcomes] == ["None", "None", "no such job"]
            assert await store.load(PICNIC) is None
        finally:
            await store.close()
        kept = connection.execute("SELECT stream FROM jobs ORDER BY stream").fetchall()
    assert [name for (name,) in kept] == sorted([*(key.stream for key in keys), *(key.stream for key in keys[:2])])


async def test_commits_that_arrive_together_share_a_transaction(postgres_url: str) -> None:
    store = PostgresStore(postgres_url)
    await store.open()
    try:
        keys = [StreamKey(ACME, f"demand-{number}") for number in range(100)]
        await asyncio.gather(*(store.commit(step(key, 0, [said()])) for key in keys))
        with psycopg.connect(postgres_url) as connection:
            by_transaction = connection.execute("SELECT count(*) FROM events GROUP BY xmin::text").fetchall()
    finally:
        await store.close()
    assert by_transaction == [(100,)]


async def test_a_bad_commit_among_good_ones_fails_alone(postgres_url: str) -> None:
    store = PostgresStore(postgres_url)
    await store.open()
    try:
        keys = [StreamKey(ACME, f"demand-{number}") for number in range(12)]
        bad = {
            2: step(keys[2], 7, [said()], records=[row("2")]),
            5: step(keys[5], 0, [said()], records=[row("half a character: \ud83d")]),
            7: step(keys[7], 0, [said()], command="late", alarms=[alarm("close", 2**70, keys[7])]),
        }
        good = {number: step(key, 0, [said()], records=[row(str(number))]) for number, key in enumerate(keys)}
        outcomes = await asyncio.gather(*(store.commit(each) for each in (good | bad).values()), return_exceptions=True)

        refused = {number: type(outcome) for number, outcome in enumerate(outcomes) if outcome is not None}
        assert refused == {2: WrongVersion, 5: ValueError, 7: ValueError}
        assert [await store.load(keys[number]) for number in bad] == [None] * 3
        assert set(await store.records(ACME, "vote")) == {str(number) for number in good.keys() - bad.keys()}
    finally:
        await store.close()


@pytest.mark.exhaustive
async def test_whoever_stops_in_the_middle_of_a_transaction_holds_others_up_for_a_while_only(
    pair: tuple[PostgresStore, PostgresStore],
) -> None:
    first, _ = pair
    await first.commit(step(MEETUP, 0, [said()]))
    stopped = await connect(first.url)
    try:
        await stopped.execute("BEGIN")
        await stopped.execute("SELECT pg_advisory_xact_lock(%s, hashtext(current_schema()))", (POSITIONS,))
        await stopped.execute("UPDATE streams SET version = 7")

        await first.commit(step(MEETUP, 1, [said()]))
    finally:
        await stopped.close()


async def test_a_database_that_was_brought_from_elsewhere_is_noticed_once(postgres_url: str) -> None:
    store = PostgresStore(postgres_url)
    await store.open()
    await store.commit(step(MEETUP, 0, [said(at=7)]))
    await store.close()
    await store.open()
    assert await store.records(ACME, UNKNOWN_POSTS) == {}
    await store.close()
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("UPDATE towow_schema SET place = 'elsewhere'")

    await store.open()
    expected = await store.records(ACME, UNKNOWN_POSTS)
    await store.put_records(ACME, UNKNOWN_POSTS, dict.fromkeys(expected))
    await store.close()
    await store.open()
    again = await store.records(ACME, UNKNOWN_POSTS)
    await store.close()

    assert set(expected) == {"", MEETUP.stream}
    assert '"since" : 7' in expected[MEETUP.stream]
    assert again == {}
