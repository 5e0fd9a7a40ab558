"""Lists the steps of a plan with their dates."""

from collections.abc import Sequence
from typing import NamedTuple

from bot.texts import Texts
from engine.lexicon.written_days import Day, read_day
from engine.negotiation.terms import Proposal


class Step(NamedTuple):
    number: int
    """Its place in the plan, from 1; the start is 0."""
    name: str
    said: str
    """The date in the plan's own words."""
    result: str

    @property
    def day(self) -> Day | None:
        return read_day(self.said)


def steps(plan: Proposal, texts: Texts) -> Sequence[Step]:
    start = plan.timeline.start_date
    found = [Step(0, texts.say("Start"), start, "")] if start.strip() else []
    for number, each in enumerate(plan.timeline.milestones, start=1):
        found.append(Step(number, each.name or each.deliverable, each.date, each.deliverable if each.name else ""))
    return found
