"""The pictures of the docs, made of the demo as it is: ``python -m tests.browser.pictures docs/``."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.async_api import async_playwright, expect

from bot.demo.demo import CHANNEL, REQUESTER

from ..equipment import browser as installed_browser
from .conftest import PATIENCE
from .demo import Demo, started
from .page_objects import (
    DESK,
    MORE,
    PHONE,
    Visits,
    message,
    opens_panel,
    skips_ahead,
    skips_corrections,
    thread_of,
)
from .palette import with_palette
from .test_delivery import approves, gives

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

VENUE = (
    "plan Which venue for a 50-person meetup on 12 March 2027: the Loft, the Hall or the Garden? The Loft holds 60. "
    "The Garden holds 40. The Hall costs 900 EUR. The budget is 800 EUR. The Garden has no roof."
)
WORKSHOP = "A workshop for our designers in six weeks; we need UX design and product management"
DRILL = (
    "deliver: Maya Patel confirms the date of the fire drill with the caretaker; the checklist "
    "for it in checklist.md; then Jonas Weber prints it and hangs it up"
)
MAYA, JONAS = "U_MAYA_PATEL", "U_JONAS_WEBER"


async def main(folder: Path) -> None:
    path = installed_browser()
    expect.set_options(timeout=PATIENCE * 1000)
    async with async_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = await playwright.chromium.launch(executable_path=path, args=arguments)
        with tempfile.TemporaryDirectory() as kept:
            async with started(cwd=Path(kept)) as demo:
                visits = Visits(browser, [], [])
                await photographs(demo, visits, folder)
                for close in visits.closing:
                    await close()
        await browser.close()
    assert not visits.troubles, visits.troubles


async def photographs(demo: Demo, visits: Visits, folder: Path) -> None:
    await demo.takes_its_time()
    where = await demo.asks(WORKSHOP)
    you = await visits.open(demo.url, REQUESTER, where)
    await skips_corrections(you)
    await opens_panel(you)
    card = message(thread_of(you), "Proposal 1")
    await shows(card.get_by_text("Votes", exact=True), at="start")
    await taken(you, folder / "round.png")

    maya = await visits.open(demo.url, MAYA)
    await maya.get_by_role("navigation").get_by_role("button", name="ToWow").click()
    await shows(maya.get_by_role("button", name=MORE).last, at="end")
    await taken(maya, folder / "part.png")
    phone = await visits.open(demo.url, MAYA, viewport=PHONE)
    await phone.get_by_role("navigation").get_by_role("button", name="ToWow").click()
    await shows(phone.get_by_role("button", name=MORE).last, at="end")
    await taken(phone, folder / "phone.png")

    jonas = await visits.open(demo.url, JONAS, "home")
    await expect(jonas.get_by_role("button", name="Negotiate…")).to_be_visible()
    await taken(jonas, folder / "home.png")

    waits = "Half time in round {0}", "Round {0} closes"
    await skips_ahead(you, *(each.format(number) for number in (1, 2) for each in waits), "Nothing is waited for")
    dark = await visits.open(demo.url, REQUESTER, where, color_scheme="dark")
    for page, name in ((you, "plan.png"), (dark, "dark.png")):
        await shows(message(thread_of(page), "Their twins would, by simple rules; ask them"), at="start")
        await taken(page, folder / name)

    await of_a_plan(demo, visits, folder)
    await of_a_delivery(demo, visits, folder)


async def of_a_plan(demo: Demo, visits: Visits, folder: Path) -> None:
    """The card of a deliberation, which has ended, and below it the report."""
    assert (await demo.person().slash(CHANNEL, "/towow", VENUE)).acked
    page = await visits.open(demo.url, REQUESTER, CHANNEL)
    card = message(page.get_by_role("main"), "Which venue")
    await card.get_by_role("link", name=re.compile("repl(y|ies)")).click()
    report = message(thread_of(page), "What is known, side by side")
    await shows(report.get_by_role("heading"), at="start")
    await shows(card.get_by_role("heading"), at="start")
    await taken(page, folder / "deliberation.png")
    await shows(report.get_by_role("button", name=MORE).last, at="end")
    await taken(page, folder / "report.png")


async def of_a_delivery(demo: Demo, visits: Visits, folder: Path) -> None:
    """The board once the first tickets are done, and the ticket of whoever comes next."""
    where = await demo.asks(DRILL)
    page = await visits.open(demo.url, REQUESTER, where)
    thread = thread_of(page)
    board = message(thread, "tickets are done")
    await gives(page, thread, "T-2", agent="Scripted worker")
    await approves(thread, "T-2", unread=True)
    maya = await messages_of(demo, visits, MAYA)
    ticket = message(maya, "T-1 · ")
    await ticket.get_by_role("button", name="Done…").click()
    form = maya.get_by_role("dialog", name="What is done")
    await form.get_by_role("textbox").first.fill("Confirmed for Friday at ten; the caretaker opens all doors.")
    await form.get_by_role("button", name="Send").click()
    await approves(thread, "T-1")
    await expect(board).to_contain_text("2 of 3 tickets are done")
    await shows(board.get_by_role("heading").first, at="start")
    await taken(page, folder / "board.png")
    jonas = await messages_of(demo, visits, JONAS)
    await shows(message(jonas, "T-3 · ").get_by_role("button", name="Done…"), at="end")
    await taken(jonas, folder / "ticket.png")


async def messages_of(demo: Demo, visits: Visits, user: str) -> Page:
    """Somebody's direct messages, whether or not an earlier page of theirs has read what is new."""
    return await visits.open(demo.url, user, (await demo.person(user).dm()).id)


async def shows(what: Locator, at: str) -> None:
    """Scrolled to, at the upper or the lower edge of what one sees."""
    await expect(what).to_be_visible()
    await what.evaluate("(node, block) => node.scrollIntoView({ block })", at)


async def taken(page: Page, path: Path) -> None:
    """With nothing under the mouse, nothing blinking, and nothing that has just arrived shining."""
    await page.mouse.move(0, DESK["height"] - 1)
    await page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished.catch(() => null)))")
    await page.evaluate("scrollTo(0, 0)")
    screenshot = await page.screenshot(animations="disabled", caret="hide")
    await asyncio.to_thread(path.write_bytes, with_palette(screenshot))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
