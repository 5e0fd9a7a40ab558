"""Somebody looks at their App Home."""

import contextlib
from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import check_colleague, tenant_of
from bot.listeners.services import Services
from engine.errors import NotAllowed


def register(app: AsyncApp, services: Services) -> None:
    @app.event("app_home_opened")
    async def opened(event: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """The messages tab is opened with the same event. Nothing is shown to anybody of another workspace."""
        if event.get("tab") != "home":
            return
        with contextlib.suppress(NotAllowed):
            check_colleague(context, event["user"])
            services.homes.opened(tenant_of(context), event["user"], client)
