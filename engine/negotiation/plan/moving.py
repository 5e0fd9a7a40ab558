"""An agreed plan at another time than it was agreed for, once those who are needed have agreed to that one."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from engine.facts.circumstances import When
from engine.negotiation.answers import Assignment, Milestone
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


def circles(seats: Sequence[Assignment]) -> tuple[tuple[str, ...], ...]:
    """Return the agent ids of those who wait for each other in a circle, one tuple for each circle."""
    after = {each.agent_id: [other for other in each.after if other != each.agent_id] for each in seats}
    reached = {each: _reached(each, after) for each in after}
    found: list[tuple[str, ...]] = []
    for one in after:
        circle = tuple(each for each in after if each in reached[one] and one in reached[each])
        if circle and not any(one in each for each in found):
            found.append(circle)
    return tuple(found)


def with_known_order(seats: Sequence[Assigned]) -> tuple[Assigned, ...]:
    """Let each seat wait for those alone who have a seat."""
    here = {each.agent_id for each in seats}
    return tuple(
        each if here.issuperset(each.after) else replace(each, after=tuple(one for one in each.after if one in here))
        for each in seats
    )


def _reached(start: str, after: dict[str, list[str]]) -> set[str]:
    """Return who has to be done before somebody, however many are between."""
    seen: set[str] = set()
    open_still = [*after[start]]
    while open_still:
        each = open_still.pop()
        if each in after and each not in seen:
            seen.add(each)
            open_still += after[each]
    return seen


def faults_of_order(seats: Sequence[Assignment]) -> str:
    """Say who waits for each other in a circle; empty where nobody does."""
    return "\n".join(
        f"assignments.after makes a circle of {', '.join(each)}: one of them has to be first" for each in circles(seats)
    )
