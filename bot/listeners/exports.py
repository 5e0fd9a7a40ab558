"""Somebody exports a stream that is over, as a file in its thread: what every protocol's export shares."""

import asyncio
import json
import logging
import re
import subprocess
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import unescape
from typing import Any, Final, Protocol, cast

from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import is_from_outside
from bot.listeners.export_notes import ExportNote, drop_note, tell_requester, write_note
from bot.listeners.interaction import Answer, Click, Form, Interaction, Wording, beside, errors, on_click, on_form
from bot.listeners.services import Services
from bot.pictures import NoFont, png
from bot.posts.failures import CALL_ERRORS, CLOSED, CallFailed, Refused, Unsure, failure, is_restricted
from bot.posts.slack_calls import always
from bot.texts import Texts, texts_in
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.export import form as said
from bot.views.kit.export.file import File, exported_file, with_picture, without_picture
from bot.views.kit.export.form import FORMAT, Format, export_form, read_export
from bot.views.kit.story.schedule import picture_in
from engine.errors import IllegalStep, NotAllowed, Refusal
from engine.kernel import Place

log = logging.getLogger(__name__)

MOST_FORMS: Final = 1_000
"""Forms that are remembered to have been exported."""


class Exported(Protocol):
    """A stream of which files can be made. Everything in it is pure."""

    @property
    def about(self) -> str:
        """What it is about, as the thread shows it."""

    @property
    def language(self) -> str:
        """The tag of its language: the files are in this one."""

    @property
    def place(self) -> Place: ...

    @property
    def requester_id(self) -> str: ...

    @property
    def is_internal(self) -> bool:
        """Whether a file says what the people of another company, who read the thread along, are not to read."""

    @property
    def formats(self) -> tuple[Format, ...]:
        """Those to choose from; none where there is nothing to be exported."""

    def invites(self, user: str) -> bool:
        """Whether somebody is needed at a time that their calendar can be told of."""

    def has_days(self, texts: Texts) -> bool:
        """Whether there is anything to put into a calendar."""

    def file(self, wanted: Format, by: str, asked_by: str, texts: Texts) -> File:
        """
        Args:
            by: the user who wants it.
            asked_by: the requester's name; empty where it is unknown.
        """

    def picture(self, texts: Texts) -> str:
        """Return the schedule as SVG; empty where nothing has a day."""


@dataclass(frozen=True, slots=True)
class ExportedPlan:
    """An `Exported` of whatever has a brief: what is the same of every protocol that plans or carries out."""

    state: Any
    language: str
    formats: tuple[Format, ...]
    undated: Sequence[str]
    """What a calendar lacks for want of a date."""
    is_dated: bool
    schedule: Callable[[Texts], Sequence[Any]]
    make: Mapping[Format, Callable[[str, Texts], bytes]]
    """Makes a file, of the requester's name and the texts."""

    @property
    def about(self) -> str:
        return str(self.state.brief.goal)

    @property
    def place(self) -> Place:
        return cast(Place, self.state.place)

    @property
    def requester_id(self) -> str:
        return str(self.state.requester_id)

    @property
    def is_internal(self) -> bool:
        """It has all that was said."""
        return self.place.shared

    def invites(self, user: str) -> bool:
        return False

    def has_days(self, texts: Texts) -> bool:
        return self.is_dated

    def file(self, wanted: Format, by: str, asked_by: str, texts: Texts) -> File:
        missing = self.undated if wanted is Format.CALENDAR else ()
        name, title = self.state.session_id, self.state.brief.title
        return exported_file(name, title, wanted, self.make[wanted](asked_by, texts), by, missing, texts)

    def picture(self, texts: Texts) -> str:
        return picture_in(self.schedule(texts), texts)


class ReadExported(Protocol):
    async def __call__(self, interaction: Interaction, stream: str) -> Exported:
        """Return what can be exported of a stream.

        Raises:
            Refusal, StoreError, TimeoutError
        """


Invite = Callable[[Form, str], Coroutine[Any, Any, None]]


