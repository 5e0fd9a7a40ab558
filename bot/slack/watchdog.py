"""Watches the Socket Mode connection from outside.

The SDK pings, and connects anew when no pong comes. It does that in tasks of its own. When one of those has died
(silent disconnects are reported), nothing arrives any more and nothing says so. The watchdog notices.
"""

import asyncio
import logging
from typing import Final

import aiohttp
from slack_sdk.errors import SlackClientError
from slack_sdk.socket_mode.aiohttp import SocketModeClient

log = logging.getLogger(__name__)

STRIKES: Final = 2
"""Failed checks in a row after which we connect anew ourselves."""

PATIENCE: Final = 30.0
"""Seconds that one attempt to connect may take."""


class Watchdog:
    """
    Args:
        interval: seconds between two checks; longer than the SDK needs to notice by itself.
    """

    def __init__(self, client: SocketModeClient, interval: float) -> None:
        self._client = client
        self._interval = interval

    async def watch(self) -> None:
        """Check at every interval, until cancelled."""
        strikes = 0
        while True:
            await asyncio.sleep(self._interval)
            strikes = 0 if await self._is_alive() else strikes + 1
            if strikes >= STRIKES and await self._revive():
                strikes = 0

    async def _is_alive(self) -> bool:
        tasks = (self._client.message_processor, self._client.message_receiver, self._client.current_session_monitor)
        return await self._client.is_connected() and not any(task is None or task.done() for task in tasks)

    async def _revive(self) -> bool:
        log.warning("Slack's connection has been silent; connecting anew")
        if self._client.message_processor.done():
            self._client.message_processor = asyncio.ensure_future(self._client.process_messages())  # type: ignore[no-untyped-call]
        try:
            async with asyncio.timeout(PATIENCE):
                await self._client.connect_to_new_endpoint(force=True)
        except (SlackClientError, aiohttp.ClientError, OSError, TimeoutError) as error:
            log.warning("Slack cannot be reached, the next check tries again: %r", error)
            return False
        return True
