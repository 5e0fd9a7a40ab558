"""A workspace with three people, and the real Bolt app connected to it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.local_slack import Channel, LocalWorkspace, Person, User

from .schemas import check_response

AYA, BO, CHEN = "U_AYA", "U_BO", "U_CHEN"
GENERAL = "C_GENERAL"
USERS = (
    User(id=AYA, name="aya", real_name="Aya", locale="zh-CN", tz="Asia/Shanghai"),
    User(id=BO, name="bo", real_name="Bo", is_admin=True),
    User(id=CHEN, name="chen", real_name="Chen"),
)
CHANNELS = (
    Channel(id=GENERAL, name="general", members=[AYA, BO]),
    Channel(id="C_QUIET", name="quiet", members=[AYA], has_bot=False),
    Channel(id="G_SECRET", name="secret", members=[BO], is_private=True),
)


@pytest.fixture
async def workspace() -> AsyncIterator[LocalWorkspace]:
    async with LocalWorkspace(users=USERS, channels=CHANNELS, redelivery_delays=(0.0, 0.01, 0.02)) as workspace:
        yield workspace


@pytest.fixture
def aya(workspace: LocalWorkspace) -> Person:
    return workspace.person(AYA)


@pytest.fixture
def bo(workspace: LocalWorkspace) -> Person:
    return workspace.person(BO)


@pytest.fixture
def client(workspace: LocalWorkspace) -> AsyncWebClient:
    return client_of(workspace)


@pytest.fixture
def app(workspace: LocalWorkspace) -> AsyncApp:
    return AsyncApp(
        name="app",
        client=client_of(workspace),
        process_before_response=True,
        raise_error_for_unhandled_request=False,
    )


class CheckedClient(AsyncWebClient):
    """The SDK, with every answer held against Slack's types."""

    async def api_call(self, api_method: str, **arguments: Any) -> AsyncSlackResponse:
        try:
            response = await super().api_call(api_method, **arguments)
        except SlackApiError as error:
            check_response(api_method, error.response.data)
            raise
        check_response(api_method, response.data)
        return response


def client_of(workspace: LocalWorkspace) -> AsyncWebClient:
    """Without the SDK's own retries: a dropped reply must be seen."""
    return CheckedClient(token=workspace.bot_token, base_url=workspace.api_url, retry_handlers=[])


@asynccontextmanager
async def running(
    app: AsyncApp, workspace: LocalWorkspace, *, ping_interval: float = 10
) -> AsyncIterator[AsyncSocketModeHandler]:
    """The app, connected while the block runs.

    Args:
        ping_interval: seconds; after four of them without an answer the app connects anew, and what was on its way is
            lost. A busy machine is to be no broken network, so that only a test that breaks it makes it short.
    """
    handler = AsyncSocketModeHandler(app, workspace.app_token, ping_interval=ping_interval)
    await handler.connect_async()  # type: ignore[no-untyped-call]
    await workspace.admin.connected()
    try:
        yield handler
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]


async def token_of(url: str) -> str:
    """Return what every change takes, as the page has it."""
    async with aiohttp.ClientSession() as session, session.get(url) as page:
        found = re.search(r'name="token" content="([^"]+)"', await page.text())
    assert found is not None
    return found[1]
