"""The days of a plan: data where they are days, else the words in which they were said."""

from datetime import date
from typing import Final

from bot.texts import Texts
from bot.views.kit.data_words import day_words, when_words
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import escaped
from engine.facts.asked import local_day
from engine.facts.circumstances import When
from engine.negotiation.answers import Circumstances, Milestone
from engine.negotiation.plan.parts import iso_day
from engine.negotiation.state import Negotiation

ISO: Final = len("2027-05-03")


def asked_on(state: Negotiation) -> str:
    """The ISO date on which the demand was asked, where that was; days of its year are shown without the year."""
    return local_day(state.asked_at, state.time_zone) if state.asked_at else ""


def day_of(step: Milestone) -> date | None:
    """The day of a step, which its words may begin with; None where the plan leaves it open, or says it otherwise."""
    return iso_day(step.day) or _first_day(step.date)


def _first_day(said: str) -> date | None:
    head, rest = said.strip()[:ISO], said.strip()[ISO:]
    return iso_day(head) if not rest[:1].isalnum() else None


def day_text(day: str, texts: Texts, today: str = "") -> str:
    """An ISO date, ready for mrkdwn."""
    return escaped(day_words(day, texts, today)) if iso_day(day) else ""


def when_text(when: When, texts: Texts, today: str = "") -> str:
    """A time in one line, ready for mrkdwn: its days and hours where they are known, else the words that were said."""
    return escaped(when_words(when, texts, today))


def asked_time(said: Circumstances, texts: Texts, today: str = "") -> str:
    """When a demand is to take place and by when it is to be done, in plain text: its words, and the day of a deadline,
    which takes the place of the words where they name no time but that.
    """
    words = " ".join((said.date or "").split())  # whoever shows it cuts it
    if not said.deadline:
        return words
    deadline = texts.say("by {day}", day=day_words(said.deadline, texts, today))
    has_time = said.when.first or said.when.start
    return texts.say(", ").join(filter(None, (words if has_time else "", deadline)))


def start_text(said: str, texts: Texts, fit: Fit, today: str = "") -> str:
    """When a plan starts, ready for mrkdwn."""
    day = iso_day(said)
    return escaped(day_words(day.isoformat(), texts, today)) if day else fit.line(said, 80)


def step_text(step: Milestone, texts: Texts, fit: Fit, today: str = "") -> str:
    """When a step is due, ready for mrkdwn."""
    day = iso_day(step.day) or iso_day(step.date)
    return escaped(day_words(day.isoformat(), texts, today)) if day else fit.line(step.date, 60)
