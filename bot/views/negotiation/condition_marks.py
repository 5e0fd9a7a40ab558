"""Marks a condition in a version: whether it is met, as far as that can be told from the plan."""

from collections import Counter
from collections.abc import Iterable

from bot.texts import Texts
from engine.negotiation.terms import HeldCondition

MET, PROMISED, BROKEN = "✓", "○", "✗"


def mark_of(condition: HeldCondition) -> str:
    """Return its mark. What is only promised is no tick."""
    if not condition.met:
        return BROKEN
    return PROMISED if condition.status == "unknown" else MET


def marked(text: str, condition: HeldCondition, reason: str, texts: Texts) -> str:
    """Return a line about a condition: a mark, the text, and why."""
    mark = mark_of(condition)
    if mark == PROMISED:
        reason = " – ".join(filter(None, (reason, texts.say("promised; the plan cannot show it"))))
    return f"{mark} {text} – {reason}" if reason else f"{mark} {text}"


def counted(conditions: Iterable[HeldCondition]) -> str:
    """Return how many of them have each mark: ``✓ 1 · ○ 2``; empty where there are none."""
    marks = Counter(map(mark_of, conditions))
    return " · ".join(f"{each} {marks[each]}" for each in (MET, PROMISED, BROKEN) if marks[each])
