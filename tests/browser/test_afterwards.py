"""A stop is taken back; once a plan is agreed, one person is asked how something stands and another cannot any more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bot.demo.demo import CHANNEL, REQUESTER, Demo, DemoSettings, running_demo
from bot.demo.event_panel import EventPanel
from bot.demo.page import colleagues
from bot.registry import PROTOCOLS
from bot.views.negotiation.button_values import DONE, GIVE_UP
from engine.files.profiles import load_profiles
from engine.negotiation.policy import PRESETS

from .page_objects import PHONE, Visits, confirms, message, opens_messages, seen, thread_of

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

pytestmark = pytest.mark.asyncio(loop_scope="session")

SAID = {
    "en": {
        "demand": "A workshop for our designers on 2027-05-20; we need UX design and product management",
        "stop": "Stop",
        "undo": "Undo",
        "goes on": "took that back: it goes on where it was",
        "what": "The key comes on Monday",
        "told": "will be late with",
        "gone": "cannot take part any more",
    },
    "zh": {
        "demand": "2027-05-20 在北京办一场50人的AI主题聚会，需要场地和嘉宾",
        "stop": "停止",
        "undo": "撤销",
        "goes on": "从原处继续",
        "what": "钥匙周一才能拿到",
        "told": "会延迟：",
        "gone": "没法参加了",
    },
}


# People read their messages in their own language, whatever that of the demand is.
LATE = re.compile("Late…|会延迟…")
GIVES_UP = re.compile("I cannot any more…|我没法参加了…")
SEND = re.compile("Send|提交")


async def whose(demo: Demo, action: str, besides: str = "") -> str:
    """Who has a button in their direct messages."""
    for user in (each for each in demo.names if each not in (demo.workspace.bot_user_id, besides)):
        person = demo.person(user)
        if any(action in str(each.blocks) for each in await person.messages((await person.dm()).id)):
            return user
    raise AssertionError(action)


async def direct(visits: Visits, demo: Demo, user: str) -> Page:
    """Somebody's messages, in the dark, on a phone."""
    page = await visits.open(demo.workspace.url, user, CHANNEL, color_scheme="dark")
    await opens_messages(page)
    await page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    return page


async def sends(page: Page, text: str) -> None:
    form = page.get_by_role("dialog")
    await form.get_by_role("textbox").first.fill(text)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await form.get_by_role("button", name=SEND).click()
    await seen(form).to_be_hidden()


@pytest.mark.parametrize("language", ["en", pytest.param("zh", marks=pytest.mark.exhaustive)])
async def test_what_was_decided_is_taken_back_and_what_was_promised_is_asked_after(
    visits: Visits, language: str
) -> None:
    said = SAID[language]
    profiles, people = colleagues(load_profiles())
    asked = {"human_window": 3600, "override_window": 3600, "check_ins": True, "max_depth": 0}
    policy = PRESETS["balanced"].model_copy(update=asked)  # twins ask for changes in the first round
    async with running_demo(DemoSettings(profiles, policy, PROTOCOLS), people) as demo:
        demo.workspace.show(EventPanel(demo))
        posted = await demo.mention(said["demand"])
        await demo.settle()
        you = await visits.open(demo.workspace.url, REQUESTER, f"{CHANNEL}/{posted.ts}")
        thread = thread_of(you)
        await stops_and_undoes(you, thread, said)

        while not await asked_after(demo):
            await demo.skip()
            await demo.settle()
        user = await whose(demo, DONE)
        theirs = await direct(visits, demo, user)
        await theirs.get_by_role("button", name=LATE).first.click()
        await sends(theirs, said["what"])
        await seen(message(thread, said["told"]).first).to_contain_text(said["what"])

        leaver = await direct(visits, demo, await whose(demo, GIVE_UP, besides=user))
        await leaver.get_by_role("button", name=GIVES_UP).first.click()
        await sends(leaver, said["what"])
        await seen(message(thread, said["gone"]).first).to_be_visible()
        for each in (you, theirs, leaver):
            await each.goto("about:blank")


async def stops_and_undoes(you: Page, thread: Locator, said: dict[str, str]) -> None:
    await thread.get_by_role("button", name=said["stop"], exact=True).click()
    await confirms(you, said["stop"])
    await thread.get_by_role("button", name=said["undo"]).click()
    await seen(message(thread, said["goes on"])).to_be_visible()
    await seen(thread.get_by_role("button", name=said["stop"], exact=True)).to_be_visible()


async def asked_after(demo: Demo) -> bool:
    try:
        return bool(await whose(demo, DONE))
    except AssertionError:
        return False
