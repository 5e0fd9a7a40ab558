"""Messages that are deleted, and the threads below them."""

from __future__ import annotations

from pathlib import Path

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace, Message, NotPossible, Person

from .conftest import AYA, CHANNELS, GENERAL, USERS
from .raw_connections import raw_connection
from .test_conversation import BUTTON

METADATA = {"event_type": "towow_post", "event_payload": {"key": "root"}}
GONE = "This message was deleted."


async def card(client: AsyncWebClient) -> str:
    """A message of the app with a button; its ts."""
    blocks = [{"type": "actions", "elements": [BUTTON]}]
    posted = await client.chat_postMessage(channel=GENERAL, text="Accept?", blocks=blocks, metadata=METADATA)
    return str(posted["ts"])


async def at(person: Person, ts: str) -> Message:
    [message] = [message for message in await person.messages(GENERAL) if message.ts == ts]
    return message


async def test_a_root_with_replies_leaves_a_tombstone_and_they_stay(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person, bo: Person
) -> None:
    ts = await card(client)
    reply = await aya.say(GENERAL, "I can host", thread_ts=ts)
    async with raw_connection(workspace) as tap:
        for _ in range(2):
            await tap.next()
        await bo.delete(await at(bo, ts))
        told = (await tap.next())["payload"]["event"]
        await workspace.admin.idle()
    assert told["subtype"] == "message_changed"
    assert told["previous_message"]["text"] == "Accept?"
    tombstone = told["message"]
    assert (tombstone["subtype"], tombstone["hidden"], tombstone["user"]) == ("tombstone", True, "USLACKBOT")
    assert (tombstone["text"], tombstone["ts"], tombstone["reply_count"]) == (GONE, ts, 1)
    assert not {"blocks", "metadata", "bot_id", "app_id"} & tombstone.keys()
    for read in (
        await client.conversations_replies(channel=GENERAL, ts=ts, include_all_metadata=True),
        await client.conversations_replies(channel=GENERAL, ts=reply.ts, include_all_metadata=True),
    ):
        assert [message["text"] for message in read["messages"]] == [GONE, "I can host"]
    history = await client.conversations_history(channel=GENERAL, include_all_metadata=True)
    assert [message.get("subtype") for message in history["messages"]] == ["tombstone"]
    assert [message.text for message in await aya.thread(GENERAL, ts)] == [GONE, "I can host"]


async def test_below_a_tombstone_the_thread_goes_on(client: AsyncWebClient, aya: Person, bo: Person) -> None:
    ts = await card(client)
    await aya.say(GENERAL, "I can host", thread_ts=ts)
    await client.chat_delete(channel=GENERAL, ts=ts)
    posted = await client.chat_postMessage(channel=GENERAL, thread_ts=ts, text="Round 2")
    await bo.say(GENERAL, "I can cook", thread_ts=ts)
    assert posted["message"]["thread_ts"] == ts
    assert [message.text for message in await aya.thread(GENERAL, ts)] == [GONE, "I can host", "Round 2", "I can cook"]


async def test_a_tombstone_is_nobody_s_to_change(client: AsyncWebClient, aya: Person, bo: Person) -> None:
    ts = await card(client)
    await aya.say(GENERAL, "I can host", thread_ts=ts)
    await client.chat_delete(channel=GENERAL, ts=ts)
    for call in (
        client.chat_update(channel=GENERAL, ts=ts, text="changed"),
        client.chat_delete(channel=GENERAL, ts=ts),
        client.reactions_add(channel=GENERAL, timestamp=ts, name="tada"),
    ):
        with pytest.raises(SlackApiError, match="message_not_found"):
            await call
    tombstone = await at(bo, ts)
    assert (tombstone.text, tombstone.blocks, tombstone.tombstone) == (GONE, [], True)
    for act in (bo.click(GENERAL, ts, "accept"), bo.delete(tombstone), bo.shortcut("demand", tombstone)):
        with pytest.raises(NotPossible, match="sees no message"):
            await act


