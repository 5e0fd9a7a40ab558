"""Fetches somebody's calendar from the address they have given.

It is the only address of a user's that ToWow asks. So the host is looked up here, what was found is checked, and then
the connection goes to that very address and no other: a name that means something else a moment later changes nothing.
A redirect is checked alike. A proxy is told the address that was checked, and not the name. What comes is bounded in
bytes, as it was sent and as it was packed, and in time.
"""

import asyncio
import socket
import ssl
import zlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Literal

import aiohttp
from yarl import URL

from bot.calendars.addresses import Network, NoAddress, calendar_url, may_be_asked
from engine.errors import Misconfigured
from engine.proxies import proxy_for
from engine.times.busy import LARGEST

LONGEST: Final = 20.0
"""Seconds for all of it."""
MOST_REDIRECTS: Final = 5
MOST_ADDRESSES: Final = 3
"""Of one host, that are tried in turn."""
CHUNK: Final = 64 * 1024
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
PACKED: Final = {"": None, "identity": None, "gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}
"""How zlib is to unpack what was sent, by its Content-Encoding."""
LONGEST_MARK: Final = 512
"""Characters of an ETag or a date that are kept."""

Why = Literal["no_address", "not_public", "no_answer", "gone", "too_much"]
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the IP addresses of a host. It raises `OSError` where there are none."""


class NotFetched(Exception):
    """The calendar could not be fetched. Nothing that was answered is told: it may be of a place that nobody may see.

    Args:
        why: ``no_address``, ``not_public``, ``no_answer`` (in time, or none that can be used), ``gone`` (there is no
            such calendar, or not for us) or ``too_much``.
    """

    def __init__(self, why: Why) -> None:
        super().__init__(f"The calendar was not fetched: {why}")
        self.why: Why = why


@dataclass(frozen=True, slots=True)
class Fetched:
    content: bytes | None
    """None where it is as it was."""
    etag: str = ""
    modified: str = ""
    """As HTTP says when it was changed."""


class Fetching:
    """
    Args:
        networks: which are not public, and are asked nevertheless.
        resolve: looks hosts up.
        trust: by which certificates servers are known; the system's without.
        seconds: that all of it may take.
    """

    def __init__(
        self,
        networks: Sequence[Network] = (),
        resolve: Resolve | None = None,
        trust: ssl.SSLContext | None = None,
        seconds: float = LONGEST,
    ) -> None:
        self._networks = networks
        self._resolve = resolve or _looked_up
        self._trust = trust
        self._seconds = seconds

    async def __call__(self, address: str, etag: str = "", modified: str = "") -> Fetched:
        """
        Args:
            etag, modified: what was said of it when it was last fetched.

        Raises:
            NotFetched
        """
        try:
            async with asyncio.timeout(self._seconds), await self._session() as session:
                return await self._fetched(session, _checked(address), _conditions(etag, modified))
        except (aiohttp.ClientError, TimeoutError, OSError, zlib.error, ValueError, Misconfigured) as error:
            raise NotFetched("no_answer") from error

    async def _session(self) -> aiohttp.ClientSession:
        if self._trust is None:  # it reads files
            self._trust = await asyncio.to_thread(ssl.create_default_context)
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=self._trust, force_close=True),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            headers={"User-Agent": "ToWow", "Accept": "text/calendar", "Accept-Encoding": "gzip, deflate"},
        )

    async def _fetched(self, session: aiohttp.ClientSession, url: URL, conditions: dict[str, str]) -> Fetched:
        for _ in range(MOST_REDIRECTS + 1):
            async with await self._asked(session, url, conditions) as answer:
                if answer.status == HTTPStatus.NOT_MODIFIED and conditions:
                    return Fetched(None, conditions.get("If-None-Match", ""), conditions.get("If-Modified-Since", ""))
                if answer.status in REDIRECTS:
                    url = _checked(str(url.join(URL(answer.headers.get("Location", "")))))
                    continue
                if answer.status in (401, 403, 404, 410):
                    raise NotFetched("gone")
                if answer.status != HTTPStatus.OK:
                    raise NotFetched("no_answer")
                content = await _read(answer)
                return Fetched(content, _mark(answer, "ETag"), _mark(answer, "Last-Modified"))
        raise NotFetched("no_answer")

    async def _asked(
        self, session: aiohttp.ClientSession, url: URL, conditions: dict[str, str]
    ) -> aiohttp.ClientResponse:
        """Ask the host at an address that was checked.

        Raises:
            NotFetched, aiohttp.ClientError, OSError
        """
        host, port = url.raw_host or "", url.port or 443
        found = await self._resolve(host, port)
        if not found or not all(may_be_asked(each, self._networks) for each in found):
            raise NotFetched("not_public")
        headers = {"Host": url.raw_authority, **conditions}
        failed: aiohttp.ClientConnectionError | None = None
        for each in found[:MOST_ADDRESSES]:
            try:
                return await session.get(
                    url.with_host(each),
                    headers=headers,
                    server_hostname=host,
                    proxy=proxy_for(str(url)),
                    allow_redirects=False,
                )
            except aiohttp.ClientConnectionError as error:
                failed = error
        assert failed is not None  # noqa: S101 - something was found, and was asked
        raise failed


async def _looked_up(host: str, port: int) -> Sequence[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [*dict.fromkeys(str(each[4][0]) for each in found)]


def _checked(address: str) -> URL:
    try:
        return calendar_url(address)
    except NoAddress as error:
        raise NotFetched("no_address") from error


def _conditions(etag: str, modified: str) -> dict[str, str]:
    said = {"If-None-Match": etag, "If-Modified-Since": modified}
    return {name: value for name, value in said.items() if value}


def _mark(answer: aiohttp.ClientResponse, name: str) -> str:
    said = answer.headers.get(name, "")
    return said if len(said) <= LONGEST_MARK else ""


async def _read(answer: aiohttp.ClientResponse) -> bytes:
    """Return what was sent, unpacked as far as it may be large.

    Raises:
        NotFetched, aiohttp.ClientError, zlib.error
    """
    packing = answer.headers.get("Content-Encoding", "").strip().lower()
    if packing not in PACKED:
        raise NotFetched("no_answer")
    how = PACKED[packing]
    unpacking = None if how is None else zlib.decompressobj(how)
    read = bytearray()
    sent = 0
    async for chunk in answer.content.iter_chunked(CHUNK):
        sent += len(chunk)
        read += chunk if unpacking is None else unpacking.decompress(chunk, LARGEST + 1 - len(read))
        if max(sent, len(read)) > LARGEST:
            raise NotFetched("too_much")
    if unpacking is not None and not unpacking.eof:
        raise NotFetched("no_answer")
    return bytes(read)
