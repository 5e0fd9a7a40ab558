"""An agreed plan at another time than it was agreed for, once those who are needed have agreed to that one."""

from collections.abc import Iterable

from msgspec.structs import replace

from engine.facts.circumstances import When
from engine.negotiation.answers import Milestone
from engine.negotiation.state import Negotiation, Rescheduling
from engine.negotiation.terms import Assigned, Proposal


def moves(state: Negotiation) -> list[Rescheduling]:
    """Return those that came to another time, oldest first."""
    return [each for each in state.reschedulings if each.when is not None]


def moved(state: Negotiation, plan: Proposal) -> Proposal:
    """Return the plan as it was agreed, at the time to which it was moved since. What is due on its day moves along."""
    for each in moves(state):
        if each.when is not None and not each.begun.agent_id:
            plan = _at(plan, each.begun.when, each.when)
    return plan


def moved_seats(state: Negotiation, seats: Iterable[Assigned]) -> tuple[Assigned, ...]:
    """Return the seats, each at the time of its own to which it was moved since."""
    own = {each.begun.agent_id: each.when for each in moves(state) if each.begun.agent_id}
    return tuple(replace(each, when=when) if (when := own.get(each.agent_id)) else each for each in seats)


def _at(plan: Proposal, before: When | None, when: When) -> Proposal:
    day = before.first if before else ""

    def along(step: Milestone) -> Milestone:
        return replace(step, day=when.first, date=when.first) if day and step.day == day else step

    start = when.first if day and plan.timeline.start_date == day else plan.timeline.start_date
    timeline = replace(plan.timeline, start_date=start, milestones=tuple(map(along, plan.timeline.milestones)))
    return replace(plan, when=when, timeline=timeline)
