"""The client that calls Slack, and who we are there."""

import pytest
from aiohttp import web
from slack_sdk.web.async_client import AsyncWebClient

from bot.config import SlackAccess
from bot.local_slack import LocalWorkspace
from bot.posts.difference import Update
from bot.posts.holds import Hold
from bot.posts.post_records import PostRecord
from bot.posts.response_urls import ResponseUrls
from bot.posts.slack_calls import SlackCalls
from bot.slack.client import TIMEOUT, slack_client
from bot.slack.workspaces import OneWorkspace
from bot.views.kit.post import Post
from engine.kernel import StreamKey, Tenant
from engine.runtime.clock import JumpingClock
from engine.store.memory import MemoryStore
from tests.posts.test_failures import slack

from .conftest import Begin


async def test_calls_to_the_api_and_through_clicks_share_one_connection() -> None:
    connections: list[object] = []
    cookies: list[str] = []

    def reply(request: web.Request) -> web.Response:
        connections.append(request.transport)
        cookies.extend(request.cookies)
        if request.path.endswith("clicked"):
            return web.Response(text="ok")
        answer = web.json_response({"ok": True})
        answer.set_cookie("d", "1")
        return answer

    tenant = Tenant("T_LOCAL")
    key = StreamKey(tenant, "collab-1")
    edit = Update(Post("root", "Hello", ()), PostRecord(state="posted", channel="C", ts="1.1", digest="old"))
    async with slack(reply) as nobodys, slack_client(SlackAccess("xoxb-1", "", nobodys.base_url)) as client:
        urls = ResponseUrls(JumpingClock(0), nobodys.base_url)
        calls = SlackCalls(client, urls)
        await calls.update(key, edit, Hold(key).fence, as_text=False)
        urls.keep(tenant, "C", "1.1", f"{nobodys.base_url}clicked")
        await calls.update(key, edit, Hold(key).fence, as_text=False)
        await client.auth_test()
    assert len(connections) == 3
    assert len(set(connections)) == 1
    assert not cookies


async def test_the_session_is_closed_at_the_end_and_has_our_timeout() -> None:
    async with slack_client(SlackAccess("xoxb-1", "")) as client:
        assert client.session is not None
        assert client.session.timeout.total == TIMEOUT
    assert client.session.closed


@pytest.mark.parametrize("status", [pytest.param(500, id="out of order"), pytest.param(429, id="too many calls")])
async def test_a_mention_is_delivered_again_when_slack_did_not_say_who_we_are(driver: Begin, status: int) -> None:
    it = await driver()
    await it.expects_no_ack("events_api")
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
