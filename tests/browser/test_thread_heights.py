"""How much there is to read in a thread, and how often somebody is notified, as the benchmark counts it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from benchmarks import plan_heights
from benchmarks.thread_heights import height_in, measured

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_six_people_and_two_rounds_are_two_and_a_half_screens(browser: Browser) -> None:
    screens, notifications = await measured(6, 2, partial(height_in, browser))
    assert screens <= 2.5
    assert notifications <= 3, "asked, their part has changed or half the time is over, and the end"


@pytest.mark.exhaustive
async def test_a_plan_that_is_argued_out_and_carried_out_adds_few_screens(browser: Browser) -> None:
    screens, notifications = await plan_heights.measured(partial(height_in, browser))
    assert screens["deliberation"] <= 2.5
    assert screens["delivery"] <= 1.5
    assert notifications == {"deliberation": 0, "delivery": 2}, "a ticket when it is begun, and the end"
