"""What people and workflows post is as awkward as in Slack: without a team, without an author, edited, forwarded."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Channel, LocalWorkspace, Person, User, UserGroup
from bot.local_slack.authoring import compose

from .conftest import AYA, BO, GENERAL
from .raw_connections import RawConnection, raw_connection

TOWOW = "<@U_TOWOW>"


async def events(tap: RawConnection, count: int) -> dict[str, dict[str, Any]]:
    """Return the next events, by their types."""
    heard = [(await tap.next())["payload"]["event"] for _ in range(count)]
    return {each["type"]: each for each in heard}


async def test_a_message_with_a_file_says_nothing_of_whose_company_its_author_is(
    workspace: LocalWorkspace, aya: Person
) -> None:
    file = await aya.upload("plan.txt", b"plan")
    async with raw_connection(workspace) as tap:
        message = await aya.say(GENERAL, f"{TOWOW} see this", files=[file])
        heard = await events(tap, 2)
    for event in heard.values():
        assert (event["subtype"], event["user"], event["files"][0]["id"]) == ("file_share", AYA, file)
        assert not {"team", "user_team", "source_team"} & event.keys()
    assert [each.id for each in await aya.files()] == [file]
    assert message.files == [file]


async def test_nobody_shares_the_files_of_others(workspace: LocalWorkspace, aya: Person, bo: Person) -> None:
    file = await bo.upload("plan.txt", b"plan")
    with pytest.raises(Exception, match="has not uploaded"):
        await aya.say(GENERAL, "see this", files=[file])


async def test_what_is_said_with_me_is_a_message_of_its_own_kind(workspace: LocalWorkspace, aya: Person) -> None:
    async with raw_connection(workspace) as tap:
        await aya.say(GENERAL, f"wonders whether {TOWOW} is there", me=True)
        heard = await events(tap, 2)
    for event in heard.values():
        assert (event["subtype"], event["user"], event.get("team")) == ("me_message", AYA, None)


async def test_a_reply_that_is_also_sent_to_the_channel_mentions_as_one(workspace: LocalWorkspace, aya: Person) -> None:
    root = await aya.say(GENERAL, "root")
    async with raw_connection(workspace) as tap:
        await tap.next()
        await aya.say(GENERAL, f"{TOWOW} a venue", root.ts, broadcast=True)
        heard = await events(tap, 2)
    assert {each["subtype"] for each in heard.values()} == {"thread_broadcast"}


async def test_an_edit_mentions_again_whoever_it_mentions(workspace: LocalWorkspace, aya: Person) -> None:
    message = await aya.say(GENERAL, "a venue")
    async with raw_connection(workspace) as tap:
        await tap.next()
        await aya.edit(message, f"{TOWOW} a venue")
        first = await events(tap, 2)
        await aya.edit(message, f"{TOWOW} two venues")
        second = await events(tap, 2)
        await aya.edit(message, "two venues")
        last = await events(tap, 1)
    for heard in (first, second):
        mention, changed = heard["app_mention"], heard["message"]
        assert (mention["ts"], mention["edited"]["user"]) == (message.ts, AYA)
        assert changed["subtype"] == "message_changed"
    assert last.keys() == {"message"}


async def test_a_workflow_mentions_without_being_anybody(workspace: LocalWorkspace) -> None:
    async with raw_connection(workspace) as tap:
        await workspace.admin.workflow_says(GENERAL, f"{TOWOW} the weekly venue")
        heard = await events(tap, 2)
    for event in heard.values():
        assert (event["subtype"], event["bot_id"], event["username"]) == ("bot_message", "B_WORKFLOW", "A workflow")
        assert not {"user", "team"} & event.keys()


async def test_a_forwarded_message_is_enclosed_and_no_part_of_the_text(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person
) -> None:
    theirs = await workspace.person(BO).say(GENERAL, "A venue for 50 by Friday")
    card = await client.chat_postMessage(
        channel=GENERAL, text="alert", blocks=[{"type": "section", "text": {"type": "plain_text", "text": "Disk full"}}]
    )
    alert = next(each for each in await aya.messages(GENERAL) if each.ts == card["ts"])
    async with raw_connection(workspace) as tap:
        await events(tap, 2)
        await aya.say(GENERAL, f"{TOWOW} please", forwards=theirs)
        plain = (await events(tap, 2))["app_mention"]
        await aya.say(GENERAL, TOWOW, forwards=alert)
        blocks = (await events(tap, 2))["app_mention"]
    assert plain["text"] == f"{TOWOW} please"
    [enclosed] = plain["attachments"]
    assert (enclosed["is_share"], enclosed["text"], enclosed["author_id"]) == (True, theirs.text, BO)
    [block] = blocks["attachments"][0]["message_blocks"][0]["message"]["blocks"]
    assert block["text"]["text"] == "Disk full"


async def test_a_shortcut_on_a_message_names_no_team_of_who_chose_it(workspace: LocalWorkspace, aya: Person) -> None:
    message = await aya.say(GENERAL, "a venue")
    async with raw_connection(workspace) as tap:
        await tap.next()
        choosing = asyncio.create_task(aya.shortcut("from_message", message))
        chosen = (await tap.next())["payload"]
        await choosing
    assert chosen["user"]["id"] == AYA
    assert "team_id" not in chosen["user"]


@pytest.mark.parametrize("kind", ["static", "users", "conversations"])
async def test_a_menu_for_several_stands_beside_a_section_and_not_among_actions(
    client: AsyncWebClient, kind: str
) -> None:
    option = {"text": {"type": "plain_text", "text": "A"}, "value": "a"}
    menu = {"type": f"multi_{kind}_select", "action_id": "many", **({"options": [option]} if kind == "static" else {})}
    with pytest.raises(SlackApiError, match="invalid_blocks"):
        await client.chat_postMessage(channel=GENERAL, text="x", blocks=[{"type": "actions", "elements": [menu]}])
    beside = {"type": "section", "text": {"type": "plain_text", "text": "x"}, "accessory": menu}
    assert (await client.chat_postMessage(channel=GENERAL, text="x", blocks=[beside]))["ok"]


async def test_user_groups_are_listed_by_their_handles(workspace: LocalWorkspace, client: AsyncWebClient) -> None:
    await workspace.admin.put_user_group(UserGroup(id="S_DESIGN", handle="design", name="Designers", users=[BO]))
    [group] = (await client.usergroups_list())["usergroups"]
    assert (group["id"], group["handle"], group["name"]) == ("S_DESIGN", "design", "Designers")
    said = await workspace.person(AYA).say(GENERAL, "ask @design first")
    assert said.text == "ask <!subteam^S_DESIGN> first"


async def test_who_connects_too_often_is_told_to_wait(workspace: LocalWorkspace) -> None:
    await workspace.admin.rate_limits(on=True)
    client = AsyncWebClient(workspace.app_token, workspace.api_url, retry_handlers=[])
    for _ in range(50):
        await client.apps_connections_open(app_token=workspace.app_token)
    with pytest.raises(SlackApiError, match="ratelimited"):
        await client.apps_connections_open(app_token=workspace.app_token)
    assert (await workspace.admin.status()).throttled["apps.connections.open"] == 1


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        pytest.param("@here @Channel @everyone", "<!here> <!channel> <!everyone>", id="calls to all"),
        pytest.param("me@aya.example.", "<mailto:me@aya.example|me@aya.example>.", id="a mail address"),
        pytest.param("see towow.example/a, or", "see <http://towow.example/a|towow.example/a>, or", id="a bare domain"),
        pytest.param("main.py and v1.2", "main.py and v1.2", id="what only looks like one"),
        pytest.param("done \U0001f389, ❤️", "done :tada:, :heart:", id="emoji"),
        pytest.param("<https://a.example/b|this brief>", "<https://a.example/b|this brief>", id="a link with words"),
        pytest.param("<!date^1^{date}|1970>", "<!date^1^{date}|1970>", id="a date"),
        pytest.param("@design", "<!subteam^S_DESIGN>", id="a user group"),
        pytest.param("in #General, #1 and a#general", "in <#C_GENERAL>, #1 and a#general", id="a channel"),
    ],
)
def test_the_composer_makes_slacks_own_form_of_what_is_typed(typed: str, stored: str) -> None:
    groups = [UserGroup(id="S_DESIGN", handle="design")]
    channels = [Channel(id=GENERAL, name="general")]
    assert compose(typed, [User(id="U_AYA", name="aya")], groups, channels) == stored
