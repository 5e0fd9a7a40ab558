"""Lists the steps of a plan with their dates."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from bot.texts import Texts
from bot.views.negotiation.names import day_of
from engine.negotiation.plan.parts import iso_day
from engine.negotiation.terms import Proposal


class Step(NamedTuple):
    number: int
    """Its place in the plan, from 1; the start is 0."""
    name: str
    said: str
    """The date in the plan's own words."""
    result: str

    day: date | None
    """None where the plan leaves it open, or says it in words."""


def steps(plan: Proposal, texts: Texts) -> Sequence[Step]:
    start = plan.timeline.start_date
    found = [Step(0, texts.say("Start"), start, "", iso_day(start))] if start.strip() else []
    for number, each in enumerate(plan.timeline.milestones, start=1):
        result = each.deliverable if each.name else ""
        found.append(Step(number, each.name or each.deliverable, each.date or each.day, result, day_of(each)))
    return found
