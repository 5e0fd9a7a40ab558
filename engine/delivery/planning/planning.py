"""How the tasks of a delivery come about: handed over, written down, or planned by the Manager."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from graphlib import CycleError, TopologicalSorter
from typing import Final

from msgspec.structs import replace

from engine.delivery.answers import PlanAnswer, PlannedTask
from engine.delivery.commands import RecordPlan
from engine.delivery.drafting import DeliveryDraft, later
from engine.delivery.errors import ChecksOwnWork, InvalidPlan
from engine.delivery.events import PlanReceived, PlanRefused, ReportBegun
from engine.delivery.outstanding import due_at
from engine.delivery.state import Delivery, Status, Ticket
from engine.delivery.terms import (
    MOST_OUTPUTS,
    MOST_TICKETS,
    Brief,
    EndReason,
    ExpectedOutput,
    Owner,
    PlannedBy,
    Role,
    Task,
    WorkerKind,
)
from engine.delivery.tickets.owners import language
from engine.facts.language import Language
from engine.kernel import HandedPerson, HandedTask, Millis

# ── what is wrong with a plan ─────────────────────────────────────────────────────────────────────────────────────────
# What is wrong with a plan, so that it cannot be carried out at all.


def faults_of(tasks: Sequence[Task]) -> tuple[str, ...]:
    """Return a sentence for each fault; nothing where it can be carried out."""
    found: list[str] = []
    if not tasks:
        return ("There is no task in the plan.",)
    if len(tasks) > MOST_TICKETS:
        found.append(f"The plan has {len(tasks)} tasks; {MOST_TICKETS} are the most.")
    counted = Counter(each.task_id for each in tasks)
    found += [f"Several tasks are called {name}; each needs a name of its own." for name, n in counted.items() if n > 1]
    for each in tasks:
        if not each.task_id:
            found.append("A task has no id.")
        if not each.title.strip():
            found.append(f"The task {each.task_id} has no title.")
        if len(each.outputs) > MOST_OUTPUTS:
            found.append(f"{each.task_id} has {len(each.outputs)} expected outputs; {MOST_OUTPUTS} are the most.")
        found += [
            f"{each.task_id} depends on {name}, which is no task of the plan."
            for name in each.depends_on
            if name not in counted
        ]
    if cycle := cycle_in(tasks):
        found.append(f"{' → '.join(cycle)} wait for each other, so none of them could ever begin.")
    return tuple(found)


def check_checkers(tasks: Sequence[Task]) -> None:
    """Check that nobody is to approve their own work."""
    for each in tasks:
        if each.checked_by and each.checked_by == each.owner.user_id:
            raise ChecksOwnWork(
                f"Task {each.task_id}: {each.checked_by} does it, and so cannot be the one who checks it. "
                "Name somebody else in checked_by, or leave it empty."
            )


def cycle_in(tasks: Sequence[Task]) -> tuple[str, ...]:
    """Return tasks that wait for each other, the first one once more at the end; nothing where none do."""
    known = {each.task_id for each in tasks}
    graph = {each.task_id: [name for name in each.depends_on if name in known] for each in tasks}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return tuple(reversed(error.args[1]))
    return ()


# ── how tasks come about ──────────────────────────────────────────────────────────────────────────────────────────────


MOST_PLANS: Final = 2
"""How often the Manager may send a plan that cannot be carried out."""
RESULT: Final = {"en": "Result", "zh": "成果"}
DAY: Final = timedelta(days=1).total_seconds()


def recorded(draft: DeliveryDraft, command: RecordPlan) -> None:
    state = draft.state
    if state.status is not Status.PLANNING or command.number != state.plans_refused + 1:
        return
    if command.answer is None:
        draft.happens(ReportBegun(**draft.ids, reason=EndReason.NO_MODEL, at=command.at))
        return
    tasks = tuple(completed(each, language(state)) for each in planned_tasks(state, command.answer))
    faults = faults_of(tasks)
    if not faults:
        receive(draft, tasks, PlannedBy.MANAGER, command.at, command.model, command.prompt_hash)
        return
    draft.happens(
        PlanRefused(
            **draft.ids,
            number=command.number,
            faults=faults,
            at=command.at,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )
    if draft.state.plans_refused >= MOST_PLANS:
        draft.happens(ReportBegun(**draft.ids, reason=EndReason.NO_PLAN, at=command.at))


def receive(
    draft: DeliveryDraft, tasks: tuple[Task, ...], by: PlannedBy, at: Millis, model: str = "", prompt_hash: str = ""
) -> None:
    """Make a ticket of each task."""
    draft.happens(
        PlanReceived(
            **draft.ids,
            tasks=tasks,
            by=by,
            until=_until(draft.state, tasks, at),
            at=at,
            model=model,
            prompt_hash=prompt_hash,
        )
    )


def _until(state: Delivery, tasks: Sequence[Task], at: Millis) -> Millis:
    """The policy's days after the last date that was agreed, or after now."""
    ends = (due_at(state, Ticket(ticket_id="", task=each, owner=each.owner)) for each in tasks)
    return later(max((each for each in ends if each), default=at), state.policy.max_days * DAY)


