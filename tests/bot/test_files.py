"""What people have uploaded to Slack is fetched from Slack, and from nowhere else."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.files import SlackFiles
from bot.texts import texts_in
from engine.kernel import StreamKey, Tenant
from engine.workers.port import FileRefused

KEY: Final = StreamKey(Tenant("T_TOWN", ""), "deliver-1")
MOST: Final = 100
"""Bytes."""
TOKEN: Final = "xoxb-local-files"


@dataclass
class FakeSlack:
    """Slack, as far as files go."""

    told: dict[str, Any] = field(default_factory=dict)
    """What ``files.info`` says of the file."""
    content: bytes = b"proof"
    kind: str = "text/plain"
    status: int = 200
    tokens: list[str] = field(default_factory=list)
    """With what it was asked for the bytes."""

    def app(self) -> web.Application:
        app = web.Application()
        app.add_routes([web.get("/api/files.info", self._info), web.get("/files/{name}", self._file)])
        return app

    async def _info(self, request: web.Request) -> web.Response:
        file = {
            "id": "F_1",
            "size": len(self.content),
            "mimetype": "text/plain",
            "url_private": str(request.url.with_path("/files/a.txt").with_query(None)),
        }
        told = file | self.told
        return web.json_response(
            {"ok": False, "error": told["error"]} if "error" in told else {"ok": True, "file": told}
        )

    async def _file(self, request: web.Request) -> web.Response:
        self.tokens.append(request.headers.get("Authorization", ""))
        return web.Response(
            body=self.content, content_type=self.kind, status=self.status, headers={"Location": "http://127.0.0.1:1/"}
        )


@pytest.fixture
async def slack() -> AsyncIterator[tuple[FakeSlack, SlackFiles]]:
    fake = FakeSlack()
    async with TestServer(fake.app()) as server:
        api = str(server.make_url("/api/"))
        yield fake, SlackFiles(AsyncWebClient(TOKEN, api, retry_handlers=[]), api)


Both = tuple[FakeSlack, SlackFiles]


async def test_the_bytes_are_fetched_with_the_token(slack: Both) -> None:
    fake, files = slack
    assert await files(KEY, "F_1", most_bytes=MOST) == b"proof"
    assert fake.tokens == [f"Bearer {TOKEN}"]


@pytest.mark.parametrize(
    ("told", "says"),
    [
        pytest.param({"error": "file_not_found"}, "not there any more", id="gone"),
        pytest.param({"mode": "tombstone"}, "not there any more", id="deleted"),
        pytest.param({"error": "internal_error"}, "just now", id="Slack is ill"),
        pytest.param({"id": "F_2"}, "not there any more", id="another file"),
        pytest.param({"size": MOST + 1}, "larger than", id="said to be too large"),
        pytest.param({"url_private": "https://files.example.org/a.txt"}, "outside of Slack", id="somewhere else"),
        pytest.param({"url_private": "https://slack.com.example.org/a"}, "outside of Slack", id="like Slack's name"),
        pytest.param({"url_private": "http://files.slack.com/a"}, "outside of Slack", id="not encrypted"),
        pytest.param({"url_private": "http://127.0.0.1:1/a.txt"}, "outside of Slack", id="another port of ours"),
        pytest.param({"url_private": "file:///etc/passwd"}, "outside of Slack", id="a file of ours"),
        pytest.param({"url_private": ""}, "outside of Slack", id="no address"),
        pytest.param({"url_private": "https://[::1"}, "outside of Slack", id="no address at all"),
    ],
)
async def test_what_cannot_be_fetched_is_said_and_the_token_goes_nowhere(
    slack: Both, told: dict[str, Any], says: str
) -> None:
    fake, files = slack
    fake.told = told
    with pytest.raises(FileRefused, match=says) as refused:
        await files(KEY, "F_1", most_bytes=MOST)
    assert fake.tokens == []
    assert texts_in("zh").own(str(refused.value)) != str(refused.value)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        pytest.param({"content": b"x" * (MOST + 1)}, "larger than", id="larger than was said"),
        pytest.param({"kind": "text/html"}, "just now", id="a page to sign in"),
        pytest.param({"status": 302}, "just now", id="sent elsewhere"),
        pytest.param({"status": 404}, "not there any more", id="gone meanwhile"),
        pytest.param({"status": 500}, "just now", id="a fault"),
    ],
)
async def test_an_answer_that_is_not_the_file_is_none(slack: Both, answer: dict[str, Any], says: str) -> None:
    fake, files = slack
    fake.told = {"size": 5}
    for name, value in answer.items():
        setattr(fake, name, value)
    with pytest.raises(FileRefused, match=says):
        await files(KEY, "F_1", most_bytes=MOST)
