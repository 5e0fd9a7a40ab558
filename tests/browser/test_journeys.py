"""What people come to do, from its beginning to its end, with the command that the README tells them to run."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest
import pytest_asyncio

from bot.demo.demo import CHANNEL, REQUESTER, REQUESTER_NAME
from bot.demo.negotiation.part import SUGGESTIONS
from bot.local_slack import Channel

from .demo import Demo, started
from .page_objects import (
    Visits,
    accepts,
    become,
    goes,
    message,
    opens_messages,
    picks,
    seen,
    skips_ahead,
    skips_corrections,
    thread_of,
    waits_for,
    write,
)
from .team import PROTOTYPE as TEAM
from .team import started_with

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = pytest.mark.asyncio(loop_scope="session")

ROOT: Final = Path(__file__).parents[2]
MEETUP, _EVENING, PROTOTYPE, _ = SUGGESTIONS
WORKSHOP: Final = "A workshop for our designers in six weeks; we need UX design and product management"
ROOM: Final = "A room for twelve people in Berlin on Friday"
MAYA, JONAS, EMMA = "U_MAYA_PATEL", "U_JONAS_WEBER", "U_EMMA_CLARKE"


class Planning(NamedTuple):
    """What people do and read while something is planned, in one language."""

    demand: str
    plan: str
    report: str
    laid_out: str
    arguments: str
    against: str
    close: str
    ask: str
    question: str
    asks: str
    export: str


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def demo(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Demo]:
    """One with a team for all: whoever begins something here ends it."""
    async with started_with(TEAM, cwd=tmp_path_factory.mktemp("demo")) as demo:
        await demo.takes_its_time()
        yield demo


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def rules(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Demo]:
    """One without a model for all, whose rules have their encoder."""
    async with started(cwd=tmp_path_factory.mktemp("rules"), PYTHONPATH=str(ROOT)) as demo:
        await demo.takes_its_time()
        yield demo


async def test_a_newcomer_takes_a_suggestion_to_a_plan_that_goes_ahead(demo: Demo, visits: Visits) -> None:
    page = await visits.open(demo.url)
    await page.get_by_role("button", name=PROTOTYPE).click()
    await page.keyboard.press("Enter")
    await message(page, PROTOTYPE).get_by_role("link", name="replies").click()
    thread = thread_of(page)
    await seen(
        thread.get_by_text(re.compile("The offers are in; they can be corrected until (today|tomorrow), "))
    ).to_be_visible()
    await skips_corrections(page)
    await seen(thread.get_by_text("Offers: 3 of 3 take part")).to_be_visible()
    await seen(thread.get_by_text(re.compile("Open until (today|tomorrow), "))).to_be_visible()
    await seen(message(thread, "Proposal 1")).to_contain_text("💬 Jonas Weber asks for a change (twin)")

    await become(page, "Maya Patel")
    await opens_messages(page)
    await page.get_by_role("button", name="Negotiate…").click()
    form = page.get_by_role("dialog", name="Ask for a change")
    await form.get_by_label("In your own words").fill("Mondays stay free of meetings")
    await form.get_by_role("button", name="Send").click()
    await seen(page.get_by_text("💬 You ask for a change – Mondays stay free of meetings")).to_be_visible()

    await skips_ahead(page, "Half time in round 1", "Round 1 closes", "Half time in round 2")
    await seen(page.get_by_text("Your wish was taken up: Mondays stay free of meetings")).to_be_visible()
    await skips_ahead(page, "Half time in round 2", "Round 2 closes")
    await seen(message(page, "Half of the time for")).to_contain_text("Your part has changed since you voted")
    await message(page, "Proposal 2").get_by_role("button", name="Accept").click()
    await seen(message(page, "Proposal 2")).to_contain_text("✅ You accept")
    await skips_ahead(page, "Round 2 closes", "Nothing is waited for")
    await seen(message(page, "You are confirmed. Your part:")).to_contain_text("Product lead")

    await become(page, REQUESTER_NAME)
    await message(page, PROTOTYPE).get_by_role("link", name="replies").click()
    await thread.get_by_role("button", name="Go…").click()
    form = page.get_by_role("dialog", name="Go")
    await form.get_by_label("Also tell the channel").check()
    await form.get_by_role("button", name="Go", exact=True).click()
    decided = f"🚀 It goes ahead: @{REQUESTER_NAME} decided"
    await seen(message(thread, "We have a plan").get_by_text(decided).first).to_be_visible()
    await seen(page.get_by_role("main").get_by_text(decided)).to_be_visible()

    await picks(message(thread, "We have a plan"), "Export…")
    form = page.get_by_role("dialog", name="Export")
    await form.get_by_label("To read: Markdown").check()
    await form.get_by_role("button", name="Export").click()
    async with page.expect_download() as downloading:
        await thread.locator("a[download$='.md']").click()
    download = await downloading.value
    assert download.suggested_filename.endswith(".md")
    exported = (await download.path()).read_text("utf-8")
    assert PROTOTYPE in exported
    assert "Mondays stay free of meetings" in exported
    await page.goto("about:blank")


async def test_a_twin_is_overruled_with_each_button_wherever_one_is_asked_and_a_colleague_may_do_it_too(
    demo: Demo, visits: Visits
) -> None:
    where = await demo.asks(PROTOTYPE)
    you = await visits.open(demo.url, REQUESTER, where)
    card = message(thread_of(you), "Proposal 1")
    await skips_corrections(you)
    await seen(card).to_contain_text("✅ Maya Patel accepts (twin)")
    thread, dm = await visits.open(demo.url, MAYA, where), await visits.open(demo.url, MAYA)
    await opens_messages(dm)
    part = message(dm, "Proposal 1").last
    for place, asked in {"thread": message(thread_of(thread), "Proposal 1"), "DM": part}.items():
        await asked.get_by_role("button", name="Negotiate…").click()
        await says(asked.page, "Ask for a change", "In your own words", f"Less, says the {place}")
        await seen(card).to_contain_text(f"💬 Maya Patel asks for a change – Less, says the {place}")
        await asked.get_by_role("button", name="Withdraw…").click()
        await says(asked.page, "Withdraw", "Why?", f"Away, says the {place}")
        await seen(card).to_contain_text(f"👋 Maya Patel withdraws – Away, says the {place}")
        await seen(part).to_contain_text(f"👋 You withdraw – Away, says the {place}")
        await asked.get_by_role("button", name="Accept").click()
        await seen(card).to_contain_text(accepts("Maya Patel"))
        await seen(part).to_contain_text("✅ You accept")

    await picks(part, "Delegate…")
    form = dm.get_by_role("dialog", name="Delegate")
    await form.get_by_label("Who may decide for you?").select_option(EMMA)
    await form.get_by_role("button", name="Send").click()
    await seen(part).to_contain_text("@Emma Clarke may decide for you as well")
    emma = await visits.open(demo.url, EMMA)
    await opens_messages(emma)
    await message(emma, "@Maya Patel lets you decide for them").get_by_role("button", name="Negotiate…").click()
    await says(emma, "Ask for a change", "In your own words", "Calls on Tuesdays")
    await seen(card).to_contain_text("💬 Maya Patel asks for a change (by @Emma Clarke) – Calls on Tuesdays")

    jonas = await visits.open(demo.url, JONAS, "home")
    votes = jonas.get_by_role("tabpanel", name="Home")
    await votes.get_by_role("button", name="Negotiate…").click()
    await says(jonas, "Ask for a change", "In your own words", "Less, says Home")
    await seen(card).to_contain_text("💬 Jonas Weber asks for a change – Less, says Home")
    await seen(votes).to_contain_text("Nobody is waiting for you.")
    await skips_ahead(you, "Half time in round 1", "Round 1 closes", "Half time in round 2")
    card = message(thread_of(you), "Proposal 2")
    await votes.get_by_role("button", name="Accept").click()
    await seen(card).to_contain_text(accepts("Jonas Weber"))
    await dm.get_by_role("tab", name="Home").click()
    await dm.get_by_role("button", name="Withdraw…").click()
    await says(dm, "Withdraw", "Why?", "My leave begins")
    await seen(card).to_contain_text("👋 Maya Patel withdraws – My leave begins")
    await stops(you)
    await seen(dm.get_by_text("Nobody is waiting for you.")).to_be_visible()
    for each in (you, thread, dm, emma, jonas):
        await each.goto("about:blank")


async def test_what_one_said_in_home_decides_what_the_twin_says_next(rules: Demo, visits: Visits) -> None:
    emma = await visits.open(rules.url, EMMA, "home")
    twin = emma.get_by_role("tabpanel", name="Home")
    await twin.get_by_role("button", name="Edit my profile…").click()
    form = emma.get_by_role("dialog", name="Profile")
    await form.get_by_label("Location").fill("Lisbon")
    about = form.get_by_label("About")
    said = await about.input_value()
    await about.fill("Too short")
    await form.get_by_role("button", name="Save").click()
    await seen(about).to_be_focused()
    await seen(form.get_by_text("Please enter at least 200 characters.")).to_be_visible()
    await about.fill(said)
    await form.get_by_role("button", name="Save").click()
    await seen(form).to_be_hidden()
    await seen(twin).to_contain_text("Emma Clarke · Lisbon")

    maya = await visits.open(rules.url, MAYA, "home")
    twin = maya.get_by_role("tabpanel", name="Home")
    await twin.get_by_role("button", name="Limits…").click()
    form = maya.get_by_role("dialog", name="Limits")
    never = form.get_by_label("What I never do, in my words")
    before = await never.input_value()
    await never.fill(f"{before}\nproduct management")
    await form.get_by_role("button", name="Save").click()
    await seen(twin).to_contain_text("never: “product management”")
    jonas = await visits.open(rules.url, JONAS, "home")
    await jonas.get_by_role("button", name="Pause my twin").click()
    await seen(jonas.get_by_text("⏸️ Paused: the twin answers nothing.")).to_be_visible()

    you = await visits.open(rules.url, REQUESTER, await rules.asks(WORKSHOP))
    await skips_corrections(you)
    card = message(thread_of(you), "Proposal 1")
    await seen(card).to_contain_text("waits for Maya Patel")
    await seen(card).not_to_contain_text("Jonas Weber")
    await seen(thread_of(you)).not_to_contain_text("your twin is not sure")
    await maya.get_by_role("tab", name="Messages").click()
    asked = message(maya, "Your limits: is this all right with you?").last
    await seen(asked).to_contain_text("product management – your twin is not sure")
    await asked.get_by_role("button", name="Accept").click()
    await seen(card).to_contain_text(accepts("Maya Patel"))
    await stops(you)
    await jonas.get_by_role("button", name="Let it answer again").click()
    await seen(jonas.get_by_text("🟢 The twin answers.")).to_be_visible()
    await maya.get_by_role("tab", name="Home").click()
    await twin.get_by_role("button", name="Limits…").click()
    await never.fill(before)
    await form.get_by_role("button", name="Save").click()
    await seen(twin).not_to_contain_text("never: “product management”")
    for each in (you, emma, maya, jonas):
        await each.goto("about:blank")


async def test_an_admin_says_where_demands_begin_and_elsewhere_they_are_refused_in_private(
    demo: Demo, visits: Visits
) -> None:
    await demo.admin.put_channel(Channel(id="C_PLANS", name="plans", members=[REQUESTER, MAYA]))
    you = await visits.open(demo.url, REQUESTER, "home")
    await you.get_by_role("button", name="Settings…").click()
    form = you.get_by_role("dialog", name="Settings")
    await form.get_by_role("group", name="Where may demands begin?").get_by_label("plans").check()
    await form.get_by_role("button", name="Save").click()
    await seen(form).to_be_hidden()
    await seen(you.get_by_role("tabpanel", name="Home")).to_contain_text("Demands can be made in #plans")
    maya = await visits.open(demo.url, MAYA, CHANNEL)

    await you.get_by_role("navigation").get_by_role("link", name="general").click()
    await write(you, f"@towow {ROOM}")
    refusal = message(you, "Admins of this workspace let demands begin in #plans")
    await seen(refusal).to_contain_text("Only visible to you")
    await seen(message(maya, ROOM)).to_be_visible()
    await seen(message(maya, "Admins of this workspace")).to_be_hidden()
    await seen(message(maya, ROOM).get_by_role("link", name="replies")).to_be_hidden()
    await you.get_by_role("navigation").get_by_role("button", name="ToWow").click()
    await you.get_by_role("tab", name="Home").click()
    await you.get_by_role("button", name="Settings…").click()
    await form.get_by_role("group", name="Where may demands begin?").get_by_label("plans").uncheck()
    await form.get_by_role("button", name="Save").click()
    await seen(you.get_by_role("tabpanel", name="Home")).to_contain_text("Demands can be made everywhere")
    for each in (you, maya):
        await each.goto("about:blank")


@pytest.mark.parametrize(
    "speaks",
    [
        pytest.param(
            Planning(
                demand=PROTOTYPE,
                plan="Go…",
                report="What is known, side by side",
                laid_out="Nobody has weighed it",
                arguments="Arguments…",
                against="Weighing this takes a model",
                close="Close",
                ask="Ask the Critic…",
                question="What if Jonas Weber is away?",
                asks="asks the Critic",
                export="Export…",
            ),
            id="English",
        ),
        pytest.param(
            Planning(
                demand=MEETUP,
                plan="就这么办…",
                report="已知的内容，并排列出",
                laid_out="已知的内容并排列出。没有人权衡过：这需要模型",
                arguments="论据…",
                against="权衡这件事需要模型",
                close="关闭",
                ask="问批评家…",
                question="如果场地不够大怎么办？",
                asks="问批评家",
                export="导出…",
            ),
            id="Chinese",
            marks=pytest.mark.exhaustive,
        ),
    ],
)
async def test_what_was_agreed_is_argued_out_in_its_thread_asked_about_and_exported(
    rules: Demo, visits: Visits, speaks: Planning
) -> None:
    page = await visits.open(rules.url, REQUESTER, await rules.asks(speaks.demand))
    thread = thread_of(page)
    planning = thread.get_by_role("button", name=speaks.plan, exact=True)
    await skips_corrections(page)
    waits = "Half time in round {0}", "Round {0} closes"
    await skips_ahead(page, *(each.format(number) for number in (1, 2) for each in waits), "Nothing is waited for")

    await goes(thread, speaks.plan, way=1)
    report = thread.get_by_role("listitem").filter(has=page.get_by_role("heading", name=speaks.report))
    await seen(report).to_be_visible()
    await seen(planning).to_have_count(0)  # it is not the next step any more

    await picks(thread.get_by_role("listitem").filter(has_text=speaks.laid_out), speaks.arguments)
    dialog = page.get_by_role("dialog")
    await seen(dialog).to_contain_text(speaks.against)
    await dialog.get_by_role("button", name=speaks.close).last.click()

    await picks(report, speaks.ask)
    await dialog.get_by_role("textbox").fill(speaks.question)
    await page.keyboard.press("Control+Enter")
    await seen(message(thread, speaks.question)).to_contain_text(speaks.asks)
    await seen(message(thread, speaks.question).get_by_text("…")).to_have_count(0)

    # Without a model, a plan has no days: there is no picture of them, and nothing for a calendar.
    for number, kind in enumerate((0, 2), 1):
        await picks(report, speaks.export)
        await dialog.get_by_role("radio").nth(kind).check()
        await page.keyboard.press("Control+Enter")
        await seen(thread.locator("a[download]")).to_have_count(number)
    async with page.expect_download() as downloading:
        await thread.locator("a[download]").first.click()
    assert speaks.demand.split(";")[0] in (await (await downloading.value).path()).read_text("utf-8")

    home = await visits.open(rules.url, REQUESTER, "home")
    await seen(home.get_by_role("tabpanel", name="Home")).to_contain_text("Your plans")
    for each in (page, home):
        await each.goto("about:blank")


async def stops(page: Page) -> None:
    """What is open in this thread."""
    await thread_of(page).get_by_role("button", name="Stop").click()
    await page.get_by_role("dialog", name="Stop this negotiation?").get_by_role("button", name="Stop").click()
    await waits_for(page, "Nothing is waited for")


async def says(page: Page, form: str, field: str, words: str) -> None:
    dialog = page.get_by_role("dialog", name=form)
    await dialog.get_by_label(field).fill(words)
    await dialog.get_by_role("button", name="Send").click()
    await seen(dialog).to_be_hidden()
