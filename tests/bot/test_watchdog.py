"""A connection that has died without anybody noticing is opened anew."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Channel, LocalWorkspace, User
from bot.slack.watchdog import Watchdog


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
