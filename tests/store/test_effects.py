"""What is owed to the world."""

from engine.store.port import Store

from .words import BEES, MEETUP, PICNIC, effect, pending_ids, step


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
