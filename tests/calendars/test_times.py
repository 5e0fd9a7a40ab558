"""Two people give their calendars; a plan is made at a time that is free in both."""

from typing import Final

from bot.calendars_config import CalendarAccess
from bot.views.directory.buttons import CALENDAR
from bot.views.directory.calendar_form import FILE
from engine.facts.circumstances import When
from engine.negotiation.answers import Assignment, Circumstances, ProposalDraft, Understanding
from engine.negotiation.events import TimesFound
from engine.store.memory import MemoryStore
from tests.bot.driver import AYA, BO, DEMAND, Driver, playing, text_of
from tests.bot.home import clicks, opens, sends, top
from tests.bot.script import AGENT
from tests.times.exports import event, export

OF_FILES: Final = CalendarAccess(takes_addresses=False)
DAY: Final = "2027-01-20"
MORNING: Final = When(first=DAY, last=DAY, start="09:00", end="12:00", time_zone="Europe/Berlin", exact="span")
BUSY_AT_NINE: Final = export(*event("DTSTART:20270120T080000Z", "DURATION:PT1H", "SUMMARY:quokkatitle"))
BUSY_FROM_TEN_TO_ELEVEN: Final = export(*event("DTSTART:20270120T090000Z", "DURATION:PT1H"))


async def test_a_plan_is_made_when_both_calendars_are_free_and_no_title_is_told() -> None:
    async with playing(MemoryStore(), calendars=OF_FILES) as it:
        for user, content in ((AYA, BUSY_AT_NINE), (BO, BUSY_FROM_TEN_TO_ELEVEN)):
            assert not await gives(it, user, content)
        it.script.says["understand"] = Understanding(
            surface_demand=DEMAND, confidence="high", language="en", context=Circumstances(when=MORNING, minutes=60)
        )
        seats = tuple(Assignment(agent_id=f"{AGENT}{each}", responsibility="comes") for each in ("aya", "bo"))
        eleven = When(first=DAY, last=DAY, start="11:00", end="12:00", time_zone="Europe/Berlin", exact="day")
        it.script.says["aggregate"] = ProposalDraft(summary="They meet", assignments=seats, when=eleven)

        asked = await it.asks()

        times = it.script.given["aggregate"]["times"]
        assert [(each.when.start, each.can, each.of) for each in times] == [
            ("11:00", 2, 2),
            ("09:00", 1, 2),
            ("10:00", 1, 2),
        ]
        assert "all 2 can, as far as it is known" in text_of(await asked.card())
        (found,) = await asked.happened(TimesFound)
        assert "quokka" not in str(found)
        assert "quokka" not in str(it.script.given["aggregate"])


async def gives(it: Driver, user: str, content: bytes) -> object:
    await opens(it, user)
    await clicks(it, user, CALENDAR)
    file = await it.demo.person(user).upload("own.ics", content)
    return (await sends(it, user, await top(it, user), **{FILE: [file]})).errors
