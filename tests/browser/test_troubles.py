"""What people see when something is gone, over, or not theirs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
import pytest_asyncio

from bot.demo.demo import CHANNEL, REQUESTER, REQUESTER_NAME
from bot.demo.negotiation.part import SUGGESTIONS
from bot.local_slack import Channel, User

from ..anthropic_server import Received, Refuses, Step
from .demo import Demo
from .page_objects import (
    Visits,
    accepts,
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
from .team import EVENING, started_with
from .team import PROTOTYPE as TEAM

if TYPE_CHECKING:
    from playwright.async_api import Page, Route

pytestmark = pytest.mark.asyncio(loop_scope="session")

PROTOTYPE: Final = SUGGESTIONS[2]
MEETUP: Final = "An AI meetup for 50 people in Beijing; we need a venue and speakers"
TOWOW: Final = "U_TOWOW"
MAYA, JONAS, ALEX, LIN = "U_MAYA_PATEL", "U_JONAS_WEBER", "U_ALEX_KIM", "U_LIN_XIAO"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def demo(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Demo]:
    async with started_with(TEAM, cwd=tmp_path_factory.mktemp("demo")) as demo:
        await demo.takes_its_time()
        yield demo


async def test_where_twins_cannot_vote_people_are_asked(tmp_path: Path, visits: Visits) -> None:
    def votes_for_nobody(request: Received) -> Step:
        return Refuses() if "feedback_type" in request.schema["properties"] else EVENING(request)

    async with started_with(votes_for_nobody, cwd=tmp_path) as demo:
        await demo.takes_its_time()
        you = await visits.open(demo.url, REQUESTER, await demo.asks(MEETUP))
        await skips_corrections(you)
        thread = thread_of(you)
        card = message(thread, "Proposal 1")
        await seen(card).to_contain_text("⏳ 何静: the twin could not answer; it is theirs to decide")
        await seen(card).to_contain_text("⏳ waits for 林晓")  # whose limits are in words, of which nothing was said
        degraded = (
            "⚠️ What the model answered could not be read for: the answers of 3 twins. Simple rules stood in; nobody’s"
        )
        await seen(thread).to_contain_text(degraded)
        await seen(card).to_contain_text("0 of 3 in favour")
        lin = await visits.open(demo.url, LIN)
        await opens_messages(lin)
        await lin.get_by_role("button", name="同意").click()
        await seen(card).to_contain_text("✅ 林晓 accepts")
        await seen(card).to_contain_text("1 of 3 in favour")
        for each in (you, lin):
            await each.goto("about:blank")


async def test_killed_in_the_middle_of_a_round_it_is_back_with_every_vote_and_nothing_twice(
    tmp_path: Path, visits: Visits
) -> None:
    async with started_with(TEAM, "--db", "towow.db", cwd=tmp_path) as first:
        await first.takes_its_time()
        where = await first.asks(PROTOTYPE)
        you, maya = [await visits.open(first.url, each, where) for each in (REQUESTER, MAYA)]
        await skips_corrections(you)
        await message(thread_of(maya), "Proposal 1").get_by_role("button", name="Accept").click()
        card = message(thread_of(you), "Proposal 1")
        await seen(card).to_contain_text(accepts("Maya Patel"))
        await asyncio.to_thread(first.killed)
        await seen(you.get_by_text("Reconnecting…")).to_be_visible()
        await picks(message(thread_of(you), "Stop").first, "Core parts…")
        await seen(you.get_by_role("alert")).to_contain_text("The workspace cannot be reached.")

    async with started_with(TEAM, "--db", "towow.db", "--port", str(first.port), cwd=tmp_path) as second:
        await seen(you.get_by_text("Reconnecting…")).to_be_hidden()
        await seen(maya.get_by_text("Reconnecting…")).to_be_hidden()
        await seen(card).to_contain_text(accepts("Maya Patel"))
        jonas = await visits.open(second.url, JONAS, where)
        await message(thread_of(jonas), "Proposal 1").get_by_role("button", name="Accept").click()
        await seen(card).to_contain_text(accepts("Jonas Weber"))
        await skips_ahead(you, "Half time in round 1", "Round 1 closes", "Round 2 closes")
        again = message(thread_of(you), "Proposal 2")
        await seen(again).to_contain_text(accepts("Maya Patel"))
        await seen(again).to_contain_text(accepts("Jonas Weber"))
        # Skipping leads to what is due next, which is the close once all twins have voted.
        panel = await waits_for(you, "Round 2 closes")
        await seen(panel).to_contain_text("600 s to vote in round 2")
        await skips_ahead(you, "Round 2 closes", "Nothing is waited for")
        for heading in ("Offers:", "Proposal 1", "Proposal 2", "We have a plan"):
            await seen(message(thread_of(you), heading)).to_have_count(1)
        for each in (you, maya, jonas):
            await each.goto("about:blank")


async def test_what_is_not_one_s_own_or_over_is_refused_to_oneself_alone(demo: Demo, visits: Visits) -> None:
    where = await demo.asks(PROTOTYPE)
    you, alex, maya = [await visits.open(demo.url, each, where) for each in (REQUESTER, ALEX, MAYA)]
    await skips_corrections(you)
    await message(thread_of(alex), "Proposal 1").get_by_role("button", name="Accept").click()
    await is_told(alex, "You have no part in this proposal.")
    await thread_of(alex).get_by_role("button", name="Stop").click()
    await alex.get_by_role("dialog").get_by_role("button", name="Stop").click()
    await is_told(alex, "That is for somebody else to decide, so nothing was changed.")

    await message(thread_of(maya), "Proposal 1").get_by_role("button", name="Negotiate…").click()
    form = maya.get_by_role("dialog", name="Ask for a change")
    await form.get_by_label("In your own words").fill("Mondays stay free")
    looked = asyncio.Event()

    async def late(route: Route) -> None:
        await looked.wait()
        await route.continue_()

    await alex.route("**/messages?*", late)
    await thread_of(you).get_by_role("button", name="Close round").click()
    await you.get_by_role("dialog").get_by_role("button", name="Close round").click()
    await seen(message(thread_of(you), "Proposal 2").get_by_role("button", name="Accept")).to_be_visible()
    await form.get_by_role("button", name="Send").click()
    await seen(form.get_by_text("That button is from a round that is over")).to_be_visible()
    await seen(form.get_by_label("In your own words")).to_have_value("Mondays stay free")
    await form.get_by_role("button", name="Cancel").click()
    async with alex.expect_response("**/click"):
        await message(thread_of(alex), "Proposal 1").get_by_role("button", name="Withdraw…").click()
    looked.set()
    await seen(alex.get_by_role("alert")).to_contain_text("This has changed just now. Please look at it again.")
    await seen(message(thread_of(alex), "Proposal 1").get_by_role("button", name="Accept")).to_be_hidden()
    await seen(thread_of(you)).not_to_contain_text("Only visible to you")
    await thread_of(you).get_by_role("button", name="Stop").click()
    await you.get_by_role("dialog").get_by_role("button", name="Stop").click()
    await seen(thread_of(you).get_by_text("This negotiation was stopped")).to_be_visible()
    for each in (you, alex, maya):
        await each.goto("about:blank")


async def test_cards_channels_and_accounts_may_go_and_people_go_on_voting(demo: Demo, visits: Visits) -> None:
    await demo.admin.put_user(User(id=REQUESTER, name="sam", real_name=REQUESTER_NAME, is_admin=True))
    where = await demo.asks(PROTOTYPE)
    you, maya = await visits.open(demo.url, REQUESTER, where), await visits.open(demo.url, MAYA)
    await skips_corrections(you)
    await opens_messages(maya)
    part = message(maya, "Proposal 1").last
    card = message(thread_of(you), "Proposal 1")
    await seen(part.get_by_role("button", name="Accept")).to_be_visible()
    await card.get_by_role("button", name="More actions").click()
    await you.get_by_role("menuitem", name="Delete message").click()
    await you.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await seen(card).to_be_hidden()
    await part.get_by_role("button", name="Accept").click()
    await seen(card).to_contain_text(accepts("Maya Patel"))

    await demo.admin.leave(CHANNEL, TOWOW)
    await part.get_by_role("button", name="Negotiate…").click()
    form = maya.get_by_role("dialog", name="Ask for a change")
    await form.get_by_label("In your own words").fill("Mondays stay free")
    await form.get_by_role("button", name="Send").click()
    await seen(part).to_contain_text("💬 You ask for a change – Mondays stay free")
    await demo.admin.archive(CHANNEL)
    await seen(you.get_by_text("#general is archived: it can be read, nothing more.")).to_be_visible()
    await seen(you.get_by_role("textbox")).to_have_count(0)

    await skips_ahead(you, "Half time in round 1", "Round 1 closes", "Half time in round 2")
    jonas = await visits.open(demo.url, JONAS)
    await demo.admin.deactivate(JONAS)
    await seen(jonas.get_by_role("alert")).to_contain_text("Jonas Weber has no account here any more.")
    await seen(jonas.get_by_role("button", name=f"You are {REQUESTER_NAME}")).to_be_visible()

    again = await demo.admin.put_channel(Channel(id=CHANNEL, name="general", members=[REQUESTER, MAYA, TOWOW]))
    assert not again.is_archived
    await message(maya, "Proposal 2").get_by_role("button", name="Accept").click()
    await seen(message(thread_of(you), "Proposal 2")).to_contain_text(accepts("Maya Patel"))
    for each in (you, maya, jonas):
        await each.goto("about:blank")


async def test_where_towow_is_not_one_is_told_to_invite_it(demo: Demo, visits: Visits) -> None:
    await demo.admin.put_channel(Channel(id="G_QUIET", name="quiet", members=[REQUESTER], is_private=True))
    await demo.admin.leave("G_QUIET", TOWOW)
    you = await visits.open(demo.url, REQUESTER, "G_QUIET")
    await write(you, "/towow A room for twelve people in Berlin")
    await is_told(you, "I am not in this channel, so nobody could follow the thread. Invite me")
    await you.goto("about:blank")


async def is_told(page: Page, sentence: str) -> None:
    await seen(message(page, sentence)).to_contain_text("Only visible to you")
