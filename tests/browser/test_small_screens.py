"""What was in the way: toolbars over texts, names that nobody says, and dialogs of another browser."""

from __future__ import annotations

from typing import Any, Final

import pytest
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace

from ..local_slack.conftest import AYA, BO, GENERAL, running
from .page_objects import PHONE, Visits, message, seen

pytestmark = pytest.mark.asyncio(loop_scope="session")

LONG: Final = "A sentence that fills the whole width of a phone, and then some more, up to its very edge"
OVER: Final = """(row) => {
  const tools = row.querySelector(".tools").getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(row.querySelector("article"));
  return [...range.getClientRects()].filter((each) =>
    each.right > tools.left && each.left < tools.right && each.bottom > tools.top && each.top < tools.bottom).length;
}"""
"""How many lines of a message its toolbar lies over."""


async def test_on_a_phone_no_toolbar_lies_over_a_text(workspace: LocalWorkspace, visits: Visits) -> None:
    for number in range(2):  # the second has no line of its own for its author
        await workspace.person(BO).say(GENERAL, f"{number} {LONG}")
    page = await visits.open(workspace.url, AYA, GENERAL, has_touch=True, is_mobile=True)
    await page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    for number in range(2):
        row = message(page, f"{number} {LONG}")
        await seen(row.get_by_role("button", name="More actions")).to_be_visible()
        assert await row.evaluate(OVER) == 0


async def test_a_reaction_is_named_in_words(workspace: LocalWorkspace, visits: Visits) -> None:
    said = await workspace.person(BO).say(GENERAL, "Done")
    for name in ("white_check_mark", "raised_hand"):
        await workspace.person(BO).react(said, name)
    page = await visits.open(workspace.url, AYA, GENERAL)
    await seen(page.get_by_role("button", name="check mark, 1: Bo", exact=True)).to_be_visible()
    await seen(page.get_by_role("button", name="raised hand, 1: Bo", exact=True)).to_be_visible()


async def test_a_dialog_is_seen_in_the_browser_alone_in_which_it_was_opened(
    workspace: LocalWorkspace, app: AsyncApp, client: AsyncWebClient, visits: Visits
) -> None:
    button = {"type": "button", "action_id": "open", "text": {"type": "plain_text", "text": "Open"}}
    shown: dict[str, Any] = {"type": "modal", "title": {"type": "plain_text", "text": "A form"}, "blocks": []}
    shown["blocks"] = [{"type": "section", "text": {"type": "mrkdwn", "text": "Say what you need."}}]

    @app.action("open")
    async def opens(ack: AsyncAck, body: dict[str, Any]) -> None:
        await client.views_open(trigger_id=body["trigger_id"], view=shown)
        await ack()

    async with running(app, workspace):
        await client.chat_postMessage(channel=GENERAL, text="Card", blocks=[{"type": "actions", "elements": [button]}])
        one, other = [await visits.open(workspace.url, AYA, GENERAL) for _ in range(2)]
        await one.get_by_role("button", name="Open", exact=True).click()
        await seen(one.get_by_role("dialog", name="A form")).to_be_visible()
        await other.reload()
        await other.get_by_role("button", name="Open", exact=True).click(trial=True)
        await seen(other.get_by_role("dialog")).to_have_count(0)

        await other.get_by_role("button", name="Open", exact=True).click()
        await seen(other.get_by_role("dialog", name="A form")).to_be_visible()
        await seen(one.get_by_role("dialog", name="A form")).to_be_visible()
        await one.reload()
        await seen(one.get_by_role("dialog", name="A form")).to_be_visible()
