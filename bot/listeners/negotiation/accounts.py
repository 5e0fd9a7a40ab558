"""Somebody's account is closed while they are asked: nobody waits for them, and nothing is assumed of their silence."""

from typing import Any, Final

from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext

from bot.listeners.actor import tenant_of
from bot.listeners.services import Services
from bot.presence import Accounts
from engine.kernel import StreamKey
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.voting.rounds import relied_on
from engine.negotiation.voting.votes import account_closed
from engine.projections.inbox import open_streams

ACCOUNTS: Final = Accounts(relied_on, account_closed)


def register(app: AsyncApp, services: Services) -> None:
    async def changed(event: dict[str, Any], context: AsyncBoltContext) -> None:
        told = event.get("user")
        if not isinstance(told, dict) or told.get("deleted") is not True or not told.get("id"):
            return
        tenant, user = tenant_of(context), str(told["id"])
        if services.calendars is not None:
            await services.calendars.forget(tenant, user)
        for stream in await open_streams(services.store, tenant):
            key = StreamKey(tenant, stream)
            state = await services.gateway.read(key, RULEBOOK)
            for command in account_closed(state, user, f"closed:{event.get('event_ts', '')}", services.now()):
                await services.gateway.send(key, RULEBOOK, command)

    app.event("user_change")(changed)
