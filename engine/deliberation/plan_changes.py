"""Applies changes to a plan: a new plan, in which whatever nobody changed is as it was."""

from collections.abc import Iterable
from datetime import date
from typing import Final

from msgspec.structs import replace

from engine.deliberation.answers import MOST_TASKS, Plan, PlanPhase, PlanTask, SlotChange

MOST_HOURS: Final = 10_000.0


def changed(plan: Plan, changes: Iterable[SlotChange]) -> Plan:
    """Apply what is about tasks, one after the other: dates, hours, owners, tasks that come and go. A task that is not
    there is only added.

    A date that would put a task's beginning behind its end takes the other one with it. What cannot be is left out: a
    date that is none, hours that are no number, a task of the same title once more, more tasks than a plan may have.
    """
    for change in changes:
        plan = _changed(plan, change)
    return plan


def task_of(plan: Plan, task_id: str) -> PlanTask | None:
    return next((each for each in plan.tasks if each.task_id == task_id), None)


def _changed(plan: Plan, change: SlotChange) -> Plan:
    task, value = task_of(plan, change.task_id), change.value.strip()
    if change.slot == "task":
        if task is not None:
            return plan if value else _without(plan, change.task_id)
        return _with_task(plan, PlanTask(task_id=change.task_id, title=value)) if value and change.task_id else plan
    if task is None:
        return plan
    new = task
    match change.slot:
        case "start":
            new = _starting(task, _day(value, task.starts))
        case "deadline":
            new = _due(task, _day(value, task.deadline))
        case "owner":
            new = replace(task, owner=value)
        case "hours":
            new = replace(task, estimated_hours=_hours(value, task.estimated_hours))
    return plan if new is task else with_tasks(plan, {task.task_id: new})


def _starting(task: PlanTask, day: str) -> PlanTask:
    return replace(task, starts=day, deadline=day if day and task.deadline and task.deadline < day else task.deadline)


def _due(task: PlanTask, day: str) -> PlanTask:
    return replace(task, deadline=day, starts=day if day and task.starts > day else task.starts)


def _day(said: str, otherwise: str) -> str:
    try:
        return date.fromisoformat(said).isoformat() if said else ""
    except ValueError:
        return otherwise


def _hours(said: str, otherwise: float) -> float:
    """Nothing said stands for none."""
    try:
        hours = float(said or 0)
    except ValueError:
        return otherwise
    return otherwise if hours != hours else min(MOST_HOURS, max(0.0, hours))


def with_tasks(plan: Plan, tasks: dict[str, PlanTask]) -> Plan:
    """The plan with these tasks in place of its own of the same ids."""
    phases = tuple(
        replace(phase, tasks=tuple(tasks.get(each.task_id, each) for each in phase.tasks)) for phase in plan.phases
    )
    return replace(plan, phases=phases)


def _without(plan: Plan, task_id: str) -> Plan:
    """Nothing waits for a task that is not done any more, and a phase without tasks is none."""
    phases = tuple(
        replace(
            phase,
            tasks=tuple(
                replace(each, depends_on=tuple(on for on in each.depends_on if on != task_id))
                for each in phase.tasks
                if each.task_id != task_id
            ),
        )
        for phase in plan.phases
    )
    return replace(plan, phases=tuple(each for each in phases if each.tasks))


def _with_task(plan: Plan, task: PlanTask) -> Plan:
    """Into the phase before the last one, where what is planned takes place."""
    if len(plan.tasks) >= MOST_TASKS or any(each.title == task.title for each in plan.tasks):
        return plan
    if not plan.phases:
        return replace(plan, phases=(PlanPhase(phase_name=plan.title, tasks=(task,)),))
    at = max(0, len(plan.phases) - 2)
    phases = [*plan.phases]
    phases[at] = replace(phases[at], tasks=(*phases[at].tasks, task))
    return replace(plan, phases=tuple(phases))
