"""The app's DM with one person."""

from __future__ import annotations

import asyncio

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace, NotPossible, Person, User

from .conftest import AYA, BO, CHEN, GENERAL
from .raw_connections import raw_connection
from .test_conversation import BUTTON

METADATA = {"event_type": "towow_post", "event_payload": {"key": "part"}}
HELPER = User(id="U_HELPER", name="helper", is_bot=True)


async def test_it_is_opened_once_and_is_the_one_that_a_person_s_id_leads_to(client: AsyncWebClient, bo: Person) -> None:
    first = await client.conversations_open(users=BO, return_im=True)
    again = await client.conversations_open(users=BO)
    posted = await client.chat_postMessage(channel=BO, text="your part")
    dm = await bo.dm()
    assert first["channel"]["id"] == again["channel"]["id"] == posted["channel"] == dm.id
    assert (first["channel"]["user"], first["channel"]["is_im"]) == (BO, True)
    assert "already_open" not in first
    assert again["already_open"]
    assert (await client.conversations_open(channel=dm.id))["channel"]["id"] == dm.id


@pytest.mark.parametrize(
    ("users", "error"),
    [
        pytest.param("U_NOBODY", "user_not_found", id="nobody"),
        pytest.param(CHEN, "user_disabled", id="deactivated"),
        pytest.param(HELPER.id, "cannot_dm_bot", id="another app"),
        pytest.param("U_TOWOW", "cannot_dm_bot", id="itself"),
        pytest.param("", "users_list_not_supplied", id="no one"),
        pytest.param(",".join([AYA] * 9), "too_many_users", id="nine"),
    ],
)
async def test_who_cannot_be_written_to_is_refused(
    workspace: LocalWorkspace, client: AsyncWebClient, users: str, error: str
) -> None:
    await workspace.admin.put_user(HELPER)
    await workspace.admin.deactivate(CHEN)
    with pytest.raises(SlackApiError, match=error):
        await client.conversations_open(users=users)
    if "," not in users:
        with pytest.raises(SlackApiError, match="channel_not_found"):
            await client.chat_postMessage(channel=users, text="your part")


async def test_a_channel_is_not_opened_as_a_dm(client: AsyncWebClient) -> None:
    with pytest.raises(SlackApiError, match="method_not_supported_for_channel_type"):
        await client.conversations_open(channel=GENERAL)


async def test_only_posting_takes_a_person_s_id_for_a_channel(client: AsyncWebClient) -> None:
    ts = (await client.chat_postMessage(channel=BO, text="your part"))["ts"]
    for call in (
        client.chat_update(channel=BO, ts=ts, text="changed"),
        client.conversations_history(channel=BO),
        client.conversations_replies(channel=BO, ts=ts),
        client.conversations_info(channel=BO),
    ):
        with pytest.raises(SlackApiError, match="channel_not_found"):
            await call


async def test_nobody_else_sees_it(client: AsyncWebClient, aya: Person, bo: Person) -> None:
    posted = await client.chat_postMessage(channel=BO, text="your part")
    async with aya.feed() as of_others, bo.feed() as own:
        await client.chat_update(channel=posted["channel"], ts=posted["ts"], text="your new part")
        await client.chat_postMessage(channel=GENERAL, text="for all")
        assert (await anext(own)).channel == posted["channel"]
        assert (await anext(of_others)).channel == GENERAL
    assert [message.text for message in await bo.messages(posted["channel"])] == ["your new part"]
    assert posted["channel"] not in [channel.id for channel in await aya.channels()]
    with pytest.raises(NotPossible, match="sees no channel"):
        await aya.messages(posted["channel"])


async def test_the_app_finds_its_own_messages_there_by_their_metadata(client: AsyncWebClient, bo: Person) -> None:
    posted = await client.chat_postMessage(channel=BO, text="your part", metadata=METADATA)
    await bo.say(posted["channel"], "thanks")
    history = await client.conversations_history(channel=posted["channel"], include_all_metadata=True)
    assert [message.get("metadata") for message in history["messages"]] == [None, METADATA]


async def test_a_card_there_is_changed_and_answered_for_its_reader(client: AsyncWebClient, bo: Person) -> None:
    posted = await client.chat_postMessage(channel=BO, text="Accept?", metadata=METADATA)
    updated = await client.chat_update(channel=posted["channel"], ts=posted["ts"], text="Accepted")
    assert updated["message"]["metadata"] == METADATA
    await client.chat_postEphemeral(channel=posted["channel"], user=BO, text="Only you can see this")
    assert [message.text for message in await bo.messages(posted["channel"])] == ["Accepted", "Only you can see this"]
    with pytest.raises(SlackApiError, match="user_not_in_channel"):
        await client.chat_postEphemeral(channel=posted["channel"], user=AYA, text="not yours")


async def test_what_is_said_and_clicked_there_says_that_it_was_a_dm(
    workspace: LocalWorkspace, client: AsyncWebClient, bo: Person
) -> None:
    blocks = [{"type": "actions", "elements": [BUTTON]}]
    async with raw_connection(workspace) as tap:
        posted = await client.chat_postMessage(channel=BO, text="Accept?", blocks=blocks)
        await tap.next()
        await bo.say(posted["channel"], "<@U_TOWOW> a venue")
        said = (await tap.next())["payload"]["event"]
        clicking = asyncio.create_task(bo.click(posted["channel"], posted["ts"], "accept"))
        clicked = (await tap.next())["payload"]
        assert (await clicking).acked
        await workspace.admin.idle()
    assert (said["type"], said["channel_type"]) == ("message", "im")
    assert clicked["channel"] == {"id": posted["channel"], "name": "directmessage"}


async def test_posting_to_somebody_who_was_deactivated_meanwhile_succeeds_and_nobody_reads_it(
    workspace: LocalWorkspace, client: AsyncWebClient, bo: Person
) -> None:
    dm = (await client.chat_postMessage(channel=BO, text="your part"))["channel"]
    await workspace.admin.deactivate(BO)
    for channel in (dm, BO):
        assert (await client.chat_postMessage(channel=channel, text="a reminder"))["channel"] == dm
    assert (await client.conversations_info(channel=dm))["channel"]["is_user_deleted"]
    with pytest.raises(SlackApiError, match="user_not_in_channel"):
        await client.chat_postEphemeral(channel=dm, user=BO, text="only you")
    with pytest.raises(NotPossible, match="not an active member"):
        await bo.messages(dm)
    with pytest.raises(SlackApiError, match="user_disabled"):
        await client.conversations_open(users=BO)
