"""A calendar's address is the only one of a user's that ToWow asks: it reaches nothing inside, and nothing endless."""

import asyncio
import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from bot.calendars.addresses import NoAddress, calendar_url, may_be_asked, networks_in
from bot.calendars.fetching import MOST_REDIRECTS, Fetching, NotFetched
from engine.times.busy import LARGEST

from .server import ELSEWHERE, HOST, INSIDE, NETWORKS, OPEN, CalendarServer, calendar_server, proxy, says

CALENDAR = b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
async def server() -> AsyncIterator[CalendarServer]:
    async with calendar_server() as made:
        made.handle = says(CALENDAR)
        yield made


async def why(server: CalendarServer, address: str, seconds: float = 10) -> str:
    with pytest.raises(NotFetched) as refused:
        await server.fetching(seconds)(address)
    return refused.value.why


@pytest.mark.parametrize("scheme", ["https", "webcal", "webcals"])
async def test_a_calendar_is_fetched(server: CalendarServer, scheme: str) -> None:
    fetched = await server.fetching()(server.address("/a%20b.ics?token=x%2Fy#part", scheme=scheme))

    assert fetched.content == CALENDAR
    [asked] = server.asked
    assert (asked.headers["Host"], asked.raw_path) == (f"{HOST}:{server.port}", "/a%20b.ics?token=x%2Fy")
    assert {"Cookie", "Authorization", "Referer"} & {*asked.headers} == set()
    assert server.reached == [OPEN]


async def test_what_has_not_changed_is_not_sent_again(server: CalendarServer) -> None:
    server.handle = says(CALENDAR, ETag='"one"', Last_Modified="Sat, 28 Nov 2026 07:00:00 GMT")
    first = await server.fetching()(server.address())
    server.handle = says(b"", 304)

    again = await server.fetching()(server.address(), first.etag, first.modified)

    assert (again.content, again.etag) == (None, '"one"')
    sent = server.asked[1].headers
    assert (sent["If-None-Match"], sent["If-Modified-Since"]) == ('"one"', "Sat, 28 Nov 2026 07:00:00 GMT")


@pytest.mark.parametrize(
    "said",
    [
        "", "calendar", "http://calendar.example/a.ics", "file:///etc/passwd", "ftp://calendar.example/a.ics",
        "https://", "https:///a.ics", "https://aya:secret@calendar.example/", "https://[::1/", "https://a b/",
        "https://calendar.example:99999/", "https://calendar.example\r\nX: y/",
        "https://calendar.example:0/", "javascript:alert(1)", "https://calendar.example/" + "a" * 2_000,
    ],
)  # fmt: skip
async def test_what_is_no_address_of_a_calendar_is_not_asked(server: CalendarServer, said: str) -> None:
    with pytest.raises(NoAddress):
        calendar_url(said)
    assert await why(server, said) == "no_address"
    assert server.looked_up == []


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.1", "172.16.9.9", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "255.255.255.255", "224.0.0.1", "192.0.2.1", "240.0.0.1", "::", "::1", "fe80::1%eth0", "fc00::1", "ff02::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1", "2001:db8::1", "no address",
    ],
)  # fmt: skip
def test_addresses_that_not_everybody_can_reach_are_not_asked(address: str) -> None:
    assert not may_be_asked(address, ())


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "64:ff9b::101:101"])
def test_addresses_on_the_internet_are(address: str) -> None:
    assert may_be_asked(address, ())


def test_a_network_of_our_own_is_asked_where_that_is_allowed() -> None:
    ours = networks_in("10.1.0.0/16, fd00::/8")
    assert may_be_asked("10.1.2.3", ours)
    assert may_be_asked("::ffff:10.1.2.3", ours)
    assert not may_be_asked("10.2.0.1", ours)
    with pytest.raises(ValueError, match="appear"):
        networks_in("our own")


@pytest.mark.parametrize(
    "host", [INSIDE, "localhost", "2130706433", "127.1", "0x7f000001", "[::1]", "[::ffff:127.0.0.1]"]
)
async def test_no_spelling_reaches_this_machine(server: CalendarServer, host: str) -> None:
    """They are looked up as the system looks them up."""
    with pytest.raises(NotFetched):
        await Fetching(NETWORKS, trust=server.trust)(server.address(host=host))
    assert server.asked == []


async def test_a_name_that_leads_inside_is_not_asked_also_where_it_leads_elsewhere_too(server: CalendarServer) -> None:
    server.names[HOST] = [[INSIDE]]
    assert await why(server, server.address()) == "not_public"
    server.names[HOST] = [[OPEN, INSIDE]]
    assert await why(server, server.address()) == "not_public"
    assert server.asked == []


async def test_a_name_that_means_something_else_a_moment_later_leads_where_it_was_checked(
    server: CalendarServer,
) -> None:
    server.names[HOST] = [[OPEN], [INSIDE]]

    await server.fetching()(server.address())

    assert (server.looked_up, server.reached) == ([HOST], [OPEN])
    assert await why(server, server.address()) == "not_public"


async def test_no_address_writes_a_line_of_its_own_into_what_is_asked(server: CalendarServer) -> None:
    await server.fetching()(server.address("/own.ics?a=b HTTP/1.1\r\nX-Forged: yes\r\n"))
    [asked] = server.asked
    assert "X-Forged" not in asked.headers


