"""People are written first, and nobody waits for long transactions."""

import asyncio
from pathlib import Path

from engine.kernel import StreamKey
from engine.store.sqlite import SqliteStore

from .test_sqlite_group_commit import transactions
from .words import ACME, MEETUP, said, step

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


async def test_a_transaction_that_has_taken_its_time_leaves_the_rest_to_the_next(path: Path) -> None:
    store = SqliteStore(path, group_seconds=0)
    await store.open()
    try:
        await asyncio.gather(*(store.commit(step(key, events=[said()])) for key in STREAMS))

        assert transactions(path) == len(STREAMS)
        assert (await store.counts())["events"] == len(STREAMS)
    finally:
        await store.close()
