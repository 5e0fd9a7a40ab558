"""ToWow is let into workspaces, used, taken out and let in again, all in the browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from engine.store.memory import MemoryStore

from ..local_slack.several import ACME, BEES
from ..workspaces.driver import PATIENT, Many, many, tenant
from .page_objects import DESK, Visits, message, seen, write

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = pytest.mark.asyncio(loop_scope="session")

REPLIES = re.compile(r"^\d+ repl")
DEMAND = "I need a venue for 50 people in Berlin"


async def _browser(visits: Visits, language: str = "en-US") -> Page:
    settings: dict[str, Any] = {"viewport": DESK, "locale": language}
    profile = await visits.browser.new_context(**settings)
    visits.closing.append(profile.close)
    return await profile.new_page()


async def _installs(it: Many, page: Page, place: str) -> None:
    await page.goto(f"{it.url}/slack/install")
    await page.get_by_role("link", name="Add to Slack").click()
    await seen(page.get_by_role("heading", name="ToWow wants to be installed")).to_be_visible()
    await page.get_by_role("radio", name=place).check()
    await page.get_by_role("button", name="Allow").click()
    await seen(page.get_by_role("heading", name=f"ToWow is in {place}")).to_be_visible()


async def _asks(it: Many, visits: Visits, text: str) -> Page:
    page = await visits.open(it.slack.workspaces[ACME.id].url, "U_ACME_ANN", "C_ACME")
    await write(page, f"@towow {text}")
    return page


async def test_installed_used_rotated_taken_out_and_installed_again(visits: Visits, tmp_path: Path) -> None:
    async with many(MemoryStore(), tmp_path / "towow.db", ACME, BEES, policy=PATIENT) as it:
        page = await _browser(visits)
        await _installs(it, page, "Acme")
        await _installs(it, page, "Bees")

        acme = await _asks(it, visits, DEMAND)
        await seen(message(acme, DEMAND).get_by_role("link", name=REPLIES)).to_be_visible()
        bees = await visits.open(it.slack.workspaces[BEES.id].url, "U_BEES_ANN", "C_BEES")
        await seen(message(bees, DEMAND)).to_have_count(0)

        await page.goto(it.slack.slack.url)
        await seen(page.get_by_text("ToWow is installed here.")).to_have_count(2)
        await page.get_by_role("button", name="Let all tokens expire").click()
        await write(acme, "@towow I need two speakers")
        await seen(message(acme, "two speakers").get_by_role("link", name=REPLIES)).to_be_visible()
        assert it.slack.slack.refreshed >= 1

        await page.get_by_role("listitem").filter(has_text="Acme").get_by_role("button", name="Remove app").click()
        await seen(page.get_by_text("ToWow is not installed.")).to_be_visible()
        await it.is_gone(ACME)
        await write(acme, "@towow I need a caterer")
        await it.settles()
        await seen(message(acme, "a caterer").get_by_role("link", name=REPLIES)).to_have_count(0)

        await _installs(it, page, "Acme")
        assert not it.workspaces.departures.is_absent(tenant(ACME))
        await write(acme, "@towow I need a photographer")
        await seen(message(acme, "a photographer").get_by_role("link", name=REPLIES)).to_be_visible()


async def test_who_says_no_is_told_so_and_can_try_again(visits: Visits, tmp_path: Path) -> None:
    async with many(MemoryStore(), tmp_path / "towow.db", ACME) as it:
        page = await _browser(visits, "zh-CN")
        await page.goto(f"{it.url}/slack/install")
        await page.get_by_role("link", name="添加到 Slack").click()
        await page.get_by_role("button", name="Cancel").click()
        await seen(page.get_by_role("heading", name="没有添加 ToWow")).to_be_visible()
        await page.get_by_role("link", name="再试一次").click()
        await seen(page.get_by_role("link", name="添加到 Slack")).to_be_visible()
