"""Of two people whose twins only prepare, one makes the draft theirs, and the other says nothing."""

from __future__ import annotations

import pytest

from bot.demo.demo import CHANNEL, REQUESTER, DemoSettings, running_demo
from bot.demo.event_panel import EventPanel
from bot.demo.negotiation.part import WINDOWS
from bot.demo.page import colleagues
from bot.registry import PROTOCOLS
from engine.directory.profile import Profiles
from engine.files.profiles import load_profiles
from engine.negotiation.policy import PRESETS

from .page_objects import Visits, message, opens_messages, seen, skips_ahead, skips_corrections, thread_of

pytestmark = pytest.mark.asyncio(loop_scope="session")

WORKSHOP = "A workshop for our designers in six weeks; we need UX design and product management"
JONAS, WISH = "U_JONAS_WEBER", "Five user tests with the clickable prototype"
TWINS = ("user_agent_jonas_weber", "user_agent_maya_patel")


async def test_a_draft_is_given_with_one_press_and_without_its_person_nothing_is_said(visits: Visits) -> None:
    known, people = colleagues(load_profiles())
    preparing = {each: known[each].model_copy(update={"twin": "prepares"}) for each in TWINS}
    profiles = Profiles({**known, **preparing})
    policy = PRESETS["balanced"].model_copy(update=WINDOWS)
    async with running_demo(DemoSettings(profiles, policy, PROTOCOLS), people) as demo:
        demo.workspace.show(EventPanel(demo))
        posted = await demo.mention(WORKSHOP)
        await demo.settle()
        you = await visits.open(demo.workspace.url, REQUESTER, f"{CHANNEL}/{posted.ts}")
        await skips_corrections(you)
        await seen(message(thread_of(you), "⏳ waits for Jonas Weber").first).to_be_visible()
        await seen(thread_of(you)).not_to_contain_text(WISH)

        jonas = await visits.open(demo.workspace.url, JONAS, CHANNEL)
        await opens_messages(jonas)
        part = message(jonas, "Your part").last
        await seen(part).to_contain_text(f"📝 Your twin would ask for a change – {WISH}")
        await seen(part).to_contain_text("If you say nothing, nobody takes it for a yes.")
        await part.get_by_role("button", name="Negotiate…").click()
        form = jonas.get_by_role("dialog", name="Ask for a change")
        await seen(form.get_by_role("textbox").first).to_have_value(f"{WISH} before anything is coded")
        await form.get_by_role("button", name="Cancel").click()
        await part.get_by_role("button", name="Make it mine").click()
        await seen(part).to_contain_text(f"💬 You ask for a change – {WISH}")
        await seen(part.get_by_role("button", name="Make it mine")).to_be_hidden()
        await seen(thread_of(you)).to_contain_text(WISH)

        await skips_ahead(you, "Half time in round 1", "Round 1 closes", "Half time in round 2")
        await seen(
            message(thread_of(you), "0 of 2 in favour · 1 asks for a change · 1 without an answer")
        ).to_be_visible()
        for each in (you, jonas):
            await each.goto("about:blank")
