"""Somebody asks with a form: about a message that stands there already, or from wherever they are."""

import logging
from collections.abc import Mapping
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_of_click
from bot.listeners.gateway import CommandGateway, cause_of_form, tenant_of
from bot.listeners.negotiation.intake import Archived, NotHere, check_actor, place_of, read_demand, submit, why_not
from bot.posts.failures import CallFailed
from bot.views.negotiation import notices
from bot.views.negotiation.demand_form import (
    FROM_MESSAGE,
    NEW,
    WHAT,
    WHERE,
    Origin,
    form_from_message,
    new_form,
    no_form,
    read_demand_form,
)
from engine.errors import Refusal, StoreError

log = logging.getLogger(__name__)


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    @app.shortcut({"type": "message_action", "callback_id": FROM_MESSAGE})
    async def pointed_at(
        ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        message = body["message"]
        text = read_demand(message.get("text") or "", context.bot_user_id)
        texts = await gateway.texts(client, tenant_of(context), body["user"]["id"], text)
        try:
            check_actor(context, actor_of_click(body, tenant_of(context)))
        except Refusal as refusal:
            view = no_form(why_not(refusal, text, texts), texts)
        else:
            thread = message.get("thread_ts") or message["ts"]
            view = form_from_message(Origin(channel=body["channel"]["id"], thread=thread), text, texts)
        await client.views_open(trigger_id=body["trigger_id"], view=view)
        await ack()

    @app.shortcut({"type": "shortcut", "callback_id": NEW})
    async def began(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        await ask_anew(gateway, body, context, client)
        await ack()

    async def sent(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        form = read_demand_form(view)
        tenant, user = tenant_of(context), body["user"]["id"]
        by = actor_of_click(body, tenant)
        try:
            check_actor(context, by)  # before anything is said of a channel
            place = await place_of(client, form.channel, thread=form.thread, chosen_by="" if form.thread else by)
            await submit(gateway, context, cause=cause_of_form(view), by=by, text=form.text, place=place)
        except Refusal as refusal:
            texts = await gateway.texts(client, tenant, user, form.text)
            beside = WHERE if isinstance(refusal, NotHere | Archived) and not form.thread else WHAT
            await ack(response_action="errors", errors={beside: why_not(refusal, form.text, texts)})
        except (StoreError, TimeoutError, CallFailed) as error:
            # Not recorded, as far as we know: the form stays open, with what was written in it.
            log.error("a demand could not be recorded: %r", error)
            texts = gateway.known_texts(tenant, user, form.text)
            await ack(response_action="errors", errors={WHAT: notices.went_wrong(texts)})
        else:
            await ack()

    app.view(FROM_MESSAGE)(sent)
    app.view(NEW)(sent)


async def ask_anew(
    gateway: CommandGateway, body: Mapping[str, Any], context: AsyncBoltContext, client: AsyncWebClient
) -> None:
    """Opens the form for a demand that begins nowhere yet."""
    texts = await gateway.texts(client, tenant_of(context), body["user"]["id"], "")
    try:
        check_actor(context, actor_of_click(body, tenant_of(context)))
    except Refusal as refusal:
        view = no_form(why_not(refusal, "", texts), texts)
    else:
        view = new_form(texts)
    await client.views_open(trigger_id=body["trigger_id"], view=view)
