"""Which plan stands, how one follows from another, and what is open against it."""

from collections.abc import Container, Iterable, Iterator, Mapping
from datetime import date
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.deliberation.answers import MOST_TASKS, Move, Plan, PlanPhase, PlanTask, Position, SlotChange, SlotKind
from engine.deliberation.rounds.turns import is_parallel
from engine.deliberation.state import Argument, Deliberation, Output
from engine.deliberation.terms import DEBATERS, Agent, ArgumentKind
from engine.facts.quoting import folded

# ── a plan with changes ───────────────────────────────────────────────────────────────────────────────────────────────
# Applies changes to a plan: a new plan, in which whatever nobody changed is as it was.


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
    phases = tuple(
        replace(phase, tasks=tuple(tasks.get(each.task_id, each) for each in phase.tasks)) for phase in plan.phases
    )
    return replace(plan, phases=phases)


def _without(plan: Plan, task_id: str) -> Plan:
    """Remove a task, the dependencies on it, and a phase that is left without tasks."""
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


# ── what moved, and whether an argument moved it ──────────────────────────────────────────────────────────────────────
# What of a position changed from one output to the next, and whether an argument moved it.


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
    changes = [Change(slot, "", was, now) for slot, was, now in position if plain(was) != plain(now)]
    if before.plan is None or after.plan is None:
        return tuple(changes)
    return (*differing(before.plan, after.plan), *changes)


def differing(before: Plan, after: Plan) -> tuple[Change, ...]:
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


def plain(text: str) -> str:
    """Return a text without what two ways to write the same words differ in: case, spaces and punctuation."""
    said = folded(text)
    return "".join(filter(str.isalnum, said)) or said


# ── whether it was argued for ─────────────────────────────────────────────────────────────────────────────────────


def naming(moves: Iterable[Move], arguments: Mapping[str, Argument], agent: Agent) -> tuple[Move, ...]:
    """Return those moves that name an argument which is there; nobody is moved by a reason of their own."""
    return tuple(each for each in moves if (said := arguments.get(each.argument)) and not _is_own(said, agent))


def _is_own(said: Argument, agent: Agent) -> bool:
    return said.kind is ArgumentKind.REASON and said.by == agent


def unexplained_changes(before: Output, after: Output) -> tuple[Change, ...]:
    """Return the changes for which no move of ``after`` names an argument.

    A move on a whole task explains all that changed in it, and any move of a kind what changed of that kind among the
    names of the position. A conclusion is a sentence: nobody compares it.
    """
    changes = (each for each in changed_slots(before, after) if each.slot != "conclusion")
    named = {(each.slot, each.task_id) for each in after.moves}
    kinds = {each.slot for each in after.moves} & {"task", "deadline", "owner", "hours"}
    renamed = () if "task" in kinds else (each for each in named_slots(before, after) if each.slot not in kinds)
    return (*(each for each in changes if not _is_named(each, named)), *renamed)


def named_slots(before: Output, after: Output) -> tuple[Change, ...]:
    """Return which of the days, owners and numbers that both positions name are otherwise. Where a plan says it, the
    plan's own slots tell."""
    if before.plan is not None and after.plan is not None and differing(before.plan, after.plan):
        return ()
    old, new = _named(before.position), _named(after.position)
    return tuple(
        Change(slot, name, was, new[slot, name])
        for (slot, name), was in old.items()
        if new.get((slot, name), was) != was
    )


def _named(held: Position) -> dict[tuple[SlotKind, str], str]:
    found: dict[tuple[SlotKind, str], str] = {}
    for day in held.dates:
        found["deadline", day.name] = day.day
    for owner in held.owners:
        found["owner", owner.name] = owner.person_id
    for number in held.quantities:
        found["hours", number.name] = f"{number.number:g}"
    return found


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


def suggested_changes(output: Output) -> tuple[SlotChange, ...]:
    """Return what a critique would change, as data."""
    suggestions = output.critique.suggestions if output.critique else ()
    return tuple(change for each in suggestions for change in each.changes)


def pressing_changes(output: Output) -> tuple[SlotChange, ...]:
    """Return what of that the Critic does not hold for unimportant itself."""
    suggestions = output.critique.suggestions if output.critique else ()
    return tuple(change for each in suggestions if each.priority != "low" for change in each.changes)


# ── which plan stands ─────────────────────────────────────────────────────────────────────────────────────────────────
# Which plan stands: the latest one, the best one so far, and the one that a deliberation ends with.


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


# ── what is open against it ───────────────────────────────────────────────────────────────────────────────────────────
# What is open against a plan, and which plan is the best one so far.


HIGH: Final = "high"
CHECKS: Final = ("feasible", "realistic", "complete")


def open_risks(state: Deliberation) -> tuple[Argument, ...]:
    """The high risks of the Critic's latest critique: it repeats those that are still there."""
    critic = state.last_output(Agent.CRITIC)
    ids = critic.risk_ids if critic else ()
    return tuple(_high(state, ids))


def stated_risks(state: Deliberation) -> tuple[str, ...]:
    """The high risks that a position itself says are open, besides those of the critique."""
    told = {each.text for each in open_risks(state)}
    latest = (state.last_output(each) for each in DEBATERS)
    found = [each.risk for said in latest if said for each in said.position.open_risks if each.severity == HIGH]
    return tuple(each for each in dict.fromkeys(found) if each not in told)


def open_findings(state: Deliberation) -> tuple[Argument, ...]:
    """What code has found wrong with the plan that is argued about, and counts as high."""
    made = standing(state)
    return tuple(_high(state, made.finding_ids if made else ()))


def _high(state: Deliberation, ids: tuple[str, ...]) -> list[Argument]:
    return [state.arguments[each] for each in dict.fromkeys(ids) if state.arguments[each].severity == HIGH]


def unmet_checks(state: Deliberation) -> tuple[str, ...]:
    """What the Critic's latest validity check says "no" to: ``feasible``, ``realistic``, ``complete``."""
    critic = state.last_output(Agent.CRITIC)
    if critic is None or critic.critique is None:
        return ()
    check = critic.critique.validity_check
    return tuple(name for name in CHECKS if not getattr(check, name))


def judged(state: Deliberation) -> Deliberation:
    """Keep the plan of the current round as the best one, if the Critic's critique of it leaves it at least as good as
    the best one before.

    In a blind first round nobody has criticised the other's plan: none is kept.
    """
    current = state.current
    made, critic = standing(state), current.outputs.get(Agent.CRITIC)
    if is_parallel(state) or made is None or critic is None or made.agent is Agent.CRITIC or made.round == state.best:
        return state
    against = len(open_risks(state)) + len(open_findings(state))
    if unmet_checks(state) or (state.best and against > state.best_open):
        return state
    return replace(state, best=made.round, best_open=against)
