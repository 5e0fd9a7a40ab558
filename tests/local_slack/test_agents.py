"""What Slack shows of apps that are agents: how a thread stands, its button to stop, and suggested prompts."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace, Person
from bot.local_slack.installation import App
from bot.local_slack.limits import NotPossible
from bot.local_slack.model import AgentSession

from .conftest import AYA, BO, CHANNELS, CHEN, GENERAL, USERS, client_of
from .raw_connections import raw_connection

PROMPTS = [{"title": "A venue", "message": "I need a venue for 50 people"}]


async def refusal(call: Awaitable[Any]) -> str:
    with pytest.raises(SlackApiError) as refused:
        await call
    return str(refused.value.response["error"])


async def begun(aya: Person, client: AsyncWebClient, status: str = "processing") -> str:
    root = await aya.say(GENERAL, "a venue, please")
    await client.agents_sessions_setStatus(channel_id=GENERAL, thread_ts=root.ts, status=status)
    return root.ts


async def stands(person: Person) -> dict[str, str]:
    return {each.thread_ts: each.status for each in await person.sessions()}


async def test_a_thread_stands_as_the_app_has_said_last(aya: Person, client: AsyncWebClient) -> None:
    ts = await begun(aya, client)
    assert await stands(aya) == {ts: "processing"}
    answer = await client.agents_sessions_setStatus(channel_id=GENERAL, thread_ts=ts, status="suspended")
    assert answer["status"] == "suspended"
    assert await stands(aya) == {ts: "suspended"}


async def test_it_is_known_since_when(aya: Person, client: AsyncWebClient) -> None:
    ts = await begun(aya, client)
    [before] = await aya.sessions()
    await client.agents_sessions_setStatus(channel_id=GENERAL, thread_ts=ts, status="processing")
    [again] = await aya.sessions()
    assert before.since == again.since > 0
    await client.agents_sessions_setStatus(channel_id=GENERAL, thread_ts=ts, status="closed")
    [after] = await aya.sessions()
    assert after.since > before.since


async def test_only_who_sees_the_channel_sees_its_sessions(
    workspace: LocalWorkspace, bo: Person, client: AsyncWebClient
) -> None:
    root = await bo.say("G_SECRET", "quietly")
    await client.agents_sessions_setStatus(channel_id="G_SECRET", thread_ts=root.ts, status="processing")
    assert await stands(bo) == {root.ts: "processing"}
    assert await stands(workspace.person(CHEN)) == {}
    with pytest.raises(NotPossible):
        await workspace.person(CHEN).stop("G_SECRET", root.ts)


async def test_what_is_no_thread_or_no_status_is_refused(aya: Person, client: AsyncWebClient) -> None:
    root = await aya.say(GENERAL, "a venue, please")
    say = client.agents_sessions_setStatus
    assert await refusal(say(channel_id=GENERAL, thread_ts="1.000000", status="closed")) == "thread_not_found"
    assert await refusal(say(channel_id=GENERAL, thread_ts=root.ts, status="busy")) == "invalid_arguments"
    assert await refusal(say(channel_id="C_QUIET", thread_ts=root.ts, status="closed")) == "not_in_channel"
    assert await refusal(say(channel_id="C_NONE", thread_ts=root.ts, status="closed")) == "channel_not_found"


async def test_slacks_own_button_sends_the_event_to_stop(
    workspace: LocalWorkspace, aya: Person, bo: Person, client: AsyncWebClient
) -> None:
    async with raw_connection(workspace) as tap:
        ts = await begun(aya, client)
        await tap.next()  # what Aya said
        await bo.stop(GENERAL, ts)
        event = (await tap.next())["payload"]["event"]
    assert event.pop("event_ts")
    assert event == {
        "type": "agent_session_stopped",
        "user": BO,
        "channel": GENERAL,
        "thread_ts": ts,
        "streaming_message_ts": [],
    }
    assert await stands(bo) == {ts: "processing"}, "what becomes of it is for the app to say"


@pytest.mark.parametrize("status", ["active", "suspended", "closed"])
async def test_there_is_nothing_to_stop_where_nothing_works(aya: Person, client: AsyncWebClient, status: str) -> None:
    ts = await begun(aya, client, status)
    with pytest.raises(NotPossible):
        await aya.stop(GENERAL, ts)


async def test_prompts_stand_where_the_app_has_put_them(aya: Person, bo: Person, client: AsyncWebClient) -> None:
    channel = (await aya.dm()).id
    await client.assistant_threads_setSuggestedPrompts(channel_id=channel, prompts=PROMPTS, title="What do you need?")
    [shown] = await aya.prompts()
    assert (shown.channel, shown.title, shown.prompts) == (channel, "What do you need?", PROMPTS)
    assert await bo.prompts() == []


async def test_prompts_for_a_thread_do_nothing_for_agents(aya: Person, client: AsyncWebClient) -> None:
    channel = (await aya.dm()).id
    await client.assistant_threads_setSuggestedPrompts(channel_id=channel, thread_ts="1.000000", prompts=PROMPTS)
    assert await aya.prompts() == []


@pytest.mark.parametrize(
    "prompts",
    [
        pytest.param([], id="none"),
        pytest.param(PROMPTS * 5, id="five"),
        pytest.param([{"title": "A venue"}], id="without a message"),
    ],
)
async def test_one_to_four_whole_prompts_are_taken(
    aya: Person, client: AsyncWebClient, prompts: list[dict[str, str]]
) -> None:
    channel = (await aya.dm()).id
    call = client.assistant_threads_setSuggestedPrompts(channel_id=channel, prompts=prompts)
    assert await refusal(call) == "invalid_arguments"


async def test_a_workspace_can_lack_them(workspace: LocalWorkspace, aya: Person, client: AsyncWebClient) -> None:
    ts = await begun(aya, client)
    await workspace.admin.surfaces(agents=False)
    call = client.agents_sessions_setStatus(channel_id=GENERAL, thread_ts=ts, status="closed")
    assert await refusal(call) == "unknown_method"
    channel = (await aya.dm()).id
    prompts = client.assistant_threads_setSuggestedPrompts(channel_id=channel, prompts=PROMPTS)
    assert await refusal(prompts) == "unknown_method"


@pytest.mark.parametrize(
    ("app", "why"),
    [
        pytest.param(App(is_agent=False), "not_authorized", id="no agent"),
        pytest.param(App(scopes=("chat:write",)), "missing_scope", id="not allowed to"),
    ],
)
async def test_an_app_can_lack_them(app: App, why: str) -> None:
    async with LocalWorkspace(users=USERS, channels=CHANNELS, app=app) as workspace:
        channel = (await workspace.person(AYA).dm()).id
        call = client_of(workspace).assistant_threads_setSuggestedPrompts(channel_id=channel, prompts=PROMPTS)
        assert await refusal(call) == why


async def test_who_does_not_listen_is_warned_and_has_no_button_to_stop() -> None:
    async with LocalWorkspace(users=USERS, channels=CHANNELS, app=App(subscriptions=("app_mention",))) as workspace:
        aya, client = workspace.person(AYA), client_of(workspace)
        root = await aya.say(GENERAL, "a venue, please")
        answer = await client.agents_sessions_setStatus(channel_id=GENERAL, thread_ts=root.ts, status="processing")
        assert answer["warning"] == "missing_agent_session_stopped_event_subscription"
        with pytest.raises(NotPossible):
            await aya.stop(GENERAL, root.ts)


async def test_a_page_hears_of_it(aya: Person, client: AsyncWebClient) -> None:
    async with aya.feed() as changes:
        ts = await begun(aya, client)
        while (change := await anext(changes)).kind != "session":
            pass
    assert (change.channel, change.ts) == (GENERAL, ts)


def test_a_session_is_known_by_its_thread() -> None:
    assert AgentSession(channel=GENERAL, thread_ts="1.0", status="closed").key == f"{GENERAL}/1.0"