class Exports:
    """
    Args:
        protocol: whose streams these are.
        action: the name of the button, and of the form.
        read: reads the stream that a click or a form is about.
        refused: words a refusal that is none of the export's own.
        invite: sends whoever has sent a form an invitation to what the stream has settled; None where it settles none.
    """

    def __init__(
        self, protocol: str, action: str, read: ReadExported, refused: Wording, invite: Invite | None = None
    ) -> None:
        self._protocol = protocol
        self._action = action
        self._read = read
        self._wording = refused
        self._invite = invite

    def register(self, app: AsyncApp, services: Services) -> None:
        on_click(app, services, self._action, self._clicked, self._refused)
        sent = partial(self._sent, deque(maxlen=MOST_FORMS))
        on_form(app, services, self._action, sent, self._refused, beside(FORMAT))

    async def _clicked(self, click: Click) -> None:
        stream = StreamButton.read(click.value).stream
        found = await self._read(click, stream)
        _check(found, click.actor)
        thread = click.spot.get("thread_ts", "")
        await click.open(export_form(self._action, stream, found.formats, thread, await click.texts()))

    async def _sent(self, exported: deque[str], form: Form) -> Answer | None:
        """
        Args:
            exported: the forms that files were made for, so that each form is one file, however often it is sent.
        """
        opened, wanted = read_export(form.view)
        found = await self._read(form, opened.stream)
        _check(found, form.actor, wanted)
        texts = form.known_texts()
        if wanted is Format.CALENDAR and not found.has_days(texts):
            return errors({FORMAT: said.no_days(texts)})
        if wanted is Format.INVITATION and not found.invites(form.actor):
            return errors({FORMAT: said.no_meeting(texts)})
        view_id = str(form.view["id"])
        if wanted is Format.INVITATION and self._invite is not None:
            if view_id not in exported:
                exported.append(view_id)
                form.services.background.spawn(self._invite(form, opened.stream))
            return None
        if view_id not in exported:
            # The file belongs where the stream is, wherever the form came from.
            note = ExportNote(
                user=form.actor,
                stream=opened.stream,
                protocol=self._protocol,
                since=form.services.now(),
                channel=found.place.channel,
                thread=found.place.thread or opened.thread,
            )
            await write_note(form.services, form.tenant, view_id, note)
            exported.append(view_id)
            form.services.background.spawn(_export(form, view_id, found, wanted, note, texts))
        return None

    def _refused(self, refusal: Refusal, texts: Texts) -> str:
        if isinstance(refusal, NotAllowed):
            return said.not_for_guests(texts)
        if isinstance(refusal, IllegalStep):
            return said.nothing_to_export(texts)
        return self._wording(refusal, texts)


def _check(found: Exported, actor: str, wanted: Format = Format.MARKDOWN) -> None:
    """Check that this person may have the file in this format."""
    if is_from_outside(actor):
        raise NotAllowed("Files are for people of this workspace.")
    if wanted not in found.formats:
        raise IllegalStep("There is nothing to be exported.")


async def _export(form: Form, view_id: str, found: Exported, wanted: Format, note: ExportNote, texts: Texts) -> None:
    """Post a file in the thread, in the stream's language; tell whoever wanted it, in theirs, where that fails."""
    services, client = form.services, form.client
    try:
        name = await services.texts.name(client, form.tenant, found.requester_id)
        # In a thread: a long stream is a long text, and everybody else would wait.
        made, message = await asyncio.to_thread(_made, found, wanted, note.user, name, texts_in(found.language))
        await _put(client, made, message, note, is_private=found.is_internal)
    except CallFailed as failed:
        log.warning("%s has no file of %s: %s", note.user, note.stream, failed.why)
        text = what_failed(failed, texts)
        # In a channel that is closed to us, nobody can be told anything.
        note = note.model_copy(update={"is_private": failed.why in CLOSED})
    except Exception:
        log.exception("%s has no file of %s", note.user, note.stream)
        text = said.not_exported(texts)
    else:
        await drop_note(services, form.tenant, view_id)
        return
    about = said.about(found.about, text, texts)
    await tell_requester(services, always(client), form.tenant, view_id, note, text, about)


def _made(
    found: Exported, wanted: Format, by: str, asked_by: str, texts: Texts
) -> tuple[Sequence[File], Sequence[Block]]:
    """Return the file, and beside one for people the picture of its schedule; and the message they come with."""
    file = found.file(wanted, by, asked_by, texts)
    svg = found.picture(texts) if wanted is Format.MARKDOWN else ""
    if not svg:
        return [file], file.message
    try:
        content = png(svg, unescape(re.sub("<[^>]*>", " ", svg)))
    except NoFont as lacking:
        log.warning("a schedule is exported without its picture: %s", lacking)
        return [file], [*file.message, without_picture(texts)]
    except (OSError, subprocess.SubprocessError) as failed:
        log.warning("a schedule is exported without its picture, which could not be drawn: %s", failed)
        return [file], file.message
    return with_picture(file, content, texts), file.message


async def _put(
    client: AsyncWebClient, files: Sequence[File], message: Sequence[Block], note: ExportNote, *, is_private: bool
) -> None:
    """Put files into the thread; among the messages of whoever wants them where posting is restricted there, or
    ``is_private``.
    """
    try:
        if not is_private:
            await upload(client, files, message, note.channel, note.thread)
            return
    except Refused as refused:
        if not is_restricted(refused.why):
            raise
    await put_to(client, files, message, note.user)


async def put_to(client: AsyncWebClient, files: Sequence[File], message: Sequence[Block], user: str) -> None:
    """Put files among somebody's direct messages."""
    try:
        opened = await client.conversations_open(users=user)
    except CALL_ERRORS as error:
        raise failure(error) from error
    await upload(client, files, message, str(opened["channel"]["id"]), "")


async def upload(
    client: AsyncWebClient, files: Sequence[File], message: Sequence[Block], channel: str, thread: str
) -> None:
    """Put files into a thread, all with one message."""
    try:
        await client.files_upload_v2(
            file_uploads=[{"filename": each.name, "title": each.title, "content": each.content} for each in files],
            channel=channel,
            thread_ts=thread or None,
            blocks=json.dumps([*message]),
        )
    except CALL_ERRORS as error:
        raise failure(error) from error
    except SlackClientError as error:  # the bytes were not taken
        raise CallFailed("upload_failed") from error
    except AttributeError as error:  # what slack_sdk 3.48 makes of a reply that is text, as proxies give
        raise Unsure("not_json") from error


def what_failed(failed: CallFailed, texts: Texts) -> str:
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
