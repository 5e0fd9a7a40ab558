"""Somebody takes a negotiation along that is over: as a file in its thread."""

import json
import logging
from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.errors import SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import actor_of_click, is_from_outside
from bot.listeners.gateway import CommandGateway, spot_of_click, tenant_of, texts_for
from bot.posts.failures import CALL_ERRORS, CLOSED, CallFailed, Unsure, failure
from bot.texts import Texts
from bot.views.kit.button_values import read_stream_button
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import EXPORT
from bot.views.negotiation.export import notices as said
from bot.views.negotiation.export.ended import EXPORTED, Ended
from bot.views.negotiation.export.file import File, file
from bot.views.negotiation.export.form import FORMAT, Format, export_form, formats, read_export
from bot.views.negotiation.export.ics import has_days
from engine.errors import IllegalStep, NotAllowed, Refusal, StoreError
from engine.kernel import StreamKey
from engine.negotiation.state import Negotiation

log = logging.getLogger(__name__)

MOST_FORMS: Final = 1_000
"""As many are remembered, so that each is one file, however often it is sent."""


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    sent: deque[str] = deque(maxlen=MOST_FORMS)

    @app.action(EXPORT)
    async def clicked(ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient) -> None:
        key = StreamKey(tenant_of(context), read_stream_button(body["actions"][0]["value"]).stream)
        state = await gateway.look_up(key)
        texts, spot = await gateway.texts(client, key.tenant, body["user"]["id"], state.raw_input), spot_of_click(body)
        try:
            _check(state, actor_of_click(body, key.tenant))
        except Refusal as refusal:
            gateway.tell(client, spot, _no(refusal, texts))
        else:
            form = export_form(state, spot.get("thread_ts", ""), texts)
            await client.views_open(trigger_id=body["trigger_id"], view=form)
        await ack()

    @app.view(EXPORT)
    async def chosen(
        ack: AsyncAck, body: dict[str, Any], view: dict[str, Any], context: AsyncBoltContext, client: AsyncWebClient
    ) -> None:
        opened, wanted = read_export(view)
        key = StreamKey(tenant_of(context), opened.stream)
        user, actor, demand = body["user"]["id"], actor_of_click(body, key.tenant), ""
        try:
            state = await gateway.look_up(key)
            demand = state.raw_input
            _check(state, actor, wanted)
            ended = Ended(state, await gateway.ended_at(key))
        except Refusal as refusal:
            texts = await gateway.texts(client, key.tenant, user, demand)
            await ack(response_action="errors", errors={FORMAT: _no(refusal, texts)})
        except (StoreError, TimeoutError):
            texts = gateway.known_texts(key.tenant, user, demand)
            await ack(response_action="errors", errors={FORMAT: notices.went_wrong(texts)})
        else:
            texts = gateway.known_texts(key.tenant, user, demand)
            if wanted is Format.CALENDAR and not has_days(ended, texts):
                await ack(response_action="errors", errors={FORMAT: said.no_days(texts)})
                return
            await ack()
            if view["id"] not in sent:
                sent.append(view["id"])
                # Where the negotiation is, wherever the form came from.
                place = state.place
                where = {"channel": place.channel, "thread_ts": place.thread or opened.thread, "user": actor}
                gateway.later(_export(gateway, client, ended, wanted, where, texts))


def _check(state: Negotiation, actor: str, wanted: Format = Format.MARKDOWN) -> None:
    """
    Raises:
        Refusal: this person may not have it, or there is nothing to be had.
    """
    if is_from_outside(actor):
        raise NotAllowed("Files are for people of this workspace.")
    if state.status not in EXPORTED or wanted not in formats(state):
        raise IllegalStep("There is nothing to be exported.")


def _no(refusal: Refusal, texts: Texts) -> str:
    match refusal:
        case NotAllowed():
            return said.not_for_guests(texts)
        case IllegalStep():
            return said.nothing_to_export(texts)
        case _:
            return notices.refused(refusal, texts)


async def _export(
    gateway: CommandGateway,
    client: AsyncWebClient,
    ended: Ended,
    wanted: Format,
    where: Mapping[str, str],
    texts: Texts,
) -> None:
    """A file in the thread, in the demand's language; or a sentence to whoever wanted it, in theirs."""
    named = Ended(ended.state, ended.at, await _name(client, ended.state))
    try:
        await _upload(client, file(named, wanted, where["user"], texts_for(ended.state.raw_input)), where)
    except CallFailed as failed:
        log.warning("%s has no file of %s: %s", where["user"], ended.state.channel_id, failed.why)
        text = _what_failed(failed, texts)
        if failed.why in CLOSED:
            # There, nobody can be told anything.
            await _write(client, where["user"], said.about(ended.demand, text, texts))
        else:
            gateway.tell(client, where, text)


async def _upload(client: AsyncWebClient, made: File, where: Mapping[str, str]) -> None:
    """
    Raises:
        CallFailed
    """
    try:
        await client.files_upload_v2(
            filename=made.name,
            title=made.title,
            content=made.content,
            channel=where["channel"],
            thread_ts=where["thread_ts"] or None,
            blocks=json.dumps(made.message),
        )
    except CALL_ERRORS as error:
        raise failure(error) from error
    except SlackClientError as error:  # the bytes were not taken
        raise CallFailed("upload_failed") from error
    except AttributeError as error:  # what slack_sdk 3.47 makes of a reply that is text, as proxies give
        raise Unsure("not_json") from error


def _what_failed(failed: CallFailed, texts: Texts) -> str:
    match failed.why:
        case "is_archived" | "is_inactive":
            return said.archived(texts)
        case why if why in CLOSED:
            return said.not_in_channel(texts)
        case "missing_scope":
            return said.no_files_scope(texts)
        case _ if isinstance(failed, Unsure):
            return said.maybe_exported(texts)
        case _:
            return said.not_exported(texts)


async def _name(client: AsyncWebClient, state: Negotiation) -> str:
    """What whoever asked is called; empty where Slack does not say."""
    try:
        answer = await client.users_info(user=state.requester_id)
    except (*CALL_ERRORS, AttributeError) as error:
        log.info("%s has no name: %s", state.requester_id, error)
        return ""
    user: Mapping[str, Any] = answer.get("user") or {}
    return str((user.get("profile") or {}).get("display_name") or user.get("real_name") or "")


async def _write(client: AsyncWebClient, user: str, text: str) -> None:
    """In their direct messages."""
    try:
        opened = await client.conversations_open(users=user)
        await client.chat_postMessage(channel=opened["channel"]["id"], text=text)
    except (*CALL_ERRORS, AttributeError) as error:
        log.warning("%s could not be told: %s", user, error)
