"""What is owed is paid, recorded once, and never blocks anybody."""

import asyncio
import logging

import pytest

from engine.errors import Misconfigured
from engine.runtime.clock import JumpingClock
from engine.runtime.runtime import Runtime
from engine.store.memory import MemoryStore

from .conftest import House
from .toy_protocol import EFFECTS, KITCHEN, CallOff


async def test_an_order_is_cooked_and_served(house: House) -> None:
    await house.order("soup")

    assert (await house.rest()).served == ("soup",)
    assert (await house.store.counts())["owed"] == 0


async def test_what_was_owed_when_the_process_ended_is_paid_at_the_next_start(house: House) -> None:
    house.cookery.gates["stew"] = asyncio.Event()
    await house.order("stew")
    await house.restart()
    house.cookery.gates["stew"].set()

    assert (await house.rest()).served == ("stew",)


async def test_what_must_not_be_done_twice_is_reported_as_failed_after_a_restart(house: House) -> None:
    house.cookery.gates["flambé"] = asyncio.Event()
    await house.order("flambé")
    await house.cookery.started.wait()
    await house.restart()

    assert (await house.rest()).burnt == ("flambé",)
    assert house.cookery.cooked == ["flambé"]


async def test_a_failed_attempt_is_repeated_after_a_pause(house: House) -> None:
    house.cookery.fails["soup"] = 2
    await house.order("soup")
    assert (await house.rest()).served == ()
    await house.jump(1)
    assert (await house.kitchen()).served == ()
    await house.jump(2)

    assert (await house.kitchen()).served == ("soup",)
    assert house.cookery.cooked == ["soup"] * 3


async def test_attempts_are_counted_over_restarts_and_end_in_a_command(house: House) -> None:
    house.cookery.fails["soup"] = -1
    await house.order("soup")
    for pause in (0, 1, 2, 4, 8, 16):
        await house.jump(pause)
        await house.restart()
        await house.rest()

    assert (await house.kitchen()).burnt == ("soup",)
    assert len(house.cookery.cooked) == 5
    assert (await house.store.counts())["owed"] == 0


async def test_a_failure_that_no_rule_answers_is_parked_and_blocks_nobody(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    house.cookery.fails["stone"] = -1
    await house.order("stone")
    with caplog.at_level(logging.ERROR):
        for pause in (0, 1, 2, 4, 8, 16):
            await house.jump(pause)
    await house.order("soup")

    assert (await house.rest()).served == ("soup",)
    assert (await house.store.counts())["parked"] == 1
    assert "parked" in caplog.text


async def test_a_voided_debt_is_not_paid_any_more(house: House) -> None:
    house.cookery.gates["stew"] = asyncio.Event()
    await house.order("stew")
    await house.does(CallOff)
    house.cookery.gates["stew"].set()

    assert (await house.rest()).served == ()
    assert (await house.store.counts())["owed"] == 0


async def test_an_outcome_that_comes_just_after_its_debt_was_voided_is_not_wanted(house: House) -> None:
    house.cookery.gates["stew"] = asyncio.Event()
    await house.order("stew")
    await house.cookery.started.wait()
    calling_off = asyncio.create_task(house.does(CallOff))
    house.cookery.gates["stew"].set()  # both are in the mailbox before either is decided
    await calling_off

    assert (await house.rest()).served == ()
    assert house.cookery.cooked == ["stew"]


async def test_an_outcome_is_held_while_the_store_refuses(house: House) -> None:
    house.cookery.gates["stew"] = asyncio.Event()
    await house.order("stew")
    house.store.refusing = True
    house.cookery.gates["stew"].set()
    assert (await house.rest()).served == ()
    house.store.refusing = False
    await house.jump(1)

    assert (await house.kitchen()).served == ("stew",)
    assert house.cookery.cooked == ["stew"]


async def test_an_effect_that_nobody_pays_stops_the_start() -> None:
    with pytest.raises(Misconfigured, match="nobody pays the effect 'cook'"):
        Runtime(MemoryStore(), JumpingClock(0), [KITCHEN], {}, EFFECTS)
