"""Somebody writes to us in their direct messages: what they need, and nobody else reads it there.

The negotiation has its thread below that message. Whoever takes part has their own part in their own direct messages.
"""

from typing import Any, Final

from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.demand import COMMAND
from bot.listeners.desk import Desk, tenant_of
from bot.listeners.hand import hand_of_message
from bot.listeners.intake import cause_of_message, is_fresh_and_human, read_demand, submit, why_not
from bot.listeners.small_talk import answer_to, is_thanks
from bot.listeners.status import asks_for_status, status_of
from bot.views import notices
from engine.errors import Refusal
from engine.negotiation.messages import Place

MOST_THREADS: Final = 10_000
"""That we remember to have answered in."""


def register(app: AsyncApp, desk: Desk) -> None:
    answered: dict[tuple[str, str], None] = {}

    @app.event("message")
    async def written(
        event: dict[str, Any], body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        """In a channel, a mention arrives twice, as mention and as message: there the mention counts."""
        if event.get("channel_type") != "im" or not is_fresh_and_human(event):
            return
        text = read_demand(event.get("text") or "", context.bot_user_id)
        if "thread_ts" in event:
            await followed_up(event, text, context, client)
            return
        words = await desk.words(client, tenant_of(context), event["user"], text)
        where = {"channel": event["channel"], "user": event["user"]}
        if answer := answer_to(text, COMMAND, words):
            desk.tell(client, where, answer)
            return
        by = hand_of_message(event, tenant_of(context))
        shared = body.get("is_ext_shared_channel") is not False
        try:
            if asks_for_status(text):
                desk.tell(client, where, await status_of(desk, context, by, words))
                return
            await submit(
                desk,
                context,
                cause=cause_of_message(event["channel"], event["ts"]),
                by=by,
                text=text,
                place=Place(channel=event["channel"], thread=event["ts"], shared=shared),
            )
        except Refusal as refusal:
            desk.tell(client, where, why_not(refusal, text, words))

    async def followed_up(event: dict[str, Any], text: str, context: AsyncBoltContext, client: AsyncWebClient) -> None:
        """Nothing is changed by a reply, and whoever writes one is told so once a thread."""
        thread = (event["channel"], event["thread_ts"])
        if is_thanks(text) or thread in answered:
            return
        if len(answered) == MOST_THREADS:
            del answered[next(iter(answered))]
        answered[thread] = None
        where = {name: event[name] for name in ("channel", "user", "thread_ts")}
        words = await desk.words(client, tenant_of(context), event["user"], text)
        desk.tell(client, where, notices.replies_change_nothing(words))
