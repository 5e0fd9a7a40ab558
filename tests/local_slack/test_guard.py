"""Only this machine's own pages get in."""

from __future__ import annotations

import aiohttp
import pytest

from bot.local_slack import LocalWorkspace, RealTokensPresent

from .conftest import AYA


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
    async with aiohttp.ClientSession() as session, session.post(path, data={"text": "hi"}) as response:
        assert response.status == 409


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
