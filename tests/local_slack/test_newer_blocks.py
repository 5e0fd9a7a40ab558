"""Plans, task cards and containers: what is taken, and what an older workspace says to them."""

from __future__ import annotations

from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace, Person
from bot.local_slack.blocks import block_problems

from .conftest import GENERAL

SECTION: dict[str, Any] = {"type": "section", "text": {"type": "mrkdwn", "text": "Inside"}}
CARD: dict[str, Any] = {"type": "task_card", "task_id": "1", "title": "Book the room", "status": "pending"}
PLAN: dict[str, Any] = {"type": "plan", "title": "Tasks", "tasks": [CARD]}
CONTAINER: dict[str, Any] = {
    "type": "container", "title": {"type": "plain_text", "text": "More"}, "is_collapsible": True,
    "default_collapsed": True, "child_blocks": [SECTION],
}  # fmt: skip
NEWER = [pytest.param(each, id=each["type"]) for each in (CARD, PLAN, CONTAINER)]


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
