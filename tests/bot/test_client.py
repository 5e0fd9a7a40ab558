"""Every call to Slack is made over connections that are kept open."""

from aiohttp import web

from bot.config import SlackAccess
from bot.posts.difference import Update
from bot.posts.holds import Hold
from bot.posts.post_records import PostRecord
from bot.posts.response_urls import ResponseUrls
from bot.posts.slack_calls import SlackCalls
from bot.slack.client import TIMEOUT, slack_client
from bot.views.kit.post import Post
from engine.kernel import StreamKey, Tenant
from engine.runtime.clock import JumpingClock
from tests.posts.test_failures import slack


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
