"""A plan that somebody has written down, for ``towow deliver --plan``: YAML, JSON, or a Markdown checklist."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BeforeValidator, Field, StringConstraints, ValidationError, model_validator

from bot.texts import texts_in
from engine.delivery.errors import InvalidPlan
from engine.delivery.planning.planning import worker_called
from engine.delivery.terms import (
    LONGEST_GOAL,
    LONGEST_TEXT,
    MOST_OUTPUTS,
    MOST_TICKETS,
    ExpectedOutput,
    Owner,
    Role,
    Task,
    WorkerKind,
)
from engine.errors import Misconfigured
from engine.facts.language import Language
from engine.files.yaml_locations import Fault, InvalidFile, LocatedYaml, Position, read_yaml
from engine.kernel import Validated

# ── as Markdown ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Reads the tasks of a Markdown checklist, such as the export of a plan that was argued out.


_TITLE: Final = re.compile(r"^# +(.+)$", re.M)
_TASK: Final = re.compile(r"^[-*+] \[ \] +(?P<said>.+)$")
_BOLD: Final = re.compile(r"^\*\*(?P<title>.+?)\*\*(?:: *(?P<facts>.*))?$")
_ACCEPTED: Final = re.compile(r"^\s+[-*+] ✓ *(.+)$")
_BELOW: Final = re.compile(r"^\s+[-*+] (.+)$")
_DAY: Final = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")


def tasks_in(text: str) -> tuple[str, list[dict[str, Any]]]:
    """Return the title, and the fields of each open item of the list, by the names of a plan's file."""
    tasks: list[dict[str, Any]] = []
    for line in text.splitlines():
        if found := _TASK.match(line):
            tasks.append(_task_line(found["said"], tasks))
        elif tasks and (found := _ACCEPTED.match(line)):
            tasks[-1].setdefault("acceptance_criteria", []).append(_plain(found[1]))
        elif tasks and (found := _BELOW.match(line)) and (result := _result(found[1])):
            tasks[-1].setdefault("expected_outputs", []).append(_plain(result))
    title = _TITLE.search(text)
    return _plain(title[1]) if title else "", tasks


def _result(said: str) -> str:
    """Return what comes of a task, where a line says so as the export writes it in one of its languages."""
    for language in get_args(Language):
        label = texts_in(language).say("Result: {result}", result="").strip()
        if said.startswith(label):
            return said.removeprefix(label).strip()
    return ""


def _task_line(said: str, before: list[dict[str, Any]]) -> dict[str, Any]:
    """What an item says: its title in bold, then who, when and after what, divided by dots."""
    bold = _BOLD.match(said.strip())
    task: dict[str, Any] = {"task_id": f"task-{len(before) + 1}", "title": _plain(bold["title"] if bold else said)}
    facts = _plain(bold["facts"] or "").split(" · ") if bold else []
    if days := [day for each in facts for day in _DAY.findall(each)]:
        task["deadline"] = days[-1]
        if len(days) > 1:
            task["starts"] = days[0]
    if len(facts) > 1 and (after := [each["task_id"] for each in before if each["title"] in facts[-1]]):
        task["dependencies"] = after
    return task


def _plain(text: str) -> str:
    return _ESCAPED.sub(r"\1", text).strip()


# ── as a file ─────────────────────────────────────────────────────────────────────────────────────────────────────────


LONGEST_TITLE: Final = 200
YOU: Final = "U_YOU"
"""The user id of whoever sits at the terminal."""


def _as_text(value: Any) -> Any:
    """YAML makes numbers and dates of what looks so."""
    is_plain = isinstance(value, int | float | date) and not isinstance(value, bool)
    return str(value) if is_plain else value


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else () if value is None else value


Name = Annotated[str, BeforeValidator(_as_text), StringConstraints(min_length=1, max_length=80, pattern=r"^\S+$")]
Day = Annotated[str, BeforeValidator(_as_text), StringConstraints(pattern=r"^(\d{4}-\d{2}-\d{2})?$")]
Line = Annotated[str, BeforeValidator(_as_text), StringConstraints(min_length=1, max_length=300, pattern=r"\S")]
Lines = Annotated[tuple[Line, ...], BeforeValidator(_as_list)]
Names = Annotated[tuple[Name, ...], BeforeValidator(_as_list)]


class RoleNamed(Validated):
    """Seed 002 names a role inside of a mapping, where no person is meant."""

    role_id: str = ""


class GivenTask(Validated):
    """A task, in the words of seed 002, section 5.1, and what a ticket knows besides."""

    task_id: Name
    title: Annotated[str, StringConstraints(max_length=LONGEST_TITLE)] = ""
    description: Annotated[str, StringConstraints(max_length=LONGEST_TEXT)] = ""
    """One of both is given."""
    dependencies: Names = ()
    expected_outputs: Annotated[Lines, Field(max_length=MOST_OUTPUTS)] = ()
    assigned_to: RoleNamed | Annotated[str, BeforeValidator(_as_text)] = ""
    """A role, ``you``, or the name of a person of the plan's ``people``, whom whoever sits at the terminal plays."""
    status: str = ""
    """As a plan has it; a ticket begins with ``pending``, whatever it says."""
    acceptance_criteria: Lines = ()
    risks: Lines = ()
    risk: Literal["low", "high"] = "low"
    risk_reason: Annotated[str, StringConstraints(max_length=300)] = ""
    high_risk: bool = False
    """As plans of before say ``risk: high``."""
    checked_by: Annotated[str, BeforeValidator(_as_text), StringConstraints(max_length=80)] = ""
    """``you``, or the name of a person of the plan's ``people``: who approves it, where that is not who does it."""
    capabilities: Names = ()
    check: str = ""
    starts: Day = ""
    deadline: Day = ""
    hours: float | None = Field(None, ge=0)

    @model_validator(mode="after")
    def _says_something(self) -> "GivenTask":
        if not (self.title.strip() or self.description.strip()):
            raise ValueError("give a title or a description")
        return self