# ── tasks ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def tasks_of(brief: Brief, roles: Sequence[Role], requester: str) -> tuple[Task, ...]:
    """Return the tasks that were agreed before. What nobody has taken, such as a step of the plan, is the requester's:
    they may hand it on.
    """
    people = {each.person_id: each for each in brief.people}
    known = {each.role_id: each for each in roles}
    name = next((each.name for each in brief.people if each.user_id == requester), "")
    theirs = Owner(kind=WorkerKind.PERSON, user_id=requester, name=name) if requester else Owner()
    return tuple(_agreed(each, people, known, theirs) for each in brief.tasks)


def _agreed(handed: HandedTask, people: dict[str, HandedPerson], roles: dict[str, Role], otherwise: Owner) -> Task:
    output = handed.expected_output.strip()
    return Task(
        task_id=handed.task_id,
        title=handed.title,
        owner=named_owner(handed.owner, people, roles) if handed.owner else otherwise,
        depends_on=handed.depends_on,
        outputs=(ExpectedOutput(label=output),) if output else (),
        acceptance=handed.acceptance,
        starts=handed.starts,
        deadline=handed.deadline,
        hours=handed.hours,
    )


def named_owner(name: str, people: dict[str, HandedPerson], roles: dict[str, Role]) -> Owner:
    """Whoever is called so: somebody who acts for themselves, or a role; else nobody, whom the requester chooses."""
    person, role = people.get(name), roles.get(name)
    if person is not None and person.user_id:
        return Owner(kind=WorkerKind.PERSON, user_id=person.user_id, person_id=person.person_id, name=person.name)
    if person is not None:
        return Owner(person_id=person.person_id, name=person.name)
    if role is not None and not role.is_manager:
        return Owner(kind=role.kind, role_id=role.role_id, name=role.name)
    return Owner()


def worker_called(name: str, roles: Mapping[str, Role], task_id: str = "") -> Owner:
    """Return the role that is called so, as an owner."""
    role, of = roles.get(name), f"Task {task_id}: " if task_id else ""
    if role is not None and role.is_manager:
        raise InvalidPlan(f"{of}{name} is a manager, which plans and reviews; it carries no ticket out.")
    if role is None:
        known = ", ".join(each.role_id for each in roles.values() if not each.is_manager)
        raise InvalidPlan(f"{of}There is no worker {name}, nor such a person. There are: {known or 'none'}.")
    return Owner(kind=role.kind, role_id=role.role_id, name=role.name)


def planned_tasks(state: Delivery, answer: PlanAnswer) -> tuple[Task, ...]:
    people = {each.person_id: each for each in state.brief.people}
    return tuple(_task(each, people, dict(state.roles), state.requester_id) for each in answer.tasks)


def _task(planned: PlannedTask, people: dict[str, HandedPerson], roles: dict[str, Role], requester: str) -> Task:
    owner = named_owner(planned.owner, people, roles)
    checks = {name for each in roles.values() for name in each.checks}
    able = {name for each in roles.values() for name in each.capabilities}
    return Task(
        task_id=planned.task_id,
        title=planned.title,
        description=planned.description,
        owner=owner,
        depends_on=planned.depends_on,
        outputs=tuple(ExpectedOutput(label=each) for each in planned.expected_outputs),
        acceptance=planned.acceptance_criteria,
        risks=planned.risks,
        needs_proposal=planned.risk == "high",
        risk_reason=planned.risk_reason if planned.risk == "high" else "",
        checked_by=_checker(planned.checked_by, people, requester),
        capabilities=tuple(each for each in planned.capabilities if each in able),
        check=planned.check if planned.check in checks else "",
        starts=planned.starts,
        deadline=planned.deadline,
    )


def _checker(name: str, people: dict[str, HandedPerson], requester: str) -> str:
    """Return the user who is called so; where nobody is, or nobody acts for them, whoever asked."""
    if not name.strip():
        return ""
    person = people.get(name)
    return (person.user_id if person is not None else "") or requester


# ── what is expected ──────────────────────────────────────────────────────────────────────────────────────────────


def completed(task: Task, language: Language) -> Task:
    """Say what is expected of a task of which nothing is, and where each output is to lie."""
    named = [each.label.strip() for each in task.outputs if each.label.strip()]
    labels = list(dict.fromkeys(named)) or [RESULT[language]]
    taken: set[str] = set()
    outputs = []
    for number, label in enumerate(labels, 1):
        given = next((each.path for each in task.outputs if each.label.strip() == label), "")
        outputs.append(ExpectedOutput(label=label, path=_path(given or label, number, taken)))
    return replace(task, outputs=tuple(outputs))


_FILE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,60}\.[A-Za-z0-9]{1,8}")
_OTHER: Final = re.compile(r"[^a-z0-9]+")


def _path(said: str, number: int, taken: set[str]) -> str:
    """A file's name, made by code: of letters, digits, ``-``, ``_`` and one dot; each task has each only once."""
    found = _FILE.search(said)
    path = found.group() if found else f"{_OTHER.sub('-', said.casefold()).strip('-')[:40] or f'output-{number}'}.md"
    if path.casefold() in taken:
        stem, _, suffix = path.rpartition(".")
        path = f"{stem}-{number}.{suffix}"
    taken.add(path.casefold())
    return path
