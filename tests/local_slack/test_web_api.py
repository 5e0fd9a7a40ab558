"""Tokens, people, channels, files."""

from __future__ import annotations

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Channel, LocalWorkspace, Person

from .conftest import AYA, BO, CHEN, GENERAL


@pytest.mark.parametrize(
    ("token", "error"),
    [
        pytest.param(None, "not_authed", id="no token"),
        pytest.param("xoxb-somebody", "invalid_auth", id="an unknown token"),
        pytest.param("xapp-local-towow", "not_allowed_token_type", id="the app's token"),
    ],
)
async def test_tokens_are_checked(workspace: LocalWorkspace, token: str | None, error: str) -> None:
    client = AsyncWebClient(token=token, base_url=workspace.api_url)
    with pytest.raises(SlackApiError) as refused:
        await client.users_info(user=AYA)
    assert refused.value.response["error"] == error


async def test_the_app_learns_who_it_is(workspace: LocalWorkspace, client: AsyncWebClient) -> None:
    me = await client.auth_test()
    assert (me["user_id"], me["bot_id"], me["team_id"]) == (workspace.bot_user_id, "B_TOWOW", workspace.team_id)
    assert (await client.bots_info(bot=me["bot_id"]))["bot"]["user_id"] == workspace.bot_user_id
    assert (await client.team_info())["team"]["id"] == workspace.team_id
    assert (await client.api_test(foo="bar"))["args"] == {"foo": "bar"}


async def test_people_have_a_locale_a_time_zone_and_a_role(client: AsyncWebClient) -> None:
    aya = (await client.users_info(user=AYA, include_locale=True))["user"]
    assert (aya["locale"], aya["tz"], aya["tz_offset"]) == ("zh-CN", "Asia/Shanghai", 8 * 3600)
    assert (await client.users_info(user=BO))["user"]["is_admin"]
    everyone = (await client.users_list())["members"]
    assert {user["id"] for user in everyone} == {AYA, BO, CHEN, "U_TOWOW"}


async def test_channels_are_listed_joined_and_left(workspace: LocalWorkspace, client: AsyncWebClient) -> None:
    listed = (await client.conversations_list())["channels"]
    assert {channel["id"]: channel["is_member"] for channel in listed} == {GENERAL: True, "C_QUIET": False}
    mine = await client.users_conversations(types="public_channel,private_channel")
    assert {channel["id"] for channel in mine["channels"]} == {GENERAL, "G_SECRET"}
    await client.conversations_join(channel="C_QUIET")
    assert (await client.conversations_members(channel="C_QUIET"))["members"] == [AYA, "U_TOWOW"]
    await workspace.admin.leave("C_QUIET", "U_TOWOW")
    with pytest.raises(SlackApiError, match="not_in_channel"):
        await client.chat_postMessage(channel="#quiet", text="gone")


async def test_a_group_dm_is_opened_once(client: AsyncWebClient) -> None:
    first = await client.conversations_open(users=[AYA, BO])
    again = await client.conversations_open(users=[BO, AYA])
    assert first["channel"]["id"] == again["channel"]["id"]
    assert again["already_open"]


async def test_a_new_channel_is_there_at_once(workspace: LocalWorkspace, client: AsyncWebClient) -> None:
    await workspace.admin.put_channel(Channel(id="C_NEW", name="new", members=[CHEN]))
    posted = await client.chat_postMessage(channel="C_NEW", text="hello")
    link = await client.chat_getPermalink(channel="C_NEW", message_ts=posted["ts"])
    assert link["permalink"] == f"{workspace.url}/archives/C_NEW/p{posted['ts'].replace('.', '')}"


async def test_a_file_is_shared_in_a_message_and_can_be_downloaded_by_those_who_see_it(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person
) -> None:
    root = await aya.say(GENERAL, "export, please")
    uploaded = await client.files_upload_v2(
        filename="plan.md", content="# Plan", channel=GENERAL, thread_ts=root.ts, initial_comment="Here it is"
    )
    [_, reply] = await aya.thread(GENERAL, root.ts)
    assert (reply.text, reply.files) == ("Here it is", [uploaded["file"]["id"]])
    assert await aya.download(reply.files[0]) == b"# Plan"
    assert [file.name for file in await aya.files()] == ["plan.md"]
    headers = {"Authorization": f"Bearer {workspace.bot_token}"}
    async with (
        aiohttp.ClientSession() as session,
        session.get(uploaded["file"]["url_private"], headers=headers) as response,
    ):
        assert await response.read() == b"# Plan"


@pytest.mark.parametrize(
    ("channel", "below", "refusal"),
    [
        pytest.param("C_QUIET", None, "not_in_channel", id="where the app is not"),
        pytest.param("C_NOWHERE", None, "channel_not_found", id="where there is no channel"),
        pytest.param(GENERAL, "yesterday", "invalid_thread_ts", id="below no message"),
    ],
)
async def test_a_refused_upload_is_no_file_of_anybody_s(
    client: AsyncWebClient, aya: Person, channel: str, below: str | None, refusal: str
) -> None:
    with pytest.raises(SlackApiError, match=refusal):
        await client.files_upload_v2(filename="plan.md", content="# Plan", channel=channel, thread_ts=below)
    assert await aya.files() == []
    assert (await aya.messages(GENERAL), await aya.messages("C_QUIET")) == ([], [])
