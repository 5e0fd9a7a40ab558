"""The whole product in the browser: a demand goes in, people answer it in the thread and in their DMs."""

from __future__ import annotations

import pytest

from bot.demo.demo import CHANNEL, REQUESTER, DemoSettings, running_demo
from bot.demo.page import colleagues
from bot.registry import PROTOCOLS
from engine.files.profiles import load_profiles
from engine.negotiation.policy import Policy

from .page_objects import Visits, message, seen, write

pytestmark = pytest.mark.asyncio(loop_scope="session")

DEMAND = "我想在北京办一场50人的AI主题聚会，需要场地和嘉宾"


async def test_a_demand_is_asked_and_a_person_answers_instead_of_their_twin(visits: Visits) -> None:
    profiles, people = colleagues(load_profiles())
    settings = DemoSettings(profiles, Policy(human_window=3600, override_window=3600), PROTOCOLS)
    async with running_demo(settings, people) as demo:
        you = await visits.open(demo.workspace.url, REQUESTER, CHANNEL)
        await write(you, f"@towow {DEMAND}")
        await message(you, DEMAND).get_by_role("link", name="replies").click()
        thread = you.get_by_role("complementary", name="Thread")
        await seen(thread.get_by_role("button", name="同意")).to_be_visible()
        await thread.get_by_role("link", name="去投票").click()
        proposal = message(thread, "第 1 版方案")
        await seen(proposal).to_be_focused()
        await seen(proposal).to_be_in_viewport()

        lin = await visits.open(demo.workspace.url, "U_LIN_XIAO")
        await seen(lin.get_by_role("navigation").get_by_role("button", name="ToWow")).to_contain_text("for you")
        await lin.get_by_role("navigation").get_by_role("button", name="ToWow").click()
        await lin.get_by_role("button", name="希望调整").click()
        form = lin.get_by_role("dialog", name="希望调整")
        await form.get_by_role("textbox").first.fill("白天办，不要晚上")
        await lin.keyboard.press("ControlOrMeta+Enter")
        await seen(form).to_be_hidden()
        await seen(thread.get_by_text("白天办，不要晚上").first).to_be_visible()

        await you.goto(f"{demo.workspace.url}/#/{REQUESTER}/home")
        await you.get_by_role("tabpanel", name="Home").get_by_role("link", name="Thread").first.click()
        await seen(message(thread, "第 1 版方案")).to_be_visible()
        await lin.goto("about:blank")
        await you.goto("about:blank")
