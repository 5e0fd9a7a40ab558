"""People talk: in channels, in threads, at the same time."""

from __future__ import annotations

from pathlib import Path

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Channel, LocalWorkspace, User

from ..local_slack.conftest import AYA, BO, CHANNELS, GENERAL, USERS
from .page_objects import PHONE, Visits, become, message, seen, steps_of_coming_back, write

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    ("said", "language"),
    [
        pytest.param("我们想在北京办一场五十人的聚会", "zh", id="Chinese"),
        pytest.param("@bo 我可以帮忙", "zh", id="Chinese after a mention"),
        pytest.param("A venue near 北京 for fifty people, please", "en", id="English with a Chinese name"),
        pytest.param("We need a venue", "en", id="English"),
    ],
)
async def test_words_are_tagged_with_their_language(
    workspace: LocalWorkspace, visits: Visits, said: str, language: str
) -> None:
    aya = await visits.open(workspace.url, AYA, GENERAL)
    await write(aya, said)
    await seen(message(aya, said.removeprefix("@bo ")).locator(".text, .block").first).to_have_attribute(
        "lang", language
    )


async def test_two_people_talk_and_each_sees_the_other_at_once(workspace: LocalWorkspace, visits: Visits) -> None:
    aya = await visits.open(workspace.url, AYA, GENERAL)
    bo = await visits.open(workspace.url, BO, GENERAL)
    await seen(bo.get_by_text("Nothing was said here yet.")).to_be_visible()  # what comes from now on is news

    await write(aya, "We need a *venue*, @bo")
    await seen(message(bo, "We need a venue, @Bo").locator("strong", has_text="venue")).to_be_visible()
    await seen(bo.locator("#news")).to_contain_text("Aya: We need a venue, @Bo")

    await message(bo, "We need a venue").get_by_role("link", name="Reply in thread").click()
    await seen(bo.get_by_role("textbox", name="Reply")).to_be_focused()
    await write(bo, "I know one", "Reply")
    await seen(bo.get_by_role("complementary", name="Thread").get_by_text("I know one")).to_be_visible()

    replies = aya.get_by_role("link", name="1 reply")
    await seen(replies).to_contain_text("1 new")
    await replies.click()
    await seen(aya.get_by_role("complementary", name="Thread").get_by_text("I know one")).to_be_visible()
    await seen(aya.get_by_role("link", name="1 reply")).not_to_contain_text("new")

    await aya.reload()
    await seen(aya.get_by_role("complementary", name="Thread").get_by_text("I know one")).to_be_visible()
    await aya.keyboard.press("Tab")
    await aya.get_by_role("textbox", name="Reply").focus()
    await aya.keyboard.press("Escape")
    await seen(aya.get_by_role("complementary", name="Thread")).to_be_hidden()


async def test_what_is_new_elsewhere_is_marked_until_one_looks(workspace: LocalWorkspace, visits: Visits) -> None:
    page = await visits.open(workspace.url, BO, "G_SECRET")
    aya = workspace.person(AYA)
    await aya.say(GENERAL, "for all")
    general = page.get_by_role("link", name="general")
    await seen(general).to_contain_text("unread")
    await aya.say(GENERAL, "for @bo")
    await seen(general).to_contain_text("1 for you")
    await seen(page).to_have_title("(1) #secret · Bo · Local workspace")

    await general.click()
    await seen(page.get_by_role("separator", name="New")).to_be_visible()
    await seen(general).not_to_contain_text("for you")
    await page.reload()
    await seen(message(page, "for all")).to_be_visible()
    await seen(page.get_by_role("separator", name="New")).to_be_hidden()


async def test_one_can_become_somebody_else_and_sees_with_their_eyes(
    workspace: LocalWorkspace, client: AsyncWebClient, visits: Visits
) -> None:
    await client.chat_postEphemeral(channel=GENERAL, user=AYA, text="Between us")
    page = await visits.open(workspace.url, AYA, GENERAL)
    await seen(message(page, "Between us")).to_contain_text("Only visible to you")
    await seen(page.get_by_role("link", name="secret")).to_be_hidden()

    await become(page, "Bo")
    await seen(page.get_by_role("link", name="secret")).to_be_visible()
    await seen(message(page, "Between us")).to_be_hidden()


