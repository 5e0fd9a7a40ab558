"""One runtime decides at a time: whoever has lost its lease can commit nothing."""

from dataclasses import replace

import pytest

from engine.errors import LeaseLost, StoreUnusable
from engine.store.port import Store

from .words import MEETUP, said, step


async def test_a_second_lease_is_refused_until_the_first_is_released(alone: Store) -> None:
    first = await alone.lease()

    with pytest.raises(StoreUnusable, match="used by another runtime; close that one first"):
        await alone.lease()
    await alone.release(first)

    assert await alone.lease() > first


async def test_a_lease_that_was_taken_over_commits_nothing_more(alone: Store) -> None:
    first = await alone.lease()
    await alone.commit(replace(step(version=0, events=[said()]), epoch=first))
    second = await alone.lease(take_over=True)

    with pytest.raises(LeaseLost):
        await alone.commit(replace(step(version=1, events=[said()]), epoch=first))
    await alone.release(first)
    await alone.commit(replace(step(version=1, events=[said()]), epoch=second))

    stream = await alone.load(MEETUP)
    assert stream is not None
    assert stream.version == 2


async def test_what_waits_to_be_written_when_its_lease_is_taken_over_is_not_kept(alone: Store) -> None:
    first = await alone.lease()
    late = alone.commit(replace(step(version=0, events=[said()]), epoch=first))
    await alone.lease(take_over=True)

    with pytest.raises(LeaseLost):
        await late

    assert await alone.load(MEETUP) is None


async def test_a_lease_ends_with_the_store(alone: Store) -> None:
    ended = await alone.lease()
    await alone.close()
    await alone.open()

    with pytest.raises(LeaseLost):
        await alone.commit(replace(step(), epoch=ended))
    await alone.lease()
