"""Only this machine's own pages get in."""

from __future__ import annotations

import aiohttp
import pytest

from bot.local_slack import LocalWorkspace, RealTokensPresent
from bot.local_slack.local_api.routes import TOKEN_HEADER
from bot.local_slack.web_api.methods import METHODS, READING

from .conftest import AYA, GENERAL, token_of


@pytest.mark.parametrize("path", ["/link/?ticket=xapp-local-towow", f"/local/users/{AYA}/channels", "/api/auth.test"])
@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"Origin": "https://evil.example"}, id="another origin"),
        pytest.param({"Origin": "http://127.0.0.1:1"}, id="another port"),
        pytest.param({"Origin": "null"}, id="a sandboxed frame"),
        pytest.param({"Host": "evil.example"}, id="a rebound name"),
    ],
)
async def test_requests_of_other_pages_are_refused(
    workspace: LocalWorkspace, path: str, headers: dict[str, str]
) -> None:
    async with aiohttp.ClientSession() as session, session.get(workspace.url + path, headers=headers) as response:
        assert response.status == 403


async def test_its_own_page_is_let_in(workspace: LocalWorkspace) -> None:
    path = f"{workspace.url}/local/users/{AYA}/channels"
    async with (
        aiohttp.ClientSession() as session,
        session.get(path, headers={"Origin": workspace.url}) as response,
    ):
        assert response.status == 200


async def test_acting_takes_json_so_that_no_form_elsewhere_can_act(workspace: LocalWorkspace) -> None:
    path = f"{workspace.url}/local/users/{AYA}/say"
    headers = {TOKEN_HEADER: await token_of(workspace.url)}
    async with aiohttp.ClientSession() as session, session.post(path, data={"text": "hi"}, headers=headers) as response:
        assert response.status == 409


async def posted(workspace: LocalWorkspace, path: str, token: str | None) -> int:
    headers = {} if token is None else {TOKEN_HEADER: token}
    said = {"channel": GENERAL, "text": "hi"}
    url = workspace.url + path
    async with aiohttp.ClientSession() as session, session.post(url, json=said, headers=headers) as response:
        return response.status


CHANGES = [
    pytest.param(f"/local/users/{AYA}/say", id="a message"),
    pytest.param("/local/admin/disconnect", id="what an admin does"),
    pytest.param("/local/admin/idle", id="what an admin asks"),
    pytest.param("/local/panel/skip", id="the panel"),
]


@pytest.mark.parametrize("path", CHANGES)
@pytest.mark.parametrize("token", [None, "", "guessed", "é"], ids=["none", "empty", "another", "beyond ASCII"])
async def test_nothing_is_changed_without_the_token_of_this_start(
    workspace: LocalWorkspace, path: str, token: str | None
) -> None:
    before = await workspace.person(AYA).messages(GENERAL)

    assert await posted(workspace, path, token) == 403

    assert await workspace.person(AYA).messages(GENERAL) == before


async def test_the_token_is_another_one_at_each_start(workspace: LocalWorkspace) -> None:
    first = await token_of(workspace.url)
    async with LocalWorkspace() as other:
        assert await token_of(other.url) != first
        assert await posted(other, "/local/admin/idle", first) == 403
    assert len(first) >= 32
    assert await posted(workspace, f"/local/users/{AYA}/say", first) == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("path", [f"/local/users/{AYA}/channels", "/local/overview", "/api/auth.test", "/link/"])
async def test_a_browser_that_sends_no_origin_still_says_where_it_is(
    workspace: LocalWorkspace, path: str, site: str
) -> None:
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    async with aiohttp.ClientSession() as session, session.get(workspace.url + path, headers=headers) as response:
        assert response.status == 403


@pytest.mark.parametrize(("kind", "status"), [("document", 200), ("iframe", 403), ("empty", 403)])
async def test_a_link_elsewhere_may_lead_to_the_page_and_no_frame_may(
    workspace: LocalWorkspace, kind: str, status: int
) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": kind}
    async with aiohttp.ClientSession() as session, session.get(workspace.url, headers=headers) as response:
        assert response.status == status


@pytest.mark.parametrize("method", sorted({*METHODS} - READING))
async def test_no_method_that_changes_something_can_be_called_with_get(workspace: LocalWorkspace, method: str) -> None:
    """Any page can have a browser do that, with the address of an image."""
    before = await workspace.person(AYA).messages(GENERAL)
    query = {
        "token": workspace.app_token if method.startswith("apps.") else workspace.bot_token,
        "channel": GENERAL, "text": "hi", "user": AYA, "ts": "1.1", "timestamp": "1.1", "name": "wave", "users": AYA,
    }  # fmt: skip
    url = f"{workspace.api_url}{method}"
    async with aiohttp.ClientSession() as session, session.get(url, params=query) as response:
        assert (await response.json())["error"] == "method_not_supported_for_http_verb"

    assert await workspace.person(AYA).messages(GENERAL) == before


@pytest.mark.parametrize("ticket", ["", "xapp-local-towow", "é"])
async def test_a_connection_takes_the_ticket_of_this_start(workspace: LocalWorkspace, ticket: str) -> None:
    url = f"{workspace.url}/link/"
    async with aiohttp.ClientSession() as session, session.get(url, params={"ticket": ticket}) as response:
        assert response.status == 401


@pytest.mark.parametrize("host", ["127.0.0.1.evil.example", "evil.example:80", "[::1", "localhost.evil.example", "0"])
async def test_a_name_that_leads_here_and_is_not_ours_is_refused(workspace: LocalWorkspace, host: str) -> None:
    async with aiohttp.ClientSession() as session, session.get(workspace.url, headers={"Host": host}) as response:
        assert response.status == 403


@pytest.mark.parametrize(("variable", "token"), [("SLACK_BOT_TOKEN", "xoxb-1-2"), ("SLACK_APP_TOKEN", "xapp-1-A")])
async def test_it_does_not_start_beside_real_tokens(monkeypatch: pytest.MonkeyPatch, variable: str, token: str) -> None:
    monkeypatch.setenv(variable, token)
    with pytest.raises(RealTokensPresent, match=f"{variable} holds a token of a real Slack workspace"):
        async with LocalWorkspace():
            pass


async def test_its_own_tokens_do_not_disturb_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-local-towow")
    async with LocalWorkspace() as workspace:
        assert workspace.url.startswith("http://127.0.0.1:")
