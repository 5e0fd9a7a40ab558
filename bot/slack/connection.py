"""The Socket Mode connection. On closing it waits for the listeners that are under way."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import aiohttp
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.error_replies import what_came
from bot.slack.payloads import Malformed, check_payload
from bot.slack.watchdog import Watchdog
from engine.runtime.activity import Activity

log = logging.getLogger(__name__)

GRACE: Final = 3.0
"""Seconds that listeners under way are given on closing; Slack waits no longer either."""

FAREWELL: Final = 1.0
"""Seconds that Slack has to say that it has heard of the end; aiohttp alone would wait for ten."""

WATCH_EVERY: Final = 6
"""Pings: the SDK itself notices a missing pong after four."""


class Connection(AsyncSocketModeHandler):
    def __init__(self, app: AsyncApp, app_token: str, client: AsyncWebClient, ping_seconds: float) -> None:
        super().__init__(app, app_token, web_client=client, proxy=client.proxy, ping_interval=ping_seconds)
        self._activity = Activity()
        self._leaving = False

    async def handle(self, client: SocketModeClient, req: SocketModeRequest) -> None:  # type: ignore[override]
        if self._leaving:
            return  # not acknowledged: Slack delivers an event again, and tells a person that a click failed
        with self._activity.busy():
            try:
                check_payload(req.payload)
                await super().handle(client, req)
            except Malformed as malformed:
                log.error("%s could not be handled: it has another shape, %s", what_came(req.payload), malformed)
            except aiohttp.ClientConnectionError as lost:
                # Slack sends an event again, and tells a person that a click failed.
                log.warning("%s is not acknowledged, the connection is gone: %s", what_came(req.payload), lost)
            except Exception:
                # Bolt stumbles over some payloads before it comes to our error handler.
                log.exception("%s could not be handled", what_came(req.payload))

    async def close_async(self) -> None:
        """Acknowledge first what was committed: else a person is told that their vote failed, which it did not."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                while not self._activity.is_idle:
                    await self._activity.idle()
        self._leaving = True
        try:
            async with asyncio.timeout(FAREWELL):
                await super().close_async()  # type: ignore[no-untyped-call]
        except TimeoutError:
            self.client.current_session = None  # it was cut off; what is left is closed without it
            await super().close_async()  # type: ignore[no-untyped-call]


@asynccontextmanager
async def connected(socket: Connection, watch_seconds: float) -> AsyncIterator[None]:
    """Connect, and watch the connection until it is closed.

    Args:
        watch_seconds: between two looks at it.
    """
    try:
        await socket.connect_async()  # type: ignore[no-untyped-call]
        watching = asyncio.create_task(Watchdog(socket.client, watch_seconds).watch())
        try:
            yield
        finally:
            watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watching
    finally:
        await socket.close_async()
