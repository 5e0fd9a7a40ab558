"""Private notices about a deliberation: short, kind, and never the text of an exception."""

from bot.texts import Texts
from bot.views.kit import notices
from engine.deliberation.errors import CarriedOut
from engine.deliberation.terms import LONGEST_GOAL, LONGEST_POINT
from engine.errors import IllegalStep, InvalidInput, NotAllowed, NothingToHandOver, Refusal, UnknownStream


def refused(refusal: Refusal, texts: Texts) -> str:
    match refusal:
        case NothingToHandOver():
            return notices.refused(refusal, texts)
        case NotAllowed():
            return texts.say(
                "That is for somebody else, so nothing was changed. Whoever takes part may raise points and ask; "
                "whoever asked for the plan, or an admin, decides and stops. If you have no part in it, say in "
                "the thread what you think."
            )
        case UnknownStream():
            return texts.say("We cannot find this plan any more. If it still matters, have it planned anew.")
        case InvalidInput():
            return texts.say(
                "Say it in a few words: a goal of up to {goal} characters, a point or a question of up to {point}.",
                goal=LONGEST_GOAL,
                point=LONGEST_POINT,
            )
        case CarriedOut():
            return texts.say(
                "This plan is being carried out, so it stays as it is. Tell whoever has the task, on the board in the "
                "thread, what is wrong."
            )
        case IllegalStep():
            return texts.say("The plan has moved on since, so nothing was changed. Look at its card as it stands now.")
        case _:
            return notices.refused(refusal, texts)


def planned_already(texts: Texts) -> str:
    return texts.say("A plan is being argued out from this already; it is in the thread.")


def usage(command: str, texts: Texts) -> str:
    return texts.say(
        "• `{command} plan …` – say what is to be done, by when, and what you know: Planner and Critic argue it out.",
        command=command,
    )
