"""What an answer lacks so much that it is asked for once more, with what is wrong. What is still wrong then is left out
(`engine.deliberation.reading`), or argued about."""

from collections.abc import Iterator
from typing import Final

from engine.deliberation.answers import (
    MOST_TASKS,
    CriticDraft,
    Critique,
    DebaterAnswer,
    Plan,
    PlannerAnswer,
    SlotChange,
)
from engine.deliberation.checked import option_id
from engine.deliberation.named import chosen, iso_date, person
from engine.deliberation.reading import Known
from engine.deliberation.terms import Brief

MOST_TOLD: Final = 12


def faults(said: DebaterAnswer, known: Known, brief: Brief) -> str:
    """Say what is wrong with an answer of the Planner's or the Critic's; empty where nothing is."""
    found = [*_of_position(said, known)]
    if isinstance(said, PlannerAnswer | CriticDraft):
        found += _of_plan(said.plan, known, brief)
        found += _of_choice(said, known)
    if (critique := getattr(said, "critique", None)) is not None:
        found += _of_critique(critique, known)
    return "\n".join([*dict.fromkeys(found)][:MOST_TOLD])


def _of_position(said: DebaterAnswer, known: Known) -> Iterator[str]:
    if known.options and not chosen(said.position.choice, known.options):
        yield "position.choice names none of the brief's options; write one of them, word for word."
    if [each for each in said.moves if each.argument.strip() not in known.arguments]:
        yield "moves name arguments that do not exist; use the ids that are given, and no others."


def _of_choice(said: PlannerAnswer | CriticDraft, known: Known) -> Iterator[str]:
    """What is chosen stands in the tasks."""
    choice = chosen(said.position.choice, known.options)
    if not choice or said.position.decision == "no_go":
        return
    argument = option_id(known.options.index(choice))
    if not any(argument in {each.strip() for each in task.because} for task in said.plan.tasks):
        yield f"No task carries out what is chosen; name {argument} in the `because` of the tasks that do."


def _of_plan(plan: Plan, known: Known, brief: Brief) -> Iterator[str]:
    if not plan.tasks:
        yield "The plan has no task; give at least one, in a phase."
    if len(plan.tasks) > MOST_TASKS:
        yield f"The plan has {len(plan.tasks)} tasks; {MOST_TASKS} are the most. Put together what one person does."
    for task in plan.tasks:
        for name, said in (("starts", task.starts), ("deadline", task.deadline)):
            if said.strip() and not iso_date(said):
                yield f"{name} of {task.task_id} is no date; write it like 2026-03-09."
        if not task.deadline.strip():
            yield f"{task.task_id} has no deadline; give it one."
        elif (deadline := iso_date(task.deadline)) and brief.today and deadline < brief.today:
            yield f"The deadline of {task.task_id} is before today, {brief.today}."
        elif deadline and brief.ends and deadline > brief.ends and task.stage != "after":
            yield f"The deadline of {task.task_id} is after the end, {brief.ends}."
        if task.owner.strip() and not person(task.owner.strip(), known.people):
            yield f"The owner of {task.task_id} is nobody of the brief; use a person_id, or leave it empty."


def _of_critique(critique: Critique, known: Known) -> Iterator[str]:
    for suggestion in critique.suggestions:
        for change in suggestion.changes:
            if not _is_possible(change, known):
                yield f"A change of {change.slot} has a value that cannot be; write it in the form that was asked for."
    check = critique.validity_check
    if check.has_no and not critique.risks and not critique.suggestions:
        yield "validity_check has a false, and no risk and no suggestion says why."


def _is_possible(change: SlotChange, known: Known) -> bool:
    value = change.value.strip()
    match change.slot:
        case "start" | "deadline":
            return not value or bool(iso_date(value))
        case "owner":
            return not value or bool(person(value, known.people))
        case "choice":
            return bool(chosen(value, known.options))
    return True
