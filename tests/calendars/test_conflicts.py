"""After an agreement a calendar says otherwise: its owner and whoever asked are told, and another time is found."""

from collections.abc import AsyncIterator
from typing import Final

import pytest
from icalendar import Calendar

from bot.calendars_config import CalendarAccess
from bot.listeners.negotiation.availability import resume
from bot.local_slack import Message
from bot.views.directory.buttons import AWAY, FORGET_CALENDAR
from bot.views.kit.export.form import Format
from bot.views.negotiation.button_values import AGREE_TO_TIME, FIND_TIME, GIVE_UP, KEEP_TIME, REFUSE_TIMES
from engine.facts.circumstances import When
from engine.kernel import Tenant
from engine.negotiation.answers import Assignment, Circumstances, ProposalDraft, Understanding
from engine.negotiation.events import ConflictEnded, ConflictFound, ReschedulingEnded
from engine.negotiation.state import Status
from engine.projections.audit import acts
from engine.store.memory import MemoryStore
from tests.bot.driver import ALONE, AYA, BO, DEMAND, YOU, Driver, playing, shows, text_of
from tests.bot.home import clicks, sends
from tests.bot.script import AGENT
from tests.bot.test_delegates import direct
from tests.bot.test_export import exports
from tests.bot.test_home import clicks_home
from tests.bot.test_invitations import invitations
from tests.calendars.test_times import gives
from tests.times.exports import event, export

OF_FILES: Final = CalendarAccess(takes_addresses=False)
DAY: Final = "2027-01-20"
WEEK: Final = When(first=DAY, last="2027-01-21", start="09:00", end="12:00", time_zone="Europe/Berlin", exact="span")
ELEVEN: Final = When(first=DAY, last=DAY, start="11:00", end="12:00", time_zone="Europe/Berlin", exact="day")
FREE: Final = export()
AT_ELEVEN: Final = export(*event("DTSTART:20270120T103000Z", "DURATION:PT30M", "SUMMARY:quokkatitle"))


@pytest.fixture
async def it() -> AsyncIterator[Driver]:
    """Aya and Bo have agreed to meet on Wednesday at eleven."""
    async with playing(MemoryStore(), calendars=OF_FILES, policy=ALONE) as driver:
        driver.script.says["understand"] = Understanding(
            surface_demand=DEMAND, confidence="high", language="en", context=Circumstances(when=WEEK, minutes=60)
        )
        seats = tuple(Assignment(agent_id=f"{AGENT}{each}", responsibility="comes") for each in ("aya", "bo"))
        driver.script.says["aggregate"] = ProposalDraft(summary="They meet", assignments=seats, when=ELEVEN)
        made = await (await driver.asks()).goes_on()
        await made.stands(Status.FINALIZED)
        yield made


async def newest(it: Driver, user: str) -> Message:
    return (await direct(it, user))[-1]


async def presses(it: Driver, user: str, action: str, card: Message | None = None) -> None:
    shown = card or await newest(it, user)
    await it.demo.person(user).click(shown.channel, shown.ts, action)
    await it.settles()


async def is_busy(it: Driver, content: bytes = AT_ELEVEN) -> None:
    assert not await gives(it, AYA, content)
    await it.settles()


async def test_whose_calendar_it_is_and_whoever_asked_are_told_once_and_nobody_else(it: Driver) -> None:
    before = {user: len(await direct(it, user)) for user in (AYA, BO, YOU)}
    thread = [text_of(each) for each in await it.thread()]
    await is_busy(it)
    await is_busy(it)

    said, asked = await newest(it, AYA), await newest(it, YOU)
    assert "You cannot any more on Wednesday, January 20 11:00–12:00" in text_of(said)
    assert "*Aya* cannot any more on Wednesday, January 20 11:00–12:00" in text_of(asked)
    assert [shows(said, each) for each in (FIND_TIME, KEEP_TIME, GIVE_UP)] == [True, True, True]
    assert [shows(asked, each) for each in (FIND_TIME, KEEP_TIME)] == [True, False]
    assert {user: len(await direct(it, user)) - many for user, many in before.items()} == {AYA: 1, BO: 0, YOU: 1}
    assert [text_of(each) for each in await it.thread()] == thread
    (found,) = await it.happened(ConflictFound)
    assert "quokka" not in str(found) + text_of(said) + text_of(asked)

    await clicks(it, AYA, FORGET_CALENDAR)
    await it.settles()
    assert "nothing keeps you" in text_of(await newest(it, AYA))
    assert not shows(await newest(it, YOU), FIND_TIME)
    await is_busy(it)
    assert len(await direct(it, AYA)) - before[AYA] == 2


