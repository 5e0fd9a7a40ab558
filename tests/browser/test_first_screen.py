"""What a newcomer sees first, how they find it again, and what helps whoever forgets to mention the app."""

from __future__ import annotations

import re
from typing import Final

import pytest

from bot.demo.demo import CHANNEL, REQUESTER, REQUESTER_NAME, DemoSettings, running_demo
from bot.demo.event_panel import EventPanel
from bot.demo.negotiation.part import SUGGESTIONS, WINDOWS
from bot.demo.page import begins, colleagues
from bot.registry import PROTOCOLS
from engine.files.profiles import load_profiles
from engine.negotiation.policy import Policy

from .page_objects import DESK, PHONE, Visits, message, seen, thread_of, write

pytestmark = pytest.mark.asyncio(loop_scope="session")

MAYA = "U_MAYA_PATEL"
ZOOMED = {"width": 640, "height": 400}
"""What is left of a screen of 1280 by 800 pixels at a zoom of 200%."""
HALF = {"width": 960, "height": 540}
"""The same of 1920 by 1080 pixels."""


async def test_the_first_screen_says_what_this_is_and_a_message_without_a_mention_is_helped_once(
    visits: Visits,
) -> None:
    profiles, people = colleagues(load_profiles())
    async with running_demo(DemoSettings(profiles, Policy(**WINDOWS), PROTOCOLS), people) as demo:
        demo.workspace.show(EventPanel(demo))
        url = demo.workspace.url
        you, maya = await visits.open(url, REQUESTER, CHANNEL), await visits.open(url, MAYA, CHANNEL)
        welcome = you.get_by_text("ToWow finds people who can do what you need")
        await seen(welcome).to_have_attribute("lang", "en")
        chinese = await visits.open(url, REQUESTER, CHANNEL, locale="zh-CN", color_scheme="dark")
        await chinese.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
        await seen(chinese.get_by_text("ToWow 会找到能帮上忙的人")).to_have_attribute("lang", "zh")
        for each in (you, chinese):
            own, others = (SUGGESTIONS[1:3], SUGGESTIONS[::3]) if each is you else (SUGGESTIONS[::3], SUGGESTIONS[1:3])
            for example in own:
                await seen(each.get_by_role("button", name=example)).to_be_visible()
            for example in others:
                await seen(each.get_by_role("button", name=example)).to_have_count(0)
            send = each.get_by_role("button", name="Send" if each is you else "发送", exact=True)
            await seen(send).to_be_in_viewport(ratio=1)

        await write(you, "Does anybody know a room?")
        hint = you.get_by_text("Only you see this: ToWow reads only messages that mention it")
        await seen(hint).to_be_visible()
        await seen(welcome).to_be_hidden()
        await seen(message(maya, "Does anybody know a room?")).to_be_visible()
        await seen(maya.get_by_text("Only you see this")).to_have_count(0)
        await you.get_by_role("button", name="Say it to @ToWow").click()
        field = you.get_by_role("textbox", name="Message #general")
        await seen(field).to_have_value("@ToWow Does anybody know a room?")
        await field.fill("")
        await write(you, "Never mind")
        await seen(message(you, "Never mind")).to_be_visible()
        await seen(hint).to_be_hidden()

        await seen(you.get_by_role("button", name=SUGGESTIONS[1])).to_be_hidden()
        await you.get_by_role("button", name="Examples").press("Enter")
        await you.get_by_role("button", name=SUGGESTIONS[1]).press("Enter")
        await seen(field).to_have_value(f"@ToWow {SUGGESTIONS[1]}")
        await seen(you.get_by_role("button", name="Examples", expanded=False)).to_be_visible()
        await maya.close()

        await field.fill("")
        posted = await demo.mention(SUGGESTIONS[1])
        await demo.settle()
        while not any("Proposal 1" in each.text for each in await demo.person().thread(CHANNEL, posted.ts)):
            assert await demo.skip()
            await demo.settle()
        await you.goto(f"{url}/#/{REQUESTER}/{CHANNEL}/{posted.ts}")
        panel = you.get_by_role("button", name="Behind the scenes")
        await seen(you.get_by_role("button", name="Behind the scenes", expanded=False)).to_be_visible()
        await panel.click()  # whoever chooses keeps what they chose
        accept = message(thread_of(you), "Proposal 1").get_by_role("button", name="Accept")
        for size in (ZOOMED, HALF, PHONE):
            await you.set_viewport_size({"width": size["width"], "height": size["height"]})
            await seen(you.get_by_role("button", name="Behind the scenes", expanded=True)).to_be_visible()
            await accept.click(trial=True)  # nothing lies over it
            await seen(accept).to_be_in_viewport(ratio=1)
            await seen(you.get_by_role("button", name="Skip ahead")).to_be_in_viewport(ratio=1)
            assert await you.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for each in (you, chinese):
            await each.goto("about:blank")


THEIRS: Final = "[lang], #panel li, .what, article, .avatar, noscript, .head h1 span, .head .soft, strong"
"""What people, apps and the engine said."""
FRAME: Final = """(theirs) => {
  const frame = document.body.cloneNode(true);
  for (const each of frame.querySelectorAll(theirs)) each.remove();
  const labels = ["aria-label", "title", "placeholder"].flatMap((name) =>
    [...frame.querySelectorAll(`[${name}]`)].map((each) => each.getAttribute(name)));
  return [frame.textContent, ...labels].join(" ");
}"""
"""What the page itself says."""
WORD: Final = re.compile(r"[A-Za-z]{3,}")
NAMES: Final = {"ToWow", "general", "Enter", "Shift", "Esc", "Sam", "Lee", "Maya", "Patel"}


async def test_whoever_comes_finds_a_thread_under_way_in_words_of_their_own(visits: Visits) -> None:
    profiles, people = colleagues(load_profiles())
    async with running_demo(DemoSettings(profiles, Policy(**WINDOWS), PROTOCOLS), people) as demo:
        demo.workspace.show(EventPanel(demo))
        await begins(demo)
        for size in (DESK, PHONE):
            you = await visits.open(demo.workspace.url, viewport=size)
            await seen(message(thread_of(you), "Proposal 1")).to_be_visible()
            await seen(
                you.get_by_text("ToWow finds people who can do what you need").locator("visible=true")
            ).to_have_count(1)
            examples = [you.get_by_role("button", name=each) for each in SUGGESTIONS[1:3]]
            for each in examples:
                await seen(each).to_be_in_viewport(ratio=1)
            await seen(you.get_by_role("button", name="Behind the scenes", expanded=False)).to_be_visible()
            await seen(thread_of(you)).to_contain_text(f"@{REQUESTER_NAME}")
            await examples[0].click()
            field = you.get_by_role("textbox", name="Message #general")
            await seen(field).to_have_value(f"@ToWow {SUGGESTIONS[1]}")
            await seen(field).to_be_focused()
            await seen(examples[0]).to_be_hidden()

        for size in (DESK, PHONE):
            chinese = await visits.open(demo.workspace.url, viewport=size, locale="zh-CN")
            await seen(chinese.get_by_text("ToWow 会找到能帮上忙的人").locator("visible=true")).to_have_count(1)
            await seen(chinese.get_by_role("button", name="幕后", expanded=False)).to_be_visible()
            assert set(WORD.findall(await chinese.evaluate(FRAME, THEIRS))) <= NAMES
            await chinese.goto("about:blank")
