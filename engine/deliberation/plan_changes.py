"""Applies changes to a plan: a new plan, in which whatever nobody changed is as it was."""

from collections.abc import Iterable

from msgspec.structs import replace

from engine.deliberation.answers import Plan, PlanPhase, PlanTask, SlotChange


def changed(plan: Plan, changes: Iterable[SlotChange]) -> Plan:
    """Apply what is about tasks: dates, hours, owners, tasks that come and go. A task that is not there is only added.

    A date that would put a task's beginning behind its end takes the other one with it.
    """
    for change in changes:
        plan = _changed(plan, change)
    return plan


def task_of(plan: Plan, task_id: str) -> PlanTask | None:
    return next((each for each in plan.tasks if each.task_id == task_id), None)


def _changed(plan: Plan, change: SlotChange) -> Plan:
    task = task_of(plan, change.task_id)
    if change.slot == "task":
        if task is None and change.value and change.task_id:
            return _with_task(plan, PlanTask(task_id=change.task_id, title=change.value))
        return plan if task is None or change.value else _without(plan, change.task_id)
    if task is None:
        return plan
    new = task
    match change.slot:
        case "start":
            new = replace(task, starts=change.value)
            if change.value and new.deadline and new.deadline < change.value:
                new = replace(new, deadline=change.value)
        case "deadline":
            new = replace(task, deadline=change.value)
            if change.value and new.starts > change.value:
                new = replace(new, starts=change.value)
        case "owner":
            new = replace(task, owner=change.value)
        case "hours":
            new = replace(task, estimated_hours=_hours(change.value, task.estimated_hours))
    return plan if new is task else with_tasks(plan, {task.task_id: new})


def _hours(said: str, otherwise: float) -> float:
    try:
        return min(10_000.0, max(0.0, float(said)))
    except ValueError:
        return otherwise


def with_tasks(plan: Plan, tasks: dict[str, PlanTask]) -> Plan:
    """The plan with these tasks in place of its own of the same ids."""
    phases = tuple(
        replace(phase, tasks=tuple(tasks.get(each.task_id, each) for each in phase.tasks)) for phase in plan.phases
    )
    return replace(plan, phases=phases)


def _without(plan: Plan, task_id: str) -> Plan:
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
    if not plan.phases:
        return replace(plan, phases=(PlanPhase(phase_name=plan.title, tasks=(task,)),))
    at = max(0, len(plan.phases) - 2)
    phases = [*plan.phases]
    phases[at] = replace(phases[at], tasks=(*phases[at].tasks, task))
    return replace(plan, phases=tuple(phases))
