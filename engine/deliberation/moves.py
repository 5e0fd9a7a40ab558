"""What of a position changed from one output to the next, whether an argument moved it, and what suggested changes make
of a plan."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import date
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.deliberation.answers import MOST_TASKS, Move, Plan, PlanPhase, PlanTask, SlotChange, SlotKind
from engine.deliberation.state import Argument, Deliberation, Output
from engine.deliberation.terms import Agent, ArgumentKind

MOST_HOURS: Final = 10_000.0


class Change(NamedTuple):
    """One slot that differs between two outputs of the same agent."""

    slot: SlotKind
    task_id: str
    before: str
    after: str


# ── what changed ──────────────────────────────────────────────────────────────────────────────────────────────────


def changed_slots(before: Output, after: Output) -> tuple[Change, ...]:
    """Return what an agent changed: of its position, and of its plan where both outputs have one."""
    old, new = before.position, after.position
    position: tuple[tuple[SlotKind, str, str], ...] = (
        ("decision", old.decision, new.decision),
        ("choice", old.choice, new.choice),
        ("conclusion", old.conclusion, new.conclusion),
    )
    changes = [Change(slot, "", was, now) for slot, was, now in position if _plain(was) != _plain(now)]
    if before.plan is None or after.plan is None:
        return tuple(changes)
    return (*plan_changes(before.plan, after.plan), *changes)


def plan_changes(before: Plan, after: Plan) -> tuple[Change, ...]:
    """Return in which tasks two plans differ: those of both slot by slot, and those that only one of them has."""
    old, new = _by_id(before), _by_id(after)
    changes: list[Change] = []
    for task_id in dict.fromkeys((*old, *new)):
        was, now = old.get(task_id), new.get(task_id)
        if was is None or now is None:
            changes.append(Change("task", task_id, was.title if was else "", now.title if now else ""))
        else:
            changes += (
                Change(slot, task_id, a, b)
                for (slot, a), (_, b) in zip(_slots(was), _slots(now), strict=True)
                if a != b
            )
    return tuple(changes)


def _by_id(plan: Plan) -> dict[str, PlanTask]:
    return {each.task_id: each for each in plan.tasks}


def _slots(task: PlanTask) -> tuple[tuple[SlotKind, str], ...]:
    return (
        ("start", task.starts),
        ("deadline", task.deadline),
        ("hours", f"{task.estimated_hours:g}"),
        ("owner", task.owner),
    )


def _plain(text: str) -> str:
    return "".join(each for each in text.casefold() if each.isalnum())


# ── whether it was argued for ─────────────────────────────────────────────────────────────────────────────────────


def naming(moves: Iterable[Move], arguments: Mapping[str, Argument], agent: Agent) -> tuple[Move, ...]:
    """Return those moves that name an argument which is there; nobody is moved by a reason of their own."""
    return tuple(each for each in moves if (said := arguments.get(each.argument)) and not _is_own(said, agent))


def _is_own(said: Argument, agent: Agent) -> bool:
    return said.kind is ArgumentKind.REASON and said.by == agent


def unexplained_changes(before: Output, after: Output) -> tuple[Change, ...]:
    """Return the changes for which no move of ``after`` names an argument.

    A move on a whole task explains all that changed in it. Another conclusion needs no argument of its own where
    something else changed that has one: it sums that up.
    """
    changes = changed_slots(before, after)
    named = {(each.slot, each.task_id) for each in after.moves}
    open_ = [each for each in changes if not _is_named(each, named)]
    if len(open_) < len(changes):
        return tuple(each for each in open_ if each.slot != "conclusion")
    return tuple(open_)


def _is_named(change: Change, named: Container[tuple[SlotKind, str]]) -> bool:
    return (change.slot, change.task_id) in named or bool(change.task_id and ("task", change.task_id) in named)


def unexplained_by(state: Deliberation, agent: Agent) -> tuple[Change, ...]:
    """Return what an agent changed in the current round without naming an argument."""
    said = state.current.outputs.get(agent)
    before = previous_output(state, agent)
    return unexplained_changes(before, said) if said and before else ()


def previous_output(state: Deliberation, agent: Agent) -> Output | None:
    """What an agent had said before the current round."""
    return next((each.outputs[agent] for each in reversed(state.rounds[:-1]) if agent in each.outputs), None)


# ── what suggestions make of a plan ───────────────────────────────────────────────────────────────────────────────


def suggested_changes(output: Output) -> tuple[SlotChange, ...]:
    """Return what a critique would change, as data."""
    suggestions = output.critique.suggestions if output.critique else ()
    return tuple(change for each in suggestions for change in each.changes)


def apply_changes(plan: Plan, changes: Iterable[SlotChange]) -> Plan:
    """Return the plan with the changes made one after the other.

    What cannot be made is left out: a slot of a task that the plan has not, a date that is none, hours that are no
    number, one task more than a plan may have. Decision, choice and conclusion are no part of a plan.
    """
    for each in changes:
        plan = _apply(plan, each)
    return plan


def _apply(plan: Plan, change: SlotChange) -> Plan:
    if change.slot == "task":
        return _with_task(plan, change.task_id, change.value.strip())
    return _mapped(plan, lambda task: _with_slot(task, change) if task.task_id == change.task_id else task)


def _with_slot(task: PlanTask, change: SlotChange) -> PlanTask:
    value = change.value.strip()
    match change.slot:
        case "owner":
            return replace(task, owner=value)
        case "hours":
            hours = _hours(value)
            return task if hours is None else replace(task, estimated_hours=hours)
        case "start" | "deadline":
            day = _day(value)
            if day is None:
                return task
            return replace(task, starts=day) if change.slot == "start" else replace(task, deadline=day)
        case _:
            return task


def _hours(value: str) -> float | None:
    try:
        hours = float(value or 0)
    except ValueError:
        return None
    return min(MOST_HOURS, max(0.0, hours)) if hours == hours else None


def _day(value: str) -> str | None:
    try:
        return date.fromisoformat(value).isoformat() if value else ""
    except ValueError:
        return None


def _with_task(plan: Plan, task_id: str, title: str) -> Plan:
    tasks = _by_id(plan)
    if task_id in tasks:
        return _retitled(plan, task_id, title) if title else _without(plan, task_id)
    if not title or len(plan.tasks) >= MOST_TASKS or any(each.title == title for each in plan.tasks):
        return plan
    added = PlanTask(task_id=task_id or _free_id(tasks), title=title)
    *before, last = plan.phases or (PlanPhase(phase_name=plan.title),)
    return replace(plan, phases=(*before, replace(last, tasks=(*last.tasks, added))))


def _free_id(taken: Container[str]) -> str:
    return next(name for number in range(1, MOST_TASKS + 2) if (name := f"task-{number}") not in taken)


def _retitled(plan: Plan, task_id: str, title: str) -> Plan:
    return _mapped(plan, lambda task: replace(task, title=title) if task.task_id == task_id else task)


def _without(plan: Plan, task_id: str) -> Plan:
    """Nothing waits for a task that is not done any more, and a phase without tasks is none."""
    phases = (
        replace(phase, tasks=tuple(each for each in phase.tasks if each.task_id != task_id)) for phase in plan.phases
    )
    left = replace(plan, phases=tuple(each for each in phases if each.tasks))
    return _mapped(left, lambda task: replace(task, depends_on=tuple(_others(task.depends_on, task_id))))


def _others(ids: Iterable[str], without: str) -> Iterator[str]:
    return (each for each in ids if each != without)


def _mapped(plan: Plan, change: Callable[[PlanTask], PlanTask]) -> Plan:
    phases = tuple(replace(phase, tasks=tuple(map(change, phase.tasks))) for phase in plan.phases)
    return replace(plan, phases=phases)
