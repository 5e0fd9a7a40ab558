"""Every tenant apart: nothing that BEES can say reads or moves what is ACME's."""

import pytest

from engine.kernel import KeyRange, StreamKey, Tenant
from engine.store.port import Store

from .words import ACME, BEES, MEETUP, alarm, effect, row, said, step

STRANGERS = [
    pytest.param(BEES, id="another team of the enterprise"),
    pytest.param(Tenant("T_ACME", "E_OTHER"), id="a team of that name in another enterprise"),
    pytest.param(Tenant("T_ACME"), id="a team of that name in no enterprise"),
    pytest.param(Tenant("E_GROUP", "T_ACME"), id="the two ids exchanged"),
]


@pytest.fixture(params=STRANGERS)
def theirs(request: pytest.FixtureRequest) -> StreamKey:
    """A stream of a stranger's, named as ACME's."""
    tenant: Tenant = request.param
    return StreamKey(tenant, MEETUP.stream)


@pytest.fixture(autouse=True)
async def _ours(store: Store) -> None:
    """ACME has one of everything."""
    await store.commit(step(MEETUP, 0, [said("{}", '"ours"')], add=[effect("ask")], alarms=[alarm("close", 100)]))
    await store.put_records(ACME, "post", {"a": "ours"})


async def test_a_stranger_finds_nothing(store: Store, theirs: StreamKey) -> None:
    assert await store.load(theirs) is None
    assert await store.events(theirs.tenant, after=0, limit=10) == []
    assert await store.records(theirs.tenant, "post") == {}
    assert await store.records_in(theirs.tenant, [KeyRange("post", "", "z", 10)]) == {}
    assert not await store.verify(theirs)


async def test_a_stranger_moves_nothing(store: Store, theirs: StreamKey) -> None:
    ours = await store.load(MEETUP)

    await store.commit(step(theirs, 0, [said()], drop=["ask"], clear=["close"]))
    await store.commit(step(theirs, 1, command="erase", erase=[1]))
    await store.reschedule(effect("ask", theirs)._replace(attempts=9, parked=True))
    await store.mark_shown(theirs, 1)
    await store.put_records(theirs.tenant, "post", {"a": None, "b": "theirs"})
    await store.commit(step(theirs, 1, command="delete", records=[row("a", None, kind="post")]))

    assert await store.load(MEETUP) == ours
    assert [lag.key for lag in await store.lagging(limit=10)] == [MEETUP]
    assert await store.records(ACME, "post") == {"a": "ours"}


async def test_what_is_read_across_streams_says_whose_it_is(store: Store, theirs: StreamKey) -> None:
    await store.commit(step(theirs, 0, [said()], add=[effect("ask", theirs)], alarms=[alarm("close", 200, theirs)]))

    assert [each.key for each in (await store.pending_effects(after=0, limit=10))[0]] == [MEETUP, theirs]
    assert [each.key for each in await store.due(before=1_000, limit=10)] == [MEETUP, theirs]
    assert [each.key for each in await store.lagging(limit=10)] == [MEETUP, theirs]
    assert [each.key for each in await store.events(theirs.tenant, after=0, limit=10)] == [theirs]


async def test_a_commit_cannot_owe_or_set_an_alarm_in_another_stream(store: Store, theirs: StreamKey) -> None:
    with pytest.raises(ValueError, match="one stream"):
        await store.commit(step(theirs, add=[effect("ask", MEETUP)]))
    with pytest.raises(ValueError, match="one stream"):
        await store.commit(step(theirs, alarms=[alarm("close", 1, MEETUP)]))


async def test_only_a_tenants_own_open_streams_are_counted(store: Store, theirs: StreamKey) -> None:
    await store.commit(step(theirs, 0, [said()]))
    await store.commit(step(theirs._replace(stream="another"), 0, [said()], is_open=False))

    assert await store.open_streams(ACME, 10) == await store.open_streams(theirs.tenant, 10) == 1
    assert await store.open_streams(ACME, 0) == 0
