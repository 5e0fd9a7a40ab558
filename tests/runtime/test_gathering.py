"""Outcomes that nobody waits for gather for a while, and are committed together; a person is not held up."""

import asyncio

from engine.runtime.runtime import PATIENCE

from .conftest import KEY, Harness, come_true


async def cooking(harness: Harness, *dishes: str) -> None:
    """All of them are on the stove, and each waits for its gate."""
    for dish in dishes:
        harness.cookery.gates[dish] = asyncio.Event()
        await harness.order(dish)
    await come_true(lambda: len(harness.cookery.cooked) == len(dishes))


async def delivered(harness: Harness, *dishes: str) -> None:
    """They are cooked, and wait for the others."""
    for dish in dishes:
        harness.cookery.gates[dish].set()
    await come_true(lambda: harness.clock.next_wake is not None)


async def test_outcomes_gather_until_the_last_of_their_scope_and_are_kept_together(harness: Harness) -> None:
    await cooking(harness, "stew", "soup", "cake")
    _, before = await harness.runtime.read(KEY)
    await delivered(harness, "stew", "soup")
    assert (await harness.runtime.read(KEY))[1] == before

    harness.cookery.gates["cake"].set()

    assert set((await harness.rest()).served) == {"stew", "soup", "cake"}
    assert harness.clock.next_wake is None


async def test_outcomes_wait_no_longer_than_that(harness: Harness) -> None:
    await cooking(harness, "stew", "soup")
    await delivered(harness, "soup")
    harness.clock.jump(harness.clock.now() + PATIENCE)

    await harness.until(KEY, lambda kitchen: kitchen.served == ("soup",))


async def test_a_person_waits_for_no_outcome_and_takes_along_those_that_are_there(harness: Harness) -> None:
    await cooking(harness, "stew", "soup")
    await delivered(harness, "soup")

    await harness.order("pie")

    assert (await harness.kitchen()).served == ("soup",)


async def test_a_failed_effect_is_not_waited_for(harness: Harness) -> None:
    harness.cookery.fails["stone"] = 1
    await harness.order("stone")
    await come_true(lambda: harness.cookery.fails == {"stone": 0})
    await harness.order("soup")

    await harness.until(KEY, lambda kitchen: kitchen.served == ("soup",))


async def test_what_has_gathered_is_kept_when_the_process_ends_in_good_order(harness: Harness) -> None:
    await cooking(harness, "stew", "soup")
    await delivered(harness, "soup")
    await harness.restart()

    await harness.until(KEY, lambda kitchen: "soup" in kitchen.served)
