"""Events are delivered until they are acknowledged; interactions are sent once."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import aiohttp
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace, Person

from .conftest import GENERAL, running
from .raw_connections import link_of, raw_connection
from .test_conversation import BUTTON

A_MOMENT = 0.1
"""Seconds that Slack waits for what nobody will acknowledge."""


async def test_an_event_that_is_not_acknowledged_comes_again_and_says_so(
    workspace: LocalWorkspace, aya: Person
) -> None:
    async with raw_connection(workspace) as tap:
        await workspace.admin.fault("events_api", "hurry", seconds=A_MOMENT)
        await aya.say(GENERAL, "hello")
        first = await tap.next(ack=False)
        second = await tap.next()
        assert (await workspace.admin.idle())["events_api"] == 2
    assert (first["retry_attempt"], first["retry_reason"]) == (0, "")
    assert (second["retry_attempt"], second["retry_reason"]) == (1, "timeout")
    assert first["payload"]["event_id"] == second["payload"]["event_id"]
    assert first["envelope_id"] != second["envelope_id"]


async def test_an_event_is_given_up_after_three_retries(workspace: LocalWorkspace, aya: Person) -> None:
    async with raw_connection(workspace) as tap:
        await workspace.admin.fault("events_api", "hurry", seconds=A_MOMENT, times=None)
        posted = await aya.say(GENERAL, "hello")
        attempts = [(await tap.next(ack=False))["retry_attempt"] for _ in range(4)]
        await workspace.admin.idle()
    assert attempts == [0, 1, 2, 3]
    status = await workspace.admin.status()
    assert [lost["event"]["ts"] for lost in status.lost] == [posted.ts]
    assert status.pending == 0


async def test_an_event_waits_for_the_app_to_connect(workspace: LocalWorkspace, app: AsyncApp, aya: Person) -> None:
    heard = asyncio.Event()

    @app.event("message")
    async def message(event: dict[str, Any]) -> None:
        heard.set()

    await aya.say(GENERAL, "is anybody there?")
    assert (await workspace.admin.status()).pending == 1
    async with running(app, workspace):
        await asyncio.wait_for(heard.wait(), 60)
        await workspace.admin.idle()
    assert (await workspace.admin.status()).pending == 0


async def test_an_event_whose_ack_was_lost_with_the_connection_comes_again_on_the_next_one(
    workspace: LocalWorkspace, app: AsyncApp, aya: Person
) -> None:
    heard: list[str] = []
    twice = asyncio.Event()

    @app.event("message")
    async def message(body: dict[str, Any]) -> None:
        heard.append(body["event_id"])
        if len(heard) == 2:
            twice.set()

    async with running(app, workspace, ping_interval=0.1):
        lost = await workspace.admin.fault("events_api", "lose_ack")
        await aya.say(GENERAL, "hello")
        await lost.reached()
        await asyncio.wait_for(twice.wait(), 60)
        await workspace.admin.idle()
    assert heard[0] == heard[1]
    assert len(heard) == 2


async def test_a_connection_cut_after_sending_brings_the_event_back_later(
    workspace: LocalWorkspace, app: AsyncApp, aya: Person
) -> None:
    heard = asyncio.Event()

    @app.event("message")
    async def message(body: dict[str, Any]) -> None:
        heard.set()

    async with running(app, workspace, ping_interval=0.1):
        await workspace.admin.fault("events_api", "drop_sent")
        await aya.say(GENERAL, "hello")
        await asyncio.wait_for(heard.wait(), 60)
        await workspace.admin.idle()
        assert (await workspace.admin.calls())["events_api"] == 2


async def test_a_click_nobody_acknowledges_is_an_error_for_the_person_and_is_not_resent(
    workspace: LocalWorkspace, aya: Person, client: AsyncWebClient
) -> None:
    card = await client.chat_postMessage(
        channel=GENERAL, text="Accept?", blocks=[{"type": "actions", "elements": [BUTTON]}]
    )
    async with raw_connection(workspace) as tap:
        await tap.next()  # the app's own message
        await workspace.admin.fault("interactive", "hurry", seconds=A_MOMENT)
        outcome = await aya.click(GENERAL, card["ts"], "accept")
        await workspace.admin.idle()
    assert not outcome.acked
    assert outcome.error == "This app did not respond in time; try again."
    assert (await workspace.admin.calls())["interactive"] == 1


async def test_a_click_without_any_app_fails_at_once(
    workspace: LocalWorkspace, aya: Person, client: AsyncWebClient
) -> None:
    card = await client.chat_postMessage(
        channel=GENERAL, text="Accept?", blocks=[{"type": "actions", "elements": [BUTTON]}]
    )
    assert not (await aya.click(GENERAL, card["ts"], "accept")).acked


async def test_two_connections_take_turns_and_each_event_goes_to_one_of_them(
    workspace: LocalWorkspace, aya: Person
) -> None:
    async with raw_connection(workspace) as one, raw_connection(workspace) as other:
        posted = [(await aya.say(GENERAL, text)).ts for text in ("a", "b", "c", "d")]
        left = [(await one.next())["payload"]["event"]["ts"] for _ in range(2)]
        right = [(await other.next())["payload"]["event"]["ts"] for _ in range(2)]
        await workspace.admin.idle()
    assert sorted(left + right) == posted


async def test_an_app_that_is_sent_away_connects_again(workspace: LocalWorkspace, app: AsyncApp, aya: Person) -> None:
    @app.command("/towow")
    async def towow(ack: AsyncAck) -> None:
        await ack("here")

    async with running(app, workspace) as handler:
        before = handler.client.current_session
        await workspace.admin.disconnect("refresh_requested")
        await workspace.admin.connected(more_than=1)
        assert handler.client.current_session is not before
        assert (await aya.slash(GENERAL, "/towow")).acked


async def test_an_eleventh_connection_is_turned_away(workspace: LocalWorkspace) -> None:
    async with AsyncExitStack() as ten:
        for _ in range(10):
            await ten.enter_async_context(raw_connection(workspace))
        session = await ten.enter_async_context(aiohttp.ClientSession())
        async with session.ws_connect(await link_of(workspace, session)) as socket:
            assert (await socket.receive_json())["reason"] == "too_many_websockets"


async def test_an_uninstalled_app_is_told(workspace: LocalWorkspace) -> None:
    async with raw_connection(workspace) as tap:
        await workspace.admin.uninstall()
        told = {(await tap.next())["payload"]["event"]["type"] for _ in range(2)}
        await workspace.admin.idle()
    assert told == {"tokens_revoked", "app_uninstalled"}
