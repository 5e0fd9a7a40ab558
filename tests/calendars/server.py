"""A server of calendars over TLS on this machine, names that lead there, and a proxy, for what is fetched."""

import asyncio
import atexit
import shutil
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from ipaddress import ip_network
from pathlib import Path
from tempfile import mkdtemp

from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bot.calendars.fetching import Fetching

HOST, ELSEWHERE = "calendar.example", "elsewhere.example"
OPEN, INSIDE = "127.0.0.2", "127.0.0.1"
"""Of this machine: what stands for an address on the internet, and one that is nobody's but ours."""
NETWORKS = (ip_network(OPEN),)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class CalendarServer:
    """Answers by ``handle``; both at the address that may be asked and at the one inside."""

    port: int
    certificate: Path
    """A file that has what its certificate is known by."""
    trust: ssl.SSLContext
    asked: list[web.Request] = field(default_factory=list)
    reached: list[str] = field(default_factory=list)
    """At which address each request came."""
    names: dict[str, list[Sequence[str]]] = field(default_factory=dict)
    """What hosts are looked up as, one after the other; the last stays."""
    looked_up: list[str] = field(default_factory=list)
    handle: Handler | None = None

    def address(self, path: str = "/own.ics", host: str = HOST, scheme: str = "https") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.looked_up.append(host)
        said = self.names.get(host, [[OPEN]])
        return said.pop(0) if len(said) > 1 else said[0]

    def fetching(self, seconds: float = 10) -> Fetching:
        return Fetching(NETWORKS, self.resolve, self.trust, seconds)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request)
        assert request.transport is not None
        self.reached.append(request.transport.get_extra_info("sockname")[0])
        assert self.handle is not None
        return await self.handle(request)


def says(content: bytes, status: int = 200, **headers: str) -> Handler:
    async def handle(_: web.Request) -> web.StreamResponse:
        return web.Response(
            body=content, status=status, headers={name.replace("_", "-"): said for name, said in headers.items()}
        )

    return handle


@asynccontextmanager
async def calendar_server() -> AsyncIterator[CalendarServer]:
    serving, trust, certificate = _contexts()
    application = web.Application()
    runner = web.AppRunner(application, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
    server = CalendarServer(0, certificate, trust)
    application.router.add_route("*", "/{path:.*}", server.answer)
    await runner.setup()
    try:
        site = web.TCPSite(runner, OPEN, 0, ssl_context=serving)
        await site.start()
        server.port = runner.addresses[0][1]
        await web.TCPSite(runner, INSIDE, server.port, ssl_context=serving).start()
        yield server
    finally:
        await runner.cleanup()


@cache
def _contexts() -> tuple[ssl.SSLContext, ssl.SSLContext, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "calendars")]), datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.DNSName(each) for each in (HOST, ELSEWHERE, "localhost")])
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(1), now + timedelta(1))
    pem = made.add_extension(names, critical=False).sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    folder = Path(mkdtemp(prefix="towow-calendars-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    both, certificate = folder / "both.pem", folder / "certificate.pem"
    both.write_bytes(private + pem)
    certificate.write_bytes(pem)
    serving.load_cert_chain(both)
    return serving, ssl.create_default_context(cadata=pem.decode()), certificate


@asynccontextmanager
async def proxy() -> AsyncIterator[tuple[str, list[str]]]:
    """A proxy of HTTP: its address, and to which address it was told to connect each time."""
    told: list[str] = []

    async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            told.append(head.split()[1].decode())
            host, _, port = told[-1].rpartition(":")
            there, back = await asyncio.open_connection(host, int(port))
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            await asyncio.gather(_passed(reader, back), _passed(there, writer))
        finally:
            writer.close()

    server = await asyncio.start_server(tunnel, INSIDE, 0)
    async with server:
        yield f"http://{INSIDE}:{server.sockets[0].getsockname()[1]}", told


async def _passed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while content := await reader.read(65_536):
            writer.write(content)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()
