"""People of another company, in a channel shared with it (Slack Connect)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Channel, LocalWorkspace, NotPossible, Person, User

from .conftest import AYA, BO, CHANNELS, GENERAL, USERS, running
from .raw_connections import raw_connection
from .test_conversation import BUTTON, FORM

EVE = User(id="U_EVE", name="eve", team_id="T_ELSEWHERE", locale="zh-CN")
SHARED = Channel(id="C_SHARED", name="shared", members=[AYA, EVE.id])


@pytest.fixture
async def workspace() -> AsyncIterator[LocalWorkspace]:
    async with LocalWorkspace(users=[*USERS, EVE], channels=[*CHANNELS, SHARED]) as workspace:
        yield workspace


@pytest.fixture
def eve(workspace: LocalWorkspace) -> Person:
    return workspace.person(EVE.id)


async def test_their_team_says_where_they_belong(client: AsyncWebClient) -> None:
    shown = (await client.users_info(user=EVE.id))["user"]
    assert (shown["team_id"], shown["profile"]["team"]) == ("T_ELSEWHERE", "T_ELSEWHERE")


async def test_slack_calls_them_strangers_only_until_they_share_a_channel_with_the_app(
    workspace: LocalWorkspace, client: AsyncWebClient
) -> None:
    assert (await client.users_info(user=EVE.id))["user"]["is_stranger"] is False
    await workspace.admin.leave(SHARED.id, "U_TOWOW")
    assert (await client.users_info(user=EVE.id))["user"]["is_stranger"] is True
    assert "is_stranger" not in (await client.users_info(user=AYA))["user"]


async def test_the_channel_says_with_whom_it_is_shared(workspace: LocalWorkspace, client: AsyncWebClient) -> None:
    shared = (await client.conversations_info(channel=SHARED.id))["channel"]
    assert (shared["is_shared"], shared["is_ext_shared"], shared["is_org_shared"]) == (True, True, False)
    assert shared["connected_team_ids"] == ["T_ELSEWHERE"]
    assert shared["shared_team_ids"] == [shared["conversation_host_id"], "T_ELSEWHERE"]
    own = (await client.conversations_info(channel=GENERAL))["channel"]
    assert (own["is_ext_shared"], own["connected_team_ids"]) == (False, [])
    await workspace.admin.put_channel(Channel(id="C_NEW", name="new", members=[AYA], is_ext_shared=True))
    assert (await client.conversations_info(channel="C_NEW"))["channel"]["is_ext_shared"]


async def test_they_see_only_the_channels_they_are_in(eve: Person) -> None:
    assert [channel.id for channel in await eve.channels()] == [SHARED.id]
    with pytest.raises(NotPossible, match="sees no channel"):
        await eve.messages(GENERAL)


async def test_what_they_say_carries_their_team_and_what_others_say_there_does_not(
    workspace: LocalWorkspace, eve: Person, aya: Person
) -> None:
    async with raw_connection(workspace) as tap:
        message = await eve.say(SHARED.id, "<@U_TOWOW> a venue")
        theirs = [(await tap.next())["payload"] for _ in range(2)]
        await eve.edit(message, "two venues")
        edited = (await tap.next())["payload"]
        await aya.say(SHARED.id, "hello")
        ours = (await tap.next())["payload"]
        await aya.say(GENERAL, "hello")
        elsewhere = (await tap.next())["payload"]
        await workspace.admin.idle()
    assert {payload["event"]["type"] for payload in theirs} == {"message", "app_mention"}
    for payload in theirs:
        assert payload["is_ext_shared_channel"]
        assert (payload["team_id"], payload["authorizations"][0]["team_id"]) == ("T_LOCAL", "T_LOCAL")
        assert teams(payload["event"]) == ["T_ELSEWHERE"] * 3
    assert edited["is_ext_shared_channel"]
    assert teams(edited["event"]["message"]) == ["T_ELSEWHERE"] * 3
    assert ours["is_ext_shared_channel"]
    assert teams(ours["event"]) == ["T_LOCAL", None, None]
    assert not elsewhere["is_ext_shared_channel"]


def teams(event: dict[str, Any]) -> list[str | None]:
    return [event.get(name) for name in ("team", "user_team", "source_team")]


async def test_what_they_do_carries_their_team_beside_ours(
    workspace: LocalWorkspace, client: AsyncWebClient, eve: Person
) -> None:
    blocks = [{"type": "actions", "elements": [BUTTON]}]
    async with raw_connection(workspace) as tap:
        card = await client.chat_postMessage(channel=SHARED.id, text="Accept?", blocks=blocks)
        await tap.next()
        clicking = asyncio.create_task(eve.click(SHARED.id, card["ts"], "accept"))
        envelope = await tap.next(ack=False)
        click = envelope["payload"]
        await client.views_open(trigger_id=click["trigger_id"], view=FORM)
        await tap.acknowledge(envelope)
        modal = (await clicking).modal
        assert modal is not None
        submitting = asyncio.create_task(eve.submit(modal, {"why": {"text": "too early"}}))
        submission = (await tap.next())["payload"]
        await submitting
        typing = asyncio.create_task(eve.slash(SHARED.id, "/towow"))
        command = (await tap.next())["payload"]
        await typing
    assert (click["user"]["team_id"], click["team"]["id"]) == ("T_ELSEWHERE", "T_LOCAL")
    # A modal belongs to the company of who opened it; ours is where the app is installed.
    assert (submission["user"]["team_id"], submission["team"]["id"]) == ("T_ELSEWHERE", "T_ELSEWHERE")
    view = submission["view"]
    assert (view["team_id"], view["app_installed_team_id"]) == ("T_ELSEWHERE", "T_LOCAL")
    assert (command["user_id"], command["team_id"], command["team_domain"]) == (
        EVE.id,
        "T_ELSEWHERE",
        "t_elsewhere",
    )


async def test_bolt_tells_who_acted_from_where_the_app_is(
    workspace: LocalWorkspace, app: AsyncApp, eve: Person
) -> None:
    heard: list[tuple[str | None, str | None]] = []

    @app.event("message")
    @app.event("app_mention")
    async def said(context: AsyncBoltContext) -> None:
        heard.append((context.team_id, context.actor_team_id))

    async with running(app, workspace):
        await eve.say(SHARED.id, "<@U_TOWOW> a venue")
        await workspace.admin.idle()
    assert heard == [("T_LOCAL", "T_ELSEWHERE")] * 2


async def test_what_the_app_reads_of_them_later_carries_their_team_too(client: AsyncWebClient, eve: Person) -> None:
    root = await eve.say(SHARED.id, "a venue")
    own = await client.chat_postMessage(channel=SHARED.id, thread_ts=root.ts, text="Which day?")
    replies = (await client.conversations_replies(channel=SHARED.id, ts=root.ts))["messages"]
    assert [message["team"] for message in replies] == ["T_ELSEWHERE", "T_LOCAL"]
    assert own["message"]["team"] == "T_LOCAL"


async def test_their_dm_with_the_app_is_shared_with_their_company(
    workspace: LocalWorkspace, client: AsyncWebClient, eve: Person
) -> None:
    dm = (await client.conversations_open(users=EVE.id))["channel"]["id"]
    async with raw_connection(workspace) as tap:
        await eve.say(dm, "hello")
        assert (await tap.next())["payload"]["is_ext_shared_channel"]
        await workspace.admin.idle()
    assert [message.text for message in await eve.messages(dm)] == ["hello"]
    with pytest.raises(NotPossible):
        await workspace.person(BO).messages(dm)
