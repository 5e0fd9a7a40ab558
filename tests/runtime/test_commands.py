"""Commands: once each, in order, on disk before anyone is told."""

import asyncio

import pytest

from engine.errors import NotAllowed, StoreUnavailable, UnknownChannel
from engine.kernel import StreamKey, Tenant

from .conftest import KEY, House


async def test_what_was_acknowledged_is_there_after_a_restart(house: House) -> None:
    receipt = await house.order("soup")
    await house.restart()

    assert receipt.version == 1
    assert (await house.kitchen()).orders == {"soup": "ann"}


async def test_the_same_command_twice_happens_once(house: House) -> None:
    await house.order("soup", command_id="click-1")
    again = await house.order("soup", command_id="click-1")

    assert again.duplicate
    assert not again.events
    assert (await house.rest()).served == ("soup",)


async def test_the_same_command_twice_at_once_happens_once(house: House) -> None:
    receipts = await asyncio.gather(*(house.order("soup", command_id="click-1") for _ in range(5)))

    assert [each.duplicate for each in receipts] == [False, True, True, True, True]


async def test_the_same_command_after_a_restart_happens_once(house: House) -> None:
    await house.order("soup", command_id="click-1")
    await house.restart()

    assert (await house.order("soup", command_id="click-1")).duplicate


async def test_a_refusal_is_remembered_and_repeated(house: House) -> None:
    await house.order("soup")
    with pytest.raises(NotAllowed, match="Thieves"):
        await house.order("steak", guest="thief", command_id="click-2")
    await house.restart()
    with pytest.raises(NotAllowed, match="Thieves"):
        await house.order("steak", guest="ann", command_id="click-2")

    assert (await house.kitchen()).orders == {"soup": "ann"}


async def test_a_refused_beginning_leaves_nothing_behind(house: House) -> None:
    with pytest.raises(NotAllowed):
        await house.order("steak", guest="thief")
    with pytest.raises(UnknownChannel):
        await house.kitchen()


async def test_many_at_once_are_handled_one_after_the_other(house: House) -> None:
    dishes = [f"dish {number}" for number in range(50)]
    receipts = await asyncio.gather(*(house.order(dish) for dish in dishes))

    assert sorted(each.version for each in receipts) == [each.version for each in receipts]
    assert list((await house.rest()).orders) == dishes
    assert await house.store.verify(KEY)


async def test_streams_do_not_wait_for_each_other(house: House) -> None:
    other = StreamKey(KEY.tenant, "diner")
    house.cookery.gates["stew"] = asyncio.Event()
    await house.order("stew")
    await house.order("soup", key=other)
    await house.until(other, lambda kitchen: kitchen.served == ("soup",))

    assert (await house.kitchen()).served == ()


async def test_the_same_name_in_another_tenant_is_another_stream(house: House) -> None:
    stranger = StreamKey(Tenant("T_TWO"), KEY.stream)
    await house.order("soup", command_id="click-1")
    await house.order("cake", command_id="click-1", key=stranger)

    assert (await house.kitchen()).orders == {"soup": "ann"}
    assert (await house.kitchen(stranger)).orders == {"cake": "ann"}


async def test_a_caller_that_gives_up_does_not_undo_its_command(house: House) -> None:
    impatient = asyncio.create_task(house.order("soup"))
    await asyncio.sleep(0)
    impatient.cancel()

    assert (await house.rest()).orders == {"soup": "ann"}


async def test_while_the_store_refuses_nothing_is_acknowledged_and_nothing_is_seen(house: House) -> None:
    await house.order("soup")
    house.store.refusing = True
    with pytest.raises(StoreUnavailable):
        await house.order("cake", command_id="click-9")
    assert (await house.kitchen()).orders == {"soup": "ann"}

    house.store.refusing = False
    receipt = await house.order("cake", command_id="click-9")
    assert not receipt.duplicate


async def test_a_commit_whose_reply_was_lost_is_found_and_acknowledged(house: House) -> None:
    await house.order("soup")
    await house.rest()
    house.store.loses_reply = True
    receipt = await house.order("cake", command_id="click-9")

    assert receipt.duplicate
    assert (await house.rest()).served == ("soup", "cake")


async def test_a_commit_of_unknown_outcome_is_taken_up_when_the_store_is_back(
    house: House,
) -> None:
    await house.order("soup")
    await house.rest()
    house.store.loses_reply = house.store.unreadable = True
    with pytest.raises(StoreUnavailable):
        await house.order("cake")
    await house.runtime.activity.idle()
    house.store.unreadable = False
    await house.jump(1)

    assert (await house.kitchen()).served == ("soup", "cake")


async def test_what_can_never_be_kept_fails_alone(house: House) -> None:
    half = "half a character: \ud83d"
    outcomes = await asyncio.gather(house.order("soup"), house.order(half), house.order("cake"), return_exceptions=True)

    assert isinstance(outcomes[1], ValueError)
    assert (await house.rest()).served == ("soup", "cake")


async def test_watchers_hear_of_changes_and_of_nothing_else(house: House) -> None:
    heard: list[StreamKey] = []
    house.runtime.watch(heard.append)
    await house.order("soup", command_id="click-1")
    await house.rest()
    before = len(heard)
    await house.order("soup", command_id="click-1")
    with pytest.raises(NotAllowed):
        await house.order("steak", guest="thief")

    assert heard == [KEY] * before


async def test_a_listener_that_fails_disturbs_nobody(house: House, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[str] = []

    def fails(key: StreamKey, events: object) -> None:
        raise OSError("the log is full")

    house.runtime.listen(fails)
    house.runtime.listen(lambda key, events: heard.extend(each.event_type for each in events))

    receipt = await house.order("soup")

    assert not receipt.duplicate
    assert len(heard) == len(receipt.events) > 0
    assert "could not be told" in caplog.text
