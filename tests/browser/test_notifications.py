"""Somebody chooses digests and quiet hours in Home, gets one message for two votes, and accepts both at once."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest

from bot.demo.demo import REQUESTER
from bot.demo.negotiation.part import SUGGESTIONS

from .demo import Demo
from .page_objects import PHONE, Visits, message, opens_messages, opens_panel, seen, skips, thread_of, waits_for
from .team import PROTOTYPE as TEAM
from .team import Seat, started_with

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = pytest.mark.asyncio(loop_scope="session")

MEETUP, _EVENING, PROTOTYPE, _ = SUGGESTIONS


class Words(NamedTuple):
    """What somebody does and reads, in one language."""

    demand: str
    language: str
    user: str
    name: str
    choose: str
    heading: str
    when: str
    digest: str
    start: str
    end: str
    save: str
    chosen: str
    quiet: str
    two: str
    accept_all: str
    sure: str
    done: str
    nothing: str
    voted: str


ENGLISH: Final = Words(
    PROTOTYPE,
    "en",
    "U_MAYA_PATEL",
    "Maya Patel",
    "Choose…",
    "Messages to you",
    "When do you want a message?",
    "Decisions together, at 09:00, 16:00",
    "Quiet from",
    "Quiet until",
    "Save",
    "Decisions come together, at 09:00, 16:00; sooner where one cannot wait.",
    "Quiet from 03:00 to 03:01; only what cannot wait comes then.",
    "2 decisions are waiting for you",
    "Accept all as my twin says (2)",
    "Accept all",
    "✅ 2 parts accepted, as your twin says.",
    "Nothing of this is waiting for you any more",
    "✅ Maya Patel accepts ·",
)
CHINESE: Final = Words(
    MEETUP,
    "zh",
    "U_HE_JING",
    "何静",
    "选择…",
    "发给你的消息",
    "什么时候给你发消息？",
    "需要决定的事集中在 09:00、16:00",
    "免打扰开始",
    "免打扰结束",
    "保存",
    "需要你决定的事集中在 09:00、16:00 告诉你；等不了的会提前。",
    "03:00 至 03:01 免打扰；只有等不了的消息才会来。",
    "有 2 件事等你决定",
    "按我分身的意见全部同意（2）",
    "全部同意",
    "✅ 已按你分身的意见同意 2 项。",
    "这里已没有等你决定的事",
    "✅ 何静 同意 ·",
)


@asynccontextmanager
async def begun(folder: Path, language: str) -> AsyncIterator[Demo]:
    """A demo with a team behind a model; what is asked in Chinese is for the Chinese colleague in it as well."""
    seats = *TEAM.seats, Seat("he_jing", "何静", "Host", "Leads through the evening")
    async with started_with(replace(TEAM, seats=seats, language=language), cwd=folder) as demo:
        await demo.takes_its_time()
        yield demo


async def chooses(page: Page, says: Words) -> None:
    home = page.get_by_role("tabpanel", name="Home")
    # Which language somebody reads is asked of Slack when they do something for the first time.
    await home.get_by_role("button", name=re.compile(f"{says.choose}|{ENGLISH.choose}")).click()
    form = page.get_by_role("dialog", name=says.heading)
    await form.get_by_label(says.digest).check()
    await form.get_by_label(says.start).fill("03:00")
    await form.get_by_label(says.end).fill("03:01")
    await form.get_by_role("button", name=says.save).click()
    await seen(home).to_contain_text(says.chosen)
    await seen(home).to_contain_text(says.quiet)


async def both_have(page: Page, event: str) -> None:
    """Wait until this has happened to two demands."""
    rows = page.get_by_role("list", name="Events, newest first").get_by_role("listitem")
    await seen(rows.filter(has=page.get_by_role("code").filter(has_text=event))).to_have_count(2)


@pytest.mark.parametrize(
    ("says", "look"),
    [
        pytest.param(ENGLISH, {}, id="English"),
        pytest.param(CHINESE, {"color_scheme": "dark"}, id="Chinese, dark", marks=pytest.mark.exhaustive),
    ],
)
async def test_two_votes_come_in_one_message_and_are_accepted_together(
    tmp_path: Path, visits: Visits, says: Words, look: dict[str, Any]
) -> None:
    async with begun(tmp_path, says.language) as demo:
        page = await visits.open(demo.url, says.user, "home", **look)
        await chooses(page, says)
        both = [await demo.asks(says.demand) for _ in range(2)]
        you = await visits.open(demo.url, REQUESTER, both[0])
        await opens_panel(you)
        # Once both are there, the same deadlines of the two are seconds apart: the second passes by itself.
        for event, deadline in (("offers.held", "Offers close"), ("proposal.distributed", "Half time in round 1")):
            await both_have(you, event)
            await skips(you, deadline)
        await waits_for(you, "Round 1 closes")

        await opens_messages(page)
        digest = message(page, says.two)
        await digest.get_by_role("button", name=says.accept_all).click()
        await page.get_by_role("dialog").get_by_role("button", name=says.sure, exact=True).click()

        await seen(message(page, says.done)).to_be_visible()
        await seen(message(page, says.nothing)).to_be_visible()
        for where in both:
            thread = thread_of(await visits.open(demo.url, REQUESTER, where))
            await seen(thread).to_contain_text(says.voted)


async def test_on_a_phone_the_form_can_be_filled_in(tmp_path: Path, visits: Visits) -> None:
    async with begun(tmp_path, ENGLISH.language) as demo:
        page = await visits.open(demo.url, "U_JONAS_WEBER", viewport=PHONE)
        await page.get_by_role("navigation").get_by_role("button", name="ToWow").click()
        await chooses(page, ENGLISH)
