"""Marks a condition in a version: whether it is met, as far as that can be told from the plan."""

from collections import Counter
from collections.abc import Iterable

from bot.texts import Texts
from bot.views.negotiation.plan.marks import SIGNS, Line, Marks, both_data, doubt
from engine.negotiation.plan.marks import Mark, MarkKind
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import HeldCondition, Proposal

MET, PROMISED, DOUBTED, BROKEN = "✓", "○", "?", "✗"
"""What is only promised is no tick, and what is open is not broken: both are as they were said."""


def mark_of(condition: HeldCondition, mark: Mark | None = None) -> str:
    """Return its mark. Nothing is broken of which there are not two data that contradict each other."""
    if condition.status == "broken" and condition.wanted is not None and condition.found is not None:
        return BROKEN
    if not condition.met or condition.status == "broken":
        return PROMISED
    if mark is not None:
        return SIGNS[mark.kind]
    return PROMISED if condition.status == "unknown" else MET


def marked(
    text: str, condition: HeldCondition, line: Line, texts: Texts, today: str = "", mark: Mark | None = None
) -> str:
    """Return a line about a condition: its sign, the text, and why: both data where they contradict each other.

    Args:
        line: escapes what a model has said for where the line stands.
    """
    sign, reasons = mark_of(condition, mark), [line(condition.reason, 200)]
    if sign == BROKEN:
        held = Mark(about="condition", kind=MarkKind.BROKEN, wanted=condition.wanted, found=condition.found)
        reasons = [both_data(held, texts, today)]
    elif sign == DOUBTED and mark is not None:
        reasons.append(doubt(mark, texts, line))
    elif sign == PROMISED and condition.met:
        reasons.append(texts.say("promised; the plan cannot show it"))
    elif sign == PROMISED and not condition.reason:
        reasons.append(texts.say("still open"))
    return " – ".join(filter(None, (f"{sign} {text}", *reasons)))


def counted(state: Negotiation, proposal: Proposal, needs: Iterable[str]) -> str:
    """Return how many of a plan's needs and conditions have each mark: ``✓ 1 · ○ 2``; empty where there are none.

    Args:
        needs: their signs.
    """
    marks = Marks.of(state, proposal)
    found = Counter([*needs, *(mark_of(each, marks.of_condition(each)) for each in proposal.conditions)])
    return " · ".join(f"{each} {found[each]}" for each in (MET, PROMISED, DOUBTED, BROKEN) if found[each])
