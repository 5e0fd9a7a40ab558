"""Whoever opens connections and says little, slowly, or nothing that is HTTP holds up nobody, and not for long."""

import asyncio
import gc
import logging
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Final

import pytest
from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark

from bot.api_config import ConnectionLimits

from .api_harness import YOU, ApiHarness, comes_true, secret
from .conftest import Begin

SUBMIT: Final = "/api/v1/demand/submit"
SOON: Final = 60.0
"""Seconds until a test fails that waits for a connection to be closed; the limits it sets are far shorter."""
QUICK: Final = ConnectionLimits(head_seconds=0.5)
MEMORY: Final = 20_000_000
"""Bytes for 150 connections with their buffers on both sides, as this process is client and server."""
HEAD: Final = f"POST {SUBMIT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {secret(YOU)}\r\n".encode()
JSON: Final = b"Content-Type: application/json\r\n"


class Wire:
    """One connection, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def says(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def hears(self) -> bytes:
        """Return all that comes until the server closes the connection."""
        heard = b""
        with suppress(ConnectionError):
            async with asyncio.timeout(SOON):
                while data := await self.reader.read(65_536):
                    heard += data
        return heard

    async def status(self) -> int:
        async with asyncio.timeout(SOON):
            return int((await self.reader.readline()).split()[1])


@asynccontextmanager
async def wire(it: ApiHarness) -> AsyncIterator[Wire]:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(it.server.url.rpartition(":")[2]))
    try:
        yield Wire(reader, writer)
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"G", id="one letter"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\n", id="half a head"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X-More: y\r\n" * 30, id="most of a head"),
        pytest.param(b"\r\n\r\n", id="empty lines"),
    ],
)
async def test_a_head_that_does_not_come_is_not_waited_for(begin: Begin, said: bytes) -> None:
    it = await begin(connections=QUICK)
    async with wire(it) as slow:
        await slow.says(said)

        await slow.hears()


async def test_a_head_that_comes_a_letter_at_a_time_is_not_waited_for_either(begin: Begin) -> None:
    """Each letter gains nothing: the time counts from the first."""
    it = await begin(connections=QUICK)
    async with wire(it) as slow:
        closed = asyncio.create_task(slow.hears())
        async with asyncio.timeout(SOON):
            while not closed.done():
                try:
                    await slow.says(b"X")
                except ConnectionError:
                    break
                await asyncio.sleep(0)

        await closed


async def test_the_second_head_of_a_connection_has_no_more_time_than_the_first(begin: Begin) -> None:
    it = await begin(connections=QUICK)
    async with wire(it) as slow:
        await slow.says(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert await slow.status() == 200
        await slow.says(b"GET /heal")

        await slow.hears()


async def test_whoever_waits_between_two_requests_is_not_hurried(begin: Begin) -> None:
    it = await begin(connections=QUICK)
    async with wire(it) as idle, wire(it) as other:
        await idle.says(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert await idle.status() == 200
        await other.hears()  # as long as a head may take

        while (await idle.reader.readline()).strip():
            pass
        await idle.reader.readexactly(len('{"status":"ok"}'))
        await idle.says(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert await idle.status() == 200


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(HEAD + JSON + b"Content-Length: 1000\r\n\r\n", id="a length"),
        pytest.param(HEAD + JSON + b"Transfer-Encoding: chunked\r\n\r\n", id="pieces"),
    ],
)
async def test_a_body_that_comes_slowly_is_not_waited_for(begin: Begin, head: bytes) -> None:
    it = await begin(body_seconds=0.1)
    async with wire(it) as slow:
        await slow.says(head)

        assert b" 408 " in await slow.hears()


async def test_three_hundred_slow_connections_are_gone_soon_and_hold_up_nobody(begin: Begin) -> None:
    it = await begin(connections=QUICK, body_seconds=0.1)
    halves = (b"", b"GET / HT", HEAD, HEAD + JSON + b"Content-Length: 9\r\n\r\n{")
    async with AsyncExitStack() as stack:
        wires = [await stack.enter_async_context(wire(it)) for _ in range(300)]
        for number, each in enumerate(wires):
            await each.says(halves[number % len(halves)])

        assert (await it.as_(YOU).get("/api/v1/events/recent")).status == 200
        await asyncio.gather(*(each.hears() for each in wires))


async def test_one_address_has_so_many_connections_and_no_more(begin: Begin, caplog: LogCaptureFixture) -> None:
    it = await begin(connections=ConnectionLimits(of_one_address=3))
    async with wire(it) as one, wire(it) as two, wire(it) as three:
        for each in (one, two, three):
            await each.says(b"G")
        with caplog.at_level(logging.WARNING, "bot"):
            async with wire(it) as four, wire(it) as five:
                assert b" 503 " in await four.hears()
                assert b" 503 " in await five.hears()
    assert len([each for each in caplog.records if "are refused" in each.message]) == 1

    await comes_true(lambda: it.server.connections.count == 0)
    async with wire(it) as again:
        await again.says(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert await again.status() == 200


async def test_whoever_shows_a_token_is_not_counted_with_those_who_show_nothing(begin: Begin) -> None:
    it = await begin(connections=ConnectionLimits(of_one_address=2))
    recent = HEAD.replace(f"POST {SUBMIT}".encode(), b"GET /api/v1/events/recent") + b"\r\n"
    async with wire(it) as one, wire(it) as two:
        for each in (one, two):
            await each.says(recent)
            assert await each.status() == 200
        async with wire(it) as three, wire(it) as four:
            for each in (three, four):
                await each.says(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                assert await each.status() == 200
            async with wire(it) as five:
                assert b" 503 " in await five.hears()


async def test_so_many_connections_there_are_and_no_more_whoever_they_are_of(begin: Begin) -> None:
    it = await begin(connections=ConnectionLimits(most=1))
    async with wire(it) as one:
        await one.says(b"G")
        async with wire(it) as two:
            assert b" 503 " in await two.hears()


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 300, id="TLS"),
        pytest.param(b"hello\r\n\r\n", id="a word"),
        pytest.param(b"GET / HTTP/9.9\r\n\r\n", id="a version of tomorrow"),
        pytest.param(b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\n\r\n", id="a long path"),
        pytest.param(b"GET / HTTP/1.1\r\nX: " + b"x" * 20_000 + b"\r\n\r\n", id="a long header"),
        pytest.param(b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 500 + b"\r\n", id="many headers"),
        pytest.param(b"GET / HTTP/1.1\r\nX\x00: y\r\n\r\n", id="a header that is none"),
        pytest.param(b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", id="less than nothing"),
        pytest.param(b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", id="two lengths"),
        pytest.param(
            b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", id="a length and pieces"
        ),
        pytest.param(HEAD + JSON + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n", id="pieces that are none"),
        pytest.param(b"\xff" * 100 + b"\r\n\r\n", id="bytes"),
    ],
)
async def test_what_is_no_http_is_answered_with_one_line_in_the_log(
    begin: Begin, caplog: LogCaptureFixture, said: bytes
) -> None:
    it = await begin()
    with caplog.at_level(logging.DEBUG, "bot"):
        async with wire(it) as strange:
            await strange.says(said)
            heard = await strange.hears()

    assert heard.startswith((b"HTTP/1.0 400 ", b"HTTP/1.1 400 "))
    assert [each.exc_info for each in caplog.records if each.levelno > logging.DEBUG] in ([], [None])
    assert "Traceback" not in caplog.text
    assert b"x" * 1_000 not in heard


async def test_a_connection_that_breaks_in_the_middle_is_no_fault_of_ours(
    begin: Begin, caplog: LogCaptureFixture
) -> None:
    it = await begin()
    for said in (
        HEAD + JSON + b"Content-Length: 1000\r\n\r\n{",
        HEAD + JSON + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
    ):
        async with wire(it) as gone:
            await gone.says(HEAD + JSON + said)
            assert isinstance(gone.writer.transport, asyncio.WriteTransport)
            gone.writer.transport.abort()
    await comes_true(lambda: it.server.connections.count == 0)

    assert (await it.as_(YOU).get("/api/v1/events/recent")).status == 200
    assert [each.message for each in caplog.records if each.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("kind", ["gzip", "deflate", "br", "identity, gzip"])
async def test_a_compressed_body_is_refused_before_it_grows(begin: Begin, kind: str) -> None:
    it = await begin()
    async with wire(it) as bomb:
        await bomb.says(
            HEAD + JSON + f"Content-Encoding: {kind}\r\nContent-Length: 9\r\n\r\n".encode() + b"\x1f\x8b" * 4 + b"x"
        )
        assert await bomb.status() == 415


async def test_bodies_that_never_end_take_little_memory_and_keep_out_nobody(begin: Begin) -> None:
    """Run 150 bodies that stop before their end."""
    it = await begin(body_seconds=60.0)
    most = 300_000
    it.server.bodies.most = most
    async with AsyncExitStack() as stack:
        wires = [await stack.enter_async_context(wire(it)) for _ in range(150)]
        gc.collect()
        tracemalloc.start()
        for each in wires:
            await each.says(HEAD + JSON + b"Content-Length: 65000\r\n\r\n" + b"x" * 60_000)
        small = await it.as_(YOU).post(SUBMIT, {"raw_input": 7})
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()

        assert small.status == 400, "it was read"
        assert it.server.bodies.bytes_held <= most
        assert peak < MEMORY
    await comes_true(lambda: it.server.bodies.bytes_held == 0)
