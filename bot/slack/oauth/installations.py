"""By which token each workspace is reached: everything that calls Slack asks here, by tenant."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from slack_bolt.authorization import AuthorizeResult
from slack_sdk.errors import SlackApiError
from slack_sdk.oauth.installation_store import Installation
from slack_sdk.web.async_client import AsyncWebClient

from bot.posts.failures import CALL_ERRORS, CallFailed, NoToken, Refused, Shut, Undone, failure
from bot.slack.oauth.departures import Departures
from bot.slack.oauth.places import Installed, Place, places_of
from bot.slack.oauth.refreshing import Refreshing, Stranded
from bot.slack.oauth.sealed_store import SealedStore
from engine.errors import StoreError
from engine.kernel import Millis, Tenant
from engine.runtime.clock import Clock, Monotonic

log = logging.getLogger(__name__)

NOT_INSTALLED: Final = "not_installed"
NO_TOKEN: Final = "no_token"  # noqa: S105 - a word for what happened
OVER: Final = "token_expired"
REMOVED: Final = frozenset({"account_inactive", "token_revoked"})
"""What Slack answers where the app was taken out."""
UNUSABLE: Final = REMOVED | {"invalid_auth", "not_authed"}
PAUSE: Final[Millis] = 60_000
"""Between two attempts to exchange a token that is still good."""
MOST: Final = 10_000
"""Installations in memory."""

MakeClient = Callable[[], AsyncWebClient]


class Installations:
    """
    Args:
        make: makes a client without a token, whose calls share a session.
    """

    def __init__(
        self, store: SealedStore, departures: Departures, refreshing: Refreshing, make: MakeClient, clock: Clock
    ) -> None:
        self._store = store
        self.departures = departures
        self._refreshing = refreshing
        self._make = make
        self._clock = clock
        self._known: dict[Place, Installed] = {}
        self._unsaved: set[Place] = set()
        """Whose new tokens are in memory alone."""
        self._pauses: dict[Place, Monotonic] = {}
        self._stranded: dict[Place, str] = {}
        """The tokens that cannot be exchanged."""
        self._told: Callable[[Installed, AsyncWebClient], Awaitable[None]] | None = None

    def listen(self, stranded: Callable[[Installed, AsyncWebClient], Awaitable[None]]) -> None:
        """Call this once where a token will expire and cannot be exchanged, while it is good."""
        self._told = stranded

    async def find(self, tenant: Tenant) -> Installed | None:
        """Return the installation of a workspace; None where there is none."""
        if self.departures.is_absent(tenant):
            return None
        for place in places_of(tenant):
            if (found := self._known.get(place) or await self._read(place)) is not None:
                return found
        return None

    async def fresh(self, tenant: Tenant) -> Installed | None:
        """Return an installation whose token is good for a while; None where there is none."""
        found = await self.find(tenant)
        return None if found is None else await self._fresh(found)

    async def client(self, tenant: Tenant) -> AsyncWebClient:
        """Return a client for a workspace."""
        try:
            found = await self.fresh(tenant)
        except StoreError as error:
            log.warning("the token of %s cannot be read: %s", tenant.team_id, error)
            raise Undone(NO_TOKEN) from error
        if found is None:
            raise Undone(NOT_INSTALLED)
        return self._client(found, tenant.team_id)

    async def authorize(self, enterprise_id: str | None, team_id: str | None) -> AuthorizeResult | None:
        """Return who we are where something comes from; None where the app is not installed."""
        found = await self.fresh(Tenant(team_id or "", enterprise_id or ""))
        if found is None:
            return None
        stored = found.stored
        return AuthorizeResult(
            enterprise_id=stored.enterprise_id,
            team_id=team_id or stored.team_id,
            bot_user_id=stored.bot_user_id,
            bot_id=stored.bot_id,
            bot_token=stored.bot_token,
            bot_scopes=stored.bot_scopes,
        )

    async def keep(self, stored: Installation) -> None:
        """Keep what was installed just now."""
        installed = Installed.of(stored)
        await self.departures.check_is_not_purged(installed.place)
        await self._store.async_save(stored)
        try:
            await self.departures.returns(installed.place)
        finally:
            self.forget(installed.place)
        self._remember(installed)

    def web_address(self, tenant: Tenant) -> str:
        """Return where a workspace is on the web, with a slash at its end; empty while it is not in memory."""
        known = next((self._known[each] for each in places_of(tenant) if each in self._known), None)
        address = str(known.stored.enterprise_url or "") if known else ""
        return f"{address.rstrip('/')}/" if address else ""

    async def enterprise_of(self, team_id: str) -> str | None:
        return await self._store.enterprise_of(team_id)

    async def is_alive(self, place: Place) -> bool:
        """Ask Slack whether what is installed at a place is good, whatever we have heard."""
        self.forget(place)
        found = await self._read(place)
        if found is None:
            return False
        try:
            await self._plain(found).auth_test()
        except CALL_ERRORS as error:
            failed = failure(error)
            if failed.why == OVER:
                return True  # nobody has taken it out
            if isinstance(failed, Refused | Shut):
                return False
            raise failed from error
        return True

    async def teams(self, enterprise_id: str) -> frozenset[str] | None:
        """Return the workspaces that an organisation let the app into; None where it is not installed as a whole."""
        found = await self._read(Place(enterprise_id, ""))
        if found is None:
            return None
        client, teams, cursor = self._client(await self._fresh(found)), set[str](), ""
        while True:
            try:
                answer: Any = await client.auth_teams_list(limit=1_000, cursor=cursor or None)
            except CALL_ERRORS as error:
                raise failure(error) from error
            teams |= {str(each["id"]) for each in answer["teams"]}
            cursor = (answer.get("response_metadata") or {}).get("next_cursor") or ""
            if not cursor:
                return frozenset(teams)

    def forget(self, place: Place | None = None) -> None:
        """Read what is stored at a place anew; without one, at all of them."""
        kept = self._known if place is None else {place}
        for each in [*kept]:
            if each not in self._unsaved:
                self._known.pop(each, None)

    async def lost(self, installed: Installed, why: str) -> Installed | None:
        """Slack has refused a token. Return what is good in its place, if anything is."""
        self.forget(installed.place)
        found = await self._read(installed.place)
        if found is None or found.token != installed.token:
            return found
        if why == OVER:
            return await self._renew(found)
        await self.departures.leaves(installed.place, self._clock.now(), is_for_good=why in REMOVED)
        return None

    async def _read(self, place: Place) -> Installed | None:
        stored = await self._store.async_find_installation(**place.sql, is_enterprise_install=not place.team_id)
        if stored is None or not stored.bot_token:
            return None
        found = Installed.of(stored)
        self._remember(found)
        return found

    def _remember(self, installed: Installed) -> None:
        self._known.pop(installed.place, None)
        self._known[installed.place] = installed
        while len(self._known) > MOST:
            del self._known[next(iter(self._known))]

    async def _fresh(self, found: Installed) -> Installed:
        if found.place in self._unsaved:
            await self._save(found)
        if not self._refreshing.is_due(found):
            return found
        is_over = self._refreshing.is_over(found)
        if not is_over and self._stranded.get(found.place) == found.token:
            return found
        if not is_over and self._pauses.get(found.place, 0) > self._clock.monotonic():
            return found
        try:
            return await self._renew(found)
        except (CallFailed, StoreError):
            if is_over:
                raise
            self._pauses[found.place] = self._clock.after(PAUSE)
            return found

    async def _renew(self, found: Installed) -> Installed:
        async with self._refreshing.turn(found.place):
            self.forget(found.place)
            newest = self._known.get(found.place) or await self._read(found.place)
            if newest is None:
                raise Undone(NOT_INSTALLED)
            if newest.token != found.token:
                return newest  # somebody else was faster
            try:
                renewed = Installed.of(await self._refreshing.exchange(newest))
            except Stranded as stranded:
                await self._strand(newest)
                raise Undone(str(stranded)) from None
            self._remember(renewed)
            self._unsaved.add(renewed.place)
            await self._save(renewed)
            return renewed

    async def _save(self, renewed: Installed) -> None:
        """What cannot be written now is in memory, and is written with the next call."""
        try:
            await self._store.async_save(renewed.stored)
        except StoreError as error:
            log.error("the new token of %s is in memory alone: %s", renewed.place, error)
        else:
            self._unsaved.discard(renewed.place)

    async def _strand(self, found: Installed) -> None:
        """A token that is good for a while says so itself; else the workspace is left in peace until somebody installs
        the app again. Nothing is deleted: nobody has taken it out.
        """
        if self._refreshing.is_over(found):
            await self.departures.leaves(found.place, self._clock.now(), is_for_good=False)
        else:
            self._stranded[found.place] = found.token
            if self._told is not None:
                await self._told(found, self._plain(found))

    def _plain(self, found: Installed) -> AsyncWebClient:
        client = self._make()
        client.token = found.token
        return client

    def _client(self, found: Installed, team_id: str = "") -> AsyncWebClient:
        client = _WorkspaceClient(self, found, self._plain(found))
        if not found.place.team_id and team_id:
            client.default_params["team_id"] = team_id  # an organisation's token is good for several
        return client


class _WorkspaceClient(AsyncWebClient):
    """Exchanges a token that Slack says has expired, and notices where it is none any more."""

    def __init__(self, installations: Installations, installed: Installed, like: AsyncWebClient) -> None:
        super().__init__(installed.token, like.base_url, timeout=like.timeout, session=like.session, retry_handlers=[])
        self._installations = installations
        self._installed = installed

    async def api_call(self, api_method: str, **said: Any) -> Any:
        try:
            return await super().api_call(api_method, **said)
        except SlackApiError as error:
            why = str(error.response.get("error") or "") if hasattr(error.response, "get") else ""
            if why != OVER and why not in UNUSABLE:
                raise
            try:
                found = await self._installations.lost(self._installed, why)
            except StoreError as unavailable:
                raise NoToken(NO_TOKEN) from unavailable
            except CallFailed as failed:
                raise NoToken(failed.why) from failed
            if found is None:
                raise NoToken(NOT_INSTALLED) from error
            self._installed, self.token = found, found.token
        return await super().api_call(api_method, **said)
