"""The HTTP client that `Person` and `Admin` share; the workspace may be in another process."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, nullcontext

import aiohttp
from pydantic import BaseModel

from .refusals import NotPossible

SEPARATOR = b"\n\n"
LARGEST_EVENT = 4 * 1024 * 1024  # bytes; a Home tab may be big


class LocalApiClient:
    """
    Args:
        session: used for every call and closed by the caller; without one, each call opens its own.
    """

    def __init__(self, url: str, session: aiohttp.ClientSession | None = None) -> None:
        self.url = url.rstrip("/")
        self._session = session

    async def post(
        self, path: str, body: BaseModel | None = None, query: Mapping[str, str] | None = None, within: float = 60.0
    ) -> bytes:
        """The answer's JSON.

        Raises:
            NotPossible: the workspace refused; its sentence says why.
            TimeoutError: what was waited for did not happen in time.
        """
        sent = body.model_dump_json(exclude_defaults=True) if body is not None else "{}"
        return await self._call("POST", path, sent, query, within)

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
        self, verb: str, path: str, sent: str | None, query: Mapping[str, str] | None, within: float
    ) -> bytes:
        headers = {"Content-Type": "application/json"} if sent is not None else {}
        limit = aiohttp.ClientTimeout(total=within)
        async with (
            self._opened() as session,
            session.request(verb, self.url + path, data=sent, params=query, headers=headers, timeout=limit) as response,
        ):
            if response.status == 409:
                raise NotPossible((await response.json())["error"])
            if response.status == 408:
                raise TimeoutError((await response.json())["error"])
            response.raise_for_status()
            return await response.read()

    def _opened(self) -> AbstractAsyncContextManager[aiohttp.ClientSession]:
        return nullcontext(self._session) if self._session is not None else aiohttp.ClientSession()


async def _events(content: aiohttp.StreamReader) -> AsyncGenerator[bytes, None]:
    while (event := await content.readuntil(SEPARATOR)).endswith(SEPARATOR):
        yield event.removeprefix(b"data: ")
