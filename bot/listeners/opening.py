"""Somebody opens ToWow in Slack: their App Home, or their direct messages with it."""

import contextlib
import logging
from collections.abc import Sequence
from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_in, check_colleague, tenant_of
from bot.listeners.conversation import Conversation
from bot.listeners.services import Services
from bot.posts.failures import CALL_ERRORS
from bot.views.kit import prompts
from engine.errors import NotAllowed, StoreError
from engine.kernel import Tenant

log = logging.getLogger(__name__)


def register(app: AsyncApp, services: Services, conversations: Sequence[Conversation]) -> None:
    app.event("app_home_opened")(Opening(services, conversations).opened)


class Opening:
    def __init__(self, services: Services, conversations: Sequence[Conversation]) -> None:
        self._services = services
        self._conversations = conversations

    async def opened(self, event: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """Draw the Home, or suggest what to say. Nothing is shown to anybody of another workspace."""
        tenant, user = tenant_of(context), str(event["user"])
        with contextlib.suppress(NotAllowed):
            check_colleague(context, actor_in(context))
            if event.get("tab") == "home":
                self._services.homes.opened(tenant, user, client)
            elif event.get("tab") == "messages" and event.get("channel"):
                self._services.background.spawn(self._suggest(tenant, user, str(event["channel"]), client))

    async def _suggest(self, tenant: Tenant, user: str, channel: str, client: AsyncWebClient) -> None:
        """Say it once. Where it does not work, nothing is missing, and the next opening tries again."""
        try:
            texts = await self._services.texts.of(client, tenant, user, "")
            found = [
                each
                for conversation in self._conversations
                if conversation.suggested is not None
                for each in await conversation.suggested(self._services, tenant, user, texts)
            ]
            said = [{"title": each.title, "message": each.message} for each in prompts.shown(found, texts)]
            await client.assistant_threads_setSuggestedPrompts(
                channel_id=channel, title=prompts.heading(texts), prompts=said
            )
        except (StoreError, *CALL_ERRORS) as error:
            log.debug("nothing is suggested to %s: %s", user, error)
