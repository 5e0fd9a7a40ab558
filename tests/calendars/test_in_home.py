"""Calendars in the Home tab, and those of the demo."""

import logging
import re
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, date, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final

import pytest

from bot.calendars.records import KINDS
from bot.calendars_config import CalendarAccess
from bot.commands.forget import carry_out, plans
from bot.demo.demo import DemoSettings, running_demo
from bot.demo.page import OF_PEOPLE, Own, Weekly, colleagues, exported, give_calendars
from bot.registry import PROTOCOLS
from bot.views.directory.buttons import CALENDAR, FORGET_CALENDAR
from bot.views.directory.calendar_form import ADDRESS, FILE
from engine.kernel import Tenant
from engine.negotiation.policy import PRESETS
from engine.store.memory import MemoryStore
from engine.store.port import Store
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.archive import Archive
from engine.times.busy import read_export
from engine.times.clocks import Span
from tests.bot.driver import ADMIN, AYA, EVE, Driver, playing
from tests.bot.home import buttons, clicks, opens, says, sends, top
from tests.privacy.canaries import bytes_of
from tests.profiles.people import shipped
from tests.times.exports import event, export

from .server import CalendarServer, calendar_server
from .server import says as answers

MONDAY: Final = date(2026, 11, 30)
WEEK: Final = Span(datetime(2026, 11, 30, tzinfo=UTC), datetime(2026, 12, 7, tzinfo=UTC))


async def test_five_have_a_calendar_and_keep_what_they_have_given_themselves() -> None:
    profiles, people = colleagues(shipped())
    async with running_demo(DemoSettings(profiles, PRESETS["balanced"], PROTOCOLS), people) as demo:
        calendars = demo.towow.services.calendars
        assert calendars is not None
        own = exported(Own((Weekly("SA", "1000", 5),)), MONDAY)
        await calendars.give_file(demo.tenant, "U_LIN_XIAO", own)
        before = await calendars.known(demo.tenant, ["U_LIN_XIAO"])

        await give_calendars(demo)

        assert (await calendars.known(demo.tenant, OF_PEOPLE)).keys() == OF_PEOPLE.keys()
        assert await calendars.known(demo.tenant, ["U_LIN_XIAO"]) == before
        assert len(OF_PEOPLE) == 5


@pytest.mark.parametrize("user", OF_PEOPLE)
def test_each_is_busy_for_as_long_as_the_calendar_says(user: str) -> None:
    own = OF_PEOPLE[user]
    for today in (MONDAY, MONDAY + timedelta(days=5)):
        found = read_export(exported(own, today), WEEK, "Europe/Berlin").busy
        hours = timedelta(seconds=sum(end - start for start, end in found))
        assert hours == timedelta(hours=sum(len(each.days.split(",")) * each.hours for each in own.weekly))


def test_one_calendar_is_kept_in_another_zone() -> None:
    assert [each.time_zone for each in OF_PEOPLE.values() if each.time_zone] == ["Europe/London"]
    ((start, _), *_) = read_export(exported(OF_PEOPLE["U_MAYA_PATEL"], MONDAY), WEEK, "Asia/Shanghai").busy
    assert datetime.fromtimestamp(start, UTC) == datetime(2026, 11, 30, 9, tzinfo=UTC)


KEY: Final = b"k" * 32
OF_FILES: Final = CalendarAccess(takes_addresses=False)
OF_BOTH: Final = CalendarAccess(networks=(ip_network("127.0.0.0/8"), ip_network("::1")), keys=(KEY,))
FRIDAY: Final = export(
    *event("DTSTART:20270115T120000Z", "DURATION:PT90M", "SUMMARY:quokkatitle", "LOCATION:quokkaward")
)
"""The clock stands on that day, at eight in the morning."""


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[CalendarServer]:
    for name in ("https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    async with calendar_server() as made:
        monkeypatch.setenv("SSL_CERT_FILE", str(made.certificate))
        made.handle = answers(FRIDAY)
        yield made


async def gives(it: Driver, user: str, **said: object) -> Mapping[str, str]:
    """Give a calendar, and return what is wrong with the form."""
    await opens(it, user)
    await clicks(it, user, CALENDAR)
    outcome = await sends(it, user, await top(it, user), **said)
    return outcome.errors or {}


def section(page: str) -> str:
    return re.sub(r"<!date\^(\d+)\^[^>]*>", r"<\1>", page.partition("Your calendar")[2].partition("Messages to you")[0])


async def direct(it: Driver, user: str) -> list[str]:
    person = it.demo.person(user)
    return [each.text for each in await person.messages((await person.dm()).id)]


async def test_a_file_is_given_and_forgotten() -> None:
    async with playing(MemoryStore(), calendars=OF_FILES) as it:
        assert "Nobody knows when you are busy." in section(says(await opens(it, EVE)))
        file = await it.demo.person(EVE).upload("own.ics", FRIDAY)

        assert await gives(it, EVE, **{FILE: [file]}) == {}

        shown = await opens(it, EVE)
        said = "From a file of <1800000000>, which I never read anew: you are busy for 1.5 hours this week."
        assert said in section(says(shown))
        assert "Nobody knows when you are busy." in section(says(await opens(it, AYA)))
        assert FORGET_CALENDAR not in buttons(await opens(it, AYA))

        await clicks(it, EVE, FORGET_CALENDAR, shown, confirm=True)

        assert "Nobody knows when you are busy." in section(says(await opens(it, EVE)))


async def test_a_file_that_cannot_be_read_is_told_in_a_sentence() -> None:
    async with playing(MemoryStore(), calendars=OF_FILES) as it:
        zoned = export(*event("DTSTART;TZID=Mordor <!channel>:20270115T120000"))
        for content in (b"no calendar", zoned):
            await gives(it, EVE, **{FILE: [await it.demo.person(EVE).upload("own.ics", content)]})
        first, second = await direct(it, EVE)
        assert first.startswith("I cannot read your calendar: What is there is no calendar.")
        assert "It names a time zone that nobody knows: Mordor" in second
        assert "<!channel>" not in second


async def test_an_address_is_given_and_read_again(server: CalendarServer) -> None:
    async with playing(MemoryStore(), calendars=OF_BOTH) as it:
        assert await gives(it, EVE, **{ADDRESS: server.address(host="localhost", scheme="webcal")}) == {}
        assert "Read on <1800000000>: you are busy for 1.5 hours this week." in section(says(await opens(it, EVE)))

        server.handle = answers(b"", 404)
        for _ in range(200):
            if await direct(it, EVE):
                break
            await it.passes()

        [told] = await direct(it, EVE)
        assert "There is no calendar at its address any more, or not for me." in told
        page = section(says(await opens(it, EVE)))
        assert "It cannot be read since" in page
        assert "What I knew before still counts." in page


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({}, {FILE: "Give one of both: an address, or a file."}),
        (
            {ADDRESS: "http://calendar.example/own.ics"},
            {ADDRESS: "An address of a calendar begins with webcal: or https:, and has no password in it."},
        ),
    ],
)
async def test_what_is_no_calendar_is_refused_beside_its_field(said: dict[str, Any], wrong: dict[str, str]) -> None:
    async with playing(MemoryStore(), calendars=OF_BOTH) as it:
        assert await gives(it, EVE, **said) == wrong


