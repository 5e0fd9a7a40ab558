"""Messages: threads, metadata, edits, deletion, what people type."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import App, LocalWorkspace, Person, User
from bot.local_slack.authoring import compose
from bot.local_slack.installation import SCOPES
from bot.local_slack.model import Timestamps, micros

from .conftest import AYA, CHANNELS, GENERAL, USERS
from .raw_connections import raw_connection
from .test_conversation import BUTTON

METADATA = {"event_type": "towow_post", "event_payload": {"key": "root", "digest": "abc"}}


async def test_a_thread_counts_its_replies_and_shows_the_broadcast_ones_in_the_channel(
    client: AsyncWebClient, aya: Person
) -> None:
    root = await aya.say(GENERAL, "root")
    await client.chat_postMessage(channel=GENERAL, text="quiet", thread_ts=root.ts)
    loud = await client.chat_postMessage(channel=GENERAL, text="loud", thread_ts=root.ts, reply_broadcast=True)
    nested = await client.chat_postMessage(channel=GENERAL, text="nested", thread_ts=loud["ts"])
    assert nested["message"]["thread_ts"] == root.ts
    assert [(m.text, m.reply_count) for m in await aya.messages(GENERAL)] == [("root", 3), ("loud", 0)]
    thread = await client.conversations_replies(channel=GENERAL, ts=root.ts)
    assert [m["text"] for m in thread["messages"]] == ["root", "quiet", "loud", "nested"]
    assert thread["messages"][0]["reply_count"] == 3
    history = await client.conversations_history(channel=GENERAL)
    assert [m["text"] for m in history["messages"]] == ["loud", "root"]


async def test_a_broadcast_says_what_it_is_wherever_it_is_read_and_stays_one(
    client: AsyncWebClient, aya: Person
) -> None:
    root = await aya.say(GENERAL, "root")
    loud = await client.chat_postMessage(
        channel=GENERAL, text="loud", thread_ts=root.ts, reply_broadcast=True, metadata=METADATA
    )
    changed = await client.chat_update(channel=GENERAL, ts=loud["ts"], text="louder")

    thread = await client.conversations_replies(channel=GENERAL, ts=root.ts, include_all_metadata=True)
    history = await client.conversations_history(channel=GENERAL)
    for shape in (loud["message"], changed["message"], thread["messages"][-1], history["messages"][0]):
        assert (shape["subtype"], shape["thread_ts"], shape["root"]["ts"]) == ("thread_broadcast", root.ts, root.ts)
    assert thread["messages"][-1]["metadata"] == METADATA
    assert [m.broadcast for m in await aya.messages(GENERAL)] == [False, True]
    assert [m.text for m in await aya.thread(GENERAL, root.ts)] == ["root", "louder"]


async def test_a_message_that_begins_no_thread_and_is_in_none_is_no_broadcast(client: AsyncWebClient) -> None:
    alone = await client.chat_postMessage(channel=GENERAL, text="alone", reply_broadcast=True)

    assert not {"thread_ts", "subtype", "root"} & alone["message"].keys()


async def test_a_long_thread_is_read_page_by_page(client: AsyncWebClient, aya: Person) -> None:
    root = await aya.say(GENERAL, "0")
    for number in range(1, 5):
        await aya.say(GENERAL, str(number), thread_ts=root.ts)
    read, cursor = [], ""
    while True:
        page = await client.conversations_replies(channel=GENERAL, ts=root.ts, limit=2, cursor=cursor)
        read += [message["text"] for message in page["messages"]]
        cursor = page["response_metadata"]["next_cursor"]
        assert page["has_more"] == bool(cursor)
        if not cursor:
            break
    assert read == ["0", "1", "2", "3", "4"]


async def test_metadata_comes_back_when_it_is_asked_for(client: AsyncWebClient) -> None:
    posted = await client.chat_postMessage(channel=GENERAL, text="card", metadata=METADATA)
    plain = await client.conversations_history(channel=GENERAL)
    full = await client.conversations_history(channel=GENERAL, include_all_metadata=True)
    assert "metadata" not in plain["messages"][0]
    assert full["messages"][0]["metadata"] == METADATA
    kept = await client.chat_update(channel=GENERAL, ts=posted["ts"], text="changed")
    assert kept["message"]["metadata"] == METADATA


async def test_an_update_with_text_alone_takes_the_blocks_away(client: AsyncWebClient, aya: Person) -> None:
    blocks = [{"type": "actions", "elements": [BUTTON]}]
    posted = await client.chat_postMessage(channel=GENERAL, text="Accept?", blocks=blocks)
    updated = await client.chat_update(channel=GENERAL, ts=posted["ts"], text="Still?", blocks=blocks)
    assert "edited" not in updated["message"]
    await client.chat_update(channel=GENERAL, ts=posted["ts"], text="Closed")
    [message] = await aya.messages(GENERAL)
    assert (message.text, message.blocks) == ("Closed", [])
    assert message.edited is not None


async def test_the_app_hears_of_edits_and_deletions(workspace: LocalWorkspace, aya: Person) -> None:
    async with raw_connection(workspace) as tap:
        message = await aya.say(GENERAL, "a venue")
        await tap.next()
        await aya.edit(message, "two venues")
        changed = (await tap.next())["payload"]["event"]
        await aya.delete(message)
        deleted = (await tap.next())["payload"]["event"]
        await workspace.admin.idle()
    assert (changed["subtype"], changed["previous_message"]["text"]) == ("message_changed", "a venue")
    assert (changed["message"]["text"], changed["message"]["edited"]["user"]) == ("two venues", AYA)
    assert (deleted["subtype"], deleted["deleted_ts"]) == ("message_deleted", message.ts)
    assert await aya.messages(GENERAL) == []


@pytest.mark.parametrize(
    ("method", "arguments", "error"),
    [
        pytest.param("chat.postMessage", {"channel": "C_NONE", "text": "x"}, "channel_not_found", id="no channel"),
        pytest.param("chat.postMessage", {"channel": "C_QUIET", "text": "x"}, "not_in_channel", id="not invited"),
        pytest.param("chat.postMessage", {"channel": GENERAL}, "no_text", id="nothing to say"),
        pytest.param(
            "chat.postMessage", {"channel": GENERAL, "text": "x", "thread_ts": "1.2"}, "invalid_thread_ts", id="thread"
        ),
        pytest.param("chat.update", {"channel": GENERAL, "ts": "1.2", "text": "x"}, "message_not_found", id="update"),
        pytest.param("chat.delete", {"channel": GENERAL, "ts": "1.2"}, "message_not_found", id="delete"),
        pytest.param("conversations.replies", {"channel": GENERAL, "ts": "1.2"}, "thread_not_found", id="replies"),
        pytest.param("users.info", {"user": "U_NONE"}, "user_not_found", id="no user"),
        pytest.param("chat.explode", {}, "unknown_method", id="no method"),
        pytest.param(
            "chat.postMessage", {"channel": GENERAL, "text": "x", "blocks": "{"}, "invalid_blocks_format", id="no JSON"
        ),
    ],
)
@pytest.mark.parametrize("form", [True, False], ids=["as a form", "as JSON"])
async def test_what_cannot_be_done_is_refused_in_slacks_words(
    client: AsyncWebClient, method: str, arguments: dict[str, str], error: str, form: bool
) -> None:
    with pytest.raises(SlackApiError) as refused:
        await client.api_call(method, data=arguments) if form else await client.api_call(method, json=arguments)
    assert refused.value.response["error"] == error


async def test_a_reaction_is_given_once(client: AsyncWebClient, aya: Person) -> None:
    message = await aya.say(GENERAL, "done")
    await client.reactions_add(channel=GENERAL, timestamp=message.ts, name="tada")
    with pytest.raises(SlackApiError, match="already_reacted"):
        await client.reactions_add(channel=GENERAL, timestamp=message.ts, name="tada")
    assert (await aya.messages(GENERAL))[0].reactions == {"tada": ["U_TOWOW"]}


async def test_one_s_own_reaction_is_taken_back_once(client: AsyncWebClient, aya: Person) -> None:
    message = await aya.say(GENERAL, "done")
    await aya.react(message, "tada")
    await client.reactions_add(channel=GENERAL, timestamp=message.ts, name="tada")
    await client.reactions_remove(channel=GENERAL, timestamp=message.ts, name="tada")
    with pytest.raises(SlackApiError, match="no_reaction"):
        await client.reactions_remove(channel=GENERAL, timestamp=message.ts, name="tada")
    assert (await aya.messages(GENERAL))[0].reactions == {"tada": [AYA]}


@pytest.mark.parametrize("method", ["reactions.add", "reactions.remove"])
async def test_without_the_scope_there_are_no_reactions(method: str) -> None:
    scopes = tuple(each for each in SCOPES if each != "reactions:write")
    async with LocalWorkspace(users=USERS, channels=CHANNELS, app=App(scopes=scopes)) as workspace:
        message = await workspace.person(AYA).say(GENERAL, "done")
        client = AsyncWebClient(workspace.bot_token, workspace.api_url)
        with pytest.raises(SlackApiError, match="missing_scope"):
            await client.api_call(method, json={"channel": GENERAL, "timestamp": message.ts, "name": "tada"})


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        pytest.param("1 < 2 & 3 > 2", "1 &lt; 2 &amp; 3 &gt; 2", id="signs"),
        pytest.param("<@U_AYA> & <#C_GENERAL>", "<@U_AYA> &amp; <#C_GENERAL>", id="mentions"),
        pytest.param(
            "@aya, write to me@aya.example", "<@U_AYA>, write to <mailto:me@aya.example|me@aya.example>", id="names"
        ),
        pytest.param("see https://example.org/a?b=1.", "see <https://example.org/a?b=1>.", id="links"),
        pytest.param("<script>", "&lt;script&gt;", id="markup"),
    ],
)
def test_what_people_type_is_stored_as_slack_stores_it(typed: str, stored: str) -> None:
    assert compose(typed, [User(id="U_AYA", name="aya")]) == stored


@given(st.lists(st.floats(min_value=0, max_value=2_000_000_000)))
def test_stamps_rise_whatever_the_clock_does(times: list[float]) -> None:
    clock = iter(times)
    stamps = Timestamps(lambda: next(clock))
    issued = [micros(stamps.next()) for _ in times]
    assert issued == sorted(set(issued))


async def test_a_conversation_is_what_stands_in_a_channel_and_in_its_threads_as_one_sees_it(
    client: AsyncWebClient, aya: Person, bo: Person
) -> None:
    first = await aya.say(GENERAL, "first")
    await aya.say(GENERAL, "second")
    await client.chat_postMessage(channel=GENERAL, text="below", thread_ts=first.ts)
    await client.chat_postMessage(channel=GENERAL, text="loud", thread_ts=first.ts, reply_broadcast=True)
    await client.chat_postEphemeral(channel=GENERAL, user=bo.id, text="for Bo", thread_ts=first.ts)

    assert [m.text for m in await aya.conversation(GENERAL)] == ["first", "second", "below", "loud"]
    assert [m.text for m in await bo.conversation(GENERAL)] == ["first", "second", "below", "loud", "for Bo"]
