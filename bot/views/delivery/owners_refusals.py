"""What people are told whose click or form about a ticket was refused: short, kind, never the text of an exception."""

from bot.texts import Texts
from bot.views.kit import notices
from engine.delivery.errors import InvalidEvidence, InvalidText, UnknownTicket
from engine.errors import IllegalStep, NotAColleague, NotAllowed, Refusal


def refused(refusal: Refusal, texts: Texts) -> str:
    match refusal:
        case NotAColleague():
            return texts.say("Choose a colleague who has an account here; bots and guests cannot take a ticket.")
        case NotAllowed():
            return texts.say(
                "This ticket is somebody else’s, so nothing was changed. Write to them, or to whoever asked for the "
                "delivery."
            )
        case UnknownTicket():
            return texts.say(
                "We cannot find this ticket any more, so nothing was changed. Look at the board in the thread, or at "
                "your Home tab."
            )
        case InvalidEvidence():
            return texts.say("Show something for each result: a text, a link or a file.")
        case InvalidText():
            return texts.say("Say it in a few words, please: up to 3,000 characters.")
        case IllegalStep():
            return texts.say("The ticket has moved on since, so nothing was changed. Look at it as it stands now.")
        case _:
            return notices.refused(refusal, texts)


def same_person(texts: Texts) -> str:
    return texts.say("They have this ticket already. Choose somebody else.")


def nobody_chosen(texts: Texts) -> str:
    return texts.say("Choose a colleague who is to be asked.")
