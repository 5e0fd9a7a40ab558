"""Who we are in the workspace, which Bolt has to know before it passes anything on."""

import asyncio
import json
import logging
from typing import Final

from slack_bolt.authorization import AuthorizeResult
from slack_sdk.web.async_client import AsyncWebClient

from bot.posts.failures import CALL_ERRORS, failure
from engine.errors import StoreError
from engine.kernel import Tenant
from engine.store.port import Store

log = logging.getLogger(__name__)

KIND: Final = "web_address"
"""The kind of the record with where a workspace is on the web; its name is empty."""


class Identity:
    """Asks Slack who the bot token belongs to, until Slack has answered once.

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
        """
        Raises:
            StoreError
        """
        if self._store is None:
            return
        for tenant in await self._store.tenants():
            for row in (await self._store.records(tenant, KIND, limit=1)).values():
                self._addresses[tenant] = json.loads(row)

    @property
    def known_tenant(self) -> Tenant | None:
        """The workspace that the bot token belongs to; None while Slack has not said which it is."""
        return _tenant(self._known) if self._known else None

    def web_address(self, tenant: Tenant) -> str:
        """Return where the workspace is on the web, with a slash at its end; empty while Slack has never said so, and
        for any other workspace.
        """
        return self._addresses.get(tenant, "")

    async def authorize(self) -> AuthorizeResult:
        """
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

    async def tenant(self) -> Tenant:
        """Return the workspace that the bot token belongs to.

        Raises:
            CallFailed
        """
        return _tenant(await self.authorize())

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
