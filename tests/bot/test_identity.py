"""Bolt asks Slack who we are before it passes anything on; nothing is lost when Slack does not say."""

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace
from bot.slack.workspaces import OneWorkspace
from engine.kernel import Tenant
from engine.store.memory import MemoryStore

from .conftest import Begin

SHORTLY = 0.8
"""Seconds that Slack waits for us here."""


@pytest.mark.parametrize("status", [pytest.param(500, id="out of order"), pytest.param(429, id="too many calls")])
async def test_a_mention_is_delivered_again_when_slack_did_not_say_who_we_are(driver: Begin, status: int) -> None:
    it = await driver(ack_timeout=SHORTLY)
    await it.demo.workspace.admin.fault("auth.test", "status", status=status, retry_after=1)

    it = await it.asks()

    assert (await it.state()).exists


async def test_slack_is_asked_once(driver: Begin) -> None:
    it = await (await driver()).asks()
    await it.asks()

    assert (await it.demo.workspace.admin.calls())["auth.test"] == 1


async def test_where_the_workspace_is_on_the_web_is_known_before_slack_is_asked_again() -> None:
    store = MemoryStore()
    await store.open()
    async with LocalWorkspace() as workspace:
        client = AsyncWebClient(workspace.bot_token, workspace.api_url)
        tenant = await OneWorkspace(client, store).tenant()
        assert tenant is not None
        later = OneWorkspace(client, store)
        assert later.web_address(tenant) == ""
        await later.recall()

        assert later.web_address(tenant).rstrip("/") == workspace.url.rstrip("/")
        assert later.web_address(Tenant("T_ELSEWHERE")) == ""
        assert (await workspace.admin.calls())["auth.test"] == 1
