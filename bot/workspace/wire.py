"""How the typed clients reach a workspace, in this process or in another."""

from __future__ import annotations

from collections.abc import Mapping

import aiohttp
from pydantic import BaseModel

from .refusals import NotPossible


class Wire:
    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")

    async def post(
        self, path: str, body: BaseModel | None = None, query: Mapping[str, str] | None = None, within: float = 60.0
    ) -> bytes:
        """The answer's JSON.

        Raises:
            NotPossible: the workspace refused; its sentence says why.
        """
        sent = body.model_dump_json(exclude_defaults=True) if body is not None else "{}"
        return await self._call("POST", path, sent, query, within)

    async def get(self, path: str, query: Mapping[str, str] | None = None) -> bytes:
        return await self._call("GET", path, None, query, 60.0)

    async def _call(
        self, verb: str, path: str, sent: str | None, query: Mapping[str, str] | None, within: float
    ) -> bytes:
        headers = {"Content-Type": "application/json"} if sent is not None else {}
        limit = aiohttp.ClientTimeout(total=within)
        async with (
            aiohttp.ClientSession(timeout=limit) as session,
            session.request(verb, self.url + path, data=sent, params=query, headers=headers) as response,
        ):
            if response.status == 409:
                raise NotPossible((await response.json())["error"])
            response.raise_for_status()
            return await response.read()
