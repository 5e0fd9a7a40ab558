"""What Slack shows of agents, in the page: how a thread stands, a button to stop, prompts, plans and containers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.demo.demo import CHANNEL, DemoSettings, running_demo
from bot.demo.page import colleagues
from bot.local_slack import LocalWorkspace
from bot.registry import PROTOCOLS
from engine.files.profiles import load_profiles
from engine.negotiation.policy import Policy
from engine.store.memory import MemoryStore

from ..bot.driver import ALONE, YOU, playing
from ..local_slack.conftest import AYA, BO, GENERAL, running
from ..local_slack.test_newer_blocks import CARD, CONTAINER, TABLE, row
from .page_objects import PHONE, Visits, message, opens_messages, seen, thread_of

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = pytest.mark.asyncio(loop_scope="session")

PLAN = {
    "type": "plan",
    "title": "Tickets",
    "tasks": [
        CARD,
        {
            "type": "task_card", "task_id": "2", "title": "Invite <everybody>", "status": "in_progress",
            "details": {
                "type": "rich_text",
                "elements": [{"type": "rich_text_section", "elements": [{"type": "user", "user_id": AYA}]}],
            },
        },
        {"type": "task_card", "task_id": "3", "title": "Print", "status": "complete"},
        {"type": "task_card", "task_id": "4", "title": "Stream", "status": "error"},
    ],
}  # fmt: skip
PROMPTS = [{"title": "What waits for me?", "message": "status"}, {"title": "Help", "message": "help"}]
LOOKS = [
    pytest.param({}, id="light"),
    pytest.param({"color_scheme": "dark"}, id="dark"),
    pytest.param({"viewport": PHONE}, id="phone"),
]


async def opened(visits: Visits, url: str, user: str, place: str, **look: Any) -> Page:
    """Open a place; on a phone nothing of the sidebar is seen there, which is what says that the page is ready."""
    if look.get("viewport") != PHONE:
        return await visits.open(url, user, place, **look)
    page = await visits.open(url, user, **look)
    await page.goto(f"{url}/#/{user}/{place}")
    return page


async def begun(workspace: LocalWorkspace, client: AsyncWebClient, status: str = "processing") -> str:
    root = await workspace.person(AYA).say(GENERAL, "A venue, please")
    await client.agents_sessions_setStatus(channel_id=GENERAL, thread_ts=root.ts, status=status)
    return root.ts


@pytest.mark.parametrize("look", LOOKS)
async def test_a_thread_says_how_it_stands_and_for_how_long(
    workspace: LocalWorkspace, visits: Visits, client: AsyncWebClient, look: dict[str, Any]
) -> None:
    ts = await begun(workspace, client)
    page = await opened(visits, workspace.url, AYA, f"{GENERAL}/{ts}", **look)
    thread = thread_of(page)
    await seen(thread.get_by_role("status")).to_have_text("ToWow is at work")
    await seen(thread.get_by_role("timer")).to_have_text(re.compile(r"^\d+ s$"))
    await seen(thread.get_by_role("button", name="Stop")).to_be_visible()

    await client.agents_sessions_setStatus(channel_id=GENERAL, thread_ts=ts, status="suspended")
    await seen(thread.get_by_role("status")).to_have_text("Needs attention: people are waited for")
    await seen(thread.get_by_role("timer")).to_have_text("")
    await seen(thread.get_by_role("button", name="Stop")).to_have_count(0)

    await client.agents_sessions_setStatus(channel_id=GENERAL, thread_ts=ts, status="closed")
    await seen(thread.get_by_role("status")).to_have_text("ToWow has finished")


async def test_the_button_tells_the_app_to_stop(
    workspace: LocalWorkspace, visits: Visits, client: AsyncWebClient, app: AsyncApp
) -> None:
    stopped = []

    @app.event("agent_session_stopped")
    async def stop(event: dict[str, str]) -> None:
        stopped.append(event["user"])
        await client.agents_sessions_setStatus(
            channel_id=event["channel"], thread_ts=event["thread_ts"], status="closed"
        )

    async with running(app, workspace):
        ts = await begun(workspace, client)
        page = await opened(visits, workspace.url, BO, f"{GENERAL}/{ts}")
        await thread_of(page).get_by_role("button", name="Stop").press("Enter")
        await seen(thread_of(page).get_by_role("status")).to_have_text("ToWow has finished")
    assert stopped == [BO]


async def test_a_thread_in_which_nobody_works_says_nothing(workspace: LocalWorkspace, visits: Visits) -> None:
    root = await workspace.person(AYA).say(GENERAL, "Good morning")
    page = await opened(visits, workspace.url, AYA, f"{GENERAL}/{root.ts}")
    await seen(message(thread_of(page), "Good morning")).to_be_visible()
    await seen(thread_of(page).get_by_role("status")).to_be_hidden()


@pytest.mark.parametrize("look", LOOKS)
async def test_what_one_may_say_stands_above_the_composer_and_a_press_says_it(
    workspace: LocalWorkspace, visits: Visits, client: AsyncWebClient, look: dict[str, Any]
) -> None:
    channel = (await workspace.person(AYA).dm()).id
    page = await opened(visits, workspace.url, AYA, channel, **look)
    await client.assistant_threads_setSuggestedPrompts(channel_id=channel, prompts=PROMPTS, title="What do you need?")
    prompts = page.get_by_role("region", name="What do you need?")
    await seen(prompts.get_by_role("button")).to_have_text(["What waits for me?", "Help"])
    await prompts.get_by_role("button", name="What waits for me?").click()
    await seen(message(page, "status")).to_be_visible()


@pytest.mark.parametrize("look", LOOKS)
async def test_a_plan_names_the_status_of_each_task(
    workspace: LocalWorkspace, visits: Visits, client: AsyncWebClient, look: dict[str, Any]
) -> None:
    await client.chat_postMessage(channel=GENERAL, text="The board", blocks=[PLAN])
    page = await opened(visits, workspace.url, AYA, GENERAL, **look)
    plan = page.get_by_role("region", name="Tickets")
    await seen(plan.get_by_role("listitem")).to_have_count(4)
    for title, status in (("Book", "Not begun"), ("Invite", "In progress"), ("Print", "Done"), ("Stream", "Failed")):
        row = plan.get_by_role("listitem").filter(has_text=title)
        await seen(row.get_by_role("img", name=status)).to_be_visible()
    await seen(plan.get_by_text("Invite <everybody>")).to_be_visible()
    await seen(plan.get_by_text("@Aya")).to_be_visible()


async def test_a_container_opens_with_a_click_and_stays_open_when_its_message_changes(
    workspace: LocalWorkspace, visits: Visits, client: AsyncWebClient
) -> None:
    posted = await client.chat_postMessage(channel=GENERAL, text="Offers", blocks=[CONTAINER])
    page = await opened(visits, workspace.url, AYA, GENERAL)
    inside = page.get_by_text("Inside")
    await seen(page.get_by_text("More", exact=True)).to_be_visible()
    await seen(inside).to_be_hidden()
    await page.get_by_text("More", exact=True).click()
    await seen(inside).to_be_visible()

    again = {**CONTAINER, "child_blocks": [{"type": "header", "text": {"type": "plain_text", "text": "Another"}}]}
    await client.chat_update(channel=GENERAL, ts=posted["ts"], text="Offers", blocks=[again])
    await seen(page.get_by_role("heading", name="Another")).to_be_visible()


@pytest.mark.parametrize("look", LOOKS)
async def test_a_table_turns_its_pages(
    workspace: LocalWorkspace, visits: Visits, client: AsyncWebClient, look: dict[str, Any]
) -> None:
    rows = [row("Who", "What"), *(row(f"Person {number}", "Tea") for number in range(1, 13))]
    await client.chat_postMessage(channel=GENERAL, text="People", blocks=[TABLE | {"rows": rows, "page_size": 10}])
    page = await opened(visits, workspace.url, AYA, GENERAL, **look)
    table = page.get_by_role("table", name="People")
    await seen(table.get_by_role("rowheader")).to_have_count(10)
    await seen(table.get_by_role("columnheader")).to_have_text(["Who", "What"])
    await page.get_by_role("button", name="Later rows").click()
    await seen(table.get_by_role("rowheader")).to_have_text(["Person 11", "Person 12"])
    await page.get_by_role("button", name="Earlier rows").click()
    await seen(table.get_by_role("rowheader")).to_have_count(10)


async def test_a_thumb_down_opens_the_form_and_a_workflow_runs_with_what_stands_in_the_field(visits: Visits) -> None:
    async with playing(MemoryStore(), policy=ALONE) as it:
        you = await opened(visits, it.demo.workspace.url, YOU, CHANNEL)
        await you.get_by_role("textbox", name="Message").fill("I need a venue for 50 people in Berlin")
        await you.get_by_role("button", name="Shortcuts and commands").first.click()
        await you.get_by_role("menuitem", name="Run a workflow: Negotiate").click()
        await seen(message(you, "✅ We have a plan").first).to_be_visible()
        await seen(you.get_by_text("A workflow", exact=True)).to_be_visible()
        await seen(you.get_by_role("textbox", name="Message")).to_have_value("")
        await you.goto("about:blank")
    async with playing(MemoryStore()) as empty:
        it = await empty.asks()
        aya = await opened(visits, it.demo.workspace.url, AYA, "")
        await opens_messages(aya)
        await aya.get_by_role("button", name="My twin should answer otherwise from now on").first.click()
        await seen(aya.get_by_role("dialog", name="Tell my twin")).to_be_visible()
        await aya.goto("about:blank")


async def test_whoever_asked_stops_a_negotiation_with_slacks_own_button_and_nobody_else_does(visits: Visits) -> None:
    store = MemoryStore()
    async with playing(store, held=("aggregate",)) as empty:
        it = await empty.asks()
        assert it.posted is not None
        place, url = f"{CHANNEL}/{it.posted.message.ts}", it.demo.workspace.url
        aya = await opened(visits, url, AYA, place)
        await thread_of(aya).locator(".session").get_by_role("button", name="Stop").click()
        await seen(thread_of(aya).get_by_text("That is for somebody else to decide").first).to_be_visible()
        await seen(thread_of(aya).get_by_role("status")).to_have_text("ToWow is at work")

        you = await opened(visits, url, YOU, place)
        await thread_of(you).locator(".session").get_by_role("button", name="Stop").click()
        await seen(thread_of(you).get_by_role("status")).to_have_text("ToWow has finished")
        await seen(thread_of(aya).get_by_role("status")).to_have_text("ToWow has finished")
        await aya.goto("about:blank")
        await you.goto("about:blank")


async def test_people_are_waited_for_in_a_thread_and_prompted_in_their_language(visits: Visits) -> None:
    profiles, people = colleagues(load_profiles())
    settings = DemoSettings(profiles, Policy(human_window=3600, override_window=3600), PROTOCOLS)
    async with running_demo(settings, people) as demo:
        said = await demo.person().say(CHANNEL, "@towow 我想在北京办一场50人的AI主题聚会，需要场地和嘉宾")
        you = await opened(visits, demo.workspace.url, YOU, f"{CHANNEL}/{said.ts}")
        await seen(thread_of(you).get_by_role("status")).to_have_text("Needs attention: people are waited for")

        lin = await opened(visits, demo.workspace.url, "U_LIN_XIAO", "", color_scheme="dark")
        await opens_messages(lin)
        prompts = lin.get_by_role("region", name="你需要什么？")
        await prompts.get_by_role("button", name="有 1 票等我投").click()
        await seen(message(lin, "我的投票").first).to_be_visible()
        await lin.goto("about:blank")
        await you.goto("about:blank")
