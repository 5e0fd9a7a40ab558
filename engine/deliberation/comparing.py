"""Compares two positions slot by slot: what they plan, and not in which words they say so."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from engine.deliberation.commands import RecordComparison
from engine.deliberation.events import Analysis, Difference
from engine.deliberation.moves import differing
from engine.deliberation.plans import position_plan
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Agent
from engine.kernel import Compute, Millis


def by_slots(state: Deliberation) -> tuple[Analysis, tuple[Difference, ...]]:
    """Return how far the positions agree, as the share of slots that are the same, and where they differ."""
    planner, critic = position_plan(state, Agent.PLANNER), position_plan(state, Agent.CRITIC)
    said = [each.position for agent in (Agent.PLANNER, Agent.CRITIC) if (each := state.last_output(agent))]
    differences: list[Difference] = []
    slots = 1
    if planner and critic:
        titles = {each.task_id: each.title for plan in (critic.plan, planner.plan) for each in plan.tasks}
        differences = [
            Difference(slot=each.slot, about=titles[each.task_id], planner=each.before, critic=each.after)
            for each in differing(planner.plan, critic.plan)
        ]
        slots += 4 * len(titles)
    if len(said) == 2 and said[0].decision != said[1].decision:
        differences.append(Difference(slot="decision", about="", planner=said[0].decision, critic=said[1].decision))
    level = max(0.0, 1 - len(differences) / slots)
    matrix = ((1.0, level), (level, 1.0))
    return Analysis(consensus_level=level, matrix=matrix, by_keywords=True), tuple(differences)


def compare(state: Deliberation, effect: Compute, *, command_id: str, at: Millis) -> RecordComparison:
    analysis, differences = by_slots(state)
    return RecordComparison(
        command_id=command_id, at=at, round=int(effect.about), analysis=analysis, differences=differences
    )


COMPUTATIONS: Final[Mapping[str, Any]] = MappingProxyType({"compare": compare})
"""What runs each `Compute` of a deliberation, by the name of its function."""
