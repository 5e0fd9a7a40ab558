"""People are written first, and nobody waits for long transactions."""

import asyncio
import sys
from pathlib import Path

import pytest

from engine.kernel import StreamKey
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.writer import SOONER

from .test_sqlite_group_commit import transactions
from .words import ACME, MEETUP, PICNIC, said, step

STREAMS = [StreamKey(ACME, f"demand-{number}") for number in range(20)]


async def test_what_a_person_waits_for_is_written_before_what_was_there_first(path: Path) -> None:
    store = SqliteStore(path, group_seconds=0)
    await store.open()
    done: list[str] = []

    async def commit(key: StreamKey, *, urgent: bool) -> None:
        await store.commit(step(key, events=[said()]), urgent=urgent)
        done.append(key.stream)

    try:
        others = [asyncio.create_task(commit(key, urgent=False)) for key in STREAMS]
        await asyncio.wait(others, return_when=asyncio.FIRST_COMPLETED)
        await commit(MEETUP, urgent=True)
        assert len(done) <= 3  # it waited for one that was being written, at most
        await asyncio.gather(*others)
    finally:
        await store.close()
    assert len(done) == len(STREAMS) + 1


async def test_what_a_person_waits_for_shares_no_transaction_with_the_rest(sqlite: SqliteStore, path: Path) -> None:
    first = asyncio.create_task(sqlite.commit(step(PICNIC, events=[said()] * 500)))
    await asyncio.wait([first], timeout=0)
    done: list[str] = []

    async def commit(key: StreamKey, *, urgent: bool) -> None:
        await sqlite.commit(step(key, events=[said()]), urgent=urgent)
        done.append(key.stream)

    others = [commit(key, urgent=False) for key in STREAMS]
    await asyncio.gather(first, *others, commit(MEETUP, urgent=True))

    assert done[0] == MEETUP.stream
    assert transactions(path) == 3


async def test_people_who_never_stop_do_not_keep_the_rest_waiting(sqlite: SqliteStore) -> None:
    votes = 0

    async def vote(key: StreamKey) -> None:
        nonlocal votes
        for version in range(50):
            await sqlite.commit(step(key, version=version, events=[said()]), urgent=True)
            votes += 1

    first = asyncio.create_task(vote(STREAMS[0]))
    await asyncio.wait([first], timeout=0)
    second = asyncio.create_task(vote(STREAMS[1]))  # it comes while the other one's is written, again and again
    await sqlite.commit(step(MEETUP, events=[said()]))

    assert votes < 10
    await asyncio.gather(first, second)


async def test_threads_take_turns_faster_while_somebody_waits(sqlite: SqliteStore) -> None:
    usual = sys.getswitchinterval()
    seen: list[float] = []

    async def look() -> None:
        seen.append(sys.getswitchinterval())

    await asyncio.gather(sqlite.commit(step(STREAMS[0], events=[said()])), look())
    waiting = [asyncio.create_task(sqlite.commit(step(key, events=[said()]), urgent=True)) for key in STREAMS[1:4]]
    await asyncio.wait(waiting, timeout=0)
    await look()
    waiting[0].cancel()
    await asyncio.wait(waiting)
    await look()

    assert seen == pytest.approx([usual, SOONER, usual])


async def test_a_transaction_that_has_taken_its_time_leaves_the_rest_to_the_next(path: Path) -> None:
    store = SqliteStore(path, group_seconds=0)
    await store.open()
    try:
        await asyncio.gather(*(store.commit(step(key, events=[said()])) for key in STREAMS))

        assert transactions(path) == len(STREAMS)
        assert (await store.counts())["events"] == len(STREAMS)
    finally:
        await store.close()
