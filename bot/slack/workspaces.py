"""The workspaces that ToWow is in: the one whose token is set, or all that have installed it."""

from typing import Protocol

from slack_bolt.authorization import AuthorizeResult
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.identity import Identity
from engine.kernel import Tenant


class Workspaces(Protocol):
    async def client(self, tenant: Tenant) -> AsyncWebClient:
        """Return what calls Slack in a workspace.

        Raises:
            CallFailed: ToWow is not there, or Slack does not let it in just now.
        """

    async def authorize(self, enterprise_id: str | None, team_id: str | None) -> AuthorizeResult | None:
        """Return who we are where something comes from; None where ToWow is not installed.

        Raises:
            CallFailed, StoreError
        """

    def is_absent(self, tenant: Tenant) -> bool:
        """Whether a workspace has taken ToWow out."""

    async def tenant(self, team_id: str) -> Tenant | None:
        """Return the workspace of that id, or without one the only one there is.

        Raises:
            CallFailed, StoreError
        """

    def web_address(self, tenant: Tenant) -> str:
        """Return where a workspace is on the web, with a slash at its end; empty while that is not known."""

    def known(self) -> Tenant | None:
        """Return the only workspace there is; None while Slack has not said which it is, and where there are many."""

    async def installer(self, tenant: Tenant) -> str:
        """Return who has installed ToWow; empty where nobody knows.

        Raises:
            StoreError
        """


class OneWorkspace:
    """The one whose token is set."""

    def __init__(self, client: AsyncWebClient, identity: Identity) -> None:
        self._client = client
        self._identity = identity

    async def client(self, tenant: Tenant) -> AsyncWebClient:
        return self._client

    async def authorize(self, enterprise_id: str | None, team_id: str | None) -> AuthorizeResult | None:
        return await self._identity.authorize()

    def is_absent(self, tenant: Tenant) -> bool:
        return False

    async def tenant(self, team_id: str) -> Tenant | None:
        ours = await self._identity.tenant()
        return ours if team_id in ("", ours.team_id) else None

    def web_address(self, tenant: Tenant) -> str:
        return self._identity.web_address(tenant)

    def known(self) -> Tenant | None:
        return self._identity.known_tenant

    async def installer(self, tenant: Tenant) -> str:
        return ""
