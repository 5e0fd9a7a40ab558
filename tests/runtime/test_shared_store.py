"""Two runtimes that decide on one shared store: what one has moved is noticed by the other before it decides."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from engine.errors import IllegalStep, NotAllowed
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.runtime.runtime import Runtime
from engine.store.port import Store
from tests.store.conftest import SHARED, shared_store

from .conftest import KEY, NOON, Cookery
from .toy_protocol import EFFECTS, KITCHEN, CloseAt, Kitchen, Order

CLICKS = 60


@pytest.fixture(params=SHARED)
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    store = shared_store(request)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
def clock() -> JumpingClock:
    return JumpingClock(NOON)


@pytest.fixture
async def pair(store: Store, clock: JumpingClock) -> AsyncIterator[tuple[Runtime, Runtime]]:
    first, second = (
        in_process(store, clock, [KITCHEN], {each.kind: Cookery(clock) for each in EFFECTS}, EFFECTS) for _ in range(2)
    )
    await first.start()
    await second.start()
    try:
        yield first, second
    finally:
        await first.close()
        await second.close()


def order(dish: str, guest: str = "bo") -> Order:
    return Order(command_id=f"order {dish}", at=NOON, guest=guest, dish=dish)


async def kitchen(runtime: Runtime) -> Kitchen:
    state, _ = await runtime.read(KEY)
    assert isinstance(state, Kitchen)
    return state


async def idle(*runtimes: Runtime) -> None:
    for each in runtimes:
        await each.activity.idle()


async def test_what_one_commits_the_other_reads(pair: tuple[Runtime, Runtime]) -> None:
    first, second = pair
    await first.handle(KEY, "kitchen", order("soup"))
    assert (await kitchen(second)).orders == {"soup": "bo"}

    await second.handle(KEY, "kitchen", order("pie"))
    assert (await kitchen(first)).orders == {"soup": "bo", "pie": "bo"}
    await idle(*pair)

    served = (await kitchen(first)).served
    assert sorted(served) == ["pie", "soup"]  # each is cooked by another runtime: nobody says which is done first
    assert (await kitchen(second)).served == served


async def test_an_alarm_that_one_has_set_anew_is_rung_by_the_other(
    pair: tuple[Runtime, Runtime], clock: JumpingClock
) -> None:
    first, second = pair
    await second.handle(KEY, "kitchen", CloseAt(command_id="later", at=NOON, due=NOON + 90_000))
    await first.handle(KEY, "kitchen", CloseAt(command_id="sooner", at=NOON, due=NOON + 60_000))
    clock.jump(NOON + 60_000)
    await second.sweep()
    await idle(*pair)

    assert (await kitchen(first)).closed
    with pytest.raises(IllegalStep):
        await first.handle(KEY, "kitchen", order("soup"))


async def test_a_command_that_reaches_both_is_handled_once(pair: tuple[Runtime, Runtime], store: Store) -> None:
    first, second = pair
    await first.handle(KEY, "kitchen", order("soup"))
    receipts = await asyncio.gather(*(each.handle(KEY, "kitchen", order("pie")) for each in (first, second, second)))
    refusals = await asyncio.gather(
        *(each.handle(KEY, "kitchen", order("loot", "thief")) for each in pair), return_exceptions=True
    )
    await idle(*pair)

    assert sorted(each.duplicate for each in receipts) == [False, True, True]
    assert [type(each) for each in refusals] == [NotAllowed, NotAllowed]
    lines = await store.records(KEY.tenant, "book", f"{KEY.stream}/")
    assert len(lines) == 3
    found = await store.load(KEY)
    assert found is not None
    assert [each.event_type for each in found.events].count("kitchen.ordered") == 2


async def test_nobody_starves_where_many_click_at_both(pair: tuple[Runtime, Runtime], store: Store) -> None:
    """Every person's clicks follow each other, as fast as they are answered."""

    async def clicks(person: int) -> None:
        for number in range(CLICKS // 10):
            receipt = await pair[person % 2].handle(KEY, "kitchen", order(f"dish {person}-{number}", f"guest {person}"))
            assert not receipt.duplicate

    await asyncio.gather(*(clicks(person) for person in range(10)))
    await idle(*pair)

    state = await kitchen(pair[0])
    assert len(state.orders) == CLICKS
    assert sorted(state.served) == sorted(state.orders)
    assert await store.verify(KEY)
    assert dict(await store.counts())["owed"] == 0
