"""A private sentence that Slack did not take is said again: when Slack allows it, while it matters, and once."""

from typing import Any

import pytest

from bot.listeners.private_messages import MATTERS
from bot.views.negotiation.button_values import ACCEPT

from .conftest import Given
from .driver import AYA, EVE, YOU, Driver
from .home import clicks, opens
from .test_clicks import NO_SEAT

EPHEMERAL = "chat.postEphemeral"
TOO_MANY: dict[str, Any] = {"do": "status", "status": 429, "retry_after": 40}


async def clicked(given: Given, **fault: Any) -> Driver:
    """Somebody without a seat has clicked, while Slack did not take private sentences."""
    it = await given()
    await it.demo.workspace.admin.fault(EPHEMERAL, **fault)
    assert (await it.clicks(EVE, ACCEPT)).acked
    return it


async def after(it: Driver, seconds: float) -> list[str]:
    """Let so much time pass, and return what she was told."""
    it.demo.clock.jump(it.demo.clock.now() + round(1000 * seconds))
    await it.settles()
    return await it.told(EVE)


async def test_it_is_said_when_slack_allows_it(given: Given) -> None:
    it = await clicked(given, **TOO_MANY)
    assert await after(it, 39) == []
    assert await after(it, 2) == [NO_SEAT]


@pytest.mark.parametrize("status", [500, 503])
async def test_it_is_said_again_where_slack_has_failed(given: Given, status: int) -> None:
    it = await clicked(given, do="status", status=status, times=2)
    assert await after(it, 2) == []
    assert await after(it, 4) == [NO_SEAT]
    assert await after(it, 200) == [NO_SEAT]


@pytest.mark.parametrize("fault", [{"do": "drop_after"}, {"do": "truncate"}, {"do": "status", "status": 504}])
async def test_it_is_not_said_again_where_it_may_have_been_seen(given: Given, fault: dict[str, Any]) -> None:
    it = await clicked(given, **fault)
    said = await it.told(EVE)
    assert len(said) <= 1
    assert await after(it, 200) == said


async def test_it_is_given_up_once_nobody_wonders_any_more(given: Given) -> None:
    it = await clicked(given, do="status", status=429, retry_after=MATTERS // 1000 + 1)
    assert await after(it, MATTERS / 1000 + 2) == []


async def test_it_is_written_to_them_where_no_window_can_be_opened_any_more(given: Given) -> None:
    it = await given()
    page = await opens(it, AYA)
    await it.demo.workspace.admin.fault("views.publish", "error", times=None)
    await it.stops(YOU)
    await it.demo.workspace.admin.fault("views.open", **TOO_MANY)
    assert (await clicks(it, AYA, ACCEPT, page)).modal is None
    before = await written_to(it, AYA)
    await after(it, 41)
    [sentence] = [each for each in await written_to(it, AYA) if each not in before]
    assert "nothing was changed" in sentence


async def written_to(it: Driver, user: str) -> list[str]:
    person = it.demo.person(user)
    return [each.text for each in await person.messages((await person.dm()).id)]
