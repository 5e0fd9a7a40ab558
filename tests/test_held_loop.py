"""What holds the event loop is found, and nothing else is taken for it."""

import asyncio
import re
import time

from tests.held_loop import held_loop


def _computes(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


async def _holds() -> None:
    _computes(0.15)


def test_a_callback_that_computes_for_long_is_named() -> None:
    async def plays() -> None:
        await asyncio.sleep(0)
        await asyncio.create_task(_holds())

    with held_loop() as holds:
        asyncio.run(plays())
    [hold] = holds
    assert hold.seconds >= 0.1
    assert "_computes (test_held_loop.py:" in hold.where
    assert hold.where.endswith("in _holds")


def test_what_does_not_let_another_thread_run_is_found_as_well() -> None:
    async def matches() -> None:
        began = time.thread_time()
        size = 20
        while time.thread_time() - began < 0.1:
            re.match("(a|aa)+$", "a" * size + "b")
            size += 1

    with held_loop() as holds:
        asyncio.run(matches())
    assert max(each.seconds for each in holds) >= 0.08


def test_many_short_callbacks_and_waiting_hold_nothing() -> None:
    async def one() -> None:
        _computes(0.01)

    async def plays() -> None:
        await asyncio.gather(*(one() for _ in range(30)))
        await asyncio.sleep(0.1)
        await asyncio.to_thread(_computes, 0.1)

    with held_loop() as holds:
        asyncio.run(plays())
    assert holds == []
