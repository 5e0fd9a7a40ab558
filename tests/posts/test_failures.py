"""What became of a call that did not succeed: done, not done, or nobody knows. Told from what is on the wire."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from slack_sdk.web.async_client import AsyncWebClient

from bot.posts.difference import Update
from bot.posts.failures import SHUT, CallFailed, Refused, Shut, Throttled, Undone, Unsure
from bot.posts.holds import Hold
from bot.posts.post_records import PostRecord
from bot.posts.response_urls import ResponseUrls
from bot.posts.slack_calls import SlackCalls
from bot.views.kit.post import Post
from engine.kernel import StreamKey
from engine.runtime.clock import JumpingClock
from tests.posts.driver import TENANT

KEY = StreamKey(TENANT, "collab-00000001")
EDIT = Update(Post("root", "Hello", ()), PostRecord(state="posted", channel="C", ts="1.000001", digest="old"))

Reply = Callable[[web.Request], web.StreamResponse]


@asynccontextmanager
async def slack(reply: Reply) -> AsyncIterator[AsyncWebClient]:
    """Something that answers every call in the same way."""

    async def answer(request: web.Request) -> web.StreamResponse:
        return reply(request)

    app = web.Application()
    app.router.add_route("*", "/{method}", answer)  # what only reads is called with GET
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        yield AsyncWebClient("xoxb-1", f"http://127.0.0.1:{port}/", timeout=5, retry_handlers=[])
    finally:
        await runner.cleanup()


async def outcome(reply: Reply) -> CallFailed:
    async with slack(reply) as client:
        with pytest.raises(CallFailed) as failed:
            await SlackCalls(client, ResponseUrls(JumpingClock(0))).update(KEY, EDIT, Hold(KEY).fence, as_text=False)
    return failed.value


def says(error: str, status: int = 200, retry_after: str | None = None) -> Reply:
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return lambda _: web.json_response({"ok": False, "error": error}, status=status, headers=headers)


def body(text: str, content_type: str, status: int) -> Reply:
    return lambda _: web.Response(text=text, content_type=content_type, status=status)


def cut(request: web.Request) -> web.Response:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(says("internal_error"), id="internal error"),
        pytest.param(says("fatal_error"), id="fatal error: some of it may have succeeded"),
        pytest.param(says("anything", status=500), id="a 500 that talks"),
        pytest.param(body("<html>502</html>", "text/html", 502), id="a proxy's page"),
        pytest.param(body("upstream timed out", "text/plain", 504), id="a proxy's sentence"),
        pytest.param(body("welcome to the hotel", "text/plain", 200), id="a captive portal's sentence"),
        pytest.param(body("<html>log in</html>", "text/html", 200), id="a captive portal's page"),
        pytest.param(body("{", "application/json", 200), id="half an answer"),
        pytest.param(body("[]", "application/json", 200), id="an answer of another kind"),
        pytest.param(cut, id="a connection that breaks"),
    ],
)
async def test_nobody_knows_whether_it_was_done(reply: Reply) -> None:
    assert isinstance(await outcome(reply), Unsure)


async def test_whom_one_cannot_reach_has_done_nothing() -> None:
    async with slack(says("gone")) as client:
        pass
    with pytest.raises(Undone):
        await SlackCalls(client, ResponseUrls(JumpingClock(0))).update(KEY, EDIT, Hold(KEY).fence, as_text=False)


@pytest.mark.parametrize("error", ["request_timeout", "team_added_to_org"])
async def test_some_errors_say_that_nothing_was_done(error: str) -> None:
    assert isinstance(await outcome(says(error)), Undone)


@pytest.mark.parametrize(
    ("reply", "seconds"),
    [
        pytest.param(says("ratelimited", 429, "30"), 30.0, id="as documented"),
        pytest.param(says("rate_limited", 200, "2"), 2.0, id="the other spelling"),
        pytest.param(says("", 429, "2.5"), 2.5, id="by its status alone"),
        pytest.param(says("ratelimited", 429), 10.0, id="without a time"),
        pytest.param(says("ratelimited", 429, "Wed, 21 Oct 2026 07:28:00 GMT"), 10.0, id="with a date"),
        pytest.param(says("ratelimited", 429, "-5"), 1.0, id="with a time that has passed"),
        pytest.param(says("ratelimited", 429, "0"), 1.0, id="without a pause"),
        pytest.param(says("ratelimited", 429, "31536000"), 3_600.0, id="in a year"),
        pytest.param(says("ratelimited", 429, "inf"), 3_600.0, id="never"),
        pytest.param(says("ratelimited", 429, "nan"), 10.0, id="with what is no number"),
    ],
)
async def test_too_many_calls_says_how_long_to_wait(reply: Reply, seconds: float) -> None:
    failed = await outcome(reply)
    assert isinstance(failed, Throttled)
    assert failed.seconds == seconds


@pytest.mark.parametrize(
    ("error", "for_its_content"),
    [("invalid_blocks", True), ("msg_too_long", True), ("channel_not_found", False), ("no_permission", False)],
)
async def test_a_refusal_is_final(error: str, for_its_content: bool) -> None:
    failed = await outcome(says(error))
    assert isinstance(failed, Refused)
    assert (failed.why, failed.for_its_content) == (error, for_its_content)


@pytest.mark.parametrize("error", sorted(SHUT))
async def test_a_refusal_of_the_token_is_not_final(error: str) -> None:
    failed = await outcome(says(error))
    assert isinstance(failed, Shut)
    assert failed.why == error


async def test_blocks_that_are_wrong_are_never_sent() -> None:
    wrong = Post("root", "Hello", ({"type": "header", "text": {"type": "plain_text", "text": "x" * 151}},))

    def unexpected(_: web.Request) -> web.Response:
        raise AssertionError("it was sent")

    async with slack(unexpected) as client:
        with pytest.raises(Refused) as refused:
            await SlackCalls(client, ResponseUrls(JumpingClock(0))).update(
                KEY, Update(wrong, EDIT.entry), Hold(KEY).fence, as_text=False
            )
    assert refused.value.for_its_content


async def test_a_tenant_without_us_is_refused() -> None:
    async def nobody(_: object) -> AsyncWebClient:
        raise Refused("account_inactive")

    with pytest.raises(Refused):
        await SlackCalls(nobody, ResponseUrls(JumpingClock(0))).update(KEY, EDIT, Hold(KEY).fence, as_text=False)


async def test_every_tenant_has_its_own_client() -> None:
    asked: list[object] = []

    async with slack(lambda _: web.json_response({"ok": True})) as client:

        async def find(tenant: object) -> AsyncWebClient:
            asked.append(tenant)
            return client

        await SlackCalls(find, ResponseUrls(JumpingClock(0))).update(KEY, EDIT, Hold(KEY).fence, as_text=False)
    assert asked == [TENANT]
