"""From one message to a delivered artifact: a demand, a negotiated plan, what is known of it side by side, and its
delivery by two people, on one thread and one log. In the middle everything is killed once.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from bot.demo.demo import REQUESTER

from .demo import Demo, started
from .page_objects import Visits, confirms, goes, message, opens_messages, picks, seen, skips_ahead, thread_of

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

pytestmark = pytest.mark.asyncio(loop_scope="session")

DEMAND: Final = "A workshop for our designers in six weeks; we need UX design and product management"
MAYA, JONAS = "U_MAYA_PATEL", "U_JONAS_WEBER"
DATABASE: Final = "towow.db"
REPORT: Final = "🗂️ What is known, side by side"


async def agreed(demo: Demo, visits: Visits) -> tuple[Page, Locator]:
    """A demand that everybody has agreed on, and the plan for it that was argued out; both in one thread."""
    page = await visits.open(demo.url, REQUESTER, await demo.asks(DEMAND))
    thread, waits = thread_of(page), ("Half time in round {0}", "Round {0} closes")
    await skips_ahead(
        page, "Offers close", *(each.format(number) for number in (1, 2) for each in waits), "Nothing is waited for"
    )
    await goes(message(thread, "Their twins would, by simple rules; ask them"), "Go…", way=1)
    await seen(message(thread, REPORT)).to_be_visible()
    return page, thread


def question_about(thread: Locator, ticket: str) -> Locator:
    """Return the message that asks who does a ticket."""
    return message(thread, f"{ticket} ").filter(has_text="Who does it?")


async def gives(page: Page, thread: Locator, ticket: str, *, person: str = "", agent: str = "") -> None:
    """Choose who does a ticket that nobody has."""
    await question_about(thread, ticket).get_by_role("button", name="Choose…").click()
    form = page.get_by_role("dialog", name="Who does it?")
    if person:
        await form.get_by_label("Which person?").select_option(label=person)
    else:
        await form.get_by_label(agent).check()
    await form.get_by_role("button", name="Save").click()
    await seen(form).to_be_hidden()
    await seen(question_about(thread, ticket)).to_have_count(0)


async def approves(thread: Locator, ticket: str, *, unread: bool = False) -> None:
    """Approve what was reported: without a model, nobody else does.

    Args:
        unread: without having opened it, which is asked about once more.
    """
    asked = message(thread, f"{ticket} ").filter(has_text="Is it what was wanted?")
    await asked.get_by_role("button", name="Approve").click()
    if unread:
        await confirms(thread.page, "Approve unread")
    await seen(asked).to_have_count(0)


async def own_ticket(visits: Visits, demo: Demo, user: str, ticket: str) -> tuple[Page, Locator]:
    """Become somebody, and open the ticket in their direct messages."""
    page = await visits.open(demo.url, user)
    await opens_messages(page)
    card = message(page, f"{ticket} · ")
    await seen(card).to_contain_text("Yours to do")
    return page, card


async def test_from_a_demand_to_a_report_with_what_was_made(tmp_path: Path, visits: Visits) -> None:
    receipt = tmp_path / "receipt.pdf"
    receipt.write_bytes(b"%PDF-1.7 paid")
    async with started("--db", DATABASE, cwd=tmp_path) as first:
        await first.takes_its_time()
        you, thread = await agreed(first, visits)
        await message(thread, REPORT).get_by_role("button", name="Go: a ticket for each task").click()
        board = message(thread, "tickets are done")
        await seen(board).to_contain_text("0 of 2 tickets are done")

        maya, hers = await own_ticket(visits, first, MAYA, "T-2")
        await hers.get_by_role("button", name="Done…").click()
        form = maya.get_by_role("dialog", name="What is done")
        await form.get_by_role("button", name="Send").click()
        await seen(form).to_contain_text("Nothing is shown for this yet")
        await form.get_by_label("Or a file").set_input_files(receipt)
        await form.get_by_role("button", name="Send").click()
        await approves(thread, "T-2", unread=True)
        await seen(hers).to_contain_text("✅ Done")
        await seen(board).to_contain_text("1 of 2 tickets are done")
        jonas, his = await own_ticket(visits, first, JONAS, "T-1")
        await picks(his, "Start")
        await seen(his).to_contain_text("▶️ Started")
        await asyncio.to_thread(first.killed)

    async with started("--db", DATABASE, "--port", str(first.port), cwd=tmp_path) as second:
        for each in (you, maya, jonas):
            await seen(each.get_by_text("Reconnecting…")).to_be_hidden()
        await seen(his).to_contain_text("▶️ Started")
        await his.get_by_role("button", name="Done…").click()
        form = jonas.get_by_role("dialog", name="What is done")
        await form.get_by_role("textbox").first.fill("Agreed on two colours and no text, see the minutes of today.")
        await form.get_by_role("button", name="Send").click()
        await approves(thread, "T-1")
        await seen(his).to_contain_text("✅ Done")

        report = message(thread, "✅ Delivered")
        for said in ("All 2 tickets are done", "Maya Patel", "Jonas Weber", "Figma"):
            await seen(report).to_contain_text(said)
        await seen(message(thread, "✅ Everything is done")).to_have_count(1)
        for heading in ("Their twins would, by simple rules; ask them", REPORT, "✅ Delivered"):
            await seen(message(thread, heading)).to_have_count(1)
        await has_files(you, thread, receipt.read_bytes())
        assert second.port == first.port
        for each in (you, maya, jonas):
            await each.goto("about:blank")


async def has_files(page: Page, thread: Locator, shown: bytes) -> None:
    """What was made can be downloaded: the file that somebody has shown, and the report."""
    links = thread.locator("a[download]")
    await seen(links).to_have_count(2)
    contents = []
    for link in await links.all():
        async with page.expect_download() as downloading:
            await link.click()
        contents.append((await (await downloading.value).path()).read_bytes())
    assert shown in contents
