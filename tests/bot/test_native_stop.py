"""Slack's own button *Stop* in a thread has the rights and the effect of ours, once, however often it is delivered."""

import asyncio
from typing import Any

import pytest
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.demo.demo import CHANNEL
from bot.registry import PROTOCOLS
from bot.slack.bolt import bolt_app
from engine.deliberation.state import Status as Arguing
from engine.negotiation.events import NegotiationCancelled
from engine.negotiation.state import Status
from engine.projections.audit import acts

from .conftest import Begin, Given
from .driver import AYA, EVE, YOU, Driver, nothing_changed
from .planning import Planned, argued
from .roles import NOT_YOURS, TABLE, Role, arrives, everybody
from .test_subnets import agreed

NOT_NOW = "That is not possible at this point"


async def thread_of(it: Driver) -> str:
    return (await it.thread())[0].ts


async def event(it: Driver, user: str, ts: str = "1.1", **fields: Any) -> dict[str, Any]:
    return {
        "type": "agent_session_stopped", "user": user, "channel": CHANNEL, "thread_ts": await thread_of(it),
        "streaming_message_ts": [], "event_ts": ts, **fields,
    }  # fmt: skip


async def delivered(it: Driver, said: dict[str, Any], team: str = "") -> int:
    """Hand an event over as Slack does; return how it was answered."""
    workspace = it.demo.workspace
    body = {
        "type": "event_callback", "event_id": "Ev1", "team_id": team or workspace.team_id, "api_app_id": "A_TOWOW",
        "token": "none", "event": said, "is_ext_shared_channel": False,
    }  # fmt: skip
    app = bolt_app(AsyncWebClient(workspace.bot_token, workspace.api_url), it.demo.towow.services, PROTOCOLS)
    response = await app.async_dispatch(AsyncBoltRequest(body=body, mode="socket_mode"))
    await it.settles()
    return response.status


async def works(given: Given) -> Driver:
    """A negotiation whose proposal is in the making."""
    return await given(linked=("aya", "bo"), held=("aggregate",))


async def presses(it: Driver, role: Role) -> None:
    """Press it in their own client; another tenant has none here, so that its event is written out."""
    if role.tenant:
        assert await delivered(it, await event(it, role.user), team=role.tenant) == 200
        return
    await it.demo.person(role.user).stop(CHANNEL, await thread_of(it))
    await it.settles()


@everybody
async def test_whoever_asked_and_admins_stop_it_and_nobody_else(given: Given, role: Role) -> None:
    it = await works(given)
    await arrives(it, role)

    if role.steers:
        await presses(it, role)
        assert (await it.stands(Status.CANCELLED)).cancelled_by == role.user
        return
    async with nothing_changed(it, by=role.user, told=NOT_NOW if role.tenant else NOT_YOURS):
        await presses(it, role)
    assert (await it.state()).is_open


def test_every_role_is_tried() -> None:
    assert {each.name for each in TABLE if each.steers} == {"the requester", "an admin"}


async def test_it_is_on_record_like_ours(given: Given) -> None:
    it = await works(given)
    await presses(it, Role("a participant", AYA))
    await presses(it, Role("the requester", YOU))

    told = await acts(it.demo.towow.store, it.key.tenant, it.key.stream)
    stops = [(each.act, each.by, each.refused) for each in told if each.act != "demand"]
    assert stops == [("stop", AYA, "NotAllowed"), ("stop", YOU, "")]


async def test_slack_hears_that_the_thread_has_ended(given: Given) -> None:
    it = await works(given)
    [before] = await it.demo.person().sessions()
    await presses(it, Role("the requester", YOU))
    [after] = await it.demo.person().sessions()
    assert (before.status, after.status) == ("processing", "closed")


async def test_an_event_that_is_delivered_again_says_and_does_nothing_more(given: Given) -> None:
    it = await works(given)
    said = await event(it, YOU)
    for _ in range(3):
        assert await delivered(it, said) == 200
    await asyncio.gather(*(delivered(it, said) for _ in range(2)))

    assert len(await it.happened(NegotiationCancelled)) == 1
    assert await it.refusals() == []
    assert await it.told(YOU) == []


async def test_pressing_it_once_more_says_that_nothing_works(given: Given) -> None:
    it = await works(given)
    await delivered(it, await event(it, YOU))
    async with nothing_changed(it, by=YOU, told=NOT_NOW):
        await delivered(it, await event(it, YOU, ts="2.2"))


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"thread_ts": "1.000000"}, id="a thread of others"),
        pytest.param({"channel": "C_ELSEWHERE"}, id="a channel of others"),
        pytest.param({"thread_ts": ""}, id="no thread"),
        pytest.param({"thread_ts": None}, id="nothing for a thread"),
        pytest.param({"user": ""}, id="nobody"),
    ],
)
async def test_a_thread_that_is_none_of_ours_stops_nothing(given: Given, fields: dict[str, Any]) -> None:
    it = await works(given)
    before = await it.events()
    assert await delivered(it, await event(it, YOU) | fields) == 200
    assert await it.events() == before


async def test_a_plan_that_is_argued_out_is_stopped_and_its_negotiation_is_not(given: Given) -> None:
    plan: Planned = await argued(given)
    it = plan.it
    before = await it.events()

    async with nothing_changed(it, by=EVE, told="That is for somebody else"):
        await presses(it, Role("somebody who only reads along", EVE))
    await presses(it, Role("the requester", YOU))

    assert (await plan.state()).stopped_by == YOU
    assert (await plan.state()).status is not Arguing.ARGUING
    assert await it.events() == before
    assert await it.told(YOU) == []


async def test_what_looks_for_others_after_the_end_is_not_stopped_by_itself(driver: Begin) -> None:
    it = await agreed(driver, photos=("cy",))
    async with nothing_changed(it, by=YOU, told=NOT_NOW):
        await delivered(it, await event(it, YOU))
