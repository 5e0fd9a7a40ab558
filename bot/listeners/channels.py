"""Something happens to a channel that threads of ours stand in, or were to stand in."""

from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext

from bot.listeners.actor import tenant_of
from bot.listeners.services import Services


def register(app: AsyncApp, services: Services) -> None:
    app.event("member_joined_channel")(Channels(services).joined)


class Channels:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def joined(self, event: dict[str, Any], context: AsyncBoltContext) -> None:
        """Make up for what was refused, where it was us who were let in."""
        if event.get("user") == context.bot_user_id and event.get("channel"):
            self._services.let_in(tenant_of(context), str(event["channel"]))
