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
SPARE: Final = 64
"""Connections beyond all limits, by which one may ask how it is; a newer one takes the place of the oldest."""
SPARE_SECONDS: Final = 1.0
"""In which such a one has to ask."""
LONGEST_NAME: Final = 64
FULL: Final = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
IPV6_NETWORK: Final = 64
"""Bits that one customer has all addresses of."""


class Connections:
    """Counts the connections of a server."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self.count = 0
        self._spare: dict[Connection, None] = {}
        """Those beyond the limits, the oldest first: they may ask how it is, and nothing else."""
        self.unknown: Counter[str] = Counter()
        """By address."""
        self._is_full = False

    def protocol(self, server: web.Server) -> Callable[[], asyncio.BaseProtocol]:
        """Return what serves each new connection."""
        loop = asyncio.get_running_loop()
        return lambda: Connection(self, server, loop)

    def admit(self, address: str) -> bool:
        """Count a connection, unless there are as many as there may be."""
        if self._is_refused(address, self.count >= self.limits.most):
            return False
        self.count += 1
        self.unknown[address] += 1
        return True

    def admit_proxy(self) -> bool:
        """Count a connection of a proxy, unless there are as many as there may be."""
        if self.count >= self.limits.most:
            return False
        self.count += 1
        return True

    def admit_client(self, address: str) -> bool:
        """Count a request that came through a proxy, until it is answered or has shown something."""
        if self._is_refused(address):
            return False
        self.unknown[address] += 1
        return True

    def _is_refused(self, address: str, is_full: bool = False) -> bool:
        limits, unknown = self.limits, self.unknown
        if is_full or unknown[address] >= limits.of_one_address or unknown.total() >= limits.unknown:
            if not self._is_full:  # one line for all that come while it is
                log.warning("connections of %s and others are refused: there are %d", address, self.count)
            self._is_full = True
            return True
        self._is_full = False
        return False

    def spare(self, connection: "Connection") -> None:
        """Keep a connection beyond the limits for as long as no newer one takes its place."""
        if len(self._spare) >= SPARE:
            next(iter(self._spare)).refuse()
        self._spare[connection] = None

    def no_longer_spare(self, connection: "Connection") -> None:
        self._spare.pop(connection, None)

    def is_proxy(self, address: str) -> bool:
        """Whether it says whom it asks for, and is believed."""
        try:
            here = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(here in each for each in self.limits.proxies)

    def client(self, peer: str, forwarded: str) -> str:
        """Return who is counted for a request.

        Args:
            peer: the address that the connection is from.
            forwarded: what proxies say: the last address that is no proxy's is whom the outermost of ours has seen.
        """
        if not self.is_proxy(peer):
            return counted(peer)
        for each in reversed([_without_port(each.strip()) for each in forwarded.split(",") if each.strip()]):
            peer = each
            if not self.is_proxy(each):
                break
        return counted(peer)

    def know(self, address: str) -> None:
        """Stop counting a connection among the unknown."""
        self.unknown[address] -= 1
        if not self.unknown[address]:
            del self.unknown[address]


class Connection(web.RequestHandler):
    """One connection. It is closed where a request's head does not come in time."""

    __slots__ = ("_address", "_connections", "_deadline", "_is_answering", "_is_proxy", "_is_unknown", "is_spare")

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
        self._is_proxy = False
        self.is_spare = False
        """Whether there are as many as there may be, so that it may only ask how it is."""
        self._is_unknown = False
        self._is_answering = False
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._address = host_of(transport)
        self._is_proxy = self._connections.is_proxy(self._address)
        if self._is_proxy:  # whom it asks for is counted, with each request
            self.is_spare = not self._connections.admit_proxy()
        else:
            self._address = counted(self._address)
            self.is_spare = not self._connections.admit(self._address)
        self._is_unknown = not self._is_proxy and not self.is_spare
        super().connection_made(transport)
        if self.is_spare:
            self._connections.spare(self)
        self._expect_head()

    def connection_lost(self, exc: BaseException | None) -> None:
        self._stop_waiting()
        if self.is_spare:
            self._connections.no_longer_spare(self)
        elif self._connections is not _NONE:
            self._connections.count -= 1
            self.know()
        self._connections = _NONE
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._is_answering:
            self._expect_head()

    @contextmanager
    def answering(self, forwarded: str) -> Iterator[bool]:
        """While a request is answered, its own limits hold; yield whether anything but its health may be asked.

        Args:
            forwarded: whom a proxy asks for.
        """
        self._stop_waiting()
        self._is_answering = True
        connections, peer, may_ask = self._connections, self._address, not self.is_spare
        if self._is_proxy and may_ask:
            self._address = connections.client(peer, forwarded)
            self._is_unknown = may_ask = connections.admit_client(self._address)
        try:
            yield may_ask
        finally:
            self._is_answering = False
            if self._is_proxy:
                if self._is_unknown:
                    self._is_unknown = False
                    connections.know(self._address)
                self._address = peer

    @property
    def client(self) -> str:
        return self._address

    def refuse(self) -> None:
        """Say that there are as many as there may be, and end it."""
        self._connections.no_longer_spare(self)
        if isinstance(self.transport, asyncio.Transport):
            self.transport.write(FULL)
        self.force_close()

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
            seconds = self._connections.limits.head_seconds
            self._deadline = self._loop.call_later(
                min(seconds, SPARE_SECONDS) if self.is_spare else seconds, self._give_up
            )

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if not self._is_answering and self.is_spare:
            self.refuse()
        elif not self._is_answering:
            self.force_close()


_NONE: Final = Connections(ConnectionLimits())
"""Of connections that are not counted."""


def host_of(transport: asyncio.BaseTransport) -> str:
    """Return the address that a connection is from; an IPv4 address as one, also where it comes as an IPv6 address."""
    peer = transport.get_extra_info("peername")
    host = str(peer[0]).partition("%")[0] if isinstance(peer, tuple) else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def _without_port(said: str) -> str:
    """Some proxies name the client's port, too."""
    if said.startswith("["):
        return said[1:].partition("]")[0]
    return said.partition(":")[0] if said.count(":") == 1 else said


def counted(host: str) -> str:
    """Return who is counted together: an IPv4 address, or the network that an IPv6 address is in."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return ascii(host[:LONGEST_NAME])
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, IPV6_NETWORK), strict=False))
    return str(address)


def connection_of(request: web.BaseRequest) -> Connection:
    assert isinstance(request.protocol, Connection)  # noqa: S101 - no other is made
    return request.protocol
