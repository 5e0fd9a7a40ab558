"""A person's own words can be erased, and the chain still holds."""

from engine.store.port import Store

from .words import MEETUP, PICNIC, said, step


async def test_an_erased_text_is_gone_and_its_event_says_so(store: Store) -> None:
    await store.commit(step(version=0, events=[said("{}", '"mine"'), said("{}", '"yours"'), said("{}")]))

    await store.commit(step(version=3, events=[said('{"erased":1}')], erase=[1]))

    stream = await store.load(MEETUP)
    assert stream is not None
    assert [(event.private, event.erased) for event in stream.events] == [
        (None, True),
        ('"yours"', False),
        (None, False),
        (None, False),
    ]
    assert [event.erased for event in await store.events(MEETUP.tenant, 0, 10)] == [True, False, False, False]


async def test_the_chain_holds_before_and_after_an_erasure(store: Store) -> None:
    await store.commit(step(version=0, events=[said("{}", '"mine"'), said()]))
    assert await store.verify(MEETUP)

    await store.commit(step(version=2, events=[said()], erase=[1, 2]))

    assert await store.verify(MEETUP)


async def test_erasing_twice_or_what_is_not_there_is_not_an_error(store: Store) -> None:
    await store.commit(step(version=0, events=[said("{}", '"mine"')]))

    await store.commit(step(version=1, command="a", erase=[1, 99, 0, -1]))
    await store.commit(step(version=1, command="b", erase=[1]))

    assert await store.verify(MEETUP)


async def test_a_commit_erases_what_there_is_and_not_what_comes_after_it(store: Store) -> None:
    await store.commit(step(version=0, command="early", erase=[1]))
    await store.commit(step(version=0, events=[said("{}", '"mine"')]))

    stream = await store.load(MEETUP)
    assert stream is not None
    assert stream.events[0].private == '"mine"'


async def test_erasing_in_one_stream_leaves_the_other_alone(store: Store) -> None:
    await store.commit(step(MEETUP, 0, [said("{}", '"mine"')]))
    await store.commit(step(PICNIC, 0, [said("{}", '"mine"')]))

    await store.commit(step(MEETUP, 1, erase=[1]))

    stream = await store.load(PICNIC)
    assert stream is not None
    assert stream.events[0].private == '"mine"'


async def test_a_stream_without_events_holds_and_one_that_is_not_there_cannot_be_vouched_for(store: Store) -> None:
    await store.commit(step(MEETUP))

    assert await store.verify(MEETUP)
    assert not await store.verify(PICNIC)
