"""What of a position changed from one output to the next, and whether an argument moved it."""

from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

from engine.deliberation.answers import Move, Plan, PlanTask, Position, SlotChange, SlotKind
from engine.deliberation.state import Argument, Deliberation, Output
from engine.deliberation.terms import Agent, ArgumentKind
from engine.facts.quotes import folded


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
