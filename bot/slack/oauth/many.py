"""Puts together what serves many workspaces."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from slack_bolt.authorization import AuthorizeResult
from slack_sdk.web.async_client import AsyncWebClient

from bot.oauth_config import OAuthAccess
from bot.posts.failures import CALL_ERRORS
from bot.slack.client import web_client
from bot.slack.oauth.database import InstallationDatabase, opened
from bot.slack.oauth.departures import Departures
from bot.slack.oauth.installations import Installations
from bot.slack.oauth.places import Installed
from bot.slack.oauth.refreshing import Refreshing
from bot.slack.oauth.sealed_store import SealedStore
from bot.slack.oauth.token_keys import TokenKeys
from bot.texts import texts_in
from bot.views.kit.notices import install_again
from engine.kernel import Tenant
from engine.runtime.clock import Clock
from engine.store.port import Store

log = logging.getLogger(__name__)

INSTALL: Final = "/slack/install"


class ManyWorkspaces:
    """All that have installed ToWow: a `Workspaces` (bot/slack/workspaces.py)."""

    def __init__(
        self,
        access: OAuthAccess,
        slack: AsyncWebClient,
        database: InstallationDatabase,
        store: SealedStore,
        installations: Installations,
        towow: Store,
    ) -> None:
        self.access = access
        self.slack = slack
        self.database = database
        self.store = store
        self.installations = installations
        self._towow = towow

    async def client(self, tenant: Tenant) -> AsyncWebClient:
        return await self.installations.client(tenant)

    async def authorize(self, enterprise_id: str | None, team_id: str | None) -> AuthorizeResult | None:
        return await self.installations.authorize(enterprise_id, team_id)

    def is_absent(self, tenant: Tenant) -> bool:
        return self.installations.departures.is_absent(tenant)

    async def tenant(self, team_id: str) -> Tenant | None:
        if not team_id:
            return None
        enterprise_id = await self.installations.enterprise_of(team_id)
        if enterprise_id is not None:
            return Tenant(team_id, enterprise_id)
        found = [each for each in await self._towow.tenants() if each.team_id == team_id]
        return found[0] if len(found) == 1 and await self.installations.find(found[0]) else None

    def web_address(self, tenant: Tenant) -> str:
        return self.installations.web_address(tenant)

    def known(self) -> Tenant | None:
        return None

    async def installer(self, tenant: Tenant) -> str:
        found = await self.installations.find(tenant)
        return str(found.stored.user_id or "") if found else ""

    def absence_changes(self, told: Callable[[], Awaitable[None]]) -> None:
        self.installations.departures.listen(told)


@asynccontextmanager
async def many_workspaces(
    access: OAuthAccess, slack: AsyncWebClient, towow: Store, clock: Clock
) -> AsyncIterator[ManyWorkspaces]:
    """
    Args:
        slack: a client without a token.
        towow: the store of everything else.

    Raises:
        Misconfigured: there are tokens that no key opens.
        StoreUnavailable
    """

    def make() -> AsyncWebClient:
        return web_client(slack.base_url, None, slack.session, slack.timeout)

    async def stranded(installed: Installed, client: AsyncWebClient) -> None:
        """Tell whoever has installed the app, while its token is good, that it is to be installed again."""
        said = " / ".join(install_again(f"{access.public_url}{INSTALL}", texts_in(each)) for each in ("en", "zh"))
        try:
            await client.chat_postMessage(channel=str(installed.stored.user_id), text=said)
        except CALL_ERRORS as error:
            log.error("nobody could be told to install the app again: %s", type(error).__name__)

    async with opened(InstallationDatabase(access.database, access.client_id)) as database:
        store = SealedStore(database, TokenKeys(access.keys))
        await store.check_keys()
        departures = Departures(database, access.purge_days)
        await departures.read()
        refreshing = Refreshing(database, make(), access.client_id, access.client_secret, clock)
        installations = Installations(store, departures, refreshing, make, clock)
        installations.listen(stranded)
        yield ManyWorkspaces(access, make(), database, store, installations, towow)
