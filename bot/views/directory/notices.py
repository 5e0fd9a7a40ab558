"""Private notices about the directory: short, kind, and never the text of an exception."""

from bot.texts import Texts
from bot.views.kit import notices
from engine.directory.errors import InvalidProfile, InvalidSettings
from engine.errors import NotAllowed, Refusal, UnknownAgent


def refused(refusal: Refusal, texts: Texts) -> str:
    match refusal:
        case NotAllowed():
            return not_your_directory(texts)
        case UnknownAgent():
            return nobody_there(texts)
        case InvalidProfile():
            return texts.say(
                "That cannot be used as it is: everybody has one twin at most, it belongs to a colleague of this "
                "workspace, and whatever it wishes for is about something it offers."
            )
        case InvalidSettings():
            return texts.say(
                "Somebody has to be an admin, or nobody could change this any more. Name somebody else first."
            )
        case _:
            return notices.refused(refusal, texts)


def not_your_directory(texts: Texts) -> str:
    return texts.say("That is for the person it is about, or for an admin, so nothing was changed. Ask one of them.")


def no_room_to_tell(texts: Texts) -> str:
    return texts.say(
        "Your twin has as many lines as it can keep to. Take one out in the Home tab first (Edit my profile…), or "
        "leave this empty."
    )


def twin_paused(texts: Texts) -> str:
    return texts.say(
        "Your twin is paused: it answers nothing from now on. Where it has voted already, its vote stands unless you "
        "decide otherwise. You can let it answer again in the Home tab."
    )


def twin_resumed(texts: Texts) -> str:
    return texts.say("Your twin answers again, from the next question on.")


def twin_suits(texts: Texts) -> str:
    return texts.say("Thank you. Your twin goes on like this: nothing was changed.")


def nobody_there(texts: Texts) -> str:
    return texts.say("There is no such profile any more, so nothing was changed. Your Home tab shows which there are.")


def no_colleague(texts: Texts) -> str:
    return texts.say(
        "Only colleagues of this workspace can be admins: no bots, and nobody of another company. Choose somebody else."
    )


def unreadable_profile(faults: str, texts: Texts) -> str:
    """``faults``: one on each line, with the line of the file."""
    return texts.say("This is no profile yet. By line:\n{faults}", faults=faults)
