"""Somebody looks at their App Home, or asks for something from there."""

import contextlib
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.gateway import Desk, tenant_of
from bot.listeners.negotiation.intake import check_hand
from bot.listeners.negotiation.shortcuts import ask_anew
from bot.views.directory.buttons import ASK
from engine.errors import NotAllowed


def register(app: AsyncApp, desk: Desk) -> None:
    @app.event("app_home_opened")
    async def opened(event: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """The messages tab is opened with the same event. Nothing is shown to anybody of another workspace."""
        if event.get("tab") != "home":
            return
        with contextlib.suppress(NotAllowed):
            check_hand(context, event["user"])
            desk.homes.opened(tenant_of(context), event["user"], client)

    @app.action(ASK)
    async def asked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        await ask_anew(desk, body, context, client)
        await ack()
