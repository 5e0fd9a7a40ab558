"""Whatever people and apps write, it is text."""

from __future__ import annotations

from typing import Any

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import LocalWorkspace

from ..local_slack.conftest import AYA, BO, GENERAL
from .page_objects import Visits, message, seen, write

pytestmark = pytest.mark.asyncio(loop_scope="session")

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script> *<b>bold</b>* `<i>code</i>`",
    "<javascript:alert(1)|click me> &lt;svg onload=alert(1)&gt;",
    '<https://example.com/"onmouseover="alert(1)|x>',
    "```<iframe src=javascript:alert(1)>```",
    "> <a href='javascript:alert(1)'>quoted</a>",
)


async def test_no_text_comes_alive(workspace: LocalWorkspace, client: AsyncWebClient, visits: Visits) -> None:
    page = await visits.open(workspace.url, AYA, GENERAL)
    page.on("dialog", lambda dialog: visits.troubles.append(dialog.message))
    for text in HOSTILE:
        blocks: list[dict[str, Any]] = [
            {"type": "header", "text": {"type": "plain_text", "text": text}},
            {"type": "section", "text": {"type": "mrkdwn", "text": text}},
            {"type": "context", "elements": [{"type": "mrkdwn", "text": text}]},
        ]
        await workspace.person(BO).say(GENERAL, text)
        await client.chat_postMessage(channel=GENERAL, text=text, blocks=blocks)
        await write(page, text)
    await seen(page.get_by_role("main").get_by_role("article")).to_have_count(3 * len(HOSTILE))

    live = "#conversation :is(script, iframe, svg[onload], b, i, [onerror], [onmouseover], img:not([src='/mark.svg']))"
    await seen(page.locator(live)).to_have_count(0)
    await seen(page.locator("a[href^='javascript:' i]")).to_have_count(0)


async def test_slack_s_marks_are_read_and_nothing_else(
    workspace: LocalWorkspace, client: AsyncWebClient, visits: Visits
) -> None:
    text = "\n".join(
        (
            "*bold* _soft_ ~gone~ `x *y*` a_b_c 2*3*4",
            "<@U_BO> <#C_GENERAL> <!here> <!date^1800000000^{date_num}|then>",
            "<https://example.com/?a=1&amp;b=2|Example> and https://example.org/x.",
            "• one",
            "• two",
            "&gt; said",
            "```",
            "a &lt; b *c*",
            "```",
            "AT&amp;T :tada:",
        )
    )
    await client.chat_postMessage(channel=GENERAL, text=text)
    page = await visits.open(workspace.url, BO, GENERAL)
    said = message(page, "bold").locator(".text").first
    marked = ["bold", "soft", "gone", "x *y*", "a < b *c*"]
    await seen(said.locator("strong, em, s, code")).to_have_text(marked)
    await seen(said.locator("li")).to_have_text(["one", "two"])
    await seen(said.locator("blockquote")).to_have_text(["said"])
    await seen(said.locator(".mention.mine")).to_have_text(["@Bo", "@here"])
    links = said.locator("a")
    await seen(links).to_have_count(3)
    assert [await link.get_attribute("href") for link in await links.all()] == [
        "#/U_BO/C_GENERAL",
        "https://example.com/?a=1&b=2",
        "https://example.org/x",
    ]
    assert await links.nth(1).get_attribute("rel") == "noopener noreferrer"
    assert await said.locator("time").get_attribute("datetime") == "2027-01-15T08:00:00.000Z"
    await seen(said).to_contain_text("a_b_c 2*3*4")
    await seen(said).to_contain_text("AT&T 🎉")


async def test_the_browser_itself_refuses_html_and_scripts(workspace: LocalWorkspace, visits: Visits) -> None:
    page = await visits.open(workspace.url, AYA, GENERAL)
    refused = """() => {
        const refusals = [];
        try { document.createElement("p").innerHTML = "<b>x</b>"; } catch (error) { refusals.push(error.name); }
        try { document.createElement("script").text = "1"; } catch (error) { refusals.push(error.name); }
        return refusals;
    }"""
    assert await page.evaluate(refused) == ["TypeError", "TypeError"]
    visits.troubles.clear()  # they were told on the console, as they should be
