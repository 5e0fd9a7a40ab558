"""Which plan stands: the latest one, the best one so far, and the one that a deliberation ends with."""

from collections.abc import Iterator
from typing import NamedTuple

from engine.deliberation.answers import Plan, Position, SlotChange
from engine.deliberation.moves import suggested_changes
from engine.deliberation.plan_changes import changed
from engine.deliberation.state import Deliberation, Output
from engine.deliberation.terms import Agent
from engine.facts.quotes import folded


class FinalPlan(NamedTuple):
    plan: Plan
    round: int
    """In which it was made."""
    by: Agent
    is_valid: bool
    """Whether its critique has no "no" in the validity check. One that nobody has criticised counts as not valid."""


def standing(state: Deliberation) -> Output | None:
    """The output whose plan is argued about: the Planner's latest, or, as long as it has none, the Critic's own."""
    return next((each for agent in (Agent.PLANNER, Agent.CRITIC) if (each := plan_of(state, agent))), None)


def plan_of(state: Deliberation, agent: Agent) -> Output | None:
    """An agent's latest output that has a plan."""
    outputs = (each.outputs.get(agent) for each in reversed(state.rounds))
    return next((each for each in outputs if each is not None and each.plan is not None), None)


def best_output(state: Deliberation) -> Output | None:
    """The output with the best valid plan so far."""
    return _made_in(state, state.best) if state.best else None


def _made_in(state: Deliberation, number: int) -> Output | None:
    outputs = state.rounds[number - 1].outputs
    found = (outputs.get(agent) for agent in (Agent.PLANNER, Agent.CRITIC))
    return next((each for each in found if each is not None and each.plan is not None), None)


def final_plan(state: Deliberation) -> FinalPlan | None:
    """The plan that a deliberation ends with, or would end with now: of the position that was chosen, else the best
    valid one so far, else the latest one.
    """
    if state.choice is not None and (chosen := position_plan(state, state.choice.chosen)) is not None:
        return chosen
    made = best_output(state) or standing(state)
    return None if made is None or made.plan is None else _final(state, made, made.plan, made.agent)


def position_plan(state: Deliberation, agent: Agent) -> FinalPlan | None:
    """The plan that an agent's position comes to. The Critic's is the Planner's with what the Critic would change, and
    with the days and owners that it names."""
    planner = plan_of(state, Agent.PLANNER)
    if agent is Agent.PLANNER or planner is None or planner.plan is None:
        made = plan_of(state, agent)
        return None if made is None or made.plan is None else _final(state, made, made.plan, agent)
    critic = state.last_output(Agent.CRITIC)
    if critic is None:
        return None
    if critic.plan is not None:
        return _final(state, critic, critic.plan, agent)
    overlaid = changed(planner.plan, (*suggested_changes(critic), *_named_changes(planner.plan, critic.position)))
    return FinalPlan(overlaid, critic.round, agent, is_valid=False)


def _named_changes(plan: Plan, held: Position) -> Iterator[SlotChange]:
    """Return the days and owners that a position names of tasks, by their ids or titles, as changes of a plan."""
    tasks = {folded(name): each.task_id for each in plan.tasks for name in (each.title, each.task_id)}
    for day in held.dates:
        if day.day and (task_id := tasks.get(folded(day.name))):
            yield SlotChange(slot="deadline", task_id=task_id, value=day.day)
    for owner in held.owners:
        if owner.person_id and (task_id := tasks.get(folded(owner.name))):
            yield SlotChange(slot="owner", task_id=task_id, value=owner.person_id)


def _final(state: Deliberation, made: Output, plan: Plan, agent: Agent) -> FinalPlan:
    return FinalPlan(plan, made.round, agent, is_valid=made.round == state.best)