async def test_with_its_last_reply_a_tombstone_goes_too(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person
) -> None:
    ts = await card(client)
    replies = [await aya.say(GENERAL, text, thread_ts=ts) for text in ("I can host", "I can cook")]
    await client.chat_delete(channel=GENERAL, ts=ts)
    await aya.delete(replies[0])
    assert [message.text for message in await aya.thread(GENERAL, ts)] == [GONE, "I can cook"]
    async with aya.feed() as changes:
        await aya.delete(replies[1])
        gone = [await anext(changes) for _ in range(2)]
    assert [(change.ts, change.message) for change in gone] == [(replies[1].ts, None), (ts, None)]
    assert await aya.messages(GENERAL) == []
    with pytest.raises(SlackApiError, match="thread_not_found"):
        await client.conversations_replies(channel=GENERAL, ts=ts)


async def test_a_message_without_replies_is_gone_and_the_app_s_reply_to_it_stands_in_the_channel(
    client: AsyncWebClient, aya: Person
) -> None:
    """Slack refuses nothing here. Only the missing thread_ts of its answer says what happened."""
    demand = await aya.say(GENERAL, "<@U_TOWOW> a venue")
    await aya.delete(demand)
    assert await aya.messages(GENERAL) == []
    posted = await client.chat_postMessage(channel=GENERAL, thread_ts=demand.ts, text="On it", reply_broadcast=True)
    assert not {"thread_ts", "subtype"} & posted["message"].keys()
    [message] = await aya.messages(GENERAL)
    assert (message.ts, message.text, message.thread_ts) == (posted["ts"], "On it", None)
    assert await aya.thread(GENERAL, demand.ts) == []


async def test_a_ts_at_which_there_never_was_a_message_is_like_a_deleted_one(client: AsyncWebClient) -> None:
    posted = await client.chat_postMessage(channel=GENERAL, thread_ts="1700000000.000100", text="On it")
    assert "thread_ts" not in posted["message"]


async def test_a_person_cannot_reply_where_nothing_is(aya: Person, bo: Person) -> None:
    demand = await aya.say(GENERAL, "a venue")
    await aya.delete(demand)
    with pytest.raises(NotPossible, match="There is no thread"):
        await bo.say(GENERAL, "I can host", thread_ts=demand.ts)


async def test_a_reply_that_is_deleted_leaves_nothing(client: AsyncWebClient, aya: Person) -> None:
    root = await aya.say(GENERAL, "a venue")
    reply = await client.chat_postMessage(channel=GENERAL, thread_ts=root.ts, text="Which day?")
    await client.chat_delete(channel=GENERAL, ts=reply["ts"])
    assert [(message.text, message.reply_count) for message in await aya.thread(GENERAL, root.ts)] == [("a venue", 0)]


async def test_what_only_one_person_saw_keeps_no_tombstone(client: AsyncWebClient, aya: Person) -> None:
    root = await aya.say(GENERAL, "a venue")
    await client.chat_postEphemeral(channel=GENERAL, user=AYA, thread_ts=root.ts, text="only you")
    await aya.delete(root)
    assert await aya.messages(GENERAL) == []


async def test_an_admin_may_delete_what_is_not_theirs(client: AsyncWebClient, aya: Person, bo: Person) -> None:
    ts = await card(client)
    with pytest.raises(NotPossible, match="only they and admins can delete it"):
        await aya.delete(await at(aya, ts))
    await bo.delete(await at(bo, ts))
    assert await aya.messages(GENERAL) == []
    with pytest.raises(SlackApiError, match="message_not_found"):
        await client.chat_update(channel=GENERAL, ts=ts, text="changed")


async def test_a_tombstone_survives_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "workspace.jsonl"
    async with LocalWorkspace(users=USERS, channels=CHANNELS, file=file) as workspace:
        aya = workspace.person(AYA)
        root = await aya.say(GENERAL, "a venue")
        await aya.say(GENERAL, "for ten", thread_ts=root.ts)
        await aya.delete(root)
    async with LocalWorkspace(file=file) as workspace:
        thread = await workspace.person(AYA).thread(GENERAL, root.ts)
        assert [message.text for message in thread] == [GONE, "for ten"]
