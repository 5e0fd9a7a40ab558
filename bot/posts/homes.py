"""Keeps the App Home of each person up to date for half an hour after they have opened it.

Where several processes share a store, the one at which a page was opened last keeps it.
"""

import asyncio
import hashlib
import json
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from slack_sdk.web.async_client import AsyncWebClient

from bot.posts.failures import CallFailed, Refused, Shut, Throttled
from bot.posts.rate_limits import PUBLISH, Lane, RateLimits
from bot.posts.readmission import Readmission
from bot.posts.slack_calls import called
from bot.posts.waiting import Waiting
from engine.errors import EngineError
from engine.kernel import Millis, StreamKey, Tenant
from engine.runtime.clock import Monotonic
from engine.store.port import Store

log = logging.getLogger(__name__)

Draw = Callable[[Tenant, str], Awaitable[dict[str, Any]]]
"""Draws a person's page as things stand."""


async def nothing_there(tenant: Tenant, user: str) -> dict[str, Any]:
    """Draw an empty page."""
    return {"type": "home", "blocks": []}


KIND: Final = "home"
"""Of the records, by user, of the process that keeps their page, where several share a store."""

LOOKED_AT: Final[Millis] = 30 * 60_000
"""For how long a page is kept up to date after it was opened."""
TRIES: Final = 4
RANK: Final = 5
"""Pages wait behind all posts, which more people wait for."""


@dataclass(slots=True)
class _Page:
    client: AsyncWebClient
    until: Monotonic
    is_stale: bool = False
    is_new: bool = True
    """Whether it was opened, and it is not stored yet which process keeps it."""
    is_kept: bool = False
    """Whether a task draws and publishes it."""
    digest: str = ""
    """Of the view that was published last."""


class HomeKeepers:
    """Which of the processes that share a store keeps each page."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._own = json.dumps(secrets.token_hex(8))

    async def keep(self, tenant: Tenant, user: str) -> None:
        """Record that this process keeps the person's Home tab."""
        await self._store.put_records(tenant, KIND, {user: self._own})

    async def are_here(self, tenant: Tenant, user: str) -> bool:
        """Return whether this process keeps the person's Home tab."""
        return (await self._store.records(tenant, KIND, user, limit=1)).get(user) == self._own


class Homes:
    """
    Args:
        draw: draws a page.
        keepers: know which process keeps a page; None where there is one.
    """

    def __init__(
        self,
        draw: Draw,
        rate_limits: RateLimits,
        waiting: Waiting,
        readmission: Readmission,
        keepers: HomeKeepers | None = None,
    ) -> None:
        self._draw = draw
        self._rate_limits = rate_limits
        self._waiting = waiting
        self._readmission = readmission
        self._keepers = keepers
        self._pages: dict[tuple[Tenant, str], _Page] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def opened(self, tenant: Tenant, user: str, client: AsyncWebClient) -> None:
        """Publish the page of somebody who has opened it, and keep it up to date from now on."""
        until = self._waiting.clock.after(LOOKED_AT)
        page = self._pages[tenant, user] = self._pages.get((tenant, user)) or _Page(client, until)
        page.until, page.digest, page.is_new = until, "", True
        self._refresh(tenant, user, page)

    def notice(self, key: StreamKey) -> None:
        """Refresh every page of the tenant after a commit: only drawing it tells whether a page has changed."""
        now = self._waiting.clock.monotonic()
        self._pages = {at: page for at, page in self._pages.items() if page.is_kept or page.until > now}
        for (tenant, user), page in self._pages.items():
            if tenant == key.tenant:
                self._refresh(tenant, user, page)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _refresh(self, tenant: Tenant, user: str, page: _Page) -> None:
        """Mark a page as stale, and draw it unless a task does so already."""
        page.is_stale = True
        if not page.is_kept:
            page.is_kept = True
            task = self._waiting.activity.spawn(self._keep(tenant, user, page))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _keep(self, tenant: Tenant, user: str, page: _Page) -> None:
        try:
            while page.is_stale:
                page.is_stale = False
                await self._publish(tenant, user, page)
        finally:
            page.is_kept = False

    async def _publish(self, tenant: Tenant, user: str, page: _Page) -> None:
        try:
            await self._publish_once(tenant, user, page)
        except (EngineError, TimeoutError) as error:
            log.warning("the Home of %s cannot be drawn just now: %s", user, error)
        except Exception:
            # A fault of ours in one page must not stop the others.
            log.exception("the Home of %s cannot be drawn", user)

    async def _publish_once(self, tenant: Tenant, user: str, page: _Page) -> None:
        view = await self._draw(tenant, user)
        digest = hashlib.sha256(json.dumps(view, ensure_ascii=False).encode(errors="surrogatepass")).hexdigest()
        if digest == page.digest or not await self._is_kept_here(tenant, user, page):
            return
        if await self._sent(tenant, user, page, view):
            page.digest = digest
            if not await self._is_kept_here(tenant, user, page):
                # What this process has drawn may have come after what the other one has.
                await self._sent(tenant, user, page, await self._draw(tenant, user))

    async def _is_kept_here(self, tenant: Tenant, user: str, page: _Page) -> bool:
        """Return whether a page was opened at no other process since; forget it where it was."""
        if self._keepers is None:
            return True
        if page.is_new:
            await self._keepers.keep(tenant, user)
            page.is_new = False
        elif not await self._keepers.are_here(tenant, user):
            page.until = self._waiting.clock.monotonic()
            return False
        return True

    async def _sent(self, tenant: Tenant, user: str, page: _Page, view: dict[str, Any]) -> bool:
        lane = Lane(tenant, PUBLISH)
        for _ in range(TRIES):
            await self._turn(lane)
            try:
                await called(page.client.views_publish(user_id=user, view=view))
            except Throttled as throttled:
                self._rate_limits.hold(lane, self._waiting.clock.after(1_000 * throttled.seconds))
            except Refused as refused:
                log.error("the Home of %s is not published: %s", user, refused.why)
                return False
            except Shut as failed:
                self._readmission.shut_out(tenant, failed.why)
            except CallFailed as failed:
                # Publishing a page twice does no harm.
                log.warning("the Home of %s is published again: %s", user, failed.why)
            else:
                return True
        return False

    async def _turn(self, lane: Lane) -> None:
        granted = asyncio.Event()
        ticket = self._rate_limits.join(lane, RANK, granted)
        while not ticket.granted:
            await self._waiting.for_event(granted)
