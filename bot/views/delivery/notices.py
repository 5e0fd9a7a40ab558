"""Private notices about a delivery: short, kind, and never the text of an exception."""

from bot.texts import Texts
from bot.views.kit import notices
from engine.delivery.errors import ChecksOwnWork, InvalidEvidence, InvalidPlan, NamedForApproval, UnknownTicket
from engine.delivery.terms import LONGEST_GOAL, LONGEST_TEXT, MOST_TICKETS
from engine.errors import (
    IllegalStep,
    InvalidInput,
    NotAllowed,
    NothingToHandOver,
    Outdated,
    Refusal,
    UnknownStream,
)


def refused(refusal: Refusal, texts: Texts) -> str:
    match refusal:
        case NothingToHandOver():
            return notices.refused(refusal, texts)
        case NamedForApproval():
            return texts.say(
                "This ticket names somebody who alone approves it, so nothing was changed. Whoever leads can request "
                "changes, or name somebody else: *Change a ticket…*, then *Risk, and who approves it…*."
            )
        case NotAllowed():
            return texts.say(
                "That is for somebody else, so nothing was changed. Whoever has a ticket works on it; whoever "
                "asked for the delivery, or an admin, decides. If you have no part in it, say in the thread what "
                "you think."
            )
        case UnknownTicket():
            return texts.say(
                "We cannot find this ticket any more, so nothing was changed. Look at the board in the thread, or at "
                "your Home tab."
            )
        case UnknownStream():
            return texts.say("We cannot find this delivery any more. If it still matters, begin it anew.")
        case ChecksOwnWork():
            return texts.say(
                "Whoever does a ticket, or has shown it for somebody, cannot be the one who approves it. "
                "Choose somebody else, or nobody."
            )
        case InvalidPlan():
            return texts.say(
                "That cannot be carried out as it stands: tasks wait for each other, an agent is unknown, or "
                "there are more than {most} tickets. Change the plan, and send it again.",
                most=MOST_TICKETS,
            )
        case InvalidEvidence():
            return texts.say(
                "Show something for each expected result: a text, a link that begins with https://, or a file, and "
                "only one of the three."
            )
        case InvalidInput():
            return texts.say(
                "Say it in a few words: a goal of up to {goal} characters, anything else of up to {text}.",
                goal=LONGEST_GOAL,
                text=LONGEST_TEXT,
            )
        case Outdated():
            return texts.say("Something newer has come since, so nothing was changed. Look at the newest message.")
        case IllegalStep():
            return texts.say(
                "The delivery has moved on since, so nothing was changed. Look at the board as it stands now."
            )
        case _:
            return notices.refused(refusal, texts)


def begun_already(texts: Texts) -> str:
    return texts.say("This is being carried out already; the board is in the thread.")


def file_sent(texts: Texts) -> str:
    return texts.say("It is in your direct messages with me.")


def usage(command: str, texts: Texts) -> str:
    return texts.say(
        "• `{command} deliver …` – say what is to be done: it is planned, given to people and agents, and checked.",
        command=command,
    )
