"""Marks a condition in a version: whether it is met, as far as that can be told from the plan."""

from bot.texts import Texts
from engine.negotiation.terms import HeldCondition


def marked(text: str, condition: HeldCondition, reason: str, texts: Texts) -> str:
    """Return a line about a condition: a mark, the text, and why. What is only promised is no tick."""
    if condition.met and condition.status == "unknown":
        mark, reason = "○", " – ".join(filter(None, (reason, texts.say("promised; the plan cannot show it"))))
    else:
        mark = "✓" if condition.met else "✗"
    return f"{mark} {text} – {reason}" if reason else f"{mark} {text}"
