"""Revisions that are asked for at once are read at once, and each is as it was after somebody asked."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from engine.errors import StoreUnavailable
from engine.kernel import StreamKey, Tenant
from engine.store.postgres import PostgresStore
from engine.store.postgres.reads import Revisions

from .words import ACME, said, step

FIRST, SECOND = (StreamKey(Tenant("T1"), name) for name in ("first", "second"))


class Table:
    """Answers when it is told to."""

    def __init__(self) -> None:
        self.revisions = {FIRST: 1, SECOND: 1}
        self.read: list[Sequence[StreamKey]] = []
        self.answers = asyncio.Semaphore(0)
        self.is_gone = False

    async def __call__(self, keys: Sequence[StreamKey]) -> Mapping[StreamKey, int]:
        self.read.append(keys)
        found = {key: self.revisions[key] for key in keys if key in self.revisions}
        await self.answers.acquire()
        if self.is_gone:
            raise StoreUnavailable("it is gone")
        return found


async def test_what_is_asked_for_at_once_is_one_read() -> None:
    table = Table()
    revisions = Revisions(table)
    table.answers.release()
    none = StreamKey(Tenant("T1"), "none")
    assert await asyncio.gather(*(revisions.of(key) for key in (FIRST, SECOND, FIRST, none))) == [1, 1, 1, 0]
    assert table.read == [[FIRST, SECOND, none]]


async def test_whoever_asks_during_a_read_is_not_told_what_was_before() -> None:
    table = Table()
    revisions = Revisions(table)
    before = asyncio.create_task(revisions.of(FIRST))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    table.revisions[FIRST] = 2
    after = asyncio.create_task(revisions.of(FIRST))
    await asyncio.sleep(0)
    table.answers.release()
    table.answers.release()

    assert (await before, await after) == (1, 2)


async def test_a_read_that_fails_is_told_to_all_who_asked_and_the_next_is_tried() -> None:
    table = Table()
    revisions = Revisions(table)
    table.is_gone = True
    table.answers.release()
    told = await asyncio.gather(*(revisions.of(key) for key in (FIRST, SECOND)), return_exceptions=True)
    assert [type(each) for each in told] == [StoreUnavailable, StoreUnavailable]

    table.is_gone = False
    table.answers.release()
    assert await revisions.of(FIRST) == 1


async def test_one_who_goes_takes_the_answer_from_nobody() -> None:
    table = Table()
    revisions = Revisions(table)
    gone, waiting = (asyncio.create_task(revisions.of(FIRST)) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()
    table.answers.release()

    assert await waiting == 1
    with pytest.raises(asyncio.CancelledError):
        await gone


async def test_a_database_is_asked_for_many(postgres_url: str) -> None:
    store = PostgresStore(postgres_url)
    await store.open()
    try:
        keys = [StreamKey(ACME, f"demand-{number}") for number in range(20)]
        for number, key in enumerate(keys[:10]):
            for version in range(number + 1):
                await store.commit(step(key, version, [said()]))
        assert await asyncio.gather(*map(store.revision, keys)) == [*range(1, 11), *([0] * 10)]
    finally:
        await store.close()
