"""What the outside has seen."""

from engine.store.port import Lag, Store

from .words import MEETUP, PICNIC, said, step


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
