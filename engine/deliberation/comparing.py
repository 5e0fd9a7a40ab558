"""Compares two positions slot by slot, in the rules: where nothing beside them could (`compare` failed for good)."""

from engine.deliberation.events import Analysis, Difference
from engine.deliberation.moves import differing
from engine.deliberation.plans import position_plan
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Agent


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
