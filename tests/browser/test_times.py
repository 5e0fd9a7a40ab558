"""Two people have calendars. One asks for another time, and it is agreed; then a clash comes up, and yet another."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.demo.demo import CHANNEL, REQUESTER, DemoSettings, running_demo
from bot.demo.event_panel import EventPanel
from bot.demo.negotiation.part import WINDOWS
from bot.demo.page import Own, Weekly, colleagues, exported
from bot.registry import PROTOCOLS
from engine.files.profiles import load_profiles
from engine.negotiation.policy import PRESETS

from .page_objects import Visits, message, opens_messages, seen, skips_ahead, skips_corrections, thread_of

pytestmark = pytest.mark.asyncio(loop_scope="session")

JONAS, MAYA = "U_JONAS_WEBER", "U_MAYA_PATEL"
DEMAND = "A workshop for our designers from {first} to {last}, 14:00 to 16:00; we need UX design and product management"


def weeks_after(day: date) -> Iterator[date]:
    """The Mondays of the weeks from the next but one on."""
    yield from (day + timedelta(7 * number - day.weekday()) for number in range(2, 5))


async def test_another_time_is_agreed_and_once_a_clash_comes_up_yet_another(visits: Visits) -> None:
    profiles, people = colleagues(load_profiles())
    policy = PRESETS["balanced"].model_copy(update=WINDOWS)
    async with running_demo(DemoSettings(profiles, policy, PROTOCOLS), people) as demo:
        demo.workspace.show(EventPanel(demo))
        calendars = demo.towow.services.calendars
        assert calendars is not None
        today = datetime.now(UTC).date()
        monday = next(each for each in weeks_after(today) if each.month == (each + timedelta(4)).month)
        for user, days in ((JONAS, "MO"), (MAYA, "TU")):
            await calendars.give_file(demo.tenant, user, exported(Own((Weekly(days, "1300", 4),)), today))
        week = {name: f"{day:%B} {day.day}" for name, day in (("first", monday), ("last", monday + timedelta(4)))}
        posted = await demo.mention(DEMAND.format(**week))
        await demo.settle()
        you = await visits.open(demo.workspace.url, REQUESTER, f"{CHANNEL}/{posted.ts}")
        await skips_corrections(you)
        card = message(thread_of(you), "Proposal 1").last
        await seen(card).to_contain_text("all 2 can, as far as it is known")

        await card.get_by_role("button", name="Other times…").click()
        times = you.get_by_role("dialog", name="Other times")
        await seen(times).to_contain_text("At these times everybody can who has to be there")
        await seen(times.get_by_role("button", name="Ask for this time")).to_have_count(4)
        await seen(times).to_contain_text(
            "Cannot then: Jonas Weber"
        )  # another could do his part, when it was looked for
        await times.get_by_role("button", name="Ask for this time").nth(1).click()
        thursday = (monday + timedelta(3)).isoformat()
        await seen(thread_of(you)).to_contain_text(f"{thursday} 14:00–16:00")
        await times.get_by_role("button", name="Close").last.click()

        jonas = await visits.open(demo.workspace.url, JONAS, CHANNEL)
        await opens_messages(jonas)
        await message(jonas, "Your part").last.get_by_role("button", name="I cannot then…").click()
        form = jonas.get_by_role("dialog", name="When I cannot")
        await seen(form).to_contain_text("Nobody is told why.")
        await form.get_by_role("button", name="Cancel").click()

        await skips_ahead(you, "Half time in round 1", "Round 1 closes", "Half time in round 2")
        newest = message(thread_of(you), "Proposal 2").last
        await seen(newest).to_contain_text("all 2 can, as far as it is known")
        await seen(newest).to_contain_text(f"{monday + timedelta(3):%A}")
        await skips_ahead(you, "Half time in round 2", "Round 2 closes", "")
        plan = message(thread_of(you), "Who does what").first
        await seen(plan).to_contain_text(f"{monday + timedelta(3):%A}")

        # a clash comes up, and another time is found
        busy = Own((Weekly("TU,TH", "1300", 4),))
        await calendars.give_file(demo.tenant, JONAS, exported(busy, today))
        await demo.settle()
        told = message(jonas, "You cannot any more").last
        await seen(told).to_contain_text("other times at which everybody can")
        await told.get_by_role("button", name="Find another time").click()
        maya = await visits.open(demo.workspace.url, MAYA, CHANNEL)
        await opens_messages(maya)
        await opens_messages(you)
        for page in (jonas, maya, you):
            card = message(page, "is to take place at another time").last
            await seen(card).to_contain_text("The first one that suits everybody")
            await card.get_by_role("button", name="I can then").first.click()
        await seen(jonas.get_by_text("Agreed:").last).to_be_visible()
        again = await visits.open(demo.workspace.url, REQUESTER, f"{CHANNEL}/{posted.ts}")
        await seen(thread_of(again)).to_contain_text("instead of")
        for each in (you, jonas, maya, again):
            await each.goto("about:blank")
