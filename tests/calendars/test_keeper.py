"""What people's calendars say is read when they are given and again from then on, and forgotten at once."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import pytest
from aiohttp import web

from bot.calendars.addresses import NoAddress
from bot.calendars.keeper import READ_EVERY, READ_RARELY, TOLD_AFTER, Calendars
from bot.calendars.records import GIVEN, READ, Sealing
from bot.listeners.background import OneAtATime
from engine.errors import StoreUnusable
from engine.kernel import Tenant
from engine.runtime.activity import Activity
from engine.runtime.clock import JumpingClock
from engine.store.memory import MemoryStore
from engine.times.busy import UnreadableCalendar
from tests.times.exports import event, export

from .server import CalendarServer, calendar_server, says

FRIDAY = 1_800_000_000_000
"""January 15, 2027, at eight in the morning (UTC)."""
HOUR = 3_600_000
DAY = 24 * HOUR
TOWN, CITY = Tenant("T_TOWN", ""), Tenant("T_CITY", "")
AYA, BO = "U_AYA", "U_BO"
OLD, NEW = b"o" * 32, b"n" * 32
MONDAY_MORNINGS = export(*event("DTSTART:20270111T090000Z", "DURATION:PT2H", "RRULE:FREQ=WEEKLY", "SUMMARY:Choir"))
"""From Monday, January 11 on."""


@dataclass
class Keeping:
    server: CalendarServer
    store: MemoryStore = field(default_factory=MemoryStore)
    clock: JumpingClock = field(default_factory=lambda: JumpingClock(FRIDAY))
    told: list[tuple[str, str]] = field(default_factory=list)
    zone: str = "UTC"

    def calendars(self, *keys: bytes, fetches: bool = True) -> Calendars:
        async def file_of(tenant: Tenant, file_id: str) -> bytes:
            raise AssertionError

        async def zone(tenant: Tenant, user: str) -> str:
            return self.zone

        async def failing(tenant: Tenant, user: str, why: str, about: str) -> None:
            self.told.append((user, why))

        fetch = self.server.fetching(5) if fetches else None
        made = Calendars(
            self.store, self.clock, Sealing(keys), fetch, file_of, zone, OneAtATime(), lambda tenant: False
        )
        made.listen(lambda tenant, user: None, failing)
        return made

    async def passes(self, millis: int, calendars: Calendars) -> None:
        self.clock.jump(self.clock.now() + millis)
        await calendars.look()

    async def kept(self) -> str:
        found = [await self.store.records(each, kind) for each in (TOWN, CITY) for kind in (GIVEN, READ)]
        return repr(found)


@pytest.fixture
async def it(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Keeping]:
    for name in ("https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    async with calendar_server() as server:
        server.handle = says(MONDAY_MORNINGS, ETag='"one"')
        made = Keeping(server)
        await made.store.open()
        yield made
        await made.store.close()


async def starts(calendars: Calendars, user: str = AYA, tenant: Tenant = TOWN) -> Sequence[str]:
    """When somebody is busy from the Friday on, as far as anybody knows: the first two."""
    known = await calendars.known(tenant, [user])
    ahead = [each for each in known[user].spans if each.end.timestamp() * 1000 > FRIDAY] if user in known else []
    return [f"{each.start:%m-%d %H:%M}" for each in ahead[:2]]


async def test_an_address_is_read_and_tells_when_somebody_is_busy(it: Keeping) -> None:
    calendars = it.calendars(NEW)
    await calendars.give_address(TOWN, AYA, it.server.address())
    assert await calendars.known(TOWN, [AYA]) == {}, "nobody who was not read counts as free"

    await calendars.read(TOWN, AYA)

    assert await starts(calendars) == ["01-18 09:00", "01-25 09:00"]
    known = (await calendars.known(TOWN, [AYA, BO]))[AYA]
    assert (known.read_at, known.until - FRIDAY) == (FRIDAY, 26 * 7 * DAY)
    standing = await calendars.standing(TOWN, AYA)
    assert standing is not None
    assert (standing.has_address, standing.read_at, standing.why) == (True, FRIDAY, "")
    assert await calendars.standing(TOWN, BO) is None


async def test_a_file_is_read_once_and_ages(it: Keeping) -> None:
    calendars = it.calendars()
    await calendars.give_file(TOWN, AYA, MONDAY_MORNINGS)
    await it.passes(DAY, calendars)

    assert await starts(calendars) == ["01-18 09:00", "01-25 09:00"]
    assert (await calendars.known(TOWN, [AYA]))[AYA].read_at == FRIDAY
    assert it.server.asked == []


async def test_a_file_that_cannot_be_read_changes_nothing(it: Keeping) -> None:
    calendars = it.calendars()
    await calendars.give_file(TOWN, AYA, MONDAY_MORNINGS)
    with pytest.raises(UnreadableCalendar):
        await calendars.give_file(TOWN, AYA, b"no calendar")
    assert await starts(calendars) == ["01-18 09:00", "01-25 09:00"]


async def test_the_hours_of_this_week_are_those_where_its_owner_is(it: Keeping) -> None:
    calendars = it.calendars()
    nights = export(*event("DTSTART:20270117T200000Z", "DURATION:PT8H"))  # into Monday, in UTC
    for zone, hours in (("UTC", 4), ("America/New_York", 8), ("Asia/Tokyo", 0)):
        it.zone = zone
        await calendars.give_file(TOWN, AYA, nights)
        standing = await calendars.standing(TOWN, AYA)
        assert standing is not None
        assert (zone, standing.hours_this_week) == (zone, hours)


async def test_the_hours_of_this_week_are_those_of_the_days_before_as_well(it: Keeping) -> None:
    calendars = it.calendars()
    monday = event("DTSTART:20270111T090000Z", "DURATION:PT2H", uid="monday")
    await calendars.give_file(TOWN, AYA, export(*monday, *event("DTSTART:20270116T090000Z", "DURATION:PT1H")))
    standing = await calendars.standing(TOWN, AYA)
    assert standing is not None
    assert standing.hours_this_week == 3


async def test_it_is_read_every_half_hour_and_not_sent_again_while_it_is_the_same(it: Keeping) -> None:
    calendars = it.calendars(NEW)
    await calendars.give_address(TOWN, AYA, it.server.address())
    await it.passes(0, calendars)
    await it.passes(READ_EVERY - 1, calendars)
    assert len(it.server.asked) == 1

    it.server.handle = says(b"", 304)
    await it.passes(1, calendars)

    assert it.server.asked[1].headers["If-None-Match"] == '"one"'
    assert (await calendars.known(TOWN, [AYA]))[AYA].read_at == FRIDAY + READ_EVERY
    assert await starts(calendars) == ["01-18 09:00", "01-25 09:00"]


async def test_once_the_time_has_moved_on_it_is_sent_again_though_it_is_the_same(it: Keeping) -> None:
    calendars = it.calendars(NEW)
    await calendars.give_address(TOWN, AYA, it.server.address())
    await it.passes(0, calendars)
    await it.passes(7 * DAY, calendars)

    assert "If-None-Match" not in it.server.asked[1].headers
    assert (await calendars.known(TOWN, [AYA]))[AYA].until == FRIDAY + 27 * 7 * DAY


async def test_days_are_read_anew_where_somebody_has_moved(it: Keeping) -> None:
    it.server.handle = says(export(*event("DTSTART;VALUE=DATE:20270118")), ETag='"one"')
    calendars = it.calendars(NEW)
    await calendars.give_address(TOWN, AYA, it.server.address())
    await calendars.read(TOWN, AYA)
    assert await starts(calendars) == ["01-18 00:00"]

    it.zone = "Asia/Tokyo"
    await it.passes(READ_EVERY, calendars)

    assert await starts(calendars) == ["01-17 15:00"]


async def test_what_was_known_counts_on_with_its_age_and_its_owner_is_told_once(it: Keeping) -> None:
    calendars = it.calendars(NEW)
    await calendars.give_address(TOWN, AYA, it.server.address())
    await calendars.read(TOWN, AYA)
    it.server.handle = says(b"", 404)
    await it.passes(READ_EVERY, calendars)
    assert it.told == [], "a moment's silence is nobody's business"

    for _ in range(4):
        await it.passes(TOLD_AFTER, calendars)

    assert it.told == [(AYA, "gone")]
    assert await starts(calendars) == ["01-18 09:00", "01-25 09:00"]
    assert (await calendars.known(TOWN, [AYA]))[AYA].read_at == FRIDAY
    standing = await calendars.standing(TOWN, AYA)
    assert standing is not None
    assert (standing.why, standing.failing_since) == ("gone", FRIDAY + READ_EVERY)

    it.server.handle = says(MONDAY_MORNINGS)
    await it.passes(READ_EVERY, calendars)

    standing = await calendars.standing(TOWN, AYA)
    assert standing is not None
    assert (standing.why, standing.failing_since) == ("", 0)


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"<html>Sign in</html>", "no_calendar"), (export(*event("DTSTART;TZID=Mordor:20270118T090000")), "no_zone")],
)
async def test_what_was_never_read_is_told_at_once(it: Keeping, content: bytes, why: str) -> None:
    it.server.handle = says(content)
    calendars = it.calendars(NEW)
    await calendars.give_address(TOWN, AYA, it.server.address())
    await calendars.read(TOWN, AYA)
    assert it.told == [(AYA, why)]
    assert await calendars.known(TOWN, [AYA]) == {}


async def test_what_has_not_answered_for_a_day_is_asked_rarely(it: Keeping) -> None:
    it.server.handle = says(b"", 500)
    calendars = it.calendars(NEW)
    await calendars.give_address(TOWN, AYA, it.server.address())
    for _ in range(50):
        await it.passes(READ_EVERY, calendars)
    asked = len(it.server.asked)
    await it.passes(READ_RARELY - READ_EVERY, calendars)
    assert len(it.server.asked) <= asked + 1
    for _ in range(4):
        await it.passes(READ_EVERY, calendars)
    assert len(it.server.asked) <= asked + 1


async def test_an_address_is_kept_encrypted_for_its_owner_alone(it: Keeping) -> None:
    calendars = it.calendars(NEW)
    await calendars.give_address(TOWN, AYA, it.server.address("/secret.ics"))
    await calendars.read(TOWN, AYA)
    assert "secret" not in await it.kept()
    assert "Choir" not in await it.kept()

    row = (await it.store.records(TOWN, GIVEN))[AYA]
    await it.store.put_records(TOWN, GIVEN, {BO: row})
    await it.store.put_records(CITY, GIVEN, {AYA: row})
    for tenant, user in ((TOWN, BO), (CITY, AYA)):
        await calendars.read(tenant, user)
        assert await calendars.known(tenant, [user]) == {}
    assert it.told == [(BO, "no_key"), (AYA, "no_key")]
    assert len(it.server.asked) == 1


async def test_one_workspace_knows_nothing_of_another(it: Keeping) -> None:
    calendars = it.calendars(NEW)
    await calendars.give_file(TOWN, AYA, MONDAY_MORNINGS)
    assert await calendars.known(CITY, [AYA]) == {}
    assert await calendars.standing(CITY, AYA) is None


async def test_a_newer_key_encrypts_it_when_it_is_next_read(it: Keeping) -> None:
    calendars = it.calendars(OLD)
    await calendars.give_address(TOWN, AYA, it.server.address())
    await calendars.read(TOWN, AYA)

    await it.calendars(NEW, OLD).read(TOWN, AYA)

    await it.calendars(NEW).read(TOWN, AYA)
    assert (it.told, len(it.server.asked)) == ([], 3)


async def test_without_a_key_no_address_is_kept(it: Keeping) -> None:
    assert not it.calendars().takes_addresses
    assert not it.calendars(NEW, fetches=False).takes_addresses
    with pytest.raises(ValueError, match="key"):
        await it.calendars().give_address(TOWN, AYA, it.server.address())
    with pytest.raises(StoreUnusable):
        Sealing([]).open("k1.x", TOWN, AYA)


async def test_where_nothing_may_be_fetched_any_more_nothing_is(it: Keeping) -> None:
    calendars = it.calendars(NEW)
    await calendars.give_address(TOWN, AYA, it.server.address())
    await calendars.read(TOWN, AYA)
    later = it.calendars(NEW, fetches=False)
    await it.passes(DAY, later)
    await later.read(TOWN, AYA)
    assert len(it.server.asked) == 1
    assert await starts(later) == ["01-18 09:00", "01-25 09:00"]


async def test_what_is_no_address_is_not_kept(it: Keeping) -> None:
    calendars = it.calendars(NEW)
    with pytest.raises(NoAddress):
        await calendars.give_address(TOWN, AYA, "http://calendar.example/own.ics")
    assert await calendars.standing(TOWN, AYA) is None


Holding = Callable[[web.Request], Awaitable[web.StreamResponse]]


def held(begun: asyncio.Event, go_on: asyncio.Event) -> Holding:
    async def handle(_: web.Request) -> web.StreamResponse:
        begun.set()
        await go_on.wait()
        return web.Response(body=MONDAY_MORNINGS)

    return handle


async def test_what_is_forgotten_while_it_is_read_stays_forgotten(it: Keeping) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()
    it.server.handle = held(begun, go_on)
    calendars = it.calendars(NEW)
    await calendars.give_address(TOWN, AYA, it.server.address())
    reading = asyncio.create_task(calendars.read(TOWN, AYA))
    await begun.wait()
    await calendars.forget(TOWN, AYA)
    go_on.set()
    await reading

    assert await calendars.standing(TOWN, AYA) is None
    assert await it.store.records(TOWN, READ) == {}


async def test_what_was_read_of_an_earlier_calendar_never_counts_for_the_one_given_now(it: Keeping) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()
    it.server.handle = held(begun, go_on)
    calendars = it.calendars(NEW)
    await calendars.give_address(TOWN, AYA, it.server.address())
    reading = asyncio.create_task(calendars.read(TOWN, AYA))
    await begun.wait()
    await calendars.give_file(TOWN, AYA, export(*event("DTSTART:20270119T090000Z", "DURATION:PT2H")))
    go_on.set()
    await reading

    assert await starts(calendars) == ["01-19 09:00"]

    read = (await it.store.records(TOWN, READ))[AYA]
    await calendars.give_file(TOWN, AYA, MONDAY_MORNINGS)
    await it.store.put_records(TOWN, READ, {AYA: read})  # as another process may write it at this moment
    assert await calendars.known(TOWN, [AYA]) == {}


async def test_before_a_proposal_what_is_old_is_read_and_nobody_waits_for_long(it: Keeping) -> None:
    calendars = it.calendars(NEW)
    await calendars.give_address(TOWN, AYA, it.server.address())
    assert {*await calendars.fresh(TOWN, [AYA, BO])} == {AYA}
    await calendars.fresh(TOWN, [AYA])
    assert len(it.server.asked) == 1, "it was read just now"

    it.clock.jump(FRIDAY + HOUR)
    begun, never = asyncio.Event(), asyncio.Event()
    it.server.handle = held(begun, never)
    known = await calendars.fresh(TOWN, [AYA], seconds=0.2)

    assert begun.is_set()
    assert known[AYA].read_at == FRIDAY


async def test_a_look_begins_once_somebody_has_given_an_address(it: Keeping) -> None:
    calendars = it.calendars(NEW)
    async with calendars.looking(Activity()):
        await asyncio.sleep(0)
        assert it.clock.waiting == 0, "nobody waits for the clock while there is nothing to read"
        begun, go_on = asyncio.Event(), asyncio.Event()
        it.server.handle = held(begun, go_on)
        await calendars.give_address(TOWN, AYA, it.server.address())
        while not it.clock.waiting:  # noqa: ASYNC110 - a clock that jumps tells nobody who waits for it
            await asyncio.sleep(0)
        it.clock.jump(FRIDAY + HOUR)
        await begun.wait()
