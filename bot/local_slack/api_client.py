"""The HTTP client that `Person` and `Admin` share; the workspace may be in another process."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, nullcontext

import aiohttp
from pydantic import BaseModel

from .local_api.guard import TOKEN_HEADER
from .refusals import NotPossible

_TOKEN = re.compile(r'<meta name="token" content="([^"]+)"')
SEPARATOR = b"\n\n"
LARGEST_EVENT = 4 * 1024 * 1024  # bytes; a Home tab may be big


class LocalApiClient:
    """
    Args:
        session: used for every call and closed by the caller; without one, each call opens its own.
        token: what each change takes; it is read from the page where it is not given.
    """

    def __init__(self, url: str, session: aiohttp.ClientSession | None = None, token: str | None = None) -> None:
        self.url = url.rstrip("/")
        self._session = session
        self._token = token

    async def post(
        self, path: str, body: BaseModel | None = None, query: Mapping[str, str] | None = None, within: float = 60.0
    ) -> bytes:
        """The answer's JSON."""
        sent = body.model_dump_json(exclude_defaults=True) if body is not None else "{}"
        return await self._call("POST", path, sent, query, within)

    async def send(self, path: str, content: bytes, query: Mapping[str, str]) -> bytes:
        return await self._call("POST", path, content, query, 60.0)

    async def get(self, path: str, query: Mapping[str, str] | None = None) -> bytes:
        return await self._call("GET", path, None, query, 60.0)

    @asynccontextmanager
    async def events(self, path: str) -> AsyncIterator[AsyncGenerator[bytes, None]]:
        """Server-sent events from the moment the block is entered, until the workspace ends."""
        forever = aiohttp.ClientTimeout(total=None)
        async with (
            aiohttp.ClientSession(timeout=forever, read_bufsize=LARGEST_EVENT) as session,
            session.get(self.url + path) as response,
        ):
            response.raise_for_status()
            await response.content.readuntil(SEPARATOR)
            async with aclosing(_events(response.content)) as events:
                yield events

    async def _call(
        self, verb: str, path: str, sent: str | bytes | None, query: Mapping[str, str] | None, within: float
    ) -> bytes:
        limit = aiohttp.ClientTimeout(total=within)
        async with self._opened() as session:
            headers = {}
            if sent is not None:
                kind = "application/json" if isinstance(sent, str) else "application/octet-stream"
                headers = {"Content-Type": kind, TOKEN_HEADER: await self._token_of_page(session)}
            async with session.request(
                verb, self.url + path, data=sent, params=query, headers=headers, timeout=limit
            ) as response:
                return await _read(response)

    async def _token_of_page(self, session: aiohttp.ClientSession) -> str:
        if self._token is None:
            async with session.get(f"{self.url}/") as page:
                found = _TOKEN.search(await page.text())
            self._token = found[1] if found else ""
        return self._token

    def _opened(self) -> AbstractAsyncContextManager[aiohttp.ClientSession]:
        return nullcontext(self._session) if self._session is not None else aiohttp.ClientSession()


async def _events(content: aiohttp.StreamReader) -> AsyncGenerator[bytes, None]:
    while (event := await content.readuntil(SEPARATOR)).endswith(SEPARATOR):
        yield event.removeprefix(b"data: ")


async def _read(response: aiohttp.ClientResponse) -> bytes:
    if response.status == 409:
        raise NotPossible((await response.json())["error"])
    if response.status == 408:
        raise TimeoutError((await response.json())["error"])
    response.raise_for_status()
    return await response.read()