async def test_those_who_are_needed_agree_to_another_time_and_calendars_follow(it: Driver) -> None:
    for each in (AYA, BO):
        await exports(it, Format.INVITATION, each)
    await is_busy(it)
    await presses(it, YOU, FIND_TIME)
    for user in (AYA, BO, YOU):
        card = await newest(it, user)
        assert "is to take place at another time than Wednesday, January 20 11:00–12:00" in text_of(card)
        assert shows(card, REFUSE_TIMES)
    assert "*Aya*" not in text_of(await newest(it, BO))
    thread = next(text for each in await it.thread() if "another time by direct message" in (text := text_of(each)))
    assert "Aya" not in thread
    assert "• Wednesday, January 20 09:00–10:00" in thread

    for user in (AYA, BO, YOU):
        await presses(it, user, AGREE_TO_TIME)

    (ended,) = await it.happened(ReschedulingEnded)
    assert ended.when is not None
    assert (ended.when.first, ended.when.start) == (DAY, "10:00")
    root = "".join(text_of(each) for each in await it.thread())
    assert "Agreed: Wednesday, January 20 10:00–11:00" in root
    assert [f"{each['SEQUENCE']} {each.start:%H:%M}" for _, each in await invitations(it, BO)] == ["0 10:00", "1 09:00"]
    assert not shows(await newest(it, AYA), AGREE_TO_TIME)
    done = await acts(it.demo.towow.store, it.key.tenant, it.key.stream)
    assert [each.act for each in done][-4:] == ["find_time", "answer_times", "answer_times", "answer_times"]


async def test_the_meeting_itself_in_a_calendar_keeps_nobody_from_coming(it: Driver) -> None:
    await exports(it, Format.INVITATION, AYA)
    person = it.demo.person(AYA)
    names = [name for each in await person.messages((await person.dm()).id) for name in each.files]
    own = await person.download(names[-1])
    assert "10:00" in f"{Calendar.from_ical(own).events[0].start:%H:%M}"
    await is_busy(it, own)
    assert await it.happened(ConflictFound) == []


async def test_days_away_are_told_as_well_and_whoever_can_all_the_same_is_left_alone(it: Driver) -> None:
    form = await clicks_home(it, BO, AWAY)
    assert not (await sends(it, BO, form, first=DAY, last=DAY)).errors
    await it.settles()
    assert "*Bo* cannot any more" in text_of(await newest(it, YOU))

    await presses(it, BO, KEEP_TIME)
    assert [each.by for each in await it.happened(ConflictEnded)] == [BO]
    assert "They say that they can all the same" in text_of(await newest(it, YOU))
    await is_busy(it, FREE)
    assert len(await it.happened(ConflictFound)) == 1


async def test_somebody_who_can_at_none_of_them_leaves_the_plan_as_it_is(it: Driver) -> None:
    await is_busy(it)
    await presses(it, AYA, FIND_TIME)
    await presses(it, BO, REFUSE_TIMES)
    assert "No other time was agreed, so it stays as it is: Wednesday, January 20 11:00–12:00" in "".join(
        text_of(each) for each in await it.thread()
    )
    assert "Bo" not in "".join(text_of(each) for each in [await newest(it, AYA), await newest(it, YOU)])


async def test_what_a_process_had_no_time_for_is_made_up_for_at_the_next_start(it: Driver) -> None:
    calendars = it.demo.towow.services.calendars
    assert calendars is not None
    calendars.listen(lambda tenant, user: None, _nobody)
    await is_busy(it)
    assert await it.happened(ConflictFound) == []
    await resume(it.demo.towow.services)
    await it.settles()
    assert len(await it.happened(ConflictFound)) == 1


async def _nobody(tenant: Tenant, user: str, why: str, about: str) -> None:
    pass
