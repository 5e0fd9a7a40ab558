"""The connection breaks, and is watched from outside."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Final

import pytest
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Channel, LocalWorkspace, User
from bot.slack.connection import Connection, Watchdog

from ..local_slack.raw_connections import raw_connection


@pytest.fixture
async def workspace() -> AsyncIterator[LocalWorkspace]:
    users = [User(id="U_ANN", name="ann")]
    channels = [Channel(id="C_ALL", name="all", members=["U_ANN"])]
    async with LocalWorkspace(users=users, channels=channels, ack_timeout=5, redelivery_delays=(0.0,)) as workspace:
        yield workspace


@pytest.fixture
async def handler(workspace: LocalWorkspace) -> AsyncIterator[AsyncSocketModeHandler]:
    """With a ping so slow that the SDK notices nothing by itself."""
    client = AsyncWebClient(workspace.bot_token, workspace.api_url, retry_handlers=[])
    app = AsyncApp(name="app", client=client, process_before_response=True)

    @app.event("app_mention")
    async def mentioned() -> None: ...

    @app.event("message")
    async def overheard() -> None: ...

    handler = AsyncSocketModeHandler(app, workspace.app_token, web_client=client, ping_interval=3600)
    try:
        await handler.connect_async()  # type: ignore[no-untyped-call]
        await workspace.admin.connected()
        yield handler
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]


async def test_when_the_sdk_has_stopped_listening_the_watchdog_connects_anew(
    workspace: LocalWorkspace, handler: AsyncSocketModeHandler
) -> None:
    client = handler.client
    for task in (client.message_receiver, client.current_session_monitor, client.message_processor):
        assert task is not None
        task.cancel()
    watching = asyncio.create_task(Watchdog(client, interval=0.05).watch())
    try:
        await workspace.admin.connected(more_than=1)
        await workspace.person("U_ANN").say("C_ALL", f"<@{workspace.bot_user_id}> are you there?")
        await workspace.admin.idle()
    finally:
        watching.cancel()

    assert not (await workspace.admin.status()).lost


async def test_a_living_connection_is_left_alone(workspace: LocalWorkspace, handler: AsyncSocketModeHandler) -> None:
    checks = asyncio.create_task(Watchdog(handler.client, interval=0.001).watch())
    for _ in range(3):
        await workspace.person("U_ANN").say("C_ALL", f"<@{workspace.bot_user_id}> still there?")
        await workspace.admin.idle()
    checks.cancel()

    assert (await workspace.admin.status()).opened == 1


async def test_while_slack_cannot_be_reached_it_tries_again(
    workspace: LocalWorkspace, handler: AsyncSocketModeHandler
) -> None:
    assert handler.client.current_session is not None
    await workspace.admin.fault("apps.connections.open", "status", times=2, status=503)
    await workspace.admin.disconnect("abort")
    watching = asyncio.create_task(Watchdog(handler.client, interval=0.05).watch())
    try:
        await workspace.admin.connected(more_than=1)
    finally:
        watching.cancel()


PAUSE: Final = 0.05
"""Seconds."""
OPEN: Final = "apps.connections.open"


async def nothing() -> None:
    """Do nothing."""


def connection_to(workspace: LocalWorkspace, heard: Callable[[], Awaitable[None]] = nothing) -> Connection:
    client = AsyncWebClient(workspace.bot_token, workspace.api_url, retry_handlers=[])
    app = AsyncApp(name="app", client=client, process_before_response=True)

    @app.event("app_mention")
    async def mentioned() -> None:
        await heard()

    return Connection(app, workspace.app_token, client, 10, PAUSE)


def now() -> float:
    return asyncio.get_running_loop().time()


async def test_where_there_are_too_many_already_it_asks_ever_more_slowly() -> None:
    async with LocalWorkspace() as workspace, AsyncExitStack() as others, asyncio.timeout(30):
        for _ in range(10):
            await others.enter_async_context(raw_connection(workspace))
        second, fifth = [await workspace.admin.fault(OPEN, "delay", nth=nth) for nth in (2, 5)]
        socket = connection_to(workspace)
        try:
            await socket.connect_async()  # type: ignore[no-untyped-call]
            await second.reached()
            began = now()
            await fifth.reached()
            assert now() - began >= (1 + 2 + 4) * PAUSE * 0.8

            await others.aclose()
            await workspace.admin.connected(more_than=10)
        finally:
            await socket.close_async()


async def test_what_worked_is_opened_anew_at_once_however_often() -> None:
    async with LocalWorkspace() as workspace, asyncio.timeout(30):
        socket = connection_to(workspace)
        try:
            await socket.connect_async()  # type: ignore[no-untyped-call]
            for number in range(1, 9):
                await workspace.admin.connected(more_than=number - 1)
                await workspace.admin.announce({"type": "app_mention"})
                await workspace.admin.idle()
                await workspace.admin.disconnect("refresh_requested")
            began = now()
            await workspace.admin.connected(more_than=8)
            assert now() - began < 2**7 * PAUSE
        finally:
            await socket.close_async()


async def test_whoever_ends_acknowledges_what_is_under_way_and_begins_nothing_more() -> None:
    begun, goes_on, sent, heard = asyncio.Event(), asyncio.Event(), asyncio.Event(), list[str]()

    async def hear() -> None:
        heard.append("a mention")
        begun.set()
        await goes_on.wait()

    async def arrived(_: object) -> None:
        sent.set()

    async with LocalWorkspace(redelivery_delays=(600.0,)) as workspace, asyncio.timeout(30):
        socket = connection_to(workspace, hear)
        await socket.connect_async()  # type: ignore[no-untyped-call]
        await workspace.admin.connected()
        await workspace.admin.announce({"type": "app_mention"})
        await begun.wait()

        closing = asyncio.create_task(socket.close_async())
        await asyncio.sleep(0)
        socket.client.on_message_listeners.append(arrived)
        await workspace.admin.announce({"type": "app_mention"})
        await sent.wait()
        assert (await workspace.admin.status()).pending == 2
        goes_on.set()
        await closing

        assert heard == ["a mention"]
        assert (await workspace.admin.status()).pending == 1  # and is delivered again
