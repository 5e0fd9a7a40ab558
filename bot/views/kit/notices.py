"""Private notices for every protocol: short, kind, and never the text of an exception."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bot.texts import Texts
from bot.views.kit.mrkdwn import channel_link, plain_line
from engine.errors import (
    Duplicate,
    IllegalStep,
    NotAllowed,
    NothingToHandOver,
    Outdated,
    Refusal,
    TooMuchOpen,
    UnknownAgent,
    UnknownStream,
)

MOST_CHANNELS: Final = 8
"""Channels that one sentence names, at most."""
LONGEST_SENTENCE: Final = 300
"""Characters of a refusal's own sentence, at most."""


def refused(refusal: Refusal, texts: Texts) -> str:
    """Word a refusal; a refusal without words here is told by its own sentence.

    Only the exact class counts: a protocol's subclass is more precise than the words for its base.
    """
    words = _WORDS.get(type(refusal))
    return words(texts) if words else plain_line(texts.own(refusal.message), LONGEST_SENTENCE)


def went_wrong(texts: Texts) -> str:
    return texts.say("Something went wrong on our side. Nothing was lost; please try again in a moment.")


def install_again(address: str, texts: Texts) -> str:
    return texts.say(
        "ToWow's access to this workspace ends in an hour or two, and Slack does not renew it. Nothing is lost: please "
        "install ToWow once more: {address}",
        address=address,
    )


def not_installed(texts: Texts) -> str:
    return texts.say("ToWow is not installed here any more. Whoever manages apps here can install it again.")


def seen_before(texts: Texts) -> str:
    return texts.say("We have that already; nothing more to do.")


def not_yours(texts: Texts) -> str:
    return texts.say(
        "That is for somebody else to decide, so nothing was changed. Write to them in the thread if something "
        "should be otherwise."
    )


def not_found(texts: Texts) -> str:
    return texts.say("We cannot find that any more, so nothing was changed. Look at the newest message, or begin anew.")


def impossible_now(texts: Texts) -> str:
    return texts.say(
        "That is not possible at this point, so nothing was changed. Look at the newest message: its buttons are "
        "what can be done now."
    )


def changed_meanwhile(texts: Texts) -> str:
    return texts.say("Somebody has changed this since you opened the form. Close it, and open it again.")


def nothing_to_hand_over(texts: Texts) -> str:
    return texts.say("There is nothing agreed here to go on from. Wait until it has ended with an agreement.")


def too_much_open(texts: Texts) -> str:
    return texts.say(
        "As much is under way in this workspace as I take on at a time, so nothing was begun. Please send it again in "
        "ten minutes, or once something else has ended."
    )


def answer_missing(texts: Texts) -> str:
    """Beside the field of a form that was sent with blanks."""
    return texts.say("A few words are enough, but we need some.")


def outsider(texts: Texts) -> str:
    return texts.say(
        "I only take demands from people of this workspace, since colleagues answer them. Ask somebody here to post it "
        "for you."
    )


def edits_change_nothing(texts: Texts) -> str:
    return texts.say("I do not read edits, so nothing was changed: what has begun here is changed with its buttons.")


def edits_begin_nothing(texts: Texts) -> str:
    return texts.say("I do not read edits, so nothing has begun. If it is meant for me, post it as a new message.")


def company_not_known(texts: Texts) -> str:
    return texts.say(
        "Slack does not say just now which company you belong to, and I only take demands from people of this "
        "workspace. Nothing has begun; post it again in a moment."
    )


def not_between(texts: Texts) -> str:
    """Say that nothing begins where two people write each other: nobody can invite an app there."""
    return texts.say(
        "I do not read what you two write here, so nobody could follow the thread. Ask in a channel, or write to me."
    )


def not_here(texts: Texts) -> str:
    return texts.say(
        "I am not in this channel, so nobody could follow the thread. Invite me with `/invite @ToWow`, then send it "
        "again."
    )


