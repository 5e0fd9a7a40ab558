"""Payloads and responses match Slack's own types, where their schemas are available.

Every test of this folder validates what it sees (see schemas.py); these make sure that nothing is left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from typing import Any

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Channel, LocalWorkspace, Outcome, Person, Team, User
from bot.local_slack.web_api.methods import METHODS

from .conftest import AYA, BO, CHANNELS, USERS
from .raw_connections import RawConnection, raw_connection
from .schemas import EVENTS, INTERACTIONS, RESPONSES, SCHEMAS, check_envelope, check_response, checked
from .test_conversation import BUTTON, FORM

METADATA = {"event_type": "towow_post", "event_payload": {"key": "root"}}
CARD: list[dict[str, Any]] = [
    {"type": "section", "text": {"type": "mrkdwn", "text": "*Accept?*"}},
    {"type": "actions", "block_id": "vote", "elements": [BUTTON]},
]
FORM_CLOSED = {**FORM, "notify_on_close": True, "close": {"type": "plain_text", "text": "Cancel"}}
HOME = {"type": "home", "blocks": CARD}
EVE = User(id="U_EVE", name="eve", team_id="T_ELSEWHERE")
PLACES = (
    Channel(id="C_OPEN", name="open", members=[AYA]),
    Channel(id="C_SHARED", name="shared", members=[AYA, EVE.id]),
    Channel(id="G_CLOSED", name="closed", members=[AYA], is_private=True),
    Channel(id="D_AYA", members=[AYA], is_im=True, user=AYA),
    Channel(id="G_GROUP", name="mpdm-aya--bo-1", members=[AYA, BO], is_private=True, is_mpim=True),
    Channel(id="D_EVE", members=[EVE.id], is_im=True, user=EVE.id),
)
SPOTS = [
    pytest.param(AYA, "C_OPEN", id="in a channel"),
    pytest.param(AYA, "G_CLOSED", id="in a private channel"),
    pytest.param(AYA, "D_AYA", id="in a DM"),
    pytest.param(AYA, "G_GROUP", id="in a group DM"),
    pytest.param(EVE.id, "C_SHARED", id="an external person"),
    pytest.param(EVE.id, "D_EVE", id="an external person in a DM"),
]

needs_schemas = pytest.mark.skipif(not SCHEMAS.is_dir(), reason="Slack's payload schemas are not beside this checkout")


@pytest.fixture(params=[Team(), Team(enterprise_id="E_ORG", enterprise_name="Org")], ids=["workspace", "in an org"])
async def workspace(request: pytest.FixtureRequest) -> AsyncIterator[LocalWorkspace]:
    async with LocalWorkspace(
        users=[*USERS, EVE], channels=[*CHANNELS, *PLACES], team=request.param, redelivery_delays=()
    ) as workspace:
        yield workspace


@pytest.fixture
async def tap(workspace: LocalWorkspace) -> AsyncIterator[RawConnection]:
    async with raw_connection(workspace) as tap:
        yield tap


@pytest.fixture(autouse=True)
def _afresh() -> None:
    """Only what this test saw counts as checked."""
    checked.clear()


async def interaction(tap: RawConnection, doing: Awaitable[Outcome]) -> Outcome:
    """What came of it; the events before it are acknowledged."""
    acting = asyncio.ensure_future(doing)
    while (await tap.next())["type"] == "events_api":
        pass
    return await acting


async def opened(tap: RawConnection, client: AsyncWebClient, doing: Awaitable[Outcome]) -> Outcome:
    """The same for what lets the app open a modal."""
    acting = asyncio.ensure_future(doing)
    while (envelope := await tap.next(ack=False))["type"] == "events_api":
        await tap.acknowledge(envelope)
    await client.views_open(trigger_id=envelope["payload"]["trigger_id"], view=FORM_CLOSED)
    await tap.acknowledge(envelope)
    return await acting


# ── Everything there is, is checked ───────────────────────────────────────────────────────────────────────────────


def test_every_method_and_every_schema_has_its_place() -> None:
    assert set(RESPONSES) == set(METHODS)
    used = {found[0] for found in (*RESPONSES.values(), *EVENTS.values()) if found} | set(INTERACTIONS.values())
    at_hand = {file.stem for file in SCHEMAS.glob("*.json")} or used | {"Slash", "ROauth"}
    assert used | {"Slash"} == at_hand - {"ROauth"}  # apps are installed here without OAuth


@needs_schemas
def test_what_does_not_fit_is_found() -> None:
    with pytest.raises(AssertionError):
        check_response("chat.postMessage", {"ok": True, "message": {"ts": 1}})
    with pytest.raises(AssertionError):
        check_response("users.list", {"ok": True, "members": [{"id": "U"}, {"id": 1}]})
    with pytest.raises(AssertionError):
        check_envelope({"type": "events_api", "payload": {"event": {"type": "app_mention"}}})
    with pytest.raises(AssertionError):
        check_envelope({"type": "slash_commands", "payload": {"command": "/towow"}})


# ── Payloads ──────────────────────────────────────────────────────────────────────────────────────────────────────


@needs_schemas
@pytest.mark.parametrize(("who", "where"), SPOTS)
async def test_events(
    workspace: LocalWorkspace, client: AsyncWebClient, tap: RawConnection, who: str, where: str
) -> None:
    person = workspace.person(who)
    root = await person.say(where, "<@U_TOWOW> a venue, please")
    reply = await person.say(where, "for ten", thread_ts=root.ts)
    await person.edit(reply, "for twelve")
    posted = await client.chat_postMessage(channel=where, thread_ts=root.ts, text="On it", metadata=METADATA)
    await client.chat_postMessage(channel=where, thread_ts=root.ts, text="Look", reply_broadcast=True)
    await client.chat_update(channel=where, ts=posted["ts"], text="Done")
    await client.chat_delete(channel=where, ts=posted["ts"])
    await person.delete(root)
    await person.open_home()
    in_a_channel = not where.startswith("D")
    for _ in range(9 + in_a_channel):
        await tap.next()
    await workspace.admin.idle()
    expected = {"EvMessage", "EvChanged", "EvHome"} | ({"EvAppMention"} if in_a_channel else set())
    assert {schema for schema in checked if schema.startswith("Ev")} == expected


@needs_schemas
@pytest.mark.parametrize("in_a_thread", [False, True], ids=["", "in a thread"])
@pytest.mark.parametrize(("who", "where"), SPOTS)
async def test_clicks_and_modals(
    workspace: LocalWorkspace, client: AsyncWebClient, tap: RawConnection, who: str, where: str, in_a_thread: bool
) -> None:
    person = workspace.person(who)
    root = await person.say(where, "a venue, please")
    thread = root.ts if in_a_thread else None
    card = await client.chat_postMessage(channel=where, thread_ts=thread, text="Accept?", blocks=CARD)
    submitted = (await opened(tap, client, person.click(where, card["ts"], "accept"))).modal
    assert submitted is not None
    assert (await interaction(tap, person.submit(submitted, {"why": {"text": "I can host"}}))).modal is None
    closed = (await opened(tap, client, person.click(where, card["ts"], "accept"))).modal
    assert closed is not None
    assert (await interaction(tap, person.close(closed))).acked
    own = await client.chat_postEphemeral(channel=where, user=who, thread_ts=thread, text="Accept?", blocks=CARD)
    assert (await interaction(tap, person.click(where, own["message_ts"], "accept"))).acked
    assert {"ButtonBlockAction", "ViewSubmission", "ViewClosed", "RViews", "REph"} <= checked


@needs_schemas
@pytest.mark.parametrize(("who", "where"), SPOTS)
async def test_commands_and_shortcuts(workspace: LocalWorkspace, tap: RawConnection, who: str, where: str) -> None:
    person = workspace.person(who)
    message = await person.say(where, "a venue, please")
    for doing in (
        person.slash(where, "/towow", "a venue"),
        person.shortcut("demand", message),
        person.shortcut("demand"),
    ):
        assert (await interaction(tap, doing)).acked
    assert {"Slash", "MsgShortcut", "GlobShortcut"} <= checked


@needs_schemas
@pytest.mark.parametrize("who", [AYA, EVE.id], ids=["one of us", "an external person"])
async def test_buttons_of_views(
    workspace: LocalWorkspace, client: AsyncWebClient, tap: RawConnection, who: str
) -> None:
    person: Person = workspace.person(who)
    await client.views_publish(user_id=who, view=HOME)
    home = await person.open_home()
    assert home is not None
    modal = (await opened(tap, client, person.act(home, "accept"))).modal
    assert modal is not None
    with_button = await client.views_update(view_id=modal.id, view={**FORM_CLOSED, "blocks": CARD})
    assert with_button["view"]["id"] == modal.id
    assert (await interaction(tap, person.act((await person.modals())[-1], "accept"))).acked
    assert {"EvHome", "ButtonBlockAction", "RViews"} <= checked


@needs_schemas
async def test_files_in_messages(workspace: LocalWorkspace, client: AsyncWebClient, tap: RawConnection) -> None:
    await client.files_upload_v2(filename="plan.md", content="# Plan", channel="C_OPEN", initial_comment="Here it is")
    await tap.next()
    await workspace.admin.idle()
    await client.conversations_history(channel="C_OPEN")
    assert {"EvMessage", "RReplies"} <= checked


# ── Responses ─────────────────────────────────────────────────────────────────────────────────────────────────────


@needs_schemas
@pytest.mark.parametrize(("who", "where"), SPOTS)
async def test_responses(workspace: LocalWorkspace, client: AsyncWebClient, who: str, where: str) -> None:
    person = workspace.person(who)
    await client.auth_test()
    await client.apps_connections_open(app_token=workspace.app_token)
    posted = await client.chat_postMessage(channel=where, text="Accept?", blocks=CARD, metadata=METADATA)
    await client.chat_postMessage(channel=where, text="more", thread_ts=posted["ts"], reply_broadcast=True)
    await client.chat_update(channel=where, ts=posted["ts"], text="Accepted", blocks=CARD)
    await person.say(where, "I can host", thread_ts=posted["ts"])
    await client.conversations_replies(channel=where, ts=posted["ts"], include_all_metadata=True)
    await client.chat_delete(channel=where, ts=posted["ts"])  # now there is a tombstone
    await client.conversations_replies(channel=where, ts=posted["ts"])
    await client.conversations_history(channel=where, include_all_metadata=True)
    await client.chat_postEphemeral(channel=where, user=who, text="you")
    await client.users_info(user=who, include_locale=True)
    await client.users_list()
    await client.conversations_open(users=who, return_im=True)
    await client.conversations_info(channel=where, include_num_members=True)
    await client.conversations_list(types="public_channel,private_channel,im,mpim")
    await client.users_conversations(types="public_channel,private_channel,im,mpim")
    await client.conversations_join(channel="C_QUIET")
    expected = {found[0] for found in RESPONSES.values() if found} - {"RViews"}
    assert checked == expected
