"""Something a person does in Slack with a button, a shortcut or a form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_in, check_colleague, tenant_of
from bot.listeners.services import Services
from bot.texts import Texts
from engine.directory.state import Directory
from engine.kernel import Millis, StreamKey, Tenant


@dataclass(slots=True)
class Interaction:
    services: Services
    body: Mapping[str, Any]
    context: AsyncBoltContext
    client: AsyncWebClient
    language: str = ""
    """The tag of the language of what it is about, such as a demand: for where nobody knows the person's."""
    _directory: Directory | None = field(default=None, init=False)

    @property
    def tenant(self) -> Tenant:
        return tenant_of(self.context)

    @property
    def user(self) -> str:
        """Who reads the answer, as Slack calls them."""
        return str(self.body["user"]["id"])

    @property
    def actor(self) -> str:
        """Who acts, as the engine is told."""
        return actor_in(self.context)

    def key(self, stream: str) -> StreamKey:
        """Return the key of a stream of this workspace. No payload reaches another workspace's."""
        return StreamKey(self.tenant, stream)

    def now(self) -> Millis:
        return self.services.now()

    def check_colleague(self) -> None:
        """
        Raises:
            NotAllowed: the actor belongs to another company.
        """
        check_colleague(self.context, self.actor)

    async def is_admin(self) -> bool:
        """
        Raises:
            StoreError, TimeoutError
        """
        return await self.services.settings.is_admin(self.tenant, self.actor, await self.directory())

    async def directory(self) -> Directory:
        """Return who is who in the workspace, as it was when this interaction first asked, or last changed it.

        Raises:
            StoreError, TimeoutError
        """
        if self._directory is None:
            self._directory = await self.services.settings.directory(self.tenant)
        return self._directory

    def directory_changed(self) -> None:
        """Have the directory read anew when it is next asked for."""
        self._directory = None

    async def texts(self) -> Texts:
        return await self.services.texts.of(self.client, self.tenant, self.user, self.language)

    def known_texts(self) -> Texts:
        """Return the same without asking Slack for the person's language."""
        return self.services.texts.known(self.tenant, self.user, self.language)

    async def open(self, view: Mapping[str, Any]) -> None:
        """Open a modal."""
        await self.client.views_open(trigger_id=self.body["trigger_id"], view={**view})
