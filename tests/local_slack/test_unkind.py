"""What Slack does to an app without its having done anything wrong; README.md says how each is known."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import App, LocalWorkspace, UserGroup
from bot.local_slack.installation import SCOPES

from .conftest import AYA, BO, CHANNELS, GENERAL, USERS, client_of, running
from .raw_connections import raw_connection
from .test_responses import CARD

QUIET, SECRET = "C_QUIET", "G_SECRET"


@pytest.fixture
async def public() -> AsyncIterator[LocalWorkspace]:
    """A workspace whose app may post to public channels that it is not in."""
    app = App(scopes=(*SCOPES, "chat:write.public"))
    async with LocalWorkspace(users=USERS, channels=CHANNELS, app=app) as workspace:
        yield workspace


async def refusal(call: Any) -> str:
    with pytest.raises(SlackApiError) as refused:
        await call
    return str(refused.value.response["error"])


async def test_a_public_channel_that_the_app_is_not_in_takes_its_posts_and_cannot_be_read(
    public: LocalWorkspace,
) -> None:
    client = client_of(public)
    posted = await client.chat_postMessage(channel=QUIET, text="hello")
    assert await refusal(client.conversations_history(channel=QUIET)) == "not_in_channel"
    assert await refusal(client.conversations_replies(channel=QUIET, ts=posted["ts"])) == "not_in_channel"
    assert await refusal(client.chat_postEphemeral(channel=QUIET, user=AYA, text="you")) == "not_in_channel"
    await client.chat_update(channel=QUIET, ts=posted["ts"], text="changed")
    await client.conversations_join(channel=QUIET)
    assert len((await client.conversations_history(channel=QUIET))["messages"]) == 1


@pytest.mark.parametrize(
    ("method", "arguments", "scope"),
    [
        ("chat.postMessage", {"channel": GENERAL, "text": "hello"}, "chat:write"),
        ("conversations.history", {"channel": GENERAL}, "channels:history"),
        ("conversations.history", {"channel": SECRET}, "groups:history"),
        ("conversations.info", {"channel": SECRET}, "groups:read"),
        ("conversations.join", {"channel": QUIET}, "channels:join"),
        ("conversations.open", {"users": AYA}, "im:write"),
        ("conversations.open", {"users": f"{AYA},{BO}"}, "mpim:write"),
        ("conversations.list", {"types": "private_channel"}, "groups:read"),
        ("dnd.teamInfo", {"users": AYA}, "dnd:read"),
        ("usergroups.users.list", {"usergroup": "S_DESIGN"}, "usergroups:read"),
        ("users.info", {"user": AYA}, "users:read"),
    ],
)
async def test_a_call_without_its_scope_is_refused_and_told_which(
    workspace: LocalWorkspace, method: str, arguments: dict[str, str], scope: str
) -> None:
    await workspace.admin.grant(*(each for each in SCOPES if each != scope))
    with pytest.raises(SlackApiError) as refused:
        await client_of(workspace).api_call(method, params=arguments)
    assert refused.value.response["error"] == "missing_scope"
    assert refused.value.response["needed"] == scope
    assert scope not in refused.value.response["provided"].split(",")


async def test_lists_of_members_leave_out_whose_account_is_closed(
    workspace: LocalWorkspace, client: AsyncWebClient
) -> None:
    await workspace.admin.put_user_group(UserGroup(id="S_DESIGN", handle="design", users=[AYA, BO]))
    await workspace.admin.deactivate(AYA)
    assert AYA not in (await client.conversations_members(channel=GENERAL))["members"]
    assert (await client.usergroups_users_list(usergroup="S_DESIGN"))["users"] == [BO]
    assert await refusal(client.usergroups_users_list(usergroup="S_NOBODY")) == "no_such_subteam"


async def test_the_app_hears_of_accounts_members_and_channels(workspace: LocalWorkspace, app: AsyncApp) -> None:
    heard: list[dict[str, Any]] = []
    for kind in (
        "user_change",
        "member_joined_channel",
        "member_left_channel",
        "channel_shared",
        "channel_id_changed",
        "channel_unshared",
        "channel_unarchive",
    ):

        @app.event(kind)
        async def hear(event: dict[str, Any]) -> None:
            heard.append(event)

    async with running(app, workspace):
        await workspace.admin.deactivate(AYA)
        await workspace.admin.leave(GENERAL, workspace.bot_user_id)
        await workspace.admin.leave(GENERAL, BO)  # it is not there to hear it
        await workspace.admin.join(GENERAL, workspace.bot_user_id)
        await workspace.admin.share(SECRET, new_id="C_OPEN")
        await workspace.admin.unshare("C_OPEN")
        await workspace.admin.archive(GENERAL)
        await workspace.admin.unarchive(GENERAL)
        await workspace.idle()
    said = {each["type"]: each.get("user") or each.get("channel") or each["new_channel_id"] for each in heard}
    assert said.pop("user_change")["deleted"]
    assert said == {
        "member_left_channel": workspace.bot_user_id,
        "member_joined_channel": workspace.bot_user_id,
        "channel_id_changed": "C_OPEN",
        "channel_shared": "C_OPEN",
        "channel_unshared": "C_OPEN",
        "channel_unarchive": AYA,
    }


async def test_a_channel_whose_id_has_changed_is_known_by_the_new_one_alone(
    workspace: LocalWorkspace, client: AsyncWebClient
) -> None:
    root = await client.chat_postMessage(channel=SECRET, text="hello")
    await client.chat_postMessage(channel=SECRET, thread_ts=root["ts"], text="more")
    await workspace.admin.share(SECRET, new_id="C_OPEN")
    assert await refusal(client.chat_postMessage(channel=SECRET, text="again")) == "channel_not_found"
    assert (await client.conversations_info(channel="C_OPEN"))["channel"]["is_ext_shared"]
    assert len((await client.conversations_replies(channel="C_OPEN", ts=root["ts"]))["messages"]) == 2
    await client.chat_update(channel="C_OPEN", ts=root["ts"], text="changed")


@pytest.mark.parametrize(
    ("why", "top", "reply"),
    [
        ("restricted_action", False, False),
        ("restricted_action_read_only_channel", False, False),
        ("restricted_action_thread_only_channel", False, True),
        ("restricted_action_non_threadable_channel", True, False),
    ],
)
async def test_a_restricted_channel_refuses_posts(
    workspace: LocalWorkspace, client: AsyncWebClient, why: str, top: bool, reply: bool
) -> None:
    root = await client.chat_postMessage(channel=GENERAL, text="hello")
    await workspace.admin.restrict(GENERAL, why)
    for thread, is_taken in ((None, top), (root["ts"], reply)):
        call = client.chat_postMessage(channel=GENERAL, thread_ts=thread, text="more")
        assert (await call)["ok"] if is_taken else await refusal(call) == why
    await client.chat_postEphemeral(channel=GENERAL, user=AYA, text="you")
    await client.chat_update(channel=GENERAL, ts=root["ts"], text="changed")


async def test_a_distributed_app_reads_fifteen_messages_a_minute(
    workspace: LocalWorkspace, client: AsyncWebClient
) -> None:
    for number in range(16):
        await client.chat_postMessage(channel=GENERAL, text=str(number))
    await workspace.admin.rate_limits(on=True, distributed=True)
    answer = await client.conversations_history(channel=GENERAL, limit=200)
    assert len(answer["messages"]) == 15
    assert answer["has_more"]
    assert await refusal(client.conversations_history(channel=GENERAL)) == "ratelimited"


async def test_an_app_that_was_taken_out_is_refused_everything(
    workspace: LocalWorkspace, client: AsyncWebClient
) -> None:
    await workspace.admin.uninstall()
    assert await refusal(client.chat_postMessage(channel=GENERAL, text="hello")) == "account_inactive"
    assert await refusal(client.auth_test()) == "account_inactive"


async def test_nothing_comes_to_an_app_that_was_taken_out(workspace: LocalWorkspace, client: AsyncWebClient) -> None:
    aya = workspace.person(AYA)
    posted = await client.chat_postMessage(channel=GENERAL, text="hello", blocks=CARD)
    async with raw_connection(workspace) as tap:
        await workspace.admin.uninstall()
        told = {(await tap.next())["payload"]["event"]["type"] for _ in range(3)}
        await workspace.admin.idle()

        await aya.say(GENERAL, f"<@{workspace.bot_user_id}> hello")
        clicked = await aya.click(GENERAL, posted["ts"], "accept")
        commanded = await aya.slash(GENERAL, "/towow", "hello")

        assert not clicked.acked
        assert not commanded.acked
        await workspace.admin.reinstall()
        await aya.say(await _joined(workspace), f"<@{workspace.bot_user_id}> again")
        event = (await tap.next())["payload"]["event"]
    assert told == {"message", "tokens_revoked", "app_uninstalled"}
    assert event["type"] == "member_joined_channel"  # and none of what came while it was out


async def _joined(workspace: LocalWorkspace) -> str:
    await workspace.admin.join(GENERAL, workspace.bot_user_id)
    return GENERAL


@pytest.mark.parametrize("token", ["", "xoxb-local-another"])
async def test_an_app_that_is_installed_again_is_in_no_channel_and_has_the_token_that_it_was_given(
    workspace: LocalWorkspace, client: AsyncWebClient, token: str
) -> None:
    await workspace.admin.uninstall()
    await workspace.admin.reinstall(token)

    if token:
        assert await refusal(client.auth_test()) == "invalid_auth"
        client = client_of(workspace)
        assert client.token == token
    assert (await client.auth_test())["ok"]
    assert await refusal(client.conversations_history(channel=GENERAL)) == "not_in_channel"
    await workspace.admin.join(GENERAL, workspace.bot_user_id)
    assert (await client.conversations_history(channel=GENERAL))["ok"]
