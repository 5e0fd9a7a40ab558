"""Behind the scenes, in the browser: what a newcomer does first, and what is there after a pause."""

from __future__ import annotations

import re

import pytest

from bot.demo.demo import CHANNEL, REQUESTER, DemoSettings, running_demo
from bot.demo.event_panel import EventPanel
from bot.demo.negotiation.part import SUGGESTIONS, on_the_page
from bot.demo.page import colleagues
from bot.local_slack import LocalWorkspace
from bot.registry import PROTOCOLS
from engine.files.profiles import load_profiles
from engine.negotiation.policy import PRESETS

from ..local_slack.conftest import AYA, CHANNELS, GENERAL, USERS
from ..local_slack.scripted_panel import NOON, ScriptedPanel
from .page_objects import PHONE, Visits, message, opens_panel, seen

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_newcomer_takes_a_suggestion_and_skips_to_the_end_of_a_round(visits: Visits) -> None:
    profiles, people = colleagues(load_profiles())
    async with running_demo(DemoSettings(profiles, on_the_page(PRESETS["balanced"]), PROTOCOLS), people) as demo:
        demo.workspace.show(EventPanel(demo))
        page = await visits.open(demo.workspace.url, REQUESTER, CHANNEL)
        panel = page.get_by_role("complementary", name="Behind the scenes")
        await seen(panel).to_contain_text("Nothing is waited for")

        await page.get_by_role("button", name=SUGGESTIONS[2]).press("Enter")
        composer = page.get_by_role("textbox", name="Message #general")
        await seen(composer).to_have_value(f"@ToWow {SUGGESTIONS[2]}")
        await seen(composer).to_be_focused()
        assert await demo.person().messages(CHANNEL) == []
        await composer.press("Enter")
        await seen(message(page, SUGGESTIONS[2]).get_by_role("link", name="replies")).to_be_visible()
        await seen(page.get_by_text("Try one of these demands")).to_be_hidden()

        await opens_panel(page)
        events = panel.get_by_role("list", name="Events, newest first")
        await seen(events.get_by_text("offer.submitted").first).to_be_visible()
        await seen(panel).to_contain_text("Offers close")
        await seen(panel.get_by_role("timer")).to_have_text(re.compile(r"^0:\d\d$"))
        ahead = panel.get_by_role("button", name="Skip ahead")
        await ahead.press("Enter")
        await seen(panel).to_contain_text("Half time in round 1")
        await seen(ahead).to_be_focused()
        await ahead.press("Enter")
        await seen(panel).to_contain_text("Round 1 closes")
        await seen(ahead).to_be_focused()
        await ahead.press("Enter")
        await seen(events).to_contain_text("round 2 of 5")
        await seen(events.get_by_text("feedback.evaluated")).to_have_count(1)

        await page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
        await ahead.press("Escape")
        await seen(events).to_be_hidden()
        await seen(panel.get_by_role("button", name="Behind the scenes", expanded=False)).to_be_focused()
        await seen(ahead).to_be_in_viewport(ratio=1)
        await page.goto("about:blank")


async def test_what_happened_while_nobody_listened_is_there_once(visits: Visits) -> None:
    panel = ScriptedPanel()
    panel.happen(2)
    async with LocalWorkspace(users=USERS, channels=CHANNELS, now=lambda: panel.now) as first:
        first.show(panel)
        page = await visits.open(first.url, AYA, GENERAL)
        rows = (await opens_panel(page)).get_by_role("list", name="Events, newest first").get_by_role("listitem")
        await seen(rows).to_have_count(2)
        panel.happen(2)
        await seen(rows).to_have_count(4)
        await seen(page.get_by_role("timer")).to_have_text(re.compile(r"^(1:00|0:\d\d)$"))
        await seen(page.get_by_role("status").filter(has_text="Tea is ready, in")).to_be_attached()

    port = int(first.url.rpartition(":")[2])
    panel.happen()
    async with LocalWorkspace(users=USERS, channels=CHANNELS, now=lambda: panel.now, port=port) as second:
        second.show(panel)
        await seen(rows).to_have_count(5)
        await page.get_by_role("button", name="Skip ahead").click()
        await seen(page.get_by_role("timer")).to_have_text("0:00")
        assert panel.now == NOON + 60
        await page.goto("about:blank")
