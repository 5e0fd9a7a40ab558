"""What must hold of a deliberation that has been played: of any brief, and of a case with its known outcome."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from bot.demo.deliberation.evals.cases import Case, End, ExpectedTask
from engine.deliberation.answers import Plan, PlanTask
from engine.deliberation.rounds.plan_check import findings
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.state import Deliberation, Status
from engine.deliberation.terms import Agent

Check = Callable[[Case, Deliberation], Iterator[str]]
"""Yields what is wrong. What does not apply yields nothing."""


def end_of(state: Deliberation) -> End:
    return "agreed" if state.status is Status.CONVERGED else "diverged"


def _ends(case: Case, state: Deliberation) -> Iterator[str]:
    if (end := end_of(state)) != case.end:
        yield f"it ends with {end} ({state.reason}) instead of {case.end}"
    if state.report is None:
        yield "there is no report"


def _rounds(case: Case, state: Deliberation) -> Iterator[str]:
    if len(state.rounds) > case.rounds:
        yield f"{len(state.rounds)} rounds instead of {case.rounds} at most"


def _choice(case: Case, state: Deliberation) -> Iterator[str]:
    said = state.last_output(Agent.PLANNER)
    if case.choice is not None and (said is None or said.position.choice != case.choice):
        yield f"{said.position.choice if said else 'nothing'} is chosen instead of {case.choice}"


def _tasks(case: Case, state: Deliberation) -> Iterator[str]:
    plan = _plan(state)
    names = {each.person_id: each.name for each in state.brief.people}
    for expected in case.tasks:
        found = [each for each in plan.tasks if re.search(expected.task, each.title, re.I)] if plan else []
        if not found:
            yield f"no task is {expected.task}"
        elif not any(not [*_wrong(expected, each, names)] for each in found):
            yield "; ".join(_wrong(expected, found[0], names))


def _wrong(expected: ExpectedTask, task: PlanTask, names: Mapping[str, str]) -> Iterator[str]:
    if expected.owner is not None and names.get(task.owner, "") != expected.owner:
        yield f"{task.title} is given to {names.get(task.owner, 'nobody')} instead of {expected.owner or 'nobody'}"
    if expected.after is not None and task.deadline < expected.after:
        yield f"{task.title} is due {task.deadline}, before {expected.after}"
    if expected.before is not None and not "" < task.deadline <= expected.before:
        yield f"{task.title} is due {task.deadline or 'never'}, after {expected.before}"
    if task.deadline in expected.never:
        yield f"{task.title} is due {task.deadline}, when it cannot be"


def _covered(case: Case, state: Deliberation) -> Iterator[str]:
    plan = _plan(state)
    titles = "\n".join(each.title for each in plan.tasks) if plan else ""
    for pattern in case.covered:
        if not re.search(pattern, titles, re.I):
            yield f"no task covers {pattern}"


def _sound(case: Case, state: Deliberation) -> Iterator[str]:
    """What both agree on has nothing grave wrong with it."""
    plan, said = _plan(state), state.last_output(Agent.PLANNER)
    if plan is None or said is None or end_of(state) != "agreed":
        return
    read = state.read.facts if state.read else ()
    for each in findings(plan, state.brief, read, said.position.choice, options=state.options):
        if each.severity == "high":
            yield each.text


def _honest(case: Case, state: Deliberation) -> Iterator[str]:
    """A disagreement is told as one."""
    if state.report is None or end_of(state) == "agreed":
        return
    summary = state.report.summary
    if not state.report.is_divergent:
        yield "the report tells an agreement"
    if not (summary.open_disagreements or summary.dissent or summary.remaining_uncertainties):
        yield "the report does not say what is open"


CHECKS: Final[Mapping[str, Check]] = {
    "ends": _ends,
    "rounds": _rounds,
    "choice": _choice,
    "tasks": _tasks,
    "covered": _covered,
    "sound": _sound,
    "honest": _honest,
}


def faults(case: Case, state: Deliberation) -> dict[str, tuple[str, ...]]:
    return {name: tuple(check(case, state)) for name, check in CHECKS.items()}


def _plan(state: Deliberation) -> Plan | None:
    final = final_plan(state)
    return final.plan if final else None
