"""Private notices for people whose export fails."""

from bot.texts import Texts
from bot.views.kit.mrkdwn import safe_line


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
