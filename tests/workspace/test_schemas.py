"""Payloads and responses are what Slack's own types say, where those schemas are at hand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from slack_sdk.web.async_client import AsyncWebClient

from bot.workspace import LocalWorkspace, Person, Team

from .conftest import AYA, BO, CHANNELS, GENERAL, USERS, client_of
from .test_conversation import BUTTON, FORM
from .wiretap import Wiretap, tapped

SCHEMAS = Path(__file__).parents[2].parent / "shared" / "slack" / "payloads"
CARD: list[dict[str, Any]] = [
    {"type": "section", "text": {"type": "mrkdwn", "text": "*Accept?*"}},
    {"type": "actions", "block_id": "vote", "elements": [BUTTON]},
]
FORM_CLOSED = {**FORM, "notify_on_close": True, "close": {"type": "plain_text", "text": "Cancel"}}

pytestmark = pytest.mark.skipif(not SCHEMAS.is_dir(), reason="Slack's payload schemas are not beside this checkout")


def fits(name: str, payload: Any) -> None:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    problems = [f"{error.json_path}: {error.message}" for error in Draft7Validator(schema).iter_errors(_known(payload))]
    assert problems == []


def _known(value: Any) -> Any:
    """The value without what Slack sends and its published types forgot: `enterprise: null`."""
    if isinstance(value, dict):
        return {name: _known(one) for name, one in value.items() if (name, one) != ("enterprise", None)}
    return [_known(one) for one in value] if isinstance(value, list) else value


@pytest.fixture(params=[Team(), Team(enterprise_id="E_ORG", enterprise_name="Org")], ids=["workspace", "in an org"])
async def workspace(request: pytest.FixtureRequest) -> AsyncIterator[LocalWorkspace]:
    async with LocalWorkspace(users=USERS, channels=CHANNELS, team=request.param) as workspace:
        yield workspace


@asynccontextmanager
async def card_and_tap(workspace: LocalWorkspace) -> AsyncIterator[tuple[str, Wiretap]]:
    """A card with a button in #general, and a connection that has seen it posted."""
    async with tapped(workspace) as tap:
        card = await client_of(workspace).chat_postMessage(channel=GENERAL, text="Accept?", blocks=CARD)
        await tap.next()
        yield card["ts"], tap


async def test_events(workspace: LocalWorkspace, aya: Person) -> None:
    async with tapped(workspace) as tap:
        root = await aya.say(GENERAL, "<@U_TOWOW> a venue, please")
        both = {(event := (await tap.next())["payload"]["event"])["type"]: event for _ in range(2)}
        # The published type asks every mention to have been edited.
        fits("EvAppMention", both["app_mention"] | {"edited": {"user": AYA, "ts": root.ts}})
        fits("EvMessage", both["message"])
        reply = await aya.say(GENERAL, "for ten", thread_ts=root.ts)
        fits("EvMessage", (await tap.next())["payload"]["event"])
        await aya.edit(reply, "for twelve")
        fits("EvChanged", (await tap.next())["payload"]["event"])
        await aya.open_home()
        fits("EvHome", (await tap.next())["payload"]["event"])


async def test_clicks_and_modals(workspace: LocalWorkspace, aya: Person) -> None:
    client = client_of(workspace)
    async with card_and_tap(workspace) as (ts, tap):
        for schema in ("ViewSubmission", "ViewClosed"):
            click = asyncio.create_task(aya.click(GENERAL, ts, "accept"))
            envelope = await tap.next(ack=False)
            fits("ButtonBlockAction", envelope["payload"])
            opened = await client.views_open(trigger_id=envelope["payload"]["trigger_id"], view=FORM_CLOSED)
            # A view without one below it has `previous_view_id: null`, which the response's type leaves out.
            view = {name: value for name, value in opened["view"].items() if value is not None}
            fits("RViews", {"ok": opened["ok"], "view": view})
            await tap.acknowledge(envelope)
            modal = (await click).modal
            assert modal is not None
            if schema == "ViewSubmission":
                ending = asyncio.create_task(aya.submit(modal, {"why": {"text": "I can host"}}))
            else:
                ending = asyncio.create_task(aya.close(modal))
            fits(schema, (await tap.next())["payload"])
            await ending


async def test_commands_and_shortcuts(workspace: LocalWorkspace, aya: Person) -> None:
    async with card_and_tap(workspace) as (ts, tap):
        [message] = await aya.messages(GENERAL)
        assert message.ts == ts
        for schema, doing in (
            ("Slash", aya.slash(GENERAL, "/towow", "a venue")),
            ("MsgShortcut", aya.shortcut("demand", message)),
            ("GlobShortcut", aya.shortcut("demand")),
        ):
            acting = asyncio.create_task(doing)
            fits(schema, (await tap.next())["payload"])
            assert (await acting).acked


async def test_responses(workspace: LocalWorkspace, client: AsyncWebClient, aya: Person) -> None:
    fits("RAuth", (await client.auth_test()).data)
    fits("RConn", (await client.apps_connections_open(app_token=workspace.app_token)).data)
    metadata = {"event_type": "post", "event_payload": {"key": "root"}}
    posted = await client.chat_postMessage(channel=GENERAL, text="Accept?", blocks=CARD, metadata=metadata)
    fits("RPost", posted.data)
    reply = await client.chat_postMessage(channel=GENERAL, text="more", thread_ts=posted["ts"], reply_broadcast=True)
    fits("RPost", reply.data)
    fits("RUpdate", (await client.chat_update(channel=GENERAL, ts=posted["ts"], text="Accepted", blocks=CARD)).data)
    thread = await client.conversations_replies(channel=GENERAL, ts=posted["ts"], include_all_metadata=True)
    fits("RReplies", thread.data)
    fits("REph", (await client.chat_postEphemeral(channel=GENERAL, user=AYA, text="you")).data)
    fits("RUser", (await client.users_info(user=BO, include_locale=True)).data)
    fits("RDm", (await client.conversations_open(users=AYA, return_im=True)).data)