async def test_a_certificate_of_another_name_is_not_believed(server: CalendarServer) -> None:
    assert await why(server, server.address(host="another.example")) == "no_answer"
    assert server.asked == []


async def test_a_redirect_is_followed_and_checked_alike(server: CalendarServer) -> None:
    async def handle(request: web.Request) -> web.StreamResponse:
        if request.path == "/own.ics":
            return web.Response(status=302, headers={"Location": server.address("/there.ics", ELSEWHERE)})
        return web.Response(body=CALENDAR)

    server.handle = handle
    assert (await server.fetching()(server.address())).content == CALENDAR
    server.names[ELSEWHERE] = [[INSIDE]]
    assert await why(server, server.address()) == "not_public"
    assert {*server.reached} == {OPEN}


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("http://calendar.example/a.ics", "no_address"),
        ("file:///etc/passwd", "no_address"),
        ("//" + INSIDE + "/", "not_public"),
        ("/own.ics", "no_answer"),
        ("", "no_answer"),
    ],
)
async def test_redirects_lead_nowhere_else_and_end(server: CalendarServer, location: str, expected: str) -> None:
    server.handle = says(b"", 302, Location=location)
    server.names[INSIDE] = [[INSIDE]]
    assert await why(server, server.address()) == expected
    assert len(server.asked) <= MOST_REDIRECTS + 1


@pytest.mark.parametrize(
    ("status", "expected"), [(401, "gone"), (403, "gone"), (404, "gone"), (410, "gone"), (500, "no_answer")]
)
async def test_what_is_not_there_is_told_in_no_words_of_the_server(
    server: CalendarServer, status: int, expected: str
) -> None:
    server.handle = says(b"secret of the house", status)
    with pytest.raises(NotFetched) as refused:
        await server.fetching()(server.address())
    assert refused.value.why == expected
    assert "secret" not in repr(refused.value)


@pytest.mark.parametrize("status", [304, 204, 206])
async def test_an_answer_that_was_not_asked_for_is_none(server: CalendarServer, status: int) -> None:
    server.handle = says(b"", status)
    assert await why(server, server.address()) == "no_answer"


async def test_a_slow_server_is_given_up(server: CalendarServer) -> None:
    async def drips(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        while True:
            await answer.write(b"BEGIN:VCALENDAR\r\n")
            await asyncio.sleep(0.02)

    server.handle = drips
    assert await why(server, server.address(), seconds=0.3) == "no_answer"


async def test_a_server_that_says_nothing_is_given_up(server: CalendarServer) -> None:
    async def silent(request: web.Request) -> web.StreamResponse:
        await asyncio.Event().wait()
        raise AssertionError

    server.handle = silent
    assert await why(server, server.address(), seconds=0.3) == "no_answer"


async def test_an_endless_body_is_cut(server: CalendarServer) -> None:
    sent = 0

    async def endless(request: web.Request) -> web.StreamResponse:
        nonlocal sent
        answer = web.StreamResponse()
        await answer.prepare(request)
        while True:
            await answer.write(b" " * 1_000_000)
            sent += 1_000_000
            await asyncio.sleep(0)  # others have their turn

    server.handle = endless
    assert await why(server, server.address()) == "too_much"
    assert sent < 3 * LARGEST


@pytest.mark.parametrize("packing", ["gzip", "deflate"])
async def test_what_is_packed_is_unpacked_as_far_as_it_may_be_large(server: CalendarServer, packing: str) -> None:
    pack = gzip.compress if packing == "gzip" else zlib.compress
    server.handle = says(pack(CALENDAR), Content_Encoding=packing)
    assert (await server.fetching()(server.address())).content == CALENDAR

    server.handle = says(pack(b" " * (LARGEST + 1)), Content_Encoding=packing)
    assert await why(server, server.address()) == "too_much"


async def test_a_bomb_takes_no_more_memory_than_a_large_calendar(server: CalendarServer) -> None:
    server.handle = says(zlib.compress(bytes(100_000_000)), Content_Encoding="deflate")
    tracemalloc.start()
    try:
        assert await why(server, server.address()) == "too_much"
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 4 * LARGEST


@pytest.mark.parametrize("packing", ["br", "zstd", "gzip, gzip"])
async def test_other_packings_are_not_unpacked(server: CalendarServer, packing: str) -> None:
    server.handle = says(gzip.compress(gzip.compress(CALENDAR)), Content_Encoding=packing)
    assert await why(server, server.address()) == "no_answer"


async def test_what_breaks_off_is_no_calendar(server: CalendarServer) -> None:
    server.handle = says(gzip.compress(CALENDAR)[:-6], Content_Encoding="gzip")
    assert await why(server, server.address()) == "no_answer"
    server.handle = says(b"no gzip at all", Content_Encoding="gzip")
    assert await why(server, server.address()) == "no_answer"


async def test_a_proxy_is_told_the_address_that_was_checked(
    server: CalendarServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with proxy() as (address, told):
        monkeypatch.setenv("HTTPS_PROXY", address)
        fetched = await server.fetching()(server.address())
        assert (fetched.content, told) == (CALENDAR, [f"{OPEN}:{server.port}"])

        server.names[HOST] = [[INSIDE]]
        assert await why(server, server.address()) == "not_public"
        assert len(told) == 1
