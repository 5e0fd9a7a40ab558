"""Plans and positions (seed 001, sections 2 and 8)."""

from collections.abc import Iterable, Iterator
from typing import Final

from engine.deliberation import answers
from engine.deliberation.envelopes.fields import LONGEST_LIST
from engine.deliberation.envelopes.plan import MOST_PHASES, MOST_TASKS, Phase, Plan, PlannedTask, Schedule
from engine.deliberation.envelopes.position import (
    Flaw,
    Move,
    PointAnswer,
    PositionChanges,
    PositionSummary,
    Slots,
    SlotValue,
)
from engine.deliberation.session_json import bounds
from engine.deliberation.state import Deliberation, Output

HOURS: Final = "{:g} h"


def plan_of(plan: answers.Plan) -> Plan:
    scheduled = schedule_of(plan)
    return Plan(
        title=bounds.text(plan.title),
        goal=bounds.text(plan.goal),
        phases=scheduled.phases,
        total_estimated_hours=scheduled.total_estimated_hours,
    )


def schedule_of(plan: answers.Plan | None) -> Schedule:
    """A plan's phases; none where there is no plan."""
    if plan is None:
        return Schedule(phases=(), total_estimated_hours=0)
    return Schedule(
        phases=tuple(
            Phase(
                phase_name=bounds.text(each.phase_name),
                duration=bounds.text(each.duration),
                tasks=tuple(map(_task, each.tasks[:MOST_TASKS])),
            )
            for each in plan.phases[:MOST_PHASES]
        ),
        total_estimated_hours=plan.total_estimated_hours,
    )


def _task(task: answers.PlanTask) -> PlannedTask:
    return PlannedTask(
        title=bounds.text(task.title),
        estimated_hours=task.estimated_hours or None,
        deadline=bounds.day(task.deadline),
        tags=bounds.texts(task.tags),
        task_id=bounds.an_id(task.task_id),
        owner=bounds.an_id(task.owner),
        starts=bounds.day(task.starts),
        depends_on=bounds.ids(task.depends_on),
        expected_output=bounds.text(task.expected_output),
        acceptance_criteria=bounds.texts(task.acceptance_criteria),
        because=bounds.ids(task.because),
    )


# ── positions ─────────────────────────────────────────────────────────────────────────────────────────────────────


def position_of(state: Deliberation, output: Output) -> PositionSummary:
    """An agent's position, with what has changed since it spoke before."""
    said = output.position
    return PositionSummary(
        conclusion=bounds.text(said.conclusion),
        key_reasons=bounds.texts(said.key_reasons),
        assumptions=bounds.texts(said.assumptions),
        confidence=bounds.fraction(said.confidence),
        changes_from_last_round=_changes(output, _before(state, output)),
        uncertainties=bounds.texts(said.uncertainties),
        worst_case=bounds.text(said.worst_case),
        slots=_slots(output),
        because=bounds.ids(said.because),
    )


def _before(state: Deliberation, output: Output) -> Output | None:
    earlier = (each.outputs.get(output.agent) for each in reversed(state.rounds[: output.round - 1]))
    return next((each for each in earlier if each is not None), None)


def _changes(output: Output, before: Output | None) -> PositionChanges | None:
    if before is None:
        return None
    old, new = before.position, output.position
    delta = bounds.fraction(new.confidence) - bounds.fraction(old.confidence)
    return PositionChanges(
        conclusion_changed=(old.conclusion, old.decision, old.choice) != (new.conclusion, new.decision, new.choice),
        reasons_added=bounds.texts(each for each in new.key_reasons if each not in old.key_reasons),
        confidence_delta=round(delta, 4),
    )


def _slots(output: Output) -> Slots:
    """Those that the position names, and where it names none those of its plan's tasks."""
    tasks, held = output.plan.tasks if output.plan else (), output.position
    hours = ((each.title, HOURS.format(each.estimated_hours)) for each in tasks if each.estimated_hours)
    named = [(each.name, each.day) for each in held.dates] or [(each.title, _span(each)) for each in tasks]
    owners = [(each.name, each.person_id) for each in held.owners] or [(each.title, each.owner) for each in tasks]
    return Slots(
        decision=held.decision,
        choice=bounds.text(held.choice),
        dates=_values(named),
        quantities=_values([(each.name, f"{each.number:g}") for each in held.quantities] or hours),
        owners=_values(owners),
    )


def _span(task: answers.PlanTask) -> str:
    starts, deadline = bounds.day(task.starts), bounds.day(task.deadline)
    return f"{starts}/{deadline}" if starts and deadline else deadline or ""


def _values(named: Iterable[tuple[str, str]]) -> tuple[SlotValue, ...]:
    found: Iterator[SlotValue] = (
        SlotValue(name=bounds.text(name), value=bounds.text(value)) for name, value in named if value
    )
    return tuple(found)[:LONGEST_LIST]


# ── what moved it ─────────────────────────────────────────────────────────────────────────────────────────────────


def moves_of(output: Output) -> tuple[Move, ...]:
    return tuple(
        Move(
            slot=each.slot,
            task_id=bounds.an_id(each.task_id),
            argument=bounds.an_id(each.argument),
            why=bounds.text(each.why),
        )
        for each in output.moves[:LONGEST_LIST]
    )


def answers_of(output: Output) -> tuple[PointAnswer, ...]:
    return tuple(
        PointAnswer(argument=bounds.an_id(each.argument), answer=bounds.text(each.answer))
        for each in output.answers[:LONGEST_LIST]
    )


def flaws_of(output: Output) -> tuple[Flaw, ...]:
    return tuple(
        Flaw(argument=bounds.an_id(each.argument), flaw=bounds.text(each.flaw)) for each in output.flaws[:LONGEST_LIST]
    )
