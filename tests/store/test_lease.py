"""One runtime decides at a time: whoever has lost its lease can commit nothing."""

from dataclasses import replace

import pytest

from engine.errors import LeaseLost, StoreUnusable
from engine.store.port import Store

from .words import MEETUP, said, step


async def test_a_second_lease_is_refused_until_the_first_is_released(store: Store) -> None:
    first = await store.lease()

    with pytest.raises(StoreUnusable, match="used by another runtime; close that one first"):
        await store.lease()
    await store.release(first)

    assert await store.lease() > first


async def test_a_lease_that_was_taken_over_commits_nothing_more(store: Store) -> None:
    first = await store.lease()
    await store.commit(replace(step(version=0, events=[said()]), epoch=first))
    second = await store.lease(take_over=True)

    with pytest.raises(LeaseLost):
        await store.commit(replace(step(version=1, events=[said()]), epoch=first))
    await store.release(first)
    await store.commit(replace(step(version=1, events=[said()]), epoch=second))

    stream = await store.load(MEETUP)
    assert stream is not None
    assert stream.version == 2


async def test_what_waits_to_be_written_when_its_lease_is_taken_over_is_not_kept(store: Store) -> None:
    first = await store.lease()
    late = store.commit(replace(step(version=0, events=[said()]), epoch=first))
    await store.lease(take_over=True)

    with pytest.raises(LeaseLost):
        await late

    assert await store.load(MEETUP) is None


async def test_a_lease_ends_with_the_store(store: Store) -> None:
    ended = await store.lease()
    await store.close()
    await store.open()

    with pytest.raises(LeaseLost):
        await store.commit(replace(step(), epoch=ended))
    await store.lease()
