"""Menus, confirmation dialogs, response_url, shortcuts, commands."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_bolt.context.respond.async_respond import AsyncRespond
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace, NotPossible, Person

from .conftest import AYA, BO, GENERAL, running
from .raw_connections import raw_connection
from .test_conversation import BUTTON, FORM

CONFIRM = {"title": {"type": "plain_text", "text": "Sure?"}, "text": {"type": "plain_text", "text": "It is final."}}
OPTIONS = [{"text": {"type": "plain_text", "text": one.title()}, "value": one} for one in ("red", "blue")]


async def card(client: AsyncWebClient, *elements: dict[str, Any]) -> str:
    """A message with these elements; its ts."""
    blocks = [{"type": "actions", "block_id": "row", "elements": list(elements)}]
    posted = await client.chat_postMessage(channel=GENERAL, text="Card", blocks=blocks)
    return str(posted["ts"])


@pytest.mark.parametrize(
    ("element", "chosen", "told"),
    [
        pytest.param({"type": "static_select", "options": OPTIONS}, "red", ("selected_option", "red"), id="select"),
        pytest.param({"type": "radio_buttons", "options": OPTIONS}, "blue", ("selected_option", "blue"), id="radio"),
        pytest.param({"type": "overflow", "options": OPTIONS}, "red", ("selected_option", "red"), id="overflow"),
        pytest.param({"type": "checkboxes", "options": OPTIONS}, ["blue"], ("selected_options", ["blue"]), id="boxes"),
        pytest.param({"type": "datepicker"}, "2030-01-02", ("selected_date", "2030-01-02"), id="date"),
        pytest.param({"type": "users_select"}, BO, ("selected_user", BO), id="user"),
    ],
)
async def test_a_choice_is_told_as_slack_tells_it(
    workspace: LocalWorkspace,
    client: AsyncWebClient,
    aya: Person,
    element: dict[str, Any],
    chosen: object,
    told: tuple[str, object],
) -> None:
    ts = await card(client, {**element, "action_id": "choice"})
    async with raw_connection(workspace) as tap:
        await tap.next()
        choosing = asyncio.create_task(aya.click(GENERAL, ts, "choice", chosen))
        payload = (await tap.next())["payload"]
        assert (await choosing).acked
    place, value = told
    [action] = payload["actions"]
    assert _values(action[place]) == value
    if element["type"] != "overflow":
        assert _values(payload["state"]["values"]["row"]["choice"][place]) == value


def _values(chosen: Any) -> object:
    if isinstance(chosen, list):
        return [_values(one) for one in chosen]
    return chosen["value"] if isinstance(chosen, dict) else chosen


async def test_a_confirmation_that_is_dismissed_sends_nothing(
    workspace: LocalWorkspace, client: AsyncWebClient, aya: Person
) -> None:
    ts = await card(client, {**BUTTON, "confirm": CONFIRM})
    outcome = await aya.click(GENERAL, ts, "accept", confirm=False)
    assert not outcome.sent
    assert outcome.confirm is not None
    assert outcome.confirm["title"]["text"] == "Sure?"
    assert (await workspace.admin.calls())["interactive"] == 0


async def test_what_is_not_there_cannot_be_clicked_and_the_person_learns_what_is(
    client: AsyncWebClient, aya: Person
) -> None:
    ts = await card(client, BUTTON)
    with pytest.raises(NotPossible, match=r"shows no element decline; it shows: row/accept\."):
        await aya.click(GENERAL, ts, "decline")


async def test_a_response_can_be_for_all_and_can_delete_what_was_clicked(
    workspace: LocalWorkspace, app: AsyncApp, client: AsyncWebClient, aya: Person, bo: Person
) -> None:
    @app.action("accept")
    async def accepted(ack: AsyncAck, respond: AsyncRespond) -> None:
        await respond("Aya accepted", response_type="in_channel")
        await respond(delete_original=True)
        await ack()

    async with running(app, workspace):
        ts = await card(client, BUTTON)
        await aya.click(GENERAL, ts, "accept")
    assert [message.text for message in await bo.messages(GENERAL)] == ["Aya accepted"]


async def test_an_ephemeral_card_is_replaced_for_its_reader(
    workspace: LocalWorkspace, app: AsyncApp, client: AsyncWebClient, aya: Person
) -> None:
    @app.action("accept")
    async def accepted(ack: AsyncAck, respond: AsyncRespond, body: dict[str, Any]) -> None:
        assert "message" not in body
        assert body["container"]["is_ephemeral"]
        await respond("Done", replace_original=True)
        await ack()

    async with running(app, workspace):
        blocks = [{"type": "actions", "elements": [BUTTON]}]
        posted = await client.chat_postEphemeral(channel=GENERAL, user=AYA, text="Accept?", blocks=blocks)
        assert (await aya.click(GENERAL, posted["message_ts"], "accept")).acked
    assert [message.text for message in await aya.messages(GENERAL)] == ["Done"]


async def test_shortcuts_reach_the_app_and_open_modals(workspace: LocalWorkspace, app: AsyncApp, aya: Person) -> None:
    about: list[str] = []

    @app.shortcut("demand")
    async def demand(ack: AsyncAck, shortcut: dict[str, Any], client: AsyncWebClient) -> None:
        about.append(shortcut.get("message", {}).get("text", "nothing"))
        await client.views_open(trigger_id=shortcut["trigger_id"], view=FORM)
        await ack()

    async with running(app, workspace):
        message = await aya.say(GENERAL, "we need a venue")
        assert (await aya.shortcut("demand", message)).modal is not None
        assert (await aya.shortcut("demand")).modal is not None
    assert about == ["we need a venue", "nothing"]


async def test_a_command_can_answer_everyone(workspace: LocalWorkspace, app: AsyncApp, aya: Person, bo: Person) -> None:
    @app.command("/towow")
    async def towow(ack: AsyncAck) -> None:
        await ack(text="For all", response_type="in_channel")

    async with running(app, workspace):
        await aya.slash(GENERAL, "/towow")
    assert [message.text for message in await bo.messages(GENERAL)] == ["For all"]


async def test_an_input_that_dispatches_tells_the_app_and_another_does_not(
    workspace: LocalWorkspace, app: AsyncApp, aya: Person
) -> None:
    typed: list[str] = []
    inputs = [
        {
            "type": "input",
            "block_id": name,
            "dispatch_action": dispatches,
            "label": {"type": "plain_text", "text": name},
            "element": {"type": "plain_text_input", "action_id": name},
        }
        for name, dispatches in (("live", True), ("still", False))
    ]

    @app.command("/towow")
    async def towow(ack: AsyncAck, body: dict[str, Any], client: AsyncWebClient) -> None:
        await client.views_open(trigger_id=body["trigger_id"], view={**FORM, "blocks": inputs})
        await ack()

    @app.action("live")
    async def live(ack: AsyncAck, action: dict[str, Any], body: dict[str, Any]) -> None:
        typed.append(action["value"])
        assert body["view"]["state"]["values"]["still"]["still"]["value"] == "quiet"
        await ack()

    async with running(app, workspace):
        modal = (await aya.slash(GENERAL, "/towow")).modal
        assert modal is not None
        assert not (await aya.act(modal, "still", "quiet")).sent
        assert (await aya.act(modal, "live", "loud")).acked
    assert typed == ["loud"]
