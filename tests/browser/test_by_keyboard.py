"""A vote, a form, a ticket and a reaction with the keyboard alone, by the names that a screen reader says."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Final

import pytest
import pytest_asyncio

from bot.demo.demo import CHANNEL, REQUESTER

from .demo import Demo, started
from .page_objects import Visits, accepts, message, seen, skips_corrections, thread_of

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = pytest.mark.asyncio(loop_scope="session")

WORKSHOP: Final = "A workshop for our designers in six weeks; we need UX design and product management"
TICKETS: Final = "deliver: Maya Patel writes the checklist"
MAYA, JONAS = "U_MAYA_PATEL", "U_JONAS_WEBER"
FAR: Final = 60
"""Presses of Tab after which something is out of reach."""
NAME: Final = """() => {
  const one = document.activeElement;
  const ids = (one.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean);
  const labels = ids.map((id) => document.getElementById(id)).concat(...(one.labels ?? []));
  return one.getAttribute("aria-label") ?? (labels.length ? labels[0] : one).textContent;
}"""
"""What a screen reader says of where the keyboard is."""


async def reaches(page: Page, name: str, *, key: str = "Tab") -> None:
    """Go with a key to what has this name."""
    passed = []
    for _ in range(FAR):
        passed.append((await page.evaluate(NAME)).strip())
        if passed[-1].startswith(name):
            return
        await page.keyboard.press(key)
    raise AssertionError(f"{name!r} is out of reach; passed: {passed}")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def demo(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Demo]:
    async with started(cwd=tmp_path_factory.mktemp("demo")) as demo:
        await demo.takes_its_time()
        yield demo


async def test_a_vote_and_a_wish(demo: Demo, visits: Visits) -> None:
    where = await demo.asks(WORKSHOP)
    you = await visits.open(demo.url, REQUESTER, where)
    await skips_corrections(you)
    await seen(message(thread_of(you), "Proposal 1")).to_be_visible()
    maya, jonas = [await visits.open(demo.url, user, (await demo.person(user).dm()).id) for user in (MAYA, JONAS)]
    await seen(message(maya, "Proposal 1").get_by_role("button", name="Accept")).to_be_visible()
    await reaches(maya, "Accept")
    await maya.keyboard.press("Enter")
    await seen(message(maya, "Proposal 1")).to_contain_text("✅ You accept")
    await seen(message(maya, "Proposal 1").get_by_role("button", name="Accept")).to_be_focused()
    await seen(message(thread_of(you), "Proposal 1")).to_contain_text(accepts("Maya Patel"))

    await seen(message(jonas, "Proposal 1").get_by_role("button", name="Negotiate…")).to_be_visible()
    await reaches(jonas, "Negotiate…")
    await jonas.keyboard.press("Space")
    await seen(jonas.get_by_role("dialog", name="Ask for a change")).to_be_visible()
    await reaches(jonas, "The time")
    await jonas.keyboard.press("Space")
    await seen(jonas.get_by_role("dialog").get_by_label("Day")).to_be_visible()
    await jonas.keyboard.press("ArrowDown")
    await seen(jonas.get_by_role("dialog").get_by_label("Day")).to_have_count(0)
    await reaches(jonas, "Hours, at most")
    await jonas.keyboard.type("12")
    await reaches(jonas, "In your own words")
    await jonas.keyboard.type("Mondays stay free")
    await reaches(jonas, "Send")
    await jonas.keyboard.press("Enter")
    asked = "💬 You ask for a change – at most 12 h in all – Mondays stay free"
    await seen(message(jonas, "Proposal 1")).to_contain_text(asked)
    await seen(message(jonas, "Proposal 1")).to_be_focused()  # its button is gone: the round is over


async def test_a_ticket(demo: Demo, visits: Visits) -> None:
    where = await demo.asks(TICKETS)
    you = await visits.open(demo.url, REQUESTER, where)
    await seen(message(thread_of(you), "tickets are done").first).to_be_visible()
    maya = await visits.open(demo.url, MAYA, (await demo.person(MAYA).dm()).id)
    await seen(message(maya, "T-1 · ").get_by_role("button", name="Done…")).to_be_visible()
    await reaches(maya, "Result")
    await maya.keyboard.type("It is written.")
    await reaches(maya, "Done…")
    await maya.keyboard.press("Enter")
    await seen(message(maya, "T-1 · ")).to_contain_text("📨 Shown")
    await seen(message(maya, "T-1 · ")).to_be_focused()
    asked = message(thread_of(you), "Is it what was wanted?")
    await seen(asked.get_by_role("button", name="Approve")).to_be_visible()
    await reaches(you, "Approve", key="Shift+Tab")
    await you.keyboard.press("Enter")
    await seen(message(thread_of(you), "✅ Everything is done").first).to_be_visible()


async def test_a_reaction(demo: Demo, visits: Visits) -> None:
    await demo.person(MAYA).say(CHANNEL, "Tea is ready")
    page = await visits.open(demo.url, REQUESTER, CHANNEL)
    await seen(message(page, "Tea is ready")).to_be_visible()
    await reaches(page, "More actions", key="Shift+Tab")
    await page.keyboard.press("Enter")
    await seen(page.get_by_role("menuitem", name="React with 👍 thumbs up")).to_be_focused()
    await page.keyboard.press("Enter")
    await seen(page.get_by_role("button", name="thumbs up, 1: Sam Lee")).to_be_visible()
    await page.goto("about:blank")
