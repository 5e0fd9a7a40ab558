"""In which order people need something of each other: who waits for whom, and whether that can be."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.negotiation.answers import Assignment
from engine.negotiation.terms import Assigned


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
