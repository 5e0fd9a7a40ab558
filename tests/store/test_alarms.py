"""Alarms are rows."""

from engine.store.port import Store

from .words import MEETUP, PICNIC, alarm, step


async def test_due_alarms_come_soonest_first_and_later_ones_stay(store: Store) -> None:
    await store.commit(step(MEETUP, alarms=[alarm("close", 300), alarm("remind", 100)]))
    await store.commit(step(PICNIC, alarms=[alarm("close", 200, PICNIC), alarm("give-up", 301, PICNIC)]))

    assert await store.due(before=300, limit=10) == [
        alarm("remind", 100),
        alarm("close", 200, PICNIC),
        alarm("close", 300),
    ]
    assert await store.due(before=300, limit=1) == [alarm("remind", 100)]
    assert await store.due(before=99, limit=10) == []


async def test_setting_an_alarm_again_moves_it(store: Store) -> None:
    await store.commit(step(alarms=[alarm("close", 100, generation=1)]))

    await store.commit(step(command="extend", alarms=[alarm("close", 900, generation=4)]))

    assert await store.due(before=1_000, limit=10) == [alarm("close", 900, generation=4)]


async def test_a_cleared_alarm_does_not_ring(store: Store) -> None:
    await store.commit(step(MEETUP, alarms=[alarm("close", 100), alarm("remind", 50)]))
    await store.commit(step(PICNIC, alarms=[alarm("close", 100, PICNIC)]))

    await store.commit(step(MEETUP, command="enough", clear=["close"]))

    assert await store.due(before=1_000, limit=10) == [alarm("remind", 50), alarm("close", 100, PICNIC)]


async def test_clearing_an_alarm_that_nobody_set_is_not_an_error(store: Store) -> None:
    await store.commit(step(clear=["never heard of"]))


async def test_a_commit_clears_before_it_sets(store: Store) -> None:
    await store.commit(step(alarms=[alarm("close", 100)]))

    await store.commit(step(command="again", clear=["close"], alarms=[alarm("close", 200)]))

    assert await store.due(before=1_000, limit=10) == [alarm("close", 200)]


async def test_the_next_alarm_is_the_soonest_of_all(store: Store) -> None:
    assert await store.next_due() is None
    await store.commit(step(MEETUP, alarms=[alarm("close", 300)]))
    await store.commit(step(PICNIC, alarms=[alarm("close", 200, PICNIC)]))

    assert await store.next_due() == 200
