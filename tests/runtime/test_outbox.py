"""What is pending is run, recorded once, and never blocks anybody."""

import asyncio
import logging

import pytest

from engine.errors import Misconfigured
from engine.kernel import Millis
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.store.memory import MemoryStore

from .conftest import Harness
from .toy_protocol import EFFECTS, KITCHEN, CallOff

HOUR: Millis = 3_600_000


async def test_an_order_is_cooked_and_served(harness: Harness) -> None:
    await harness.order("soup")

    assert (await harness.rest()).served == ("soup",)
    assert (await harness.store.counts())["owed"] == 0


async def test_what_was_owed_when_the_process_ended_is_paid_at_the_next_start(harness: Harness) -> None:
    harness.cookery.gates["stew"] = asyncio.Event()
    await harness.order("stew")
    await harness.restart()
    harness.cookery.gates["stew"].set()

    assert (await harness.rest()).served == ("stew",)


async def test_what_must_not_be_done_twice_is_reported_as_failed_after_a_restart(harness: Harness) -> None:
    harness.cookery.gates["flambé"] = asyncio.Event()
    await harness.order("flambé")
    await harness.cookery.started.wait()
    await harness.restart()

    assert (await harness.rest()).burnt == ("flambé",)
    assert harness.cookery.cooked == ["flambé"]


async def test_a_failed_attempt_is_repeated_after_a_pause(harness: Harness) -> None:
    harness.cookery.fails["soup"] = 2
    await harness.order("soup")
    assert (await harness.rest()).served == ()
    await harness.jump(1)
    assert (await harness.kitchen()).served == ()
    await harness.jump(2)

    assert (await harness.kitchen()).served == ("soup",)
    assert harness.cookery.cooked == ["soup"] * 3


@pytest.mark.parametrize("step", [-HOUR, HOUR], ids=["an hour back", "an hour forward"])
async def test_a_pause_lasts_as_long_whatever_the_wall_clock_is_set_to(harness: Harness, step: Millis) -> None:
    harness.cookery.fails["soup"] = 1
    await harness.order("soup")
    await harness.rest()
    harness.clock.set_wall(harness.clock.now() + step)
    await harness.jump(0.999)
    assert (await harness.kitchen()).served == ()
    await harness.jump(0.001)

    assert (await harness.kitchen()).served == ("soup",)


async def test_a_pause_that_a_restart_finds_far_ahead_is_no_longer_than_any(harness: Harness) -> None:
    harness.cookery.fails["soup"] = 1
    await harness.order("soup")
    await harness.rest()
    harness.clock.set_wall(harness.clock.now() - HOUR)
    await harness.restart()
    await harness.jump(60)

    assert (await harness.kitchen()).served == ("soup",)


async def test_attempts_are_counted_over_restarts_and_end_in_a_command(harness: Harness) -> None:
    harness.cookery.fails["soup"] = -1
    await harness.order("soup")
    for pause in (0, 1, 2, 4, 8, 16):
        await harness.jump(pause)
        await harness.restart()
        await harness.rest()

    assert (await harness.kitchen()).burnt == ("soup",)
    assert len(harness.cookery.cooked) == 5
    assert (await harness.store.counts())["owed"] == 0


async def test_a_failure_that_no_rule_answers_is_parked_and_blocks_nobody(
    harness: Harness, caplog: pytest.LogCaptureFixture
) -> None:
    harness.cookery.fails["stone"] = -1
    await harness.order("stone")
    with caplog.at_level(logging.ERROR):
        for pause in (0, 1, 2, 4, 8, 16):
            await harness.jump(pause)
    await harness.order("soup")

    assert (await harness.rest()).served == ("soup",)
    assert (await harness.store.counts())["parked"] == 1
    assert "parked" in caplog.text


async def test_a_voided_effect_does_not_run_any_more(harness: Harness) -> None:
    harness.cookery.gates["stew"] = asyncio.Event()
    await harness.order("stew")
    await harness.does(CallOff)
    harness.cookery.gates["stew"].set()

    assert (await harness.rest()).served == ()
    assert (await harness.store.counts())["owed"] == 0


async def test_an_outcome_that_comes_just_after_its_effect_was_voided_is_not_wanted(harness: Harness) -> None:
    harness.cookery.gates["stew"] = asyncio.Event()
    await harness.order("stew")
    await harness.cookery.started.wait()
    calling_off = asyncio.create_task(harness.does(CallOff))
    harness.cookery.gates["stew"].set()  # both are in the mailbox before either is decided
    await calling_off

    assert (await harness.rest()).served == ()
    assert harness.cookery.cooked == ["stew"]


async def test_an_outcome_is_held_while_the_store_refuses(harness: Harness) -> None:
    harness.cookery.gates["stew"] = asyncio.Event()
    await harness.order("stew")
    harness.store.refusing = True
    harness.cookery.gates["stew"].set()
    assert (await harness.rest()).served == ()
    harness.store.refusing = False
    await harness.jump(1)

    assert (await harness.kitchen()).served == ("stew",)
    assert harness.cookery.cooked == ["stew"]


async def test_an_effect_without_a_runner_stops_the_start() -> None:
    with pytest.raises(Misconfigured, match="has no runner"):
        in_process(MemoryStore(), JumpingClock(0), [KITCHEN], {}, EFFECTS)
