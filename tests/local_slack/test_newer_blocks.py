"""Plans, task cards, containers, tables and feedback buttons: what is taken, and what an older workspace says."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace, NotPossible, Person
from bot.local_slack.blocks import block_problems

from .conftest import GENERAL
from .raw_connections import raw_connection

SECTION: dict[str, Any] = {"type": "section", "text": {"type": "mrkdwn", "text": "Inside"}}
CARD: dict[str, Any] = {"type": "task_card", "task_id": "1", "title": "Book the room", "status": "pending"}
PLAN: dict[str, Any] = {"type": "plan", "title": "Tasks", "tasks": [CARD]}
CONTAINER: dict[str, Any] = {
    "type": "container", "title": {"type": "plain_text", "text": "More"}, "is_collapsible": True,
    "default_collapsed": True, "child_blocks": [SECTION],
}  # fmt: skip
GOOD: dict[str, Any] = {"text": {"type": "plain_text", "text": "Good"}, "value": "good"}
BAD: dict[str, Any] = {"text": {"type": "plain_text", "text": "Bad"}, "value": "bad"}
BUTTONS: dict[str, Any] = {
    "type": "feedback_buttons", "action_id": "rate", "positive_button": GOOD, "negative_button": BAD,
}  # fmt: skip
FEEDBACK: dict[str, Any] = {"type": "context_actions", "elements": [BUTTONS]}


def row(*said: str) -> list[dict[str, Any]]:
    return [{"type": "raw_text", "text": each} for each in said]


TABLE: dict[str, Any] = {"type": "data_table", "caption": "People", "rows": [row("Who", "What"), row("Aya", "A room")]}
RICH: dict[str, Any] = {"type": "rich_text", "elements": []}
NEWER = [pytest.param(each, id=each["type"]) for each in (CARD, PLAN, CONTAINER, FEEDBACK, TABLE)]


def feedback(**changed: Any) -> dict[str, Any]:
    return FEEDBACK | {"elements": [{**BUTTONS, **changed}]}


@pytest.mark.parametrize("block", NEWER)
def test_they_stand_in_messages_only(block: dict[str, Any]) -> None:
    assert block_problems([block], "message") == []
    assert block_problems([block], "modal")
    assert block_problems([block], "home")


@pytest.mark.parametrize(
    ("block", "why"),
    [
        pytest.param(CARD | {"status": "completed"}, "must be one of", id="another status"),
        pytest.param(PLAN | {"tasks": [SECTION]}, "must be a task_card", id="a plan of something else"),
        pytest.param(PLAN | {"tasks": [CARD | {"title": None}]}, "missing required field: title", id="no title"),
        pytest.param({**CONTAINER, "title": None}, "title or rich_text_title", id="a container without a title"),
        pytest.param(CONTAINER | {"child_blocks": [SECTION] * 11}, "no more than 10", id="eleven in a container"),
        pytest.param(CONTAINER | {"child_blocks": [PLAN]}, "unsupported type: plan", id="a plan in a container"),
        pytest.param(CONTAINER | {"is_collapsible": False}, "requires is_collapsible", id="closed for ever"),
        pytest.param(feedback(negative_button=None), "missing required field: negative", id="half of the buttons"),
        pytest.param(feedback(positive_button=GOOD | {"value": None}), "required field: value", id="no value"),
        pytest.param(feedback(positive_button=GOOD | {"type": "button"}), "property: type", id="a button's type"),
        pytest.param(feedback(positive_button=GOOD | {"value": "x" * 2001}), "less than 2001", id="a long value"),
        pytest.param(feedback(confirm={}), "property: confirm", id="a question before feedback"),
        pytest.param(FEEDBACK | {"elements": [GOOD | {"type": "button"}]}, "unsupported type: button", id="a button"),
        pytest.param(TABLE | {"caption": ""}, "more than 0 characters", id="a table without a caption"),
        pytest.param(TABLE | {"rows": [row("Who")]}, "from 2 to 101 rows", id="nothing but a header"),
        pytest.param(TABLE | {"rows": [row("Who")] * 102}, "from 2 to 101 rows", id="too many rows"),
        pytest.param(TABLE | {"rows": [row("Who"), row("Aya", "Bo")]}, "same number of cells", id="a wider row"),
        pytest.param(TABLE | {"rows": [row("x") * 21, row("x") * 21]}, "from 1 to 20", id="too many columns"),
        pytest.param(TABLE | {"rows": [row("Who"), row("")]}, "more than 0 characters", id="an empty cell"),
        pytest.param(TABLE | {"rows": [row("Who"), row("x" * 10_000)]}, "less than 10001", id="too much text"),
        pytest.param(TABLE | {"rows": [[SECTION], row("x")]}, "unsupported type: section", id="a block in a cell"),
        pytest.param(TABLE | {"rows": [[RICH], row("x")]}, "unsupported type: rich_text", id="a rich header"),
        pytest.param(TABLE | {"page_size": 0}, "from 1 to 100", id="a page of nothing"),
        pytest.param(TABLE | {"row_header_column_index": 2}, "index of a column", id="no such column"),
    ],
)
def test_what_is_wrong_is_said(block: dict[str, Any], why: str) -> None:
    assert why in "; ".join(block_problems([block], "message"))


@pytest.mark.parametrize("block", NEWER)
async def test_an_older_workspace_refuses_them(
    workspace: LocalWorkspace, bo: Person, client: AsyncWebClient, block: dict[str, Any]
) -> None:
    posted = await client.chat_postMessage(channel=GENERAL, text="plan", blocks=[block])
    await workspace.admin.surfaces(blocks=False)
    with pytest.raises(SlackApiError, match="invalid_blocks"):
        await client.chat_postMessage(channel=GENERAL, text="plan", blocks=[block])
    with pytest.raises(SlackApiError, match="invalid_blocks"):
        await client.chat_update(channel=GENERAL, ts=posted["ts"], text="plan", blocks=[block])
    await client.chat_update(channel=GENERAL, ts=posted["ts"], text="plan", blocks=[SECTION])
    [message] = await bo.messages(GENERAL)
    assert message.blocks[0]["type"] == "section"


async def test_whoever_presses_feedback_sends_the_value_and_the_text_of_that_button(
    workspace: LocalWorkspace, bo: Person, client: AsyncWebClient
) -> None:
    posted = await client.chat_postMessage(channel=GENERAL, text="How is it?", blocks=[FEEDBACK])
    with pytest.raises(NotPossible, match="no button with the value neither"):
        await bo.click(GENERAL, posted["ts"], "rate", "neither")
    async with raw_connection(workspace) as tap:
        await tap.next()
        pressing = asyncio.create_task(bo.click(GENERAL, posted["ts"], "rate", "bad"))
        [action] = (await tap.next())["payload"]["actions"]
        await pressing
    assert {name: action[name] for name in ("type", "action_id", "value", "text")} == {
        "type": "feedback_buttons", "action_id": "rate", "value": "bad", "text": BAD["text"] | {"emoji": True},
    }  # fmt: skip


async def test_a_message_may_be_checked_without_being_posted(workspace: LocalWorkspace, client: AsyncWebClient) -> None:
    message = {"text": "People", "blocks": [TABLE, FEEDBACK]}
    assert (await client.blocks_validate(message=json.dumps(message)))["ok"]
    with pytest.raises(SlackApiError) as refused:
        await client.blocks_validate(message=json.dumps({"blocks": [TABLE | {"caption": ""}]}))
    assert refused.value.response["error"] == "invalid_message"
    assert [each["pointer"] for each in refused.value.response["errors"]] == ["/blocks/0/caption"]
    with pytest.raises(SlackApiError, match="invalid_view"):
        await client.blocks_validate(view=json.dumps({"type": "home", "blocks": [TABLE]}))
    with pytest.raises(SlackApiError, match="invalid_arguments"):
        await client.blocks_validate()
    await workspace.admin.surfaces(blocks=False)
    with pytest.raises(SlackApiError, match="invalid_message"):
        await client.blocks_validate(message=json.dumps(message))
