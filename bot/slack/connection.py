"""The Socket Mode connection: it is opened anew at a pace, and on closing waits for the listeners under way."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import aiohttp
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackClientError
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.error_replies import what_came
from bot.slack.payloads import Malformed, check_payload
from engine.runtime.activity import Activity

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


log = logging.getLogger(__name__)

GRACE: Final = 3.0
"""Seconds that listeners under way are given on closing; Slack waits no longer either."""

FAREWELL: Final = 1.0
"""Seconds that Slack has to say that it has heard of the end; aiohttp alone would wait for ten."""

WATCH_EVERY: Final = 6
"""Pings: the SDK itself notices a missing pong after four."""


FIRST_PAUSE: Final = 1.0
"""Seconds before the second connection in a row that came to nothing; each time twice as long."""

LONGEST_PAUSE: Final = 25.0
"""Seconds; less than the watchdog's patience."""

LIVED: Final = 5.0
"""Seconds after which a connection has not come to nothing."""


class PacedClient(SocketModeClient):
    """Connects anew at once, as the SDK does, and ever more slowly where that comes to nothing.

    The SDK alone asks for another connection as soon as Slack has turned one away. Where ten are open already, Slack
    does so each time, and the SDK asks hundreds of times a second.
    """

    def __init__(self, *, first_pause: float, **more: Any) -> None:
        super().__init__(**more)
        self._first_pause = first_pause
        self._in_vain = 0
        self._free_at = 0.0
        """When one may connect again, by the loop's clock."""

    def was_of_use(self) -> None:
        """Something came over the connection: if it breaks now, it has not come to nothing."""
        self._in_vain, self._free_at = 0, 0.0

    async def connect_to_new_endpoint(self, force: bool = False) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._free_at >= LIVED:
            self._in_vain = 0
        begins = max(now, self._free_at)
        # The power is bounded, or it would be no float in the end.
        self._free_at = begins + min(LONGEST_PAUSE, self._first_pause * 2 ** min(self._in_vain, 10))
        self._in_vain += 1
        if begins > now:
            log.warning("Slack has turned us away; connecting again in %.0f s", begins - now)
            await asyncio.sleep(begins - now)
        if not self.closed:
            await super().connect_to_new_endpoint(force)


class Connection(AsyncSocketModeHandler):
    """
    Args:
        first_pause: seconds before the second connection in a row that came to nothing.
    """

    client: PacedClient

    def __init__(
        self,
        app: AsyncApp,
        app_token: str,
        client: AsyncWebClient,
        ping_seconds: float,
        first_pause: float = FIRST_PAUSE,
    ) -> None:
        # Not Bolt's own: it would make, and connect, the SDK's client.
        self.app, self.app_token = app, app_token
        self.client = PacedClient(
            first_pause=first_pause,
            app_token=app_token,
            logger=app.logger,
            web_client=client,
            proxy=client.proxy,
            ping_interval=ping_seconds,
        )
        self.client.socket_mode_request_listeners.append(self.handle)  # type: ignore[arg-type]
        self._activity = Activity()
        self._leaving = False

    async def handle(self, client: SocketModeClient, req: SocketModeRequest) -> None:  # type: ignore[override]
        if self._leaving:
            return  # not acknowledged: Slack delivers an event again, and tells a person that a click failed
        self.client.was_of_use()
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
        """Begin nothing that comes from now on. Acknowledge first what was committed: else a person is told that their
        vote failed, which it did not.
        """
        self._leaving = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                while not self._activity.is_idle:
                    await self._activity.idle()
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
