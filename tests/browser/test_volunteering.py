"""Somebody who was not asked offers their help in the thread, and whoever asked takes it, in both languages."""

from __future__ import annotations

import pytest

from bot.demo.demo import CHANNEL, REQUESTER, DemoSettings, running_demo
from bot.demo.event_panel import EventPanel
from bot.demo.negotiation.part import SUGGESTIONS, WINDOWS
from bot.demo.page import colleagues
from bot.registry import PROTOCOLS
from engine.files.profiles import load_profiles
from engine.negotiation.policy import Policy

from .page_objects import PHONE, Visits, message, opens_messages, seen, thread_of, write

pytestmark = pytest.mark.asyncio(loop_scope="session")

WORKSHOP = SUGGESTIONS[2]
ZHOU, ASKS, HELP = "U_ZHOU_YU", "@towow 现在怎么样了？", "我可以帮忙拍照"


async def test_whoever_was_not_asked_offers_help_and_is_taken(visits: Visits) -> None:
    profiles, people = colleagues(load_profiles())
    async with running_demo(DemoSettings(profiles, Policy(**WINDOWS), PROTOCOLS), people) as demo:
        demo.workspace.show(EventPanel(demo))
        posted = await demo.mention(WORKSHOP)
        await demo.settle()
        url, where = demo.workspace.url, f"{CHANNEL}/{posted.ts}"
        zhou = await visits.open(url, ZHOU, where, color_scheme="dark")
        await seen(message(zhou, WORKSHOP).first.get_by_role("button", name="hourglass, 1: ToWow")).to_be_visible()
        await zhou.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
        await write(zhou, ASKS, "Reply")
        offering = thread_of(zhou).get_by_role("listitem").filter(has=zhou.get_by_role("button", name="我来帮忙…"))
        await seen(offering).to_contain_text("Only visible to you")
        await seen(offering.locator("[lang=zh]").first).to_be_visible()
        await offering.get_by_role("button", name="我来帮忙…").click()
        form = zhou.get_by_role("dialog", name="我来帮忙")
        await form.get_by_role("textbox").first.fill(HELP)
        await form.get_by_role("button", name="提交").click()
        await seen(form).to_be_hidden()
        assert await zhou.evaluate("document.documentElement.scrollWidth <= innerWidth")

        you = await visits.open(url, REQUESTER, CHANNEL)
        await opens_messages(you)
        asked = message(you, "somebody offers to help")
        await seen(asked).to_contain_text("我可以帮忙拍照")
        await asked.get_by_role("button", name="Ask them").click()
        await seen(asked).to_contain_text("✅ You asked them: what they wrote is their offer.")
        await seen(asked.get_by_role("button", name="No, thanks")).to_be_hidden()

        zhou = await visits.open(url, ZHOU, CHANNEL)
        await opens_messages(zhou)
        wanted = message(zhou, "需要你的帮助")
        await seen(wanted).to_contain_text("我可以帮忙拍照")
        await seen(wanted.get_by_role("button").first).to_be_visible()
        for each in (you, zhou):
            await each.goto("about:blank")