async def test_both_at_once_are_refused(server: CalendarServer) -> None:
    async with playing(MemoryStore(), calendars=OF_BOTH) as it:
        file = await it.demo.person(EVE).upload("own.ics", FRIDAY)
        wrong = await gives(it, EVE, **{FILE: [file], ADDRESS: server.address(host="localhost")})
        assert {*wrong} == {FILE}
        assert server.asked == []


async def test_without_a_key_the_form_takes_files_alone() -> None:
    async with playing(MemoryStore(), calendars=OF_FILES) as it:
        await opens(it, EVE)
        await clicks(it, EVE, CALENDAR)
        form = await top(it, EVE)
        assert [each["block_id"] for each in form.blocks if each["type"] == "input"] == [FILE]


async def test_where_none_are_taken_home_says_nothing_of_it() -> None:
    async with playing(MemoryStore(), calendars=CalendarAccess(takes_files=False, takes_addresses=False)) as it:
        assert "Your calendar" not in says(await opens(it, EVE))


def tenant_of(it: Driver) -> Tenant:
    return Tenant(it.demo.workspace.team_id, it.demo.workspace.enterprise_id or "")


async def test_titles_places_and_the_address_are_nowhere(
    tmp_path: Path, server: CalendarServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)  # ToWow logs no more than this, whatever it is told
    path = tmp_path / "towow.db"
    async with playing(SqliteStore(path), calendars=OF_BOTH) as it:
        await gives(it, EVE, **{ADDRESS: server.address("/quokkasecret.ics", "localhost")})
        pages = [says(await opens(it, each)) for each in (EVE, AYA, ADMIN)]
        server.handle = answers(b"", 404)
        calendars = it.demo.towow.services.calendars
        assert calendars is not None
        await calendars.read(tenant_of(it), EVE)
        pages.append(says(await opens(it, EVE)))
        kept = bytes_of(path).decode("utf-8", "replace")
        await it.leaves()

    assert len(server.asked) == 2
    for found in (kept, bytes_of(path).decode("utf-8", "replace"), caplog.text, *pages):
        assert "quokka" not in found


async def test_the_calendar_of_whoever_leaves_is_forgotten() -> None:
    async with playing(MemoryStore(), calendars=OF_FILES) as it:
        for each in (EVE, AYA):
            await gives(it, each, **{FILE: [await it.demo.person(each).upload("own.ics", FRIDAY)]})
        await it.demo.workspace.admin.deactivate(EVE, is_told=True)
        await it.settles()
        calendars = it.demo.towow.services.calendars
        assert calendars is not None
        assert {*await calendars.known(tenant_of(it), [EVE, AYA])} == {AYA}


async def test_whoever_is_forgotten_has_no_calendar_any_more(tmp_path: Path, server: CalendarServer) -> None:
    path = tmp_path / "towow.db"
    async with playing(SqliteStore(path), calendars=OF_BOTH) as it:
        await gives(it, EVE, **{ADDRESS: server.address(host="localhost")})
        tenant = tenant_of(it)
        await it.leaves()
    store: Store = SqliteStore(path)
    await store.open()
    try:
        assert all([await store.records(tenant, kind) for kind in KINDS])
        epoch = await store.lease()
        for plan in plans(Archive(path), PROTOCOLS, user=EVE):
            await carry_out(store, epoch, plan, PROTOCOLS, 2_000_000_000_000)
        assert [await store.records(tenant, kind) for kind in KINDS] == [{}, {}]
    finally:
        await store.close()
