"""Somebody asks: by mentioning us, or with the slash command."""

import logging
from collections.abc import Mapping
from typing import Any, Final

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_of_message
from bot.listeners.gateway import CommandGateway, tenant_of
from bot.listeners.negotiation.intake import (
    as_typed,
    cause_of_message,
    is_fresh_and_human,
    place_of,
    read_demand,
    submit,
    why_not,
)
from bot.listeners.negotiation.status import asks_for_status, status_of
from bot.listeners.small_talk import answer_to
from bot.views.negotiation import notices
from engine.errors import Refusal, StoreError
from engine.kernel import Place

log = logging.getLogger(__name__)

COMMAND: Final = "/towow"


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    @app.event("app_mention")
    async def mentioned(
        event: dict[str, Any], body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        if not is_fresh_and_human(event):
            return
        # Slack shows what is said to one person alone only in a thread that has begun: below a fresh mention, nowhere.
        where: dict[str, Any] = {name: event[name] for name in ("channel", "user", "thread_ts") if name in event}
        await heard(gateway, event, body, context, client, where=where, thread=event.get("thread_ts") or event["ts"])

    @app.command(COMMAND)
    async def commanded(
        ack: AsyncAck, command: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        text = as_typed(command.get("text", "")).strip()
        texts = await gateway.texts(client, tenant_of(context), command["user_id"], text)
        if answer := answer_to(text or "help", COMMAND, texts):
            await ack(answer)
            return
        try:
            if asks_for_status(text):
                await ack(await status_of(gateway, context, command["user_id"], texts))
                return
            await submit(
                gateway,
                context,
                cause=f"slash:{command['trigger_id']}",
                by=command["user_id"],
                text=text,
                place=await place_of(client, command["channel_id"]),
            )
        except Refusal as refusal:
            await ack(why_not(refusal, text, texts))
        except (StoreError, TimeoutError) as error:
            # Acknowledged as not done, in our words; Slack would only speak of a time-out.
            log.error("%s could not be answered: %r", COMMAND, error)
            await ack(notices.went_wrong(texts))
        else:
            await ack()


async def heard(
    gateway: CommandGateway,
    event: Mapping[str, Any],
    body: Mapping[str, Any],
    context: AsyncBoltContext,
    client: AsyncWebClient,
    *,
    where: Mapping[str, Any],
    thread: str,
) -> None:
    """A message that is meant for us: answered, or taken for a demand.

    Args:
        where: to say something to whoever wrote it, and to nobody else.
        thread: in which the negotiation will stand.
    """
    text = read_demand(event.get("text") or "", context.bot_user_id)
    tenant = tenant_of(context)
    texts = await gateway.texts(client, tenant, event["user"], text)
    if answer := answer_to(text, COMMAND, texts):
        gateway.tell(client, where, answer)
        return
    by = actor_of_message(event, tenant)
    shared = body.get("is_ext_shared_channel") is not False
    try:
        if asks_for_status(text):
            gateway.tell(client, where, await status_of(gateway, context, by, texts))
            return
        await submit(
            gateway,
            context,
            cause=cause_of_message(event["channel"], event["ts"]),
            by=by,
            text=text,
            place=Place(channel=event["channel"], thread=thread, shared=shared),
        )
    except Refusal as refusal:
        gateway.tell(client, where, why_not(refusal, text, texts))
