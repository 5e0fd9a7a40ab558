"""Nobody takes what is everybody's: readers of events, connections, and the answer to how it is."""

import logging
from contextlib import AsyncExitStack
from ipaddress import ip_network

import aiohttp
from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark

from bot.api.connections import Connections
from bot.api.event_connections import OF_ONE_LINK
from bot.api_config import ConnectionLimits

from .api_harness import HERE, LINKS, NOON, YOU, ApiHarness
from .conftest import Begin
from .test_slow_connections import wire

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
PROXY = ConnectionLimits(of_one_address=2, proxies=(ip_network("127.0.0.0/8"),))


async def page_events(it: ApiHarness, stack: AsyncExitStack, stream: str, user: str = YOU) -> aiohttp.ClientResponse:
    link = LINKS.link(HERE, stream, user, NOON, "en")
    path, _, query = link[link.index("/n/") :].partition("?")
    return await stack.enter_async_context(it.session.get(f"{it.server.url}{path}/events?{query}"))


async def test_one_link_has_some_readers_of_events_and_not_all(harness: ApiHarness) -> None:
    demand_id = await harness.begins()
    stream = str((await harness.as_(YOU).get(f"/api/v1/demand/{demand_id}/status")).body["channel_id"])
    async with AsyncExitStack() as stack:
        for _ in range(OF_ONE_LINK):
            assert (await page_events(harness, stack, stream)).status == 200
        refused = await page_events(harness, stack, stream)
        assert (refused.status, refused.headers["Retry-After"]) == (429, "30")
        events = await stack.enter_async_context(harness.as_(YOU).stream(demand_id))
        await events.take(1)
    assert len(harness.server.context.readers) <= OF_ONE_LINK + 1


async def test_one_token_leaves_readers_to_others(harness: ApiHarness) -> None:
    demand_id = await harness.begins()
    harness.server.context.readers.most = 5
    async with AsyncExitStack() as stack:
        for _ in range(4):
            events = await stack.enter_async_context(harness.as_(YOU).stream(demand_id))
            await events.take(1)
        refused = await harness.as_(YOU).get(f"/api/v1/events/negotiations/{demand_id}/stream")
        assert refused.status == 429
        events = await stack.enter_async_context(harness.as_("admin").stream(demand_id))
        await events.take(1)


async def test_health_is_answered_however_many_connections_there_are(begin: Begin) -> None:
    it = await begin(connections=ConnectionLimits(of_one_address=1, most=2))
    async with AsyncExitStack() as stack:
        for _ in range(100):
            silent = await stack.enter_async_context(wire(it))
            await silent.says(b"G")
        asking = await stack.enter_async_context(wire(it))
        await asking.says(HEALTH)
        assert await asking.status() == 200
        other = await stack.enter_async_context(wire(it))
        await other.says(HEALTH.replace(b"/healthz", b"/api/v1/events/recent"))
        assert await other.status() == 503


async def test_behind_a_proxy_each_client_counts_for_itself(begin: Begin) -> None:
    it = await begin(connections=PROXY)
    asked = HEALTH.replace(b"\r\n\r\n", b"\r\nX-Forwarded-For: 9.9.9.9, %s\r\n\r\n").replace(b"/healthz", b"/readyz")
    async with AsyncExitStack() as stack:
        for number in range(6):
            one = await stack.enter_async_context(wire(it))
            await one.says(asked % f"203.0.113.{number}".encode())
            assert await one.status() == 200
    connections = it.server.connections
    assert [connections.admit_client("203.0.113.7") for _ in range(3)] == [True, True, False]
    assert connections.admit_client("203.0.113.8")


async def test_a_link_to_a_page_does_not_tell_which_teams_there_are(harness: ApiHarness) -> None:
    said = "for=U_YOU&until=1900000000&lang=en&signature=none"
    answers = []
    for team in (HERE.team_id, "T_ELSEWHERE"):
        async with harness.session.get(f"{harness.server.url}/n/collab-00000001?{said}&team={team}") as response:
            answers.append((response.status, (await response.text()).replace(team, "")))
    assert answers[0] == answers[1]
    assert answers[0][0] == 404


def test_only_a_proxy_that_is_trusted_is_believed() -> None:
    connections = Connections(ConnectionLimits(proxies=(ip_network("10.0.0.0/8"), ip_network("fd00::/8"))))
    assert connections.client("10.0.0.1", "198.51.100.9, 203.0.113.7") == "203.0.113.7"
    assert connections.client("10.0.0.1", "203.0.113.7, 10.2.3.4") == "203.0.113.7"
    assert connections.client("203.0.113.7", "198.51.100.9") == "203.0.113.7"
    assert connections.client("10.0.0.1", "") == "10.0.0.1"
    assert connections.client("fd00::1", "2001:db8::1") == "2001:db8::/64"
    assert connections.client("fd00::1", "203.0.113.7:49152, [fd00::2]:443") == "203.0.113.7"
    assert connections.client("10.0.0.1", "not an address" * 9) == ascii(("not an address" * 9)[:64])


async def test_wrong_tokens_are_counted_and_told_now_and_then(harness: ApiHarness, caplog: LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "bot"):
        for _ in range(40):
            assert (await harness.as_("nobody").get("/api/v1/events/recent")).status == 401
        harness.pulse.jump(harness.pulse.now() + 60_000)
        assert (await harness.as_("nobody").get("/api/v1/events/recent")).status == 401
    lines = [each.message for each in caplog.records if "token that nobody has" in each.message]
    assert [each.split()[0] for each in lines] == ["1", "40"]
    assert "127.0.0.1" in lines[0]
    assert await harness.metric("towow_http_wrong_tokens_total") == 41
