"""The unchanged Bolt app talks with people through the workspace."""

from __future__ import annotations

from typing import Any

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_bolt.context.respond.async_respond import AsyncRespond
from slack_bolt.context.say.async_say import AsyncSay
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace, Person

from .conftest import GENERAL, running

BUTTON = {"type": "button", "action_id": "accept", "text": {"type": "plain_text", "text": "Accept"}, "value": "yes"}
FORM = {
    "type": "modal",
    "callback_id": "form",
    "title": {"type": "plain_text", "text": "Why?"},
    "submit": {"type": "plain_text", "text": "Send"},
    "private_metadata": "demand-1",
    "blocks": [
        {
            "type": "input",
            "block_id": "why",
            "label": {"type": "plain_text", "text": "Reason"},
            "element": {"type": "plain_text_input", "action_id": "text", "min_length": 3},
        }
    ],
}


async def test_a_mention_is_heard_as_two_events_and_answered_in_its_thread(
    workspace: LocalWorkspace, app: AsyncApp, aya: Person
) -> None:
    heard: list[str] = []

    @app.event("message")
    async def message(event: dict[str, Any]) -> None:
        heard.append(event["type"])

    @app.event("app_mention")
    async def mention(event: dict[str, Any], say: AsyncSay) -> None:
        heard.append(event["type"])
        await say(f"Hello <@{event['user']}>", thread_ts=event["ts"])

    async with running(app, workspace):
        posted = await aya.say(GENERAL, "<@U_TOWOW> I need a venue")
        reply = await aya.until_message(GENERAL, lambda it: it.text == "Hello <@U_AYA>", thread_ts=posted.ts)
        await workspace.admin.idle()
    assert sorted(heard) == ["app_mention", "message"]
    assert reply.thread_ts == posted.ts
    assert [message.ts for message in await aya.thread(GENERAL, posted.ts)] == [posted.ts, reply.ts]


async def test_a_click_is_acknowledged_and_the_card_changes_through_its_response_url(
    workspace: LocalWorkspace, app: AsyncApp, aya: Person, client: AsyncWebClient
) -> None:
    @app.action("accept")
    async def accepted(ack: AsyncAck, respond: AsyncRespond, action: dict[str, Any]) -> None:
        await respond(text=f"Accepted: {action['value']}", replace_original=True)
        await ack()

    async with running(app, workspace):
        card = await client.chat_postMessage(
            channel=GENERAL, text="Accept?", blocks=[{"type": "actions", "elements": [BUTTON]}]
        )
        outcome = await aya.click(GENERAL, card["ts"], "accept")
    assert outcome.acked
    assert outcome.modal is None
    [message] = await aya.messages(GENERAL)
    assert (message.text, message.blocks) == ("Accepted: yes", [])


async def test_a_click_opens_a_modal_that_is_checked_by_the_client_and_then_by_the_app(
    workspace: LocalWorkspace, app: AsyncApp, aya: Person, client: AsyncWebClient
) -> None:
    submitted: list[dict[str, Any]] = []

    @app.action("accept")
    async def accepted(ack: AsyncAck, client: AsyncWebClient, body: dict[str, Any]) -> None:
        await client.views_open(trigger_id=body["trigger_id"], view=FORM)
        await ack()

    @app.view("form")
    async def form(ack: AsyncAck, view: dict[str, Any]) -> None:
        submitted.append(view)
        if view["state"]["values"]["why"]["text"]["value"] == "because":
            await ack(response_action="errors", errors={"why": "Say more."})
        else:
            await ack()

    async with running(app, workspace):
        card = await client.chat_postMessage(
            channel=GENERAL, text="Accept?", blocks=[{"type": "actions", "elements": [BUTTON]}]
        )
        modal = (await aya.click(GENERAL, card["ts"], "accept")).modal
        assert modal is not None
        empty = await aya.submit(modal)
        assert empty.errors == {"why": "Please complete this required field."}
        short = await aya.submit(modal, {"why": {"text": "ab"}})
        assert short.errors == {"why": "Please enter at least 3 characters."}
        assert submitted == []
        refused = await aya.submit(modal, {"why": {"text": "because"}})
        assert refused.errors == {"why": "Say more."}
        done = await aya.submit(modal, {"why": {"text": "I can host"}})
    assert done.acked
    assert done.modal is None
    assert await aya.modals() == []
    assert [view["private_metadata"] for view in submitted] == ["demand-1", "demand-1"]


async def test_a_slash_command_is_answered_for_the_person_who_typed_it_only(
    workspace: LocalWorkspace, app: AsyncApp, aya: Person, bo: Person
) -> None:
    @app.command("/towow")
    async def towow(ack: AsyncAck, command: dict[str, Any]) -> None:
        await ack(f"You said: {command['text']}")

    async with running(app, workspace):
        outcome = await aya.slash(GENERAL, "/towow", "a venue")
    assert outcome.message is not None
    assert [message.text for message in await aya.messages(GENERAL)] == ["You said: a venue"]
    assert await bo.messages(GENERAL) == []
