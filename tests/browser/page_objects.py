"""What the page shows, and what people do on it. Every assertion waits until it holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator, Page, expect

    seen = expect
else:

    def seen(what: object) -> object:
        """Where there is no Playwright, tests are skipped before they look at anything."""
        return pytest.importorskip("playwright.async_api").expect(what)


PHONE: Final = {"width": 390, "height": 844}
DESK: Final = {"width": 1280, "height": 800}
"""Pixels."""


@dataclass(frozen=True)
class Visits:
    """Pages of one test, with everything that went wrong in them."""

    browser: Browser
    troubles: list[str]
    closing: list[Callable[[], Coroutine[Any, Any, None]]]

    async def open(self, url: str, user: str = "", place: str = "", **context: Any) -> Page:
        """Open the page as this person, in a browser profile of its own."""
        profile = await self.browser.new_context(
            **{"viewport": DESK, "locale": "en-US", "reduced_motion": "reduce", **context}
        )
        self.closing.append(profile.close)
        page = await profile.new_page()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", lambda said: self._heard(said.type, said.text))
        parts = [part for part in (user, place) if part]
        await page.goto(f"{url}/#/{'/'.join(parts)}" if parts else url)
        await seen(page.locator("button.self")).to_be_attached()  # a phone may show a thread instead
        return page

    def _heard(self, kind: str, text: str) -> None:
        # Browsers log every answer above 399; the page itself tells people of those.
        if kind == "error" and "Failed to load resource" not in text:
            self.troubles.append(text)


def message(page: Page | Locator, text: str) -> Locator:
    """Return the messages with this text, in the channel or the thread."""
    return page.get_by_role("listitem").filter(has_text=text)


MORE: Final = re.compile("^(More|更多)$")


async def picks(card: Locator, name: str) -> None:
    """Choose in the menu of a card what does not stand on it."""
    await card.get_by_role("button", name=MORE).last.click()
    await card.page.get_by_role("menuitem", name=name).click()


async def goes(card: Locator, go: str, way: int) -> None:
    """Press *Go…* on the card of a plan, choose a way by its place, and send the form."""
    await card.get_by_role("button", name=go, exact=True).click()
    form = card.page.get_by_role("dialog")
    await form.get_by_role("radio").nth(way).check()
    await form.get_by_role("button", name=go.rstrip("…"), exact=True).click()


async def write(page: Page, text: str, field: str = "Message") -> None:
    """Write into a field and press Enter there, also if the page has redrawn it meanwhile."""
    written = page.get_by_role("textbox", name=field)
    await written.fill(text)
    await written.press("Enter")


async def opens_messages(page: Page) -> None:
    """Open ToWow's direct messages, once there is a new one: without, its Home tab would open."""
    towow = page.get_by_role("navigation").get_by_role("button", name="ToWow")
    await seen(towow).to_contain_text("for you")
    await towow.click()


async def become(page: Page, name: str) -> None:
    await page.get_by_role("button", name="You are").click()
    await page.get_by_role("menuitem", name=name).click()
    await seen(page.get_by_role("button", name=f"You are {name}")).to_be_visible()


def thread_of(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Thread")


async def confirms(page: Page, name: str) -> None:
    """Press this button of the dialog that asks before something is done."""
    await page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()


def accepts(name: str) -> re.Pattern[str]:
    """Match an acceptance in person on the card that everybody sees."""
    return re.compile(rf"✅ {name} accepts(?! \(twin)")


async def waits_for(page: Page, what: str) -> Locator:
    """Wait until the event panel says that this is due next."""
    panel = page.get_by_role("complementary", name="Behind the scenes")
    await seen(panel.locator(".wait")).to_contain_text(what)
    return panel


async def opens_panel(page: Page) -> Locator:
    """Open what happens behind the scenes, which is closed at first."""
    panel = page.get_by_role("complementary", name="Behind the scenes")
    await panel.get_by_role("button", name="Behind the scenes", expanded=False).click()
    return panel


async def skips(page: Page, deadline: str) -> None:
    """Skip ahead to this deadline, once it is due next."""
    ahead = (await waits_for(page, deadline)).get_by_role("button", name="Skip ahead")
    await seen(ahead).not_to_have_attribute("aria-busy", "true")  # a click is not taken before the last one is done
    await ahead.click()


async def skips_ahead(page: Page, *waits: str) -> None:
    """Skip from each of these deadlines to the next."""
    for before, after in pairwise(waits):
        await skips(page, before)
        await waits_for(page, after)


async def skips_corrections(page: Page, to: str = "Half time in round 1") -> None:
    """Skip the time in which offers can be corrected and the demand edited, to the votes of the first round.

    Without anybody to remind there is no half time: the close of the round is next.
    """
    await skips_ahead(page, "Offers close", to)


NO_EVENTS: Final = """
  window.tries = [];
  window.EventSource = class extends EventTarget {
    constructor() {
      super();
      window.tries.push(performance.now());
      document.documentElement.dataset.listens = "true";
      setTimeout(() => this.onerror?.(new Event("error")), 0);
    }
    get readyState() { return 2; }
    close() {}
    static CLOSED = 2;
  };
"""
"""A browser whose server answers no stream of events, and that notes when it was asked for one."""


async def steps_of_coming_back(visits: Visits, url: str) -> list[float]:
    """Return the pauses, in seconds, after which a page tries again to hear of changes, the first eight."""
    options: dict[str, Any] = {"viewport": DESK, "locale": "en-US"}
    profile = await visits.browser.new_context(**options)
    visits.closing.append(profile.close)
    page = await profile.new_page()
    await page.clock.install(time=0)
    await page.clock.pause_at(3_600)  # later than it can be by now: no clock goes back
    await page.add_init_script(NO_EVENTS)
    await page.goto(url)
    await seen(page.locator("html")).to_have_attribute("data-listens", "true")
    await page.clock.run_for(150_000)
    tries: list[float] = await page.evaluate("window.tries")
    return [(later - earlier) / 1000 for earlier, later in pairwise(tries)][:8]