def thread_refused(why: str, channel: str, texts: Texts) -> str:
    """Say to whoever asked that Slack does not take what belongs in a channel, and what would help.

    Args:
        why: Slack's code.
        channel: its name, as a link.
    """
    return texts.say(
        "Slack does not let me post in {channel}, so nobody sees what you asked for there, and no colleague is told. "
        "{what_helps} Until then I tell you here how it stands.",
        channel=channel or texts.say("that channel"),
        what_helps=_what_helps(why, texts),
    )


def thread_refused_since(why: str, channel: str, texts: Texts) -> str:
    """Say to whoever asked that Slack takes no more of a thread that stands; see `thread_refused`."""
    return texts.say(
        "Slack does not let me post in {channel} any more, so the thread there stays as it is. {what_helps} Until then "
        "I tell you here how it stands.",
        channel=channel or texts.say("that channel"),
        what_helps=_what_helps(why, texts),
    )


def _what_helps(why: str, texts: Texts) -> str:
    if why.startswith("restricted_action") or why == "posting_to_channel_denied":
        return texts.say("Posting there is restricted: ask whoever manages the channel to let ToWow post.")
    match why:
        case "not_in_channel" | "channel_not_found":
            return texts.say("Invite me there with `/invite @ToWow`, and the thread is made up for.")
        case "is_archived" | "is_inactive":
            return texts.say("It is archived: once it is restored, the thread is made up for.")
        case "missing_scope" | "not_allowed_token_type" | "no_permission":
            return texts.say("I lack a permission: an admin has to install ToWow again.")
        case _:
            return texts.say("Ask an admin of this workspace why, or ask me again in another channel.")


def thread_stands(channel: str, texts: Texts) -> str:
    """In place of what whoever asked was told while the thread was refused."""
    return texts.say("I may post again: everything about it is in the thread in {channel}.", channel=channel)


def archived_channel(texts: Texts) -> str:
    return texts.say("This channel is archived, so nobody can answer there. Choose another one.")


def begin_elsewhere(channels: Sequence[str], texts: Texts) -> str:
    """Some of the channels where demands may begin."""
    named = texts.say(", ").join(channel_link(each) for each in channels[:MOST_CHANNELS])
    return texts.say(
        "Admins of this workspace let demands begin in {channels}, or by direct message to me. Post it there.",
        channels=named,
    )


def posted_twice(link: str, texts: Texts) -> str:
    """In place of a message that stands there twice and cannot be deleted.

    Args:
        link: the address of the other one; empty where there is none to go to.
    """
    if not link:
        return texts.say("This message was posted twice. The other one is kept up to date.")
    return texts.say("This message was posted twice. <{link}|The other one> is kept up to date.", link=link)


def maybe_twice(texts: Texts) -> str:
    """Below a message that may stand there already, where Slack does not let us look."""
    return texts.say("This may stand here twice: Slack did not say whether it was posted, and I may not read here.")


def from_before_the_restore(texts: Texts) -> str:
    """Replace a message that the restored store does not know, unless a similar one is due."""
    return texts.say(
        "This message is newer than the backup from which I was restored. What it said does not hold any more."
    )


def not_taken_yet(texts: Texts) -> str:
    """What whoever has written to us is told where nothing can be kept just now. Slack sends it again by itself."""
    return texts.say(
        "Something is wrong on our side, so I have not noted this yet. It is tried again by itself for some minutes; "
        "if nothing begins by then, please ask again."
    )


def asked_before_the_restore(link: str, texts: Texts) -> str:
    """Tell the requester that their request is not in the restored store."""
    return texts.say(
        "I was restored from a backup that is older than what you asked for, so I know nothing of it any more. If it "
        "still matters, ask anew: {link}",
        link=link,
    )


_WORDS: Final[Mapping[type[Refusal], Callable[[Texts], str]]] = {
    Duplicate: seen_before,
    NotAllowed: not_yours,
    UnknownAgent: not_found,
    UnknownStream: not_found,
    IllegalStep: impossible_now,
    Outdated: changed_meanwhile,
    NothingToHandOver: nothing_to_hand_over,
    TooMuchOpen: too_much_open,
}


def nothing_begins_here(texts: Texts) -> str:
    """Say to whoever mentions ToWow in the thread of something that this begins nothing new."""
    return texts.say("Nothing new begins in this thread. If you need something else, mention me outside of it.")
