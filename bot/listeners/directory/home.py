"""Somebody looks at their App Home, or asks for something from there."""

import contextlib
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.gateway import CommandGateway, tenant_of
from bot.listeners.negotiation.intake import check_actor
from bot.listeners.negotiation.shortcuts import ask_anew
from bot.views.directory.buttons import ASK
from engine.errors import NotAllowed


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    @app.event("app_home_opened")
    async def opened(event: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """The messages tab is opened with the same event. Nothing is shown to anybody of another workspace."""
        if event.get("tab") != "home":
            return
        with contextlib.suppress(NotAllowed):
            check_actor(context, event["user"])
            gateway.homes.opened(tenant_of(context), event["user"], client)

    @app.action(ASK)
    async def asked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        await ask_anew(gateway, body, context, client)
        await ack()
