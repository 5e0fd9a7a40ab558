"""Somebody exports a negotiation that is over, as a file in its thread."""

import asyncio
import json
import logging
from collections import deque
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import is_from_outside
from bot.listeners.clicks import Click, on_click
from bot.listeners.forms import Answer, Form, beside, errors, on_form
from bot.listeners.gateway import PATIENCE
from bot.listeners.negotiation.export_notes import ExportNote, drop_note, tell_requester, write_note
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.reader_texts import texts_for
from bot.listeners.services import Services
from bot.posts.failures import CALL_ERRORS, CLOSED, CallFailed, Unsure, failure
from bot.texts import Texts
from bot.views.kit.button_values import read_stream_button
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import EXPORT
from bot.views.negotiation.export import notices as said
from bot.views.negotiation.export.ended import EXPORTED, EndedNegotiation
from bot.views.negotiation.export.file import File, file
from bot.views.negotiation.export.form import FORMAT, Format, export_form, formats, read_export
from bot.views.negotiation.export.ics import has_days
from engine.errors import IllegalStep, NotAllowed, Refusal, UnknownStream
from engine.kernel import Millis, StreamKey
from engine.negotiation.afterwards_events import NegotiationReopened, PlanProceeded, ReopeningFailed
from engine.negotiation.state import Negotiation
from engine.store.port import Store

log = logging.getLogger(__name__)

MOST_FORMS: Final = 1_000
"""Forms that are remembered to have been exported."""
LATER: Final = frozenset(each.event_type for each in (PlanProceeded, NegotiationReopened, ReopeningFailed))
"""What people decide about a negotiation that is over."""


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, EXPORT, _clicked, _refused)
    on_form(app, services, EXPORT, partial(_sent, deque(maxlen=MOST_FORMS)), _refused, beside(FORMAT))


async def _clicked(click: Click) -> None:
    state = await read_negotiation(click, read_stream_button(click.value).stream)
    _check(state, click.actor)
    await click.open(export_form(state, click.spot.get("thread_ts", ""), await click.texts()))


async def _sent(exported: deque[str], form: Form) -> Answer | None:
    """
    Args:
        exported: the forms that files were made for, so that each form is one file, however often it is sent.
    """
    opened, wanted = read_export(form.view)
    state = await read_negotiation(form, opened.stream)
    _check(state, form.actor, wanted)
    ended = EndedNegotiation(state, await ended_at(form.services.store, form.key(opened.stream)))
    texts = form.known_texts()
    if wanted is Format.CALENDAR and not has_days(ended, texts):
        return errors({FORMAT: said.no_days(texts)})
    view_id = str(form.view["id"])
    if view_id not in exported:
        # The file belongs where the negotiation is, wherever the form came from.
        place = state.place
        note = ExportNote(
            user=form.actor, stream=opened.stream, channel=place.channel, thread=place.thread or opened.thread
        )
        await write_note(form.services, form.tenant, view_id, note)
        exported.append(view_id)
        form.services.background.spawn(_export(form, view_id, ended, wanted, note, texts))
    return None


async def ended_at(store: Store, key: StreamKey) -> Millis:
    """Return when a negotiation ended that is over.

    Raises:
        UnknownStream: there is no such negotiation.
        StoreError, TimeoutError
    """
    async with asyncio.timeout(PATIENCE):
        stored = await store.load(key)
    if stored is None:
        raise UnknownStream(f"There is nothing called {key.stream} here.")
    # What is decided about a plan comes after its end.
    return next(each.at for each in reversed(stored.events) if each.event_type not in LATER)


def _check(state: Negotiation, actor: str, wanted: Format = Format.MARKDOWN) -> None:
    """
    Raises:
        Refusal: this person may not have it, or there is nothing to be had.
    """
    if is_from_outside(actor):
        raise NotAllowed("Files are for people of this workspace.")
    if state.status not in EXPORTED or wanted not in formats(state):
        raise IllegalStep("There is nothing to be exported.")


def _refused(refusal: Refusal, texts: Texts) -> str:
    match refusal:
        case NotAllowed():
            return said.not_for_guests(texts)
        case IllegalStep():
            return said.nothing_to_export(texts)
        case _:
            return notices.refused(refusal, texts)


async def _export(
    form: Form, view_id: str, ended: EndedNegotiation, wanted: Format, note: ExportNote, texts: Texts
) -> None:
    """Post a file in the thread, in the demand's language; tell whoever wanted it, in theirs, where that fails."""
    services, client = form.services, form.client
    try:
        named = EndedNegotiation(ended.state, ended.at, await _name(client, ended.state))
        # In a thread: a long negotiation is a long text, and everybody else would wait.
        made = await asyncio.to_thread(file, named, wanted, note.user, texts_for(ended.state.raw_input))
        await _upload(client, made, note)
    except CallFailed as failed:
        log.warning("%s has no file of %s: %s", note.user, ended.state.channel_id, failed.why)
        text = _what_failed(failed, texts)
        # In a channel that is closed to us, nobody can be told anything.
        note = note.model_copy(update={"is_private": failed.why in CLOSED})
    except Exception:
        log.exception("%s has no file of %s", note.user, ended.state.channel_id)
        text = said.not_exported(texts)
    else:
        await drop_note(services, form.tenant, view_id)
        return
    about = said.about(ended.demand, text, texts)
    await tell_requester(services, client, form.tenant, view_id, note, text, about)


async def _upload(client: AsyncWebClient, made: File, note: ExportNote) -> None:
    """
    Raises:
        CallFailed
    """
    try:
        await client.files_upload_v2(
            filename=made.name,
            title=made.title,
            content=made.content,
            channel=note.channel,
            thread_ts=note.thread or None,
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
    """Return the name of whoever asked; empty where Slack does not say."""
    try:
        answer = await client.users_info(user=state.requester_id)
    except (*CALL_ERRORS, AttributeError) as error:
        log.info("%s has no name: %s", state.requester_id, error)
        return ""
    user: Mapping[str, Any] = answer.get("user") or {}
    return str((user.get("profile") or {}).get("display_name") or user.get("real_name") or "")
