"""Somebody writes to us in their direct messages: what they need, and nobody else reads it there.

The negotiation has its thread below that message. Whoever takes part has their own part in their own direct messages.
"""

from typing import Any, Final

from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.gateway import CommandGateway, tenant_of
from bot.listeners.negotiation.demand import heard
from bot.listeners.negotiation.intake import is_fresh_and_human, read_demand
from bot.listeners.small_talk import is_thanks
from bot.views.negotiation import notices

MOST_THREADS: Final = 10_000
"""That we remember to have answered in."""


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    answered: dict[tuple[str, str], None] = {}

    @app.event("message")
    async def written(
        event: dict[str, Any], body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        """In a channel, a mention arrives twice, as mention and as message: there the mention counts."""
        if event.get("channel_type") != "im" or not is_fresh_and_human(event):
            return
        if "thread_ts" in event:
            await followed_up(event, context, client)
            return
        where = {"channel": event["channel"], "user": event["user"]}
        await heard(gateway, event, body, context, client, where=where, thread=event["ts"])

    async def followed_up(event: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """Nothing is changed by a reply, and whoever writes one is told so once a thread."""
        text = read_demand(event.get("text") or "", context.bot_user_id)
        thread = (event["channel"], event["thread_ts"])
        if is_thanks(text) or thread in answered:
            return
        if len(answered) == MOST_THREADS:
            del answered[next(iter(answered))]
        answered[thread] = None
        where = {name: event[name] for name in ("channel", "user", "thread_ts")}
        texts = await gateway.texts(client, tenant_of(context), event["user"], text)
        gateway.tell(client, where, notices.replies_change_nothing(texts))