async def test_one_s_own_words_can_be_changed_and_taken_back(workspace: LocalWorkspace, visits: Visits) -> None:
    page = await visits.open(workspace.url, AYA, GENERAL)
    await write(page, "for 40 & more")
    await message(page, "for 40").get_by_role("button", name="More actions").press("Enter")
    await page.get_by_role("menuitem", name="Edit message").click()
    await seen(page.get_by_role("textbox", name="Message")).to_have_value("for 40 & more")
    await write(page, "for 50 & more")
    await seen(message(page, "for 50 & more")).to_contain_text("(edited)")

    [posted] = await workspace.person(AYA).messages(GENERAL)
    await workspace.person(BO).say(GENERAL, "noted", posted.ts)
    await seen(page.get_by_role("link", name="1 reply")).to_be_visible()
    await message(page, "for 50").get_by_role("button", name="More actions").click()
    await page.get_by_role("menuitem", name="Delete message").click()
    await page.get_by_role("dialog", name="Delete this message?").get_by_role("button", name="Delete").click()
    await seen(message(page, "This message was deleted.")).to_contain_text("1 reply")


async def test_whoever_is_not_in_a_channel_can_join_it(workspace: LocalWorkspace, visits: Visits) -> None:
    page = await visits.open(workspace.url, BO, "C_QUIET")
    await page.get_by_role("button", name="Join #quiet").click()
    await write(page, "Hello")
    await seen(message(page, "Hello")).to_be_visible()


async def test_a_draft_outlives_a_look_elsewhere_and_a_reload(workspace: LocalWorkspace, visits: Visits) -> None:
    page = await visits.open(workspace.url, BO, GENERAL)
    await page.get_by_role("textbox", name="Message").fill("half a sent")
    await page.get_by_role("link", name="secret").click()
    await seen(page.get_by_role("textbox", name="Message #secret")).to_have_value("")
    await page.get_by_role("link", name="general").click()
    await seen(page.get_by_role("textbox", name="Message #general")).to_have_value("half a sent")
    await page.reload()
    await seen(page.get_by_role("textbox", name="Message #general")).to_have_value("half a sent")


async def test_the_page_comes_back_in_ever_longer_steps(workspace: LocalWorkspace, visits: Visits) -> None:
    steps = await steps_of_coming_back(visits, workspace.url)
    assert steps == pytest.approx([1.0, 1.5, 2.25, 3.375, 5.06, 7.59, 11.39, 17.09], abs=0.02)


async def test_the_page_comes_back_when_the_workspace_does(tmp_path: Path, visits: Visits) -> None:
    kept = tmp_path / "workspace.jsonl"
    async with LocalWorkspace(users=USERS, channels=CHANNELS, file=kept) as first:
        page = await visits.open(first.url, AYA, GENERAL)
        await write(page, "before")
        await seen(message(page, "before")).to_be_visible()
    await seen(page.get_by_text("Reconnecting")).to_be_visible()
    await write(page, "nobody hears this")
    await seen(page.get_by_role("alert")).to_contain_text("The workspace cannot be reached.")
    port = int(first.url.rpartition(":")[2])
    async with LocalWorkspace(file=kept, port=port) as second:
        await second.person(BO).say(GENERAL, "after")
        await seen(message(page, "after")).to_be_visible()
        await seen(page.get_by_text("Reconnecting")).to_be_hidden()
        await seen(page.get_by_role("textbox", name="Message")).to_have_value("nobody hears this")
        await page.goto("about:blank")


@pytest.mark.parametrize(
    ("locale", "day"),
    [
        pytest.param("zh-CN", "1月15日星期五", id="theirs"),
        pytest.param("", "Friday, January 15", id="none"),
        pytest.param("x y", "Friday, January 15", id="one that is none"),
    ],
)
async def test_times_are_in_everybody_s_own_language(visits: Visits, locale: str, day: str) -> None:
    dee = User(id="U_DEE", name="dee", locale=locale)
    channel = Channel(id=GENERAL, name="general", members=["U_DEE"])
    async with LocalWorkspace(users=[dee], channels=[channel], now=lambda: 1_800_000_000.0) as workspace:
        await workspace.person("U_DEE").say(GENERAL, "Hello")
        page = await visits.open(workspace.url, "U_DEE", GENERAL, timezone_id="UTC")
        await seen(page.get_by_role("separator", name=day)).to_be_visible()
        await page.goto("about:blank")


async def test_on_a_phone_there_is_one_column_at_a_time(workspace: LocalWorkspace, visits: Visits) -> None:
    await workspace.person(BO).say(GENERAL, "Lunch?")
    page = await visits.open(workspace.url, AYA, viewport=PHONE)
    await page.get_by_role("link", name="general").click()
    await seen(message(page, "Lunch?")).to_be_visible()
    await seen(page.get_by_role("navigation")).to_be_hidden()
    await message(page, "Lunch?").get_by_role("link", name="Reply in thread").click()
    await write(page, "Yes", "Reply")
    await seen(page.get_by_role("main")).to_be_hidden()
    await page.get_by_role("link", name="Back to the channel").click()
    await seen(page.get_by_role("link", name="1 reply")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.get_by_role("link", name="Back to the channels").click()
    await seen(page.get_by_role("navigation")).to_be_visible()
