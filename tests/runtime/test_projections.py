"""What is asked across streams: written in the commit that causes it, once, whatever became of the command."""

import asyncio
import json
import logging
from dataclasses import replace

import pytest

from engine.errors import IllegalStep, NotAllowed, StoreUnavailable
from engine.kernel import Handled, Record, StreamKey, Tenant
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.runtime.runtime import Receipt
from engine.store.memory import MemoryStore

from .conftest import KEY, NOON, Harness
from .toy_protocol import KITCHEN, CallOff, CloseAt, Kitchen


async def test_what_was_decided_is_in_the_book(harness: Harness) -> None:
    await harness.order("soup")
    await harness.order("cake", guest="bo")

    assert await harness.book() == ["ann: soup", "bo: cake"]


async def test_what_was_refused_is_in_the_book_with_its_refusal(harness: Harness) -> None:
    await harness.order("soup")
    with pytest.raises(NotAllowed):
        await harness.order("steak", guest="thief")
    await harness.does(CloseAt, due=harness.clock.now() + 1_000)
    await harness.jump(1)
    with pytest.raises(IllegalStep):
        await harness.order("cake")

    assert await harness.book() == ["ann: soup", "thief: steak NotAllowed", "ann: cake IllegalStep"]


async def test_a_projection_is_told_what_was_before_and_what_is_after(harness: Harness) -> None:
    await asyncio.gather(harness.order("soup"), harness.order("cake"))
    with pytest.raises(NotAllowed):
        await harness.order("steak", guest="thief")

    lines = [json.loads(line) for line in (await harness.store.records(KEY.tenant, "book")).values()]
    assert [line["orders"] for line in lines] == [[0, 1], [1, 2], [2, 2]]
    assert [line["events"] for line in lines] == [1, 1, 0]


async def test_the_same_command_again_writes_no_second_line(harness: Harness) -> None:
    await asyncio.gather(*(harness.order("soup", command_id="click-1") for _ in range(3)))
    await harness.restart()
    await harness.order("soup", command_id="click-1")
    for _ in range(2):
        with pytest.raises(NotAllowed):
            await harness.order("steak", guest="thief", command_id="click-2")

    assert await harness.book() == ["ann: soup", "thief: steak NotAllowed"]


async def test_the_book_is_in_the_order_of_the_commands_over_batches_and_restarts(harness: Harness) -> None:
    dishes = [f"dish {number}" for number in range(30)]
    await asyncio.gather(*(harness.order(dish) for dish in dishes[:10]))
    for dish in dishes[10:]:
        if dish.endswith("5"):
            await harness.restart()
        with pytest.raises(NotAllowed):
            await harness.order(dish, guest="thief")

    assert await harness.book() == [
        *(f"ann: {dish}" for dish in dishes[:10]),
        *(f"thief: {dish} NotAllowed" for dish in dishes[10:]),
    ]


async def test_a_row_is_gone_in_the_commit_that_ends_its_reason(harness: Harness) -> None:
    await harness.order("soup")
    await harness.rest()
    harness.cookery.gates["stew"] = asyncio.Event()
    await harness.order("stew")

    assert await harness.store.records(KEY.tenant, "waiting", "ann/") == {"ann/stew": "1"}


async def test_what_nobody_projects_writes_nothing(harness: Harness) -> None:
    await harness.order("soup")
    await harness.rest()
    before = await harness.store.records(KEY.tenant, "book")
    await harness.does(CallOff)
    await harness.does(CloseAt, due=harness.clock.now() + 1_000)
    await harness.jump(1)

    assert await harness.store.records(KEY.tenant, "book") == before


async def test_a_refused_beginning_is_in_no_book(harness: Harness) -> None:
    with pytest.raises(NotAllowed):
        await harness.order("steak", guest="thief")

    assert await harness.book() == []


async def test_each_tenant_has_its_own_book(harness: Harness) -> None:
    stranger = StreamKey(Tenant("T_TWO"), KEY.stream)
    await harness.order("soup", command_id="click-1")
    await harness.order("cake", command_id="click-1", key=stranger)

    assert (await harness.book(), await harness.book(stranger)) == (["ann: soup"], ["ann: cake"])


async def test_what_was_not_kept_is_not_in_the_book(harness: Harness) -> None:
    await harness.order("soup")
    harness.store.refusing = True
    with pytest.raises(StoreUnavailable):
        await harness.order("cake")
    harness.store.refusing = False
    half = "half a character: \ud83d"
    await asyncio.gather(harness.order("tea"), harness.order(half), return_exceptions=True)

    assert await harness.book() == ["ann: soup", "ann: tea"]


async def test_a_commit_whose_reply_was_lost_is_in_the_book_once(harness: Harness) -> None:
    await harness.order("soup")
    harness.store.loses_reply = True
    await harness.order("cake", command_id="click-9")
    await harness.order("cake", command_id="click-9")

    assert await harness.book() == ["ann: soup", "ann: cake"]


async def test_a_projection_with_a_bug_fails_its_command_alone(caplog: pytest.LogCaptureFixture) -> None:
    def clumsy(handled: Handled[Kitchen]) -> tuple[Record, ...]:
        if handled.command.command_id == "second":
            raise ZeroDivisionError
        return (Record("book", handled.command.command_id, "1"),)

    store = MemoryStore()
    await store.open()
    runtime = in_process(store, JumpingClock(NOON), [replace(KITCHEN, projections=(clumsy,))], {}, [])
    await runtime.start()
    try:
        with caplog.at_level(logging.CRITICAL, logger="engine.runtime.runtime"):
            outcomes = await asyncio.gather(
                *(
                    runtime.handle(KEY, "kitchen", CallOff(command_id=command_id, at=NOON))
                    for command_id in ("first", "second", "third")
                ),
                return_exceptions=True,
            )
        assert [type(outcome) for outcome in outcomes] == [Receipt, ZeroDivisionError, Receipt]
        assert list(await store.records(KEY.tenant, "book")) == ["first", "third"]
    finally:
        await runtime.close()
        await store.close()
