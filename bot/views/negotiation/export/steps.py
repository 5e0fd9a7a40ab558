"""Lists the steps of a plan with their dates."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from bot.texts import Texts
from bot.views.negotiation.names import day_of
from engine.negotiation.plan.parts import iso_day
from engine.negotiation.public.build import Times
from engine.negotiation.state import Negotiation, Status
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


EXPORTED = frozenset({Status.FINALIZED, Status.FORCE_FINALIZED, Status.FAILED})
"""Statuses that can be exported; in a stopped negotiation nothing was agreed."""


@dataclass(frozen=True, slots=True)
class EndedNegotiation:
    """A negotiation that is over."""

    state: Negotiation
    times: Times
    """When it ended, and when the rest of it happened."""
    asked_by: str = ""
    """The requester's name; empty if it is unknown."""

    @property
    def plan(self) -> Proposal | None:
        """The agreed plan; for a failed negotiation, the last version that was voted on."""
        return self.state.final.final_proposal if self.state.final else self.state.proposal

    @property
    def demand(self) -> str:
        """As the thread shows it. What was typed into a form or a command is nobody else's."""
        return self.state.demand_text
