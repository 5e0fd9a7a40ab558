"""Bounds what somebody can hold open without having shown that they may call: connections, and the time of each."""

import asyncio
import ipaddress
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, Final

from aiohttp import web

from bot.api.problems import problem
from bot.api_config import ConnectionLimits

log = logging.getLogger(__name__)

IDLE: Final = 75.0
"""Seconds for which a connection stays open between two requests; what proxies use is a minute."""
LINGERING: Final = 2.0
"""Seconds in which the rest of a body is read and dropped that nobody wants any more."""
BUFFER: Final = 16 * 1024
"""Bytes of a body that are taken from the network before somebody reads them, for each connection."""
LONGEST_LINE: Final = 8 * 1024
"""Bytes of a request's first line, and of one header."""
MOST_HEADERS: Final = 64
FULL: Final = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
IPV6_NETWORK: Final = 64
"""Bits that one customer has all addresses of."""


class Connections:
    """Counts the connections of a server."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self.count = 0
        self.unknown: Counter[str] = Counter()
        """By address."""
        self._is_full = False

    def protocol(self, server: web.Server) -> Callable[[], asyncio.BaseProtocol]:
        """Return what serves each new connection."""
        loop = asyncio.get_running_loop()
        return lambda: Connection(self, server, loop)

    def admit(self, address: str) -> bool:
        """Count a connection, unless there are as many as there may be."""
        limits, unknown = self.limits, self.unknown
        if self.count >= limits.most or unknown[address] >= limits.of_one_address or unknown.total() >= limits.unknown:
            if not self._is_full:  # one line for all that come while it is
                log.warning("connections of %s and others are refused: there are %d", address, self.count)
            self._is_full = True
            return False
        self._is_full = False
        self.count += 1
        unknown[address] += 1
        return True

    def know(self, address: str) -> None:
        """Stop counting a connection among the unknown."""
        self.unknown[address] -= 1
        if not self.unknown[address]:
            del self.unknown[address]


class Connection(web.RequestHandler):
    """One connection. It is closed where a request's head does not come in time."""

    __slots__ = ("_address", "_connections", "_deadline", "_is_answering", "_is_unknown")

    def __init__(self, connections: Connections, server: web.Server, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(
            server,
            loop=loop,
            keepalive_timeout=IDLE,
            access_log=None,  # type: ignore[arg-type]  # what it is called with where nothing is to be logged
            max_line_size=LONGEST_LINE,
            max_field_size=LONGEST_LINE,
            max_headers=MOST_HEADERS,
            lingering_time=LINGERING,
            read_bufsize=BUFFER,
            auto_decompress=False,
        )
        self._connections = connections
        self._address = ""
        self._is_unknown = False
        self._is_answering = False
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._address = address_of(transport)
        if not self._connections.admit(self._address):
            assert isinstance(transport, asyncio.Transport)  # noqa: S101 - sockets have no other
            transport.write(FULL)
            self._connections = _NONE
            self.transport = transport
            self.force_close()
            return
        self._is_unknown = True
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: BaseException | None) -> None:
        self._stop_waiting()
        if self._connections is not _NONE:
            self._connections.count -= 1
            self.know()
            self._connections = _NONE
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._is_answering:
            self._expect_head()

    @contextmanager
    def answering(self) -> Iterator[None]:
        """While a request is answered, its own limits hold."""
        self._stop_waiting()
        self._is_answering = True
        try:
            yield
        finally:
            self._is_answering = False

    def know(self) -> None:
        """Note that whoever is there has shown a token, or Slack's signature."""
        if self._is_unknown:
            self._is_unknown = False
            self._connections.know(self._address)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer what is no HTTP in one line, and log one line."""
        status = HTTPStatus.BAD_REQUEST if status < HTTPStatus.INTERNAL_SERVER_ERROR else status
        said = " ".join(str(message or "").split())[:100]
        log.warning("a request of %s is answered with %d: %s", self._address, status, ascii(said or type(exc).__name__))
        response = problem(status, "This is no request that can be read.")
        response.force_close()
        return response

    def log_exception(self, *args: Any, **kw: Any) -> None:
        """Log one line where a connection broke in the middle of an answer."""
        error = kw.get("exc_info")
        log.warning("a connection of %s ended: %r", self._address, error)

    def _expect_head(self) -> None:
        if self._deadline is None:
            self._deadline = self._loop.call_later(self._connections.limits.head_seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if not self._is_answering:
            self.force_close()


_NONE: Final = Connections(ConnectionLimits())
"""Of connections that are not counted."""


def address_of(transport: asyncio.BaseTransport) -> str:
    """Return who is counted together: an IPv4 address, or the network that an IPv6 address is in."""
    peer = transport.get_extra_info("peername")
    host = str(peer[0]) if isinstance(peer, tuple) else ""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, IPV6_NETWORK), strict=False))
    return str(address)


def connection_of(request: web.BaseRequest) -> Connection:
    """Return the connection that a request came on."""
    assert isinstance(request.protocol, Connection)  # noqa: S101 - no other is made
    return request.protocol
