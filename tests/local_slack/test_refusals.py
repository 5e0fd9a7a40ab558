"""What the workspace refuses by itself, and that any call can be made to fail."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import pytest
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace, NotPossible, Person, Team
from bot.local_slack.web_api.methods import METHODS

from .conftest import AYA, BO, CHANNELS, GENERAL, USERS, client_of, running
from .raw_connections import raw_connection
from .test_conversation import BUTTON, FORM
from .test_limits import Clock

BLOCKS: list[dict[str, Any]] = [{"type": "actions", "elements": [BUTTON]}]
NOTHING = "1700000000.000100"  # a ts where no message is


# ── On order ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def call(workspace: LocalWorkspace, method: str) -> tuple[int, Any]:
    """The HTTP status and the JSON of a call, whatever its arguments should have been."""
    headers = {"Authorization": f"Bearer {workspace.bot_token}"}
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{workspace.api_url}{method}", headers=headers) as response,
    ):
        return response.status, await response.json()


@pytest.mark.parametrize("method", sorted(METHODS))
async def test_any_method_can_be_refused_with_any_error(workspace: LocalWorkspace, method: str) -> None:
    for error in ("account_inactive", "some_day_slack_invents_this"):
        await workspace.admin.fault(method, "error", error=error)
        assert await call(workspace, method) == (200, {"ok": False, "error": error})
    assert (await workspace.admin.calls())[method] == 2


@pytest.mark.parametrize("method", sorted(METHODS))
async def test_any_method_can_answer_with_any_status(workspace: LocalWorkspace, method: str) -> None:
    await workspace.admin.fault(method, "status", status=503, error="service_unavailable")
    assert await call(workspace, method) == (503, {"ok": False, "error": "service_unavailable"})
    await workspace.admin.fault(method, "status", status=429, retry_after=1)
    assert await call(workspace, method) == (429, {"ok": False, "error": "ratelimited"})


# ── Because of how things stand ───────────────────────────────────────────────────────────────────────────────────

Call = Callable[[AsyncWebClient, str], Awaitable[Any]]
"""A call about the app's message with this ts in #general."""


async def post(client: AsyncWebClient, ts: str) -> Any:
    return await client.chat_postMessage(channel=GENERAL, text="more")


async def reply(client: AsyncWebClient, ts: str) -> Any:
    return await client.chat_postMessage(channel=GENERAL, thread_ts=ts, text="more")


async def whisper(client: AsyncWebClient, ts: str) -> Any:
    return await client.chat_postEphemeral(channel=GENERAL, user=AYA, text="you")


async def update(client: AsyncWebClient, ts: str) -> Any:
    return await client.chat_update(channel=GENERAL, ts=ts, text="changed")


async def delete(client: AsyncWebClient, ts: str) -> Any:
    return await client.chat_delete(channel=GENERAL, ts=ts)


async def history(client: AsyncWebClient, ts: str) -> Any:
    return await client.conversations_history(channel=GENERAL)


async def replies(client: AsyncWebClient, ts: str) -> Any:
    return await client.conversations_replies(channel=GENERAL, ts=ts)


async def refused(call: Awaitable[Any]) -> str:
    """Slack's word for why."""
    with pytest.raises(SlackApiError) as refusal:
        await call
    assert refusal.value.response.status_code == 200
    return str(refusal.value.response["error"])


async def card(client: AsyncWebClient) -> str:
    return str((await client.chat_postMessage(channel=GENERAL, text="Accept?", blocks=BLOCKS))["ts"])


@pytest.mark.parametrize(
    ("call", "error"),
    [
        pytest.param(post, "is_archived", id="post"),
        pytest.param(reply, "is_archived", id="reply"),
        pytest.param(whisper, "is_archived", id="ephemeral"),
        pytest.param(update, "is_inactive", id="update"),
        pytest.param(delete, "is_inactive", id="delete"),
    ],
)
async def test_in_an_archived_channel_nothing_is_changed(
    workspace: LocalWorkspace, client: AsyncWebClient, call: Call, error: str
) -> None:
    ts = await card(client)
    await workspace.admin.archive(GENERAL)
    assert await refused(call(client, ts)) == error


async def test_in_an_archived_channel_everything_can_be_read(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person
) -> None:
    ts = await card(client)
    await workspace.admin.archive(GENERAL)
    assert (await client.conversations_info(channel=GENERAL))["channel"]["is_archived"]
    for call in (history, replies):
        assert [message["ts"] for message in (await call(client, ts))["messages"]] == [ts]
    with pytest.raises(NotPossible, match="is_archived"):
        await aya.say(GENERAL, "too late")


async def test_in_an_archived_channel_a_button_still_opens_a_modal(
    workspace: LocalWorkspace, app: AsyncApp, client: AsyncWebClient, aya: Person
) -> None:
    @app.action("accept")
    async def accepted(ack: AsyncAck, client: AsyncWebClient, body: dict[str, Any]) -> None:
        opened = await client.views_open(trigger_id=body["trigger_id"], view=FORM)
        await client.views_update(view_id=opened["view"]["id"], view={**FORM, "callback_id": "again"})
        await ack()

    ts = await card(client)
    await workspace.admin.archive(GENERAL)
    async with running(app, workspace):
        modal = (await aya.click(GENERAL, ts, "accept")).modal
    assert modal is not None
    assert modal.callback_id == "again"


