"""Hears who has taken ToWow out, stops for them, and deletes all of theirs after a while."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Final

from slack_bolt.async_app import AsyncApp
from slack_bolt.context.ack.async_ack import AsyncAck

from bot.posts.failures import CallFailed
from bot.slack.oauth.database import InstallationDatabase
from bot.slack.oauth.departures import LASTS, Departure
from bot.slack.oauth.installations import Installations
from bot.slack.oauth.places import Place
from engine.errors import StoreError
from engine.kernel import Millis, Tenant
from engine.runtime.clock import Clock
from engine.store.port import Store

log = logging.getLogger(__name__)

LOOK_EVERY: Final[Millis] = 5_000
"""Between two looks for what other processes have heard, and for whose time is over."""

Purged = Callable[[Tenant], Awaitable[None]]
"""Deletes what there is of a tenant besides the rows of the store."""


class Leaving:
    """
    Args:
        clock: by which the time of data is over.
        pulse: by which looks come; the machine's, also where the clock jumps.
    """

    def __init__(
        self,
        installations: Installations,
        database: InstallationDatabase,
        store: Store,
        clock: Clock,
        pulse: Clock,
        purged: Purged,
    ) -> None:
        self.installations = installations
        self._departures = installations.departures
        self._database = database
        self._store = store
        self._clock = clock
        self._pulse = pulse
        self._purged = purged
        self._name = secrets.token_hex(8)
        """Of this process, where several delete."""
        self._looking = asyncio.Lock()

    def register(self, app: AsyncApp) -> None:
        """Slack sends these in any order, again, and late: after the app was installed anew."""

        async def gone(body: dict[str, Any], ack: AsyncAck) -> None:
            place = _place(body)
            if not await self.installations.is_alive(place):
                await self._departures.leaves(place, self._clock.now(), is_for_good=True)
                self.installations.forget(place)
            await ack()

        async def access_changed(body: dict[str, Any], event: dict[str, Any], ack: AsyncAck) -> None:
            enterprise_id = _place(body).enterprise_id
            granted = await self.installations.teams(enterprise_id)
            for team_id in map(str, event.get("team_ids") or ()):
                place = Place(enterprise_id, team_id)
                if granted is None or team_id in granted:
                    if granted is not None:
                        await self._departures.returns(place)
                elif not await self.installations.is_alive(place):
                    await self._departures.leaves(place, self._clock.now(), is_for_good=True)
            await ack()

        app.event("tokens_revoked")(gone)
        app.event("app_uninstalled")(gone)
        app.event("team_access_revoked")(access_changed)
        app.event("team_access_granted")(access_changed)

    @asynccontextmanager
    async def looking(self) -> AsyncIterator[None]:
        """Look again and again until the block ends."""
        task = asyncio.create_task(self._look_again(), name="who has left")
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def look(self) -> None:
        """Take over what other processes have heard, and delete what is due."""
        async with self._looking:
            await self._departures.read()
            for each in self._departures.due(self._clock.now()):
                await self._purge(each)
        await self._database.forget_old_states(datetime.now(UTC).replace(tzinfo=None))

    async def _look_again(self) -> None:
        while True:
            await self._pulse.until(self._pulse.after(LOOK_EVERY))
            try:
                await self.look()
            except (StoreError, CallFailed) as error:
                log.warning("who has left is looked at again: %s", error)
            except Exception:
                log.exception("who has left is looked at again")

    async def _purge(self, departure: Departure) -> None:
        place = departure.place
        if not await self._departures.begins_purge(departure, self._name, self._clock.now()):
            return  # it is installed again, or another process deletes it
        await self._departures.read()  # a workspace of it that has installed the app until now is left alone
        prolonging = asyncio.create_task(self._prolong(departure), name=f"purge of {place}")
        try:
            await self._purge_all(place)
        finally:
            prolonging.cancel()
            await asyncio.gather(prolonging, return_exceptions=True)
        await self._departures.forget(departure, self._name)

    async def _prolong(self, departure: Departure) -> None:
        while True:
            await self._pulse.until(self._pulse.after(LASTS / 4))
            with contextlib.suppress(StoreError):
                await self._departures.begins_purge(departure, self._name, self._clock.now())

    async def _purge_all(self, place: Place) -> None:
        tenants = [Tenant(place.team_id, place.enterprise_id)] if place.team_id else await self._tenants_of(place)
        for each in tenants:
            if self._departures.is_absent(each):
                await self._purged(each)
                await self._store.purge(each)
                log.warning("all data of %s is deleted: it has taken ToWow out", each.team_id)

    async def _tenants_of(self, place: Place) -> list[Tenant]:
        return [each for each in await self._store.tenants() if place.has(each)]


def _place(body: dict[str, Any]) -> Place:
    """Return where the app was installed that an event is about."""
    told = (body.get("authorizations") or [{}])[0]
    is_whole = bool(told.get("is_enterprise_install"))
    enterprise_id = told.get("enterprise_id") or body.get("enterprise_id") or ""
    team_id = told.get("team_id") or body.get("team_id") or ""
    return Place(str(enterprise_id), "" if is_whole else str(team_id))
