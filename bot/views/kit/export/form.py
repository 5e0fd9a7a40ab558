"""Builds and reads the form in which a person chooses the format of an export."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from bot.texts import Texts
from bot.views.kit.fields import choice_field, picked_option, text_block
from bot.views.kit.modals import form, read_metadata
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
        *([text_block(_to_you(texts))] if Format.INVITATION in formats else []),
    ]
    return form(
        action,
        texts.say("Export"),
        texts.say("Export"),
        fields,
        texts,
        metadata=OpenedExportForm(stream=stream, thread=thread).model_dump_json(),
    )


def _to_you(texts: Texts) -> str:
    return texts.say("The invitation comes to you alone, and so does what changes it or takes it out again.")


def read_export(view: Mapping[str, Any]) -> tuple[OpenedExportForm, Format]:
    """Read what the form was opened for, and the format that was chosen."""
    opened = read_metadata(view, OpenedExportForm)
    return opened, Format(picked_option(view["state"]["values"], FORMAT) or "")