@pytest.mark.parametrize(
    ("call", "error"),
    [
        pytest.param(post, "not_in_channel", id="post"),
        pytest.param(whisper, "not_in_channel", id="ephemeral"),
        pytest.param(history, "not_in_channel", id="history"),
        pytest.param(replies, "not_in_channel", id="replies"),
    ],
)
async def test_a_public_channel_that_the_app_left_is_there_but_not_for_it(
    workspace: LocalWorkspace, client: AsyncWebClient, call: Call, error: str
) -> None:
    ts = await card(client)
    await workspace.admin.leave(GENERAL, workspace.bot_user_id)
    assert await refused(call(client, ts)) == error
    assert not (await client.conversations_info(channel=GENERAL))["channel"]["is_member"]


async def test_a_private_channel_that_the_app_left_is_not_there_any_more(
    workspace: LocalWorkspace, client: AsyncWebClient
) -> None:
    ts = (await client.chat_postMessage(channel="G_SECRET", text="card"))["ts"]
    await workspace.admin.leave("G_SECRET", workspace.bot_user_id)
    for call in (
        client.chat_postMessage(channel="G_SECRET", text="more"),
        client.chat_postEphemeral(channel="G_SECRET", user=BO, text="you"),
        client.chat_update(channel="G_SECRET", ts=ts, text="changed"),
        client.conversations_info(channel="G_SECRET"),
        client.conversations_history(channel="G_SECRET"),
        client.conversations_replies(channel="G_SECRET", ts=ts),
    ):
        assert await refused(call) == "channel_not_found"


async def test_the_app_changes_only_what_is_there_and_its_own(client: AsyncWebClient, aya: Person) -> None:
    theirs = await aya.say(GENERAL, "mine")
    assert await refused(update(client, NOTHING)) == "message_not_found"
    assert await refused(delete(client, NOTHING)) == "message_not_found"
    assert await refused(update(client, theirs.ts)) == "cant_update_message"
    assert await refused(delete(client, theirs.ts)) == "cant_delete_message"
    assert await refused(replies(client, NOTHING)) == "thread_not_found"


async def test_only_who_is_there_can_be_told_something_privately(
    workspace: LocalWorkspace, client: AsyncWebClient
) -> None:
    await workspace.admin.leave(GENERAL, BO)
    for user in (BO, "U_CHEN"):
        call = client.chat_postEphemeral(channel=GENERAL, user=user, text="you")
        assert await refused(call) == "user_not_in_channel"
    assert await refused(client.chat_postEphemeral(channel=GENERAL, user="U_NOBODY", text="x")) == "user_not_found"
    await workspace.admin.deactivate(AYA)
    assert await refused(whisper(client, NOTHING)) == "user_not_in_channel"


async def test_blocks_that_are_too_long_are_refused_wherever_they_are_sent(client: AsyncWebClient) -> None:
    ts = await card(client)
    blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": "x" * 2700}}] * 5
    for call in (
        client.chat_postMessage(channel=GENERAL, text="x", blocks=blocks),
        client.chat_update(channel=GENERAL, ts=ts, text="x", blocks=blocks),
        client.chat_postEphemeral(channel=GENERAL, user=AYA, text="x", blocks=blocks),
    ):
        assert await refused(call) == "msg_blocks_too_long"


async def test_where_edits_have_a_time_limit_a_late_one_is_refused() -> None:
    clock = Clock()
    async with LocalWorkspace(users=USERS, channels=CHANNELS, team=Team(edit_window=300), now=clock) as workspace:
        client, aya = client_of(workspace), workspace.person(AYA)
        ts = await card(client)
        message = await aya.say(GENERAL, "a venue")
        clock.time += 300
        await update(client, ts)
        clock.time += 1
        assert await refused(update(client, ts)) == "edit_window_closed"
        with pytest.raises(NotPossible, match="edit_window_closed"):
            await aya.edit(message, "two venues")
        await delete(client, ts)


async def test_a_refused_call_leaves_everything_as_it_was(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person
) -> None:
    ts = await card(client)
    before = await aya.messages(GENERAL)
    async with raw_connection(workspace) as tap:
        await tap.next()
        typing = asyncio.create_task(aya.slash(GENERAL, "/towow"))
        trigger_id = (await tap.next())["payload"]["trigger_id"]
        await typing
        for method, error, call in (
            ("chat.postMessage", "restricted_action", post(client, ts)),
            ("chat.update", "edit_window_closed", update(client, ts)),
            ("chat.postEphemeral", "messages_tab_disabled", whisper(client, ts)),
            ("views.open", "internal_error", client.views_open(trigger_id=trigger_id, view=FORM)),
        ):
            await workspace.admin.fault(method, "error", error=error)
            assert await refused(call) == error
        assert await aya.messages(GENERAL) == before
        assert await aya.modals() == []
        assert (await client.views_open(trigger_id=trigger_id, view=FORM))["ok"]
        await workspace.admin.idle()
