"""The page of one story: opened from Slack, live, after a cut as well, by keyboard, dark, on a phone and on paper."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from bot.claude_config import ClaudeAccess
from bot.demo.demo import CHANNEL, REQUESTER, Demo, DemoSettings, running_demo
from bot.demo.page import colleagues, only_pages
from bot.local_slack import Message
from bot.registry import PROTOCOLS
from bot.views.negotiation.button_values import ACCEPT
from engine.files.profiles import load_profiles
from engine.negotiation.policy import Policy

from ..anthropic_server import LocalAnthropic
from .page_objects import DESK, PHONE, Visits, message, picks, seen, steps_of_coming_back, thread_of
from .team import EVENING

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = pytest.mark.asyncio(loop_scope="session")

DEMAND = "I want to host a 50-person AI meetup in Beijing on 20 May 2027; I need a venue and speakers"
LIN, CHEN = "U_LIN_XIAO", "U_CHEN_MO"

SCHEDULE = {"en": "What happens when", "zh": "时间安排"}

CONTRASTS = """() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const linear = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const [x, y, z] = [r, g, b].map((each) => linear(each / 255));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const below = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = parts(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const each of document.querySelectorAll("body *")) {
    const written = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!written || !each.checkVisibility()) continue;
    const style = getComputedStyle(each);
    const ink = each.namespaceURI.endsWith("svg") ? style.fill : style.color;
    const [a, b] = [light(parts(ink)), light(below(each))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) found.push(`${each.tagName} ${each.textContent.slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return found;
}"""
"""What is written with less contrast than WCAG 2.2 asks for (1.4.3, AA), as 4.5 to 1."""

NAMELESS = """() => {
  const named = (each) => each.getAttribute("aria-label") || each.textContent.trim()
    || document.getElementById((each.getAttribute("aria-labelledby") || "").split(" ")[0])?.textContent;
  const found = [...document.querySelectorAll("a, summary, nav, section, article, [role], [tabindex='0'], th")];
  const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
  const levels = [...document.querySelectorAll("h1, h2, h3, h4")].map((each) => Number(each.tagName[1]));
  return [
    ...found.filter((each) => !named(each) && each.id !== "live").map((each) => each.outerHTML.slice(0, 80)),
    ...ids.filter((each, at) => ids.indexOf(each) !== at),
    ...levels.filter((each, at) => at && each - levels[at - 1] > 1).map((each) => `h${each}`),
    ...(document.querySelectorAll("h1").length === 1 ? [] : ["one h1"]),
    ...(document.querySelectorAll("main").length === 1 ? [] : ["one main"]),
  ];
}"""
"""What has no name for a screen reader, an id twice, and headings that leave a level out."""


@asynccontextmanager
async def asked() -> AsyncIterator[Demo]:
    profiles, people = colleagues(load_profiles())
    policy = Policy(human_window=3600, override_window=3600)
    async with LocalAnthropic(key="") as model:
        model.always(EVENING)
        settings = DemoSettings(profiles, policy, PROTOCOLS, api=only_pages(), claude=ClaudeAccess("", model.url))
        async with running_demo(settings, people) as demo:
            await demo.mention(DEMAND)
            await demo.settle()
            await demo.skip()  # the time in which offers can be corrected
            await demo.settle()
            yield demo


async def follows(visits: Visits, url: str, **context: Any) -> Page:
    """Open a story's page in a browser profile of its own, in which nothing may go wrong."""
    profile = await visits.browser.new_context(
        **{"viewport": DESK, "locale": "en-US", "reduced_motion": "reduce", **context}
    )
    visits.closing.append(profile.close)
    page = await profile.new_page()
    page.on("pageerror", lambda error: visits.troubles.append(str(error)))
    page.on("console", lambda said: visits.troubles.append(said.text) if said.type == "error" else None)
    await page.goto(url)
    return page


async def link(demo: Demo) -> str:
    """Return the address of the page of the only negotiation there is."""
    [first, *_] = [
        each for each in await demo.towow.store.events(demo.tenant, 0, 1_000) if "collab-" in each.key.stream
    ]
    links = demo.towow.services.links
    assert links is not None
    return links.link(demo.tenant, first.key.stream, REQUESTER, demo.clock.now(), "en")


async def accepts(demo: Demo, user: str) -> None:
    """Accept in one's own direct message."""
    [card] = [each for each in await direct(demo, user) if ACCEPT in str(each.blocks)]
    assert (await demo.person(user).click(card.channel, card.ts, ACCEPT)).acked


async def direct(demo: Demo, user: str) -> list[Message]:
    person = demo.person(user)
    return await person.messages((await person.dm()).id)


async def test_a_story_is_opened_from_slack_and_changes_while_it_is_read(visits: Visits) -> None:
    async with asked() as demo:
        slack = await visits.open(demo.workspace.url, REQUESTER, CHANNEL)
        await message(slack, DEMAND).get_by_role("link", name="replies").click()
        await picks(thread_of(slack).get_by_role("listitem").nth(1), "Open page")
        address = await slack.get_by_role("dialog").get_by_text("Open in the browser").get_attribute("href")
        assert address is not None

        page = await follows(visits, address)
        lin = page.get_by_role("table", name="How everybody voted").get_by_role("row", name="林晓")
        await seen(page.get_by_role("heading", level=1)).to_have_text(DEMAND)
        await seen(lin).to_contain_text("(twin)")
        first = page.locator("summary").first
        await first.focus()
        await page.keyboard.press("Enter")
        is_open = await page.locator("details").first.get_attribute("open")

        await accepts(demo, LIN)

        await seen(lin).not_to_contain_text("(twin)")
        await seen(page.get_by_role("status")).to_have_text("The page has changed.")
        assert await page.locator("details").first.get_attribute("open") == is_open
        await seen(first).to_be_focused()

        assert demo.towow.api is not None
        for each in demo.towow.api.context.readers:
            each.drop()
        await seen(page.get_by_role("status")).to_have_text("The connection is lost; trying again…")
        await accepts(demo, CHEN)
        chen = page.get_by_role("table", name="How everybody voted").get_by_role("row", name="陈默")
        await seen(chen).not_to_contain_text("(twin)")
        await slack.goto("about:blank")
        await page.goto("about:blank")
    visits.troubles[:] = [each for each in visits.troubles if "ERR_" not in each]  # the connection that was cut


async def test_it_comes_back_in_ever_longer_steps(visits: Visits) -> None:
    async with asked() as demo:
        steps = await steps_of_coming_back(visits, await link(demo))
        assert steps == pytest.approx([3.0, 4.5, 6.75, 10.125, 15.19, 22.78, 30.0, 30.0], abs=0.02)


@pytest.mark.parametrize("language", ["en", pytest.param("zh", marks=pytest.mark.exhaustive)])
async def test_it_is_read_by_everybody_everywhere(visits: Visits, language: str) -> None:
    async with asked() as demo:
        while await demo.next_due() and await demo.skip():
            await demo.settle()
        address = (await link(demo)).replace("lang=en", f"lang={language}")
        for scheme in ("light", "dark"):
            page = await follows(visits, address, color_scheme=scheme)
            assert await page.evaluate(CONTRASTS) == []
            assert await page.evaluate(NAMELESS) == []
        assert await page.evaluate("() => document.documentElement.lang") == {"en": "en", "zh": "zh-Hans"}[language]
        await seen(page.get_by_role("img", name=SCHEDULE[language])).to_be_visible()

        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await seen(page.locator("#story")).to_be_focused()

        await page.emulate_media(media="print")
        await seen(page.get_by_role("navigation")).to_be_hidden()
        await page.locator("details").last.evaluate("each => { each.open = false; }")
        assert (await page.pdf()).startswith(b"%PDF")
        assert await page.locator("details:not([open])").count() == 0

        phone = await follows(visits, address, viewport=PHONE)
        assert await phone.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
        await phone.goto("about:blank")
        await page.goto("about:blank")
