"""Marks a condition in a version: whether it is met, as far as that can be told from the plan."""

from collections import Counter

from bot.texts import Texts
from bot.views.negotiation.marks import SIGNS, Line, Marks, both_data, doubt
from engine.negotiation.marks import Mark, MarkKind
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import HeldCondition, Proposal

MET, PROMISED, DOUBTED, BROKEN = "✓", "○", "?", "✗"


def mark_of(condition: HeldCondition, mark: Mark | None = None) -> str:
    """Return its mark. What is only promised is no tick."""
    if mark is not None and (condition.met or mark.kind is MarkKind.BROKEN):
        return SIGNS[mark.kind]
    if not condition.met:
        return BROKEN
    return PROMISED if condition.status == "unknown" else MET


def marked(
    text: str, condition: HeldCondition, line: Line, texts: Texts, today: str = "", mark: Mark | None = None
) -> str:
    """Return a line about a condition: its sign, the text, and why: both data where they contradict each other.

    Args:
        line: escapes what a model has said for where the line stands.
    """
    sign, reasons = mark_of(condition, mark), [line(condition.reason, 200)]
    if condition.status == "broken" and condition.wanted is not None and condition.found is not None:
        held = Mark(about="condition", kind=MarkKind.BROKEN, wanted=condition.wanted, found=condition.found)
        reasons = [both_data(held, texts, today)]
    elif sign == DOUBTED and mark is not None:
        reasons.append(doubt(mark, texts, line))
    elif sign == PROMISED:
        reasons.append(texts.say("promised; the plan cannot show it"))
    return " – ".join(filter(None, (f"{sign} {text}", *reasons)))


def counted(state: Negotiation, proposal: Proposal) -> str:
    """Return how many of a plan's conditions have each mark: ``✓ 1 · ○ 2``; empty where there are none."""
    marks = Marks.of(state, proposal)
    found = Counter(mark_of(each, marks.of_condition(each)) for each in proposal.conditions)
    return " · ".join(f"{each} {found[each]}" for each in (MET, PROMISED, DOUBTED, BROKEN) if found[each])
