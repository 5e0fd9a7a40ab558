"""What stands in a plan, as people read it: days, people, hours and decisions instead of codes and ids."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from bot.texts import Texts
from bot.views.deliberation.names import person_name
from bot.views.kit import days
from bot.views.kit.button_values import ButtonValue
from bot.views.kit.mrkdwn import Fit
from engine.deliberation.state import Deliberation

LONGEST_VALUE = 80

Item = TypeVar("Item")


def listed(items: Sequence[Item], most: int, line: Callable[[Item], str], texts: Texts, fit: Fit) -> list[str]:
    """A line for each of the first items, and how many more there are."""
    shown = fit.first(items, most)
    hidden = len(items) - len(shown)
    more = [texts.count("…and {n} more", "…and {n} more", hidden)] if hidden else []
    return [*map(line, shown), *more]


def value_text(slot: str, value: str, state: Deliberation, texts: Texts, fit: Fit) -> str:
    """One value of a plan; a dash where there is none."""
    match slot:
        case _ if not value:
            return "–"
        case "start" | "deadline" | "date" | "dates":
            return day_text(value, state, texts, fit)
        case "hours":
            return texts.say("{n} h", n=fit.line(value, 20))
        case "owner" | "owners":
            return person_name(state, value, fit) or fit.line(value, LONGEST_VALUE)
        case "decision":
            return decision_text(value, texts)
        case _:
            return fit.line(value, LONGEST_VALUE)


def slot_name(slot: str, task: str, texts: Texts) -> str:
    """
    Args:
        task: its title, or whatever else the slot is of; safe already.
    """
    match slot:
        case "start":
            return texts.say("start of “{task}”", task=task)
        case "deadline":
            return texts.say("deadline of “{task}”", task=task)
        case "date" if task:
            return texts.say("the day of “{task}”", task=task)
        case "hours":
            return texts.say("effort of “{task}”", task=task)
        case "owner":
            return texts.say("who does “{task}”", task=task)
        case "decision":
            return texts.say("whether it is carried out")
        case "choice":
            return texts.say("which option")
        case _:
            return task or texts.say("the conclusion")


def day_text(said: str, state: Deliberation, texts: Texts, fit: Fit) -> str:
    """A day of the plan: its year is told where it is another one than that in which the plan was asked for."""
    return days.day_text(said, state.brief.today, texts, fit)


def decision_text(decision: str, texts: Texts) -> str:
    match decision:
        case "go":
            return texts.say("carry it out")
        case "go_with_changes":
            return texts.say("carry it out with changes")
        case _:
            return texts.say("do not carry it out")


STOP: Final = "plan.stop"
POINT: Final = "plan.point"
ASK: Final = "plan.ask_critic"
ARGUMENTS: Final = "plan.arguments"
DECIDE: Final = "plan.decide"
EXPORT: Final = "plan.export"


class DecideButton(ButtonValue):
    """The value of *Decide…*, and what its form remembers."""

    stream: str
    round: int
    """The round whose positions are chosen between."""
