"""Faults that a test sets, as the official SDK meets them."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace, Person

from .conftest import GENERAL
from .raw_connections import raw_connection

LOST = (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError)


async def test_a_dropped_reply_leaves_the_message_behind(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person
) -> None:
    await workspace.admin.fault("chat.postMessage", "drop_after")
    with pytest.raises(LOST):
        await client.chat_postMessage(channel=GENERAL, text="once")
    assert [message.text for message in await aya.messages(GENERAL)] == ["once"]


async def test_a_call_dropped_before_its_effect_leaves_nothing(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person
) -> None:
    await workspace.admin.fault("chat.postMessage", "drop_before")
    with pytest.raises(LOST):
        await client.chat_postMessage(channel=GENERAL, text="never")
    assert await aya.messages(GENERAL) == []


async def test_the_second_call_fails_with_the_error_that_was_ordered_and_the_others_do_not(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person
) -> None:
    await workspace.admin.fault("chat.postMessage", "error", nth=2, error="fatal_error")
    await client.chat_postMessage(channel=GENERAL, text="1")
    with pytest.raises(SlackApiError, match="fatal_error"):
        await client.chat_postMessage(channel=GENERAL, text="2")
    await client.chat_postMessage(channel=GENERAL, text="3")
    assert [message.text for message in await aya.messages(GENERAL)] == ["1", "3"]
    assert (await workspace.admin.calls())["chat.postMessage"] == 3


async def test_a_status_comes_with_its_retry_after(workspace: LocalWorkspace, client: AsyncWebClient) -> None:
    await workspace.admin.fault("*", "status", status=429, retry_after=7, times=None)
    with pytest.raises(SlackApiError) as refused:
        await client.auth_test()
    assert refused.value.response.status_code == 429
    assert refused.value.response.headers["Retry-After"] == "7"
    await workspace.admin.clear_faults()
    assert (await client.auth_test())["ok"]


async def test_a_held_call_has_had_its_effect_and_answers_when_released(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person
) -> None:
    hold = await workspace.admin.fault("chat.postMessage", "hold")
    call = asyncio.create_task(client.chat_postMessage(channel=GENERAL, text="held"))
    await hold.reached()
    [message] = await aya.messages(GENERAL)
    assert not call.done()
    await hold.release()
    assert (await call)["ts"] == message.ts


async def test_a_delayed_call_still_answers(workspace: LocalWorkspace, client: AsyncWebClient) -> None:
    delay = await workspace.admin.fault("auth.test", "delay", seconds=0.001)
    assert (await client.auth_test())["ok"]
    await delay.reached()


async def test_a_late_call_is_carried_out_when_nobody_waits_for_it_any_more(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person
) -> None:
    late = await workspace.admin.fault("chat.postMessage", "late", seconds=60)
    with pytest.raises(LOST):
        await client.chat_postMessage(channel=GENERAL, text="late")
    await workspace.admin.idle()
    assert await aya.messages(GENERAL) == []

    await late.release()

    assert (await aya.until_message(GENERAL, lambda each: each.text == "late")).bot_id


async def test_a_late_call_is_carried_out_by_itself_after_a_while(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person
) -> None:
    await workspace.admin.fault("chat.postMessage", "late", seconds=0.001)
    with pytest.raises(LOST):
        await client.chat_postMessage(channel=GENERAL, text="late")
    await aya.until_message(GENERAL, lambda each: each.text == "late")


async def test_a_late_call_that_slack_refuses_changes_nothing(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person
) -> None:
    late = await workspace.admin.fault("chat.postMessage", "late", seconds=60)
    with pytest.raises(LOST):
        await client.chat_postMessage(channel="C_NOWHERE", text="late")
    await late.release()
    await client.chat_postMessage(channel=GENERAL, text="in time")
    assert [message.text for message in await aya.messages(GENERAL)] == ["in time"]


async def test_a_call_is_carried_out_though_its_caller_lost_patience(workspace: LocalWorkspace, aya: Person) -> None:
    hasty = AsyncWebClient(workspace.bot_token, workspace.api_url, timeout=1, retry_handlers=[])
    await workspace.admin.fault("chat.postMessage", "delay", seconds=1.2)
    with pytest.raises(TimeoutError):
        await hasty.chat_postMessage(channel=GENERAL, text="late")
    await aya.until_message(GENERAL, lambda each: each.text == "late")


async def test_half_an_answer_leaves_the_message_behind(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person
) -> None:
    await workspace.admin.fault("chat.postMessage", "truncate")
    with pytest.raises(aiohttp.ClientPayloadError):
        await client.chat_postMessage(channel=GENERAL, text="once")
    assert [message.text for message in await aya.messages(GENERAL)] == ["once"]


async def test_an_envelope_that_is_doubled_comes_twice_and_counts_as_one(
    workspace: LocalWorkspace, aya: Person
) -> None:
    await workspace.admin.fault("events_api", "double")
    async with raw_connection(workspace) as tap:
        await aya.say(GENERAL, "hello")
        assert await tap.next() == await tap.next()
        assert (await workspace.admin.idle())["events_api"] == 1


async def test_a_delayed_envelope_comes_all_the_same(workspace: LocalWorkspace, aya: Person) -> None:
    delay = await workspace.admin.fault("events_api", "delay", seconds=0.001)
    async with raw_connection(workspace) as tap:
        await aya.say(GENERAL, "hello")
        assert (await tap.next())["payload"]["event"]["text"] == "hello"
    await delay.reached()
