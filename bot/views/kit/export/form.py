"""Builds and reads the form in which a person chooses the format of an export."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from bot.texts import Texts
from bot.views.kit.fields import choice_field, picked_option, text_block
from bot.views.kit.modals import form, read_metadata
from bot.views.kit.mrkdwn import safe_line
from engine.kernel import Validated

FORMAT: Final = "format"
"""Name of the field: where the errors of a refused form belong."""


class Format(StrEnum):
    MARKDOWN = "markdown"
    CALENDAR = "calendar"
    JSON = "json"
    INVITATION = "invitation"
    """For the calendar of whoever wants it: they alone get it."""

    @property
    def suffix(self) -> str:
        return {Format.MARKDOWN: "md", Format.JSON: "json"}.get(self, "ics")


FILES: Final = (Format.MARKDOWN, Format.CALENDAR, Format.JSON)
"""Those for everybody who reads the thread."""


class OpenedExportForm(Validated):
    """What the form remembers, as its private_metadata."""

    stream: str
    thread: str
    """The thread in which the button was clicked; the file goes there unless the stream itself has a thread."""


def export_form(action: str, stream: str, formats: Sequence[Format], thread: str, texts: Texts) -> dict[str, Any]:
    """
    Args:
        action: the name of the button, and of the form.
        formats: those to choose from.
    """
    names = {
        Format.MARKDOWN: texts.say("To read: Markdown"),
        Format.CALENDAR: texts.say("For calendars: .ics"),
        Format.JSON: texts.say("For programs: JSON"),
        Format.INVITATION: texts.say("For your own calendar: an invitation (.ics)"),
    }
    options = [(str(each), names[each]) for each in formats]
    fields = [
        choice_field(FORMAT, texts.say("As what?"), options, chosen=str(Format.MARKDOWN)),
        text_block(texts.say("The file is put into the thread, for everybody who reads it.")),
    ]
    if Format.INVITATION in formats:
        to_you = texts.say("The invitation comes to you alone, and so does what changes it or takes it out again.")
        fields.append(text_block(to_you))
    return form(
        action,
        texts.say("Export"),
        texts.say("Export"),
        fields,
        texts,
        metadata=OpenedExportForm(stream=stream, thread=thread).model_dump_json(),
    )


def read_export(view: Mapping[str, Any]) -> tuple[OpenedExportForm, Format]:
    """Read what the form was opened for, and the format that was chosen."""
    opened = read_metadata(view, OpenedExportForm)
    return opened, Format(picked_option(view["state"]["values"], FORMAT) or "")


def not_for_guests(texts: Texts) -> str:
    return texts.say("Only people of this workspace can export what was negotiated here. Ask one of them for the file.")


def nothing_to_export(texts: Texts) -> str:
    return texts.say(
        "There is nothing to export here: it has not ended yet, or it was stopped. Once it has ended with a plan, "
        "export it then."
    )


def no_days(texts: Texts) -> str:
    return texts.say(
        "No step of this plan has a date that a calendar could read, so there would be nothing in it. Choose another "
        "format."
    )


def no_meeting(texts: Texts) -> str:
    return texts.say(
        "You have no part in this plan whose day is known, so there is nothing to invite you to. Choose another format."
    )


def not_invited(texts: Texts) -> str:
    return texts.say(
        "The invitation may not have arrived here. If it has not, ask for it again in a moment: *Export…*."
    )


def archived(texts: Texts) -> str:
    return texts.say(
        "The channel is archived, so no file can be put into the thread. Have it unarchived, then export again."
    )


def not_in_channel(texts: Texts) -> str:
    return texts.say(
        "I am not in the channel, so I cannot put a file into the thread. Invite me with `/invite @ToWow`, then export "
        "it again."
    )


def no_files_scope(texts: Texts) -> str:
    return texts.say(
        "I am not allowed to upload files here. Ask an admin to install ToWow again: the permission `files:write` is "
        "new."
    )


def maybe_exported(texts: Texts) -> str:
    return texts.say(
        "I cannot tell whether the file arrived. Look at the end of the thread, and export it again if it is not there."
    )


def not_exported(texts: Texts) -> str:
    return texts.say("The file could not be put into the thread. Please try again in a moment.")


def about(demand: str, text: str, texts: Texts) -> str:
    """The text with the demand that it is about, for where that is not visible."""
    return texts.say("{what}: {detail}", what=texts.say("“{demand}”", demand=safe_line(demand, 120)), detail=text)
