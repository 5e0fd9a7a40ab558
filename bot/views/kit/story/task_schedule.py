"""Tasks with their days, as a schedule."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from bot.texts import Texts
from bot.views.kit.mrkdwn import plain_line
from bot.views.kit.story.model import Bar, Part, Schedule

LONGEST_LABEL = 300


class Dated(NamedTuple):
    title: str
    starts: str
    """ISO date; empty where none is known."""
    ends: str
    """Likewise, as its last day."""
    is_done: bool = False


def drawn_tasks(tasks: Sequence[Dated], texts: Texts) -> list[Part]:
    """Return the schedule; nothing where no task has a day."""
    bars, undated = [], []
    for each in tasks:
        label = plain_line(each.title, LONGEST_LABEL) or "…"
        first, last = _day(each.starts or each.ends), _day(each.ends or each.starts)
        if first and last:
            bars.append(Bar(label, min(first, last), max(first, last), each.is_done))
        else:
            undated.append((label, texts.say("no day yet")))
    return [Schedule(texts.say("What happens when"), bars, undated)] if bars else []


def _day(said: str) -> date | None:
    try:
        return date.fromisoformat(said)
    except ValueError:
        return None
