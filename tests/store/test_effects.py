"""What is owed to the world."""

from dataclasses import replace

from engine.store.port import Store

from .words import MEETUP, PICNIC, debt, owed_ids, step


async def test_effects_of_all_streams_come_in_the_order_they_were_owed(store: Store) -> None:
    await store.commit([step(MEETUP, owe=[debt("plan"), debt("ask-aya")])])
    await store.commit([step(PICNIC, owe=[debt("plan", PICNIC)])])
    await store.commit([step(MEETUP, command="more", owe=[debt("ask-bo")])])

    page, _ = await store.owed(after=0, limit=10)

    assert page == [debt("plan"), debt("ask-aya"), debt("plan", PICNIC), debt("ask-bo")]


async def test_owed_effects_are_read_page_by_page(store: Store) -> None:
    await store.commit([step(owe=[debt(name) for name in "abcde"])])

    first, after = await store.owed(after=0, limit=2)
    rest, end = await store.owed(after, limit=10)
    nothing, still = await store.owed(end, limit=10)

    assert [each.effect_id for each in [*first, *rest]] == list("abcde")
    assert (list(nothing), still) == ([], end)


async def test_a_debt_made_after_the_last_page_is_on_the_next_even_if_all_before_it_were_paid(store: Store) -> None:
    await store.commit([step(owe=[debt("a"), debt("b")])])
    _, after = await store.owed(after=0, limit=10)
    await store.commit([step(command="paid", settle=["a", "b"])])
    await store.commit([step(command="more", owe=[debt("c")])])

    page, _ = await store.owed(after, limit=10)

    assert page == [debt("c")]


async def test_a_settled_effect_is_not_owed_any_more(store: Store) -> None:
    await store.commit([step(MEETUP, owe=[debt("a"), debt("b")])])
    await store.commit([step(PICNIC, owe=[debt("a", PICNIC)])])

    await store.commit([step(MEETUP, command="paid", settle=["a"])])

    assert (await store.owed(after=0, limit=10))[0] == [debt("b"), debt("a", PICNIC)]


async def test_settling_what_nobody_owes_is_not_an_error(store: Store) -> None:
    await store.commit([step(settle=["never heard of"])])


async def test_a_commit_settles_before_it_owes(store: Store) -> None:
    await store.commit([step(owe=[debt("ask")])])

    await store.commit([step(command="again", settle=["ask"], owe=[replace(debt("ask"), body='{"try":2}')])])

    assert (await store.owed(after=0, limit=10))[0] == [replace(debt("ask"), body='{"try":2}')]


async def test_owing_an_effect_again_replaces_it(store: Store) -> None:
    await store.commit([step(owe=[debt("ask"), debt("plan")])])

    await store.commit([step(command="again", owe=[debt("ask", scope="round-2")])])

    assert (await store.owed(after=0, limit=10))[0] == [debt("plan"), debt("ask", scope="round-2")]


async def test_a_failed_attempt_is_remembered(store: Store) -> None:
    await store.commit([step(owe=[debt("ask")])])
    tried = replace(debt("ask"), attempts=2, not_before=60_000)

    await store.reschedule(tried)

    assert (await store.owed(after=0, limit=10))[0] == [tried]
    stream = await store.load(MEETUP)
    assert stream is not None
    assert stream.owed == (tried,)


async def test_a_failed_attempt_changes_nothing_of_what_is_owed_but_when(store: Store) -> None:
    await store.commit([step(owe=[debt("ask")])])

    await store.reschedule(replace(debt("ask", scope="elsewhere"), body="{}", attempts=1))

    assert (await store.owed(after=0, limit=10))[0] == [replace(debt("ask"), attempts=1)]


async def test_a_parked_effect_blocks_nobody_and_stays_visible(store: Store) -> None:
    await store.commit([step(owe=[debt("hopeless"), debt("ask")])])

    await store.reschedule(replace(debt("hopeless"), attempts=5, parked=True))

    assert await owed_ids(store) == ["ask"]
    stream = await store.load(MEETUP)
    assert stream is not None
    assert [each.effect_id for each in stream.owed if each.parked] == ["hopeless"]
    counts = await store.counts()
    assert (counts["owed"], counts["parked"]) == (1, 1)


async def test_an_effect_that_was_settled_meanwhile_is_not_owed_again_by_its_failure(store: Store) -> None:
    await store.commit([step(owe=[debt("ask")])])
    await store.commit([step(command="voided", settle=["ask"])])

    await store.reschedule(replace(debt("ask"), attempts=1))
    await store.reschedule(replace(debt("ask", PICNIC), attempts=1))

    assert await owed_ids(store) == []
