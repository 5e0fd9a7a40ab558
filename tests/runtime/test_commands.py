"""Commands: once each, in order, on disk before anyone is told."""

import asyncio

import pytest

from engine.errors import NotAllowed, StoreUnavailable, UnknownStream
from engine.kernel import StreamKey, Tenant

from .conftest import KEY, Harness


async def test_what_was_acknowledged_is_there_after_a_restart(harness: Harness) -> None:
    receipt = await harness.order("soup")
    await harness.restart()

    assert receipt.version == 1
    assert (await harness.kitchen()).orders == {"soup": "ann"}


async def test_the_same_command_twice_happens_once(harness: Harness) -> None:
    await harness.order("soup", command_id="click-1")
    again = await harness.order("soup", command_id="click-1")

    assert again.duplicate
    assert not again.events
    assert (await harness.rest()).served == ("soup",)


async def test_the_same_command_twice_at_once_happens_once(harness: Harness) -> None:
    receipts = await asyncio.gather(*(harness.order("soup", command_id="click-1") for _ in range(5)))

    assert [each.duplicate for each in receipts] == [False, True, True, True, True]


async def test_the_same_command_after_a_restart_happens_once(harness: Harness) -> None:
    await harness.order("soup", command_id="click-1")
    await harness.restart()

    assert (await harness.order("soup", command_id="click-1")).duplicate


async def test_a_refusal_is_remembered_and_repeated(harness: Harness) -> None:
    await harness.order("soup")
    with pytest.raises(NotAllowed, match="Thieves"):
        await harness.order("steak", guest="thief", command_id="click-2")
    await harness.restart()
    with pytest.raises(NotAllowed, match="Thieves"):
        await harness.order("steak", guest="ann", command_id="click-2")

    assert (await harness.kitchen()).orders == {"soup": "ann"}


async def test_a_refused_beginning_leaves_nothing_behind(harness: Harness) -> None:
    with pytest.raises(NotAllowed):
        await harness.order("steak", guest="thief")
    with pytest.raises(UnknownStream):
        await harness.kitchen()


async def test_many_at_once_are_handled_one_after_the_other(harness: Harness) -> None:
    dishes = [f"dish {number}" for number in range(50)]
    receipts = await asyncio.gather(*(harness.order(dish) for dish in dishes))

    assert sorted(each.version for each in receipts) == [each.version for each in receipts]
    assert list((await harness.rest()).orders) == dishes
    assert await harness.store.verify(KEY)


async def test_streams_do_not_wait_for_each_other(harness: Harness) -> None:
    other = StreamKey(KEY.tenant, "diner")
    harness.cookery.gates["stew"] = asyncio.Event()
    await harness.order("stew")
    await harness.order("soup", key=other)
    await harness.until(other, lambda kitchen: kitchen.served == ("soup",))

    assert (await harness.kitchen()).served == ()


async def test_the_same_name_in_another_tenant_is_another_stream(harness: Harness) -> None:
    stranger = StreamKey(Tenant("T_TWO"), KEY.stream)
    await harness.order("soup", command_id="click-1")
    await harness.order("cake", command_id="click-1", key=stranger)

    assert (await harness.kitchen()).orders == {"soup": "ann"}
    assert (await harness.kitchen(stranger)).orders == {"cake": "ann"}


async def test_a_caller_that_gives_up_does_not_undo_its_command(harness: Harness) -> None:
    impatient = asyncio.create_task(harness.order("soup"))
    await asyncio.sleep(0)
    impatient.cancel()

    assert (await harness.rest()).orders == {"soup": "ann"}


async def test_while_the_store_refuses_nothing_is_acknowledged_and_nothing_is_seen(harness: Harness) -> None:
    await harness.order("soup")
    harness.store.refusing = True
    with pytest.raises(StoreUnavailable):
        await harness.order("cake", command_id="click-9")
    assert (await harness.kitchen()).orders == {"soup": "ann"}

    harness.store.refusing = False
    receipt = await harness.order("cake", command_id="click-9")
    assert not receipt.duplicate


async def test_a_commit_whose_reply_was_lost_is_found_and_acknowledged(harness: Harness) -> None:
    await harness.order("soup")
    await harness.rest()
    harness.store.loses_reply = True
    receipt = await harness.order("cake", command_id="click-9")

    assert receipt.duplicate
    assert sorted((await harness.rest()).served) == ["cake", "soup"]


async def test_a_commit_of_unknown_outcome_is_taken_up_when_the_store_is_back(
    harness: Harness,
) -> None:
    await harness.order("soup")
    await harness.rest()
    harness.store.loses_reply = harness.store.unreadable = True
    with pytest.raises(StoreUnavailable):
        await harness.order("cake")
    await harness.runtime.activity.idle()
    harness.store.unreadable = False
    await harness.jump(1)

    assert (await harness.kitchen()).served == ("soup", "cake")


async def test_what_can_never_be_kept_fails_alone(harness: Harness) -> None:
    half = "half a character: \ud83d"
    outcomes = await asyncio.gather(
        harness.order("soup"), harness.order(half), harness.order("cake"), return_exceptions=True
    )

    assert isinstance(outcomes[1], ValueError)
    assert sorted((await harness.rest()).served) == ["cake", "soup"]


async def test_watchers_hear_of_changes_and_of_nothing_else(harness: Harness) -> None:
    heard: list[StreamKey] = []
    harness.runtime.observers.watch(heard.append)
    await harness.order("soup", command_id="click-1")
    await harness.rest()
    before = len(heard)
    await harness.order("soup", command_id="click-1")
    with pytest.raises(NotAllowed):
        await harness.order("steak", guest="thief")

    assert heard == [KEY] * before


async def test_a_listener_that_fails_disturbs_nobody(harness: Harness, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[str] = []

    def fails(key: StreamKey, events: object) -> None:
        raise OSError("the log is full")

    harness.runtime.observers.listen(fails)
    harness.runtime.observers.listen(lambda key, events: heard.extend(each.event_type for each in events))

    receipt = await harness.order("soup")

    assert not receipt.duplicate
    assert len(heard) == len(receipt.events) > 0
    assert "could not be told" in caplog.text