class GivenPlan(Validated):
    """The fields of a plan's file."""

    title: Annotated[str, StringConstraints(max_length=LONGEST_TITLE)] = ""
    goal: Annotated[str, StringConstraints(max_length=LONGEST_GOAL)] = ""
    ends: Day = ""
    people: Lines = ()
    """Names that are no roles."""
    tasks: Annotated[tuple[GivenTask, ...], Field(max_length=MOST_TICKETS)]

    @model_validator(mode="after")
    def _has_tasks(self) -> "GivenPlan":
        if not self.tasks:
            raise ValueError("there is no task in it")
        return self


def tasks_of(plan: GivenPlan, roles: Iterable[Role]) -> tuple[Task, ...]:
    """Return the tasks with their owners, as the rules know them."""
    known = {each.role_id: each for each in roles}
    return tuple(_task(each, known, plan.people) for each in plan.tasks)


def _task(given: GivenTask, roles: dict[str, Role], people: tuple[str, ...]) -> Task:
    title = given.title.strip() or given.description.strip().splitlines()[0][:LONGEST_TITLE]
    return Task(
        task_id=given.task_id,
        title=title,
        description=given.description if given.description.strip() != title else "",
        owner=_owner(given, roles, people),
        depends_on=given.dependencies,
        outputs=tuple(ExpectedOutput(label=each) for each in given.expected_outputs),
        acceptance=given.acceptance_criteria,
        risks=given.risks,
        needs_proposal=given.high_risk or given.risk == "high",
        risk_reason=given.risk_reason,
        checked_by=_checker(given, people),
        capabilities=given.capabilities,
        check=given.check,
        starts=given.starts,
        deadline=given.deadline,
        hours=given.hours,
    )


def _owner(given: GivenTask, roles: dict[str, Role], people: tuple[str, ...]) -> Owner:
    role, said = (
        (given.assigned_to.role_id, "") if isinstance(given.assigned_to, RoleNamed) else ("", given.assigned_to)
    )
    name = (role or said).strip()
    if not name and given.capabilities:
        return Owner()  # code chooses
    if not name or (not role and (name == "you" or (name in people and name not in roles))):
        return Owner(kind=WorkerKind.PERSON, user_id=YOU, name="" if name == "you" else name)
    return worker_called(name, roles, given.task_id)


def _checker(given: GivenTask, people: tuple[str, ...]) -> str:
    """Return whoever approves a task, by their id in the plan."""
    name = given.checked_by.strip()
    if name and name != "you" and name not in people:
        raise InvalidPlan(
            f"Task {given.task_id}: checked_by names {name}, who is neither you nor one of the plan's people."
        )
    return YOU if name else ""


def read_plan_file(path: Path) -> GivenPlan:
    """Read a plan from YAML, JSON or a Markdown checklist."""
    try:
        text = path.read_text("utf-8-sig")
        if path.suffix.lower() in (".md", ".markdown"):
            return _from_markdown(path, text)
        return _from_yaml(read_yaml(path, text.replace("\t", " ") if path.suffix.lower() == ".json" else text))
    except InvalidFile as error:
        raise Misconfigured([str(each) for each in sorted(error.faults)]) from error
    except UnicodeDecodeError as error:
        raise Misconfigured([str(Fault(path, Position(), "this is not UTF-8 text"))]) from error
    except OSError as error:
        raise Misconfigured([f"{path} cannot be read: {error.strerror}"]) from error


def _from_yaml(located: LocatedYaml) -> GivenPlan:
    data = dict(located.data)
    if "phases" in data:  # as `towow plan` writes one
        tasks = [*_of_phases(data)]
        people = [name for each in tasks if (name := each.get("assigned_to"))]
        data = {name: data[name] for name in ("title", "goal") if name in data} | {"tasks": tasks, "people": people}
    try:
        return GivenPlan.model_validate(data)
    except ValidationError as error:
        raise InvalidFile(located.faults(error, GivenPlan)) from error


_CALLED: Final = {
    "task_id": "task_id",
    "title": "title",
    "owner": "assigned_to",
    "depends_on": "dependencies",
    "expected_output": "expected_outputs",
    "acceptance_criteria": "acceptance_criteria",
    "starts": "starts",
    "deadline": "deadline",
    "estimated_hours": "hours",
}
"""What a task of a deliberated plan calls a field, and what it is called here."""


def _of_phases(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for phase in data["phases"] if isinstance(data["phases"], list) else ():
        for task in phase.get("tasks", ()) if isinstance(phase, dict) else ():
            yield {_CALLED[name]: value for name, value in task.items() if name in _CALLED and value not in (None, "")}


def _from_markdown(path: Path, text: str) -> GivenPlan:
    title, tasks = tasks_in(text)
    try:
        return GivenPlan.model_validate({"title": title[:LONGEST_TITLE], "tasks": tasks})
    except ValidationError as error:
        message = "no task can be read: write one a line, as `- [ ] What is to be done`, each of 300 characters at most"
        raise InvalidFile([Fault(path, Position(), message)]) from error
