"""The workspaces that ToWow is in: the one whose token is set, or all that have installed it."""

import asyncio
import json
import logging
from typing import Final, Protocol

from slack_bolt.authorization import AuthorizeResult
from slack_sdk.web.async_client import AsyncWebClient

from bot.posts.failures import CALL_ERRORS, failure
from engine.errors import StoreError
from engine.kernel import Tenant
from engine.store.port import Store

log = logging.getLogger(__name__)

KIND: Final = "web_address"
"""The kind of the record with where a workspace is on the web; its name is empty."""


class Workspaces(Protocol):
    async def client(self, tenant: Tenant) -> AsyncWebClient:
        """Return what calls Slack in a workspace."""

    async def authorize(self, enterprise_id: str | None, team_id: str | None) -> AuthorizeResult | None:
        """Return who we are where something comes from; None where ToWow is not installed."""

    def is_absent(self, tenant: Tenant) -> bool:
        """Whether a workspace has taken ToWow out."""

    async def tenant(self, team_id: str) -> Tenant | None:
        """Return the workspace of that id, or without one the only one there is."""

    def web_address(self, tenant: Tenant) -> str:
        """Return where a workspace is on the web, with a slash at its end; empty while that is not known."""

    def known(self) -> Tenant | None:
        """Return the only workspace there is; None while Slack has not said which it is, and where there are many."""

    async def installer(self, tenant: Tenant) -> str:
        """Return who has installed ToWow; empty where nobody knows."""


class OneWorkspace:
    """The one whose token is set. Slack is asked who the token belongs to, until it has answered once.

    Args:
        store: keeps where the workspace is on the web: what is posted before Slack is asked again leads there as well.
    """

    def __init__(self, client: AsyncWebClient, store: Store | None = None) -> None:
        self._client = client
        self._store = store
        self._known: AuthorizeResult | None = None
        self._addresses: dict[Tenant, str] = {}
        self._asking = asyncio.Lock()

    async def recall(self) -> None:
        if self._store is None:
            return
        for tenant in await self._store.tenants():
            for row in (await self._store.records(tenant, KIND, limit=1)).values():
                self._addresses[tenant] = json.loads(row)

    async def client(self, tenant: Tenant) -> AsyncWebClient:
        return self._client

    def is_absent(self, tenant: Tenant) -> bool:
        return False

    def known(self) -> Tenant | None:
        return _tenant(self._known) if self._known else None

    async def installer(self, tenant: Tenant) -> str:
        return ""

    def web_address(self, tenant: Tenant) -> str:
        """Return nothing for any other workspace, too."""
        return self._addresses.get(tenant, "")

    async def authorize(self, enterprise_id: str | None = None, team_id: str | None = None) -> AuthorizeResult:
        """Return the token by which Bolt answers an event.

        Raises:
            CallFailed: and none of Slack's own errors. Those Bolt takes for "not installed": it acknowledges what came
                in with an apology, and a mention or a vote is lost because Slack was busy.
        """
        async with self._asking:
            if self._known is None:
                try:
                    answer = await self._client.auth_test()
                except CALL_ERRORS as error:
                    raise failure(error) from error
                self._known = AuthorizeResult.from_auth_test_response(
                    auth_test_response=answer, bot_token=self._client.token
                )
                await self._keep_address(_tenant(self._known), self._known.url)
            return self._known

    async def tenant(self, team_id: str = "") -> Tenant | None:
        ours = _tenant(await self.authorize())
        return ours if team_id in ("", ours.team_id) else None

    async def _keep_address(self, tenant: Tenant, url: str | None) -> None:
        if not url or self._addresses.get(tenant) == (address := f"{url.rstrip('/')}/"):
            return
        self._addresses[tenant] = address
        try:
            if self._store is not None:
                await self._store.put_records(tenant, KIND, {"": json.dumps(address)})
        except StoreError as error:
            log.warning("where the workspace is on the web is asked for again at the next start: %s", error)


def _tenant(known: AuthorizeResult) -> Tenant:
    return Tenant(known.team_id or "", known.enterprise_id or "")
