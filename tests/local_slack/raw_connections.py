"""A Socket Mode connection without the SDK: it sees every envelope, and acknowledges what the test tells it to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from bot.local_slack import LocalWorkspace

from .schemas import check_envelope


class RawConnection:
    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket

    async def next(self, payload: dict[str, Any] | None = None, *, ack: bool = True) -> dict[str, Any]:
        """The next envelope, held against Slack's types and acknowledged (with this payload)."""
        envelope: dict[str, Any] = await self._socket.receive_json(timeout=60)
        check_envelope(envelope)
        if ack and "envelope_id" in envelope:
            await self.acknowledge(envelope, payload)
        return envelope

    async def acknowledge(self, envelope: dict[str, Any], payload: dict[str, Any] | None = None) -> None:
        answer: dict[str, Any] = {"envelope_id": envelope["envelope_id"]}
        await self._socket.send_json(answer | ({"payload": payload} if payload else {}))


@asynccontextmanager
async def raw_connection(workspace: LocalWorkspace) -> AsyncIterator[RawConnection]:
    """A connection that has had its hello."""
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(await link_of(workspace, session)) as socket,
    ):
        tap = RawConnection(socket)
        assert (await tap.next())["type"] == "hello"
        yield tap


async def link_of(workspace: LocalWorkspace, session: aiohttp.ClientSession) -> str:
    """Return where the app connects, with its ticket."""
    headers = {"Authorization": f"Bearer {workspace.app_token}"}
    async with session.post(f"{workspace.api_url}apps.connections.open", headers=headers) as response:
        url: str = (await response.json())["url"]
    return url
