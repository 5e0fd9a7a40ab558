"""Several workspaces, an app that is let into them by OAuth, and tokens that expire."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import App, Registration
from bot.local_slack.installation import LIFETIME

from .several import ACME, BACK, BEES, NORTH, SOUTH, Several, several


@pytest.fixture
async def slack() -> AsyncIterator[Several]:
    async with several(ACME, BEES, NORTH, SOUTH) as slack:
        yield slack


def _client(slack: Several, token: str | None = None) -> AsyncWebClient:
    return AsyncWebClient(token, slack.slack.api_url, retry_handlers=[])


async def _access(slack: Several, **said: str) -> Any:
    registered = slack.slack.itself.registration
    secrets = {"client_id": registered.client_id, "client_secret": registered.client_secret}
    return (await _client(slack).oauth_v2_access(**(secrets | said))).data


async def _installed(slack: Several, place: str) -> Any:
    return await _access(slack, code=await slack.code(place), redirect_uri=BACK)


async def _refused(answer: Any) -> str:
    with pytest.raises(SlackApiError) as refused:
        await answer
    return str(refused.value.response["error"])


async def test_a_workspace_that_lets_the_app_in_gives_it_tokens_for_itself_alone(slack: Several) -> None:
    told = await _installed(slack, ACME.id)

    assert told["team"] == {"id": ACME.id, "name": "Acme"}
    assert told["authed_user"] == {"id": "U_ACME_ADMIN"}
    assert (told["is_enterprise_install"], told["expires_in"]) == (False, LIFETIME)
    client = _client(slack, told["access_token"])
    assert (await client.auth_test())["team_id"] == ACME.id
    await client.chat_postMessage(channel="C_ACME", text="here")
    assert await _refused(client.chat_postMessage(channel="C_BEES", text="there")) == "channel_not_found"


async def test_a_code_is_good_once_for_its_own_address_and_ten_minutes(slack: Several) -> None:
    code = await slack.code(ACME.id)
    assert await _refused(_access(slack, code=code, redirect_uri=f"{BACK}/other")) == "bad_redirect_uri"
    await _access(slack, code=code, redirect_uri=BACK)
    assert await _refused(_access(slack, code=code, redirect_uri=BACK)) == "code_already_used"
    assert await _refused(_access(slack, code="guessed", redirect_uri=BACK)) == "invalid_code"
    late = await slack.code(ACME.id)
    slack.clock.now += 601
    assert await _refused(_access(slack, code=late, redirect_uri=BACK)) == "invalid_code"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        pytest.param({"client_secret": "another"}, "bad_client_secret", id="the wrong secret"),
        pytest.param({"client_id": "another"}, "invalid_client_id", id="an unknown app"),
        pytest.param({"grant_type": "password"}, "invalid_grant_type", id="something else for tokens"),
    ],
)
async def test_only_the_app_itself_gets_tokens(slack: Several, said: dict[str, str], why: str) -> None:
    assert await _refused(_access(slack, **said, code="x", redirect_uri=BACK)) == why


@pytest.mark.parametrize(
    ("change", "why"),
    [
        pytest.param(("client_id=1", "client_id=2"), "invalid_client_id", id="an unknown app"),
        pytest.param(("127.0.0.1:9", "elsewhere.example"), "bad_redirect_uri", id="an address that is not registered"),
        pytest.param(("chat:write", "admin"), "invalid_scope", id="a scope that is not registered"),
    ],
)
async def test_nobody_is_asked_about_what_the_app_may_not_ask(
    slack: Several, change: tuple[str, str], why: str
) -> None:
    async with aiohttp.ClientSession() as session, session.get(slack.address().replace(*change)) as page:
        assert page.status == 400
        assert why in await page.text()


async def test_who_refuses_leads_back_with_why(slack: Several) -> None:
    assert await slack.allows(slack.address(), "") == f"{BACK}?error=access_denied&state=s"


async def test_no_page_elsewhere_lets_an_app_in(slack: Several) -> None:
    async with aiohttp.ClientSession() as session:
        async with session.post(slack.address(), data={"place": ACME.id, "token": "guessed"}) as answer:
            assert answer.status == 403
        elsewhere = {"Origin": "https://evil.example"}
        async with session.post(slack.address(), data={"place": ACME.id}, headers=elsewhere) as answer:
            assert answer.status == 403


async def test_tokens_expire_and_a_refresh_token_is_good_once(slack: Several) -> None:
    first = await _installed(slack, ACME.id)
    slack.clock.now += LIFETIME
    assert await _refused(_client(slack, first["access_token"]).auth_test()) == "token_expired"

    second = await _access(slack, grant_type="refresh_token", refresh_token=first["refresh_token"])

    assert (await _client(slack, second["access_token"]).auth_test())["team_id"] == ACME.id
    again = _access(slack, grant_type="refresh_token", refresh_token=first["refresh_token"])
    assert await _refused(again) == "invalid_refresh_token"


async def test_in_the_time_of_grace_a_refresh_token_gives_the_same_again() -> None:
    registration = Registration(redirect_uris=("http://127.0.0.1:",), grace=60)
    async with several(ACME, registration=registration) as slack:
        first = await _installed(slack, ACME.id)
        said = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
        second = await _access(slack, **said)
        assert await _access(slack, **said) == second
        slack.clock.now += 61
        assert await _refused(_access(slack, **said)) == "invalid_refresh_token"


async def test_what_is_removed_has_no_token_and_hears_nothing_more(slack: Several) -> None:
    told = await _installed(slack, ACME.id)
    registered = slack.slack.itself.registration

    await _client(slack, told["access_token"]).apps_uninstall(
        client_id=registered.client_id, client_secret=registered.client_secret
    )

    assert await _refused(_client(slack, told["access_token"]).auth_test()) == "account_inactive"
    acme = slack.workspaces[ACME.id]
    assert (await acme.admin.status()).pending == 2  # that its tokens are gone, and that it was removed
    await acme.person("U_ACME_ANN").say("C_ACME", "@towow hello?")
    assert (await acme.admin.status()).pending == 2


async def test_a_revoked_token_is_told_of(slack: Several) -> None:
    told = await _installed(slack, ACME.id)
    assert (await _client(slack, told["access_token"]).auth_revoke())["revoked"] is True
    assert await _refused(_client(slack, told["access_token"]).auth_test()) == "account_inactive"
    assert (await slack.workspaces[ACME.id].admin.status()).pending == 1


async def test_an_organisation_lets_it_into_all_its_workspaces(slack: Several) -> None:
    told = await _installed(slack, "E_GROUP")
    client = _client(slack, told["access_token"])

    assert (told["team"], told["enterprise"]["id"], told["is_enterprise_install"]) == (None, "E_GROUP", True)
    who = await client.auth_test()
    assert (who["team_id"], who["is_enterprise_install"]) == ("E_GROUP", True)
    assert [each["id"] for each in (await client.auth_teams_list())["teams"]] == [NORTH.id, SOUTH.id]
    for channel in ("C_NORTH", "C_SOUTH"):
        await client.chat_postMessage(channel=channel, text="here")
    assert await _refused(client.chat_postMessage(channel="C_ACME", text="there")) == "channel_not_found"


async def test_an_organisation_takes_it_out_of_one_workspace(slack: Several) -> None:
    told = await _installed(slack, "E_GROUP")
    client = _client(slack, told["access_token"])

    slack.slack.shut_out(NORTH.id)
    assert [each["id"] for each in (await client.auth_teams_list())["teams"]] == [SOUTH.id]
    assert await _refused(client.chat_postMessage(channel="C_NORTH", text="there")) == "channel_not_found"

    slack.slack.let_in(NORTH.id)
    await client.chat_postMessage(channel="C_NORTH", text="here")


async def test_tokens_without_rotation_do_not_expire() -> None:
    registration = Registration(app=App(), redirect_uris=("http://127.0.0.1:",), rotates=False)
    async with several(ACME, registration=registration) as slack:
        told = await _installed(slack, ACME.id)
        assert "refresh_token" not in told
        slack.clock.now += 10 * LIFETIME
        assert (await _client(slack, told["access_token"]).auth_test())["ok"] is True
