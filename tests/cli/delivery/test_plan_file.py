"""Plans that somebody has written down, for ``towow deliver --plan``."""

import json
from pathlib import Path

import pytest

from bot.commands.delivery.plan_file import YOU, read_plan_file, tasks_of
from bot.texts import texts_in
from engine.delivery.errors import InvalidPlan
from engine.delivery.terms import Owner, Role, WorkerKind
from engine.errors import Misconfigured

AGENT = Role(role_id="worker_agent", name="Agent", kind=WorkerKind.ACP)
MANAGER = Role(role_id="manager", name="Manager", kind=WorkerKind.MODEL, is_manager=True)

SEED = {
    "people": ["Mei"],
    "tasks": [
        {
            "task_id": "T1",
            "description": "Collect the sources",
            "dependencies": [],
            "expected_outputs": ["sources.md"],
            "assigned_to": {"role_id": "worker_agent"},
            "status": "pending",
        },
        {"task_id": "T2", "description": "Write\nit up", "dependencies": ["T1"], "assigned_to": "Mei"},
    ],
}
"""A plan by the words of seed 002, section 5.1."""

EXPORT = """\
# A meetup \\& more

**The plan**

### Before (two weeks)

- [ ] **Book the room**: Lin Xiao · 2027-01-05 – 2027-01-12 · 4 h
  - Result: booking.pdf
  - ✓ It holds 50
- [ ] **Invite \\*everybody\\***: nobody yet · 2027-01-20 · after Book the room
- [x] **Done before**: you

## Risks

- It rains
"""


def read(path: Path, text: str) -> list[str]:
    """The faults."""
    path.write_text(text, "utf-8")
    with pytest.raises(Misconfigured) as refused:
        read_plan_file(path)
    return list(refused.value.faults)


@pytest.mark.parametrize("indent", [2, "\t"], ids=["spaces", "tabs"])
def test_a_plan_in_the_seed_s_words_is_read(tmp_path: Path, indent: int | str) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(SEED, indent=indent), "utf-8")

    first, second = tasks_of(read_plan_file(path), [AGENT, MANAGER])

    assert (first.title, first.owner) == (
        "Collect the sources",
        Owner(kind=WorkerKind.ACP, role_id="worker_agent", name="Agent"),
    )
    assert [each.label for each in first.outputs] == ["sources.md"]
    assert (second.title, second.description, second.depends_on) == ("Write", "Write\nit up", ("T1",))
    assert second.owner == Owner(kind=WorkerKind.PERSON, user_id=YOU, name="Mei")


def test_the_manager_gets_no_ticket(tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text("tasks:\n  - {task_id: a, title: Do it, assigned_to: manager}\n", "utf-8")

    with pytest.raises(InvalidPlan, match="Task a: manager is a manager, which plans and reviews"):
        tasks_of(read_plan_file(path), [AGENT, MANAGER])


@pytest.mark.parametrize("assigned", ["worker_agnet", "{role_id: worker_agnet}", "{role_id: Mei}"])
def test_a_role_that_nobody_has_is_refused_and_no_person(tmp_path: Path, assigned: str) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(f"people: [Mei]\ntasks:\n  - {{task_id: a, title: Do it, assigned_to: {assigned}}}\n", "utf-8")

    with pytest.raises(InvalidPlan, match=r"Task a: There is no worker .*There are: worker_agent"):
        tasks_of(read_plan_file(path), [AGENT, MANAGER])


def test_whoever_is_able_is_left_to_code(tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text("tasks:\n  - {task_id: 1, title: Do it, capabilities: coding, deadline: 2027-03-01}\n", "utf-8")

    [task] = tasks_of(read_plan_file(path), [AGENT])

    assert (task.task_id, task.owner, task.capabilities, task.deadline) == ("1", Owner(), ("coding",), "2027-03-01")


def test_a_plan_that_was_argued_out_is_read(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    task = {
        "title": "Book the room",
        "estimated_hours": 4,
        "deadline": None,
        "tags": [],
        "task_id": "room",
        "owner": "worker_agent",
        "depends_on": [],
        "expected_output": "A booking",
        "because": ["fact-1"],
    }
    phases = [{"phase_name": "All", "duration": "", "tasks": [task]}]
    path.write_text(json.dumps({"title": "A meetup", "goal": "Meet", "phases": phases, "total_estimated_hours": 4}))

    plan = read_plan_file(path)
    [read_task] = tasks_of(plan, [AGENT])

    assert (plan.title, plan.goal) == ("A meetup", "Meet")
    assert (read_task.task_id, read_task.owner.role_id, read_task.hours) == ("room", "worker_agent", 4)


def test_the_open_items_of_an_exported_plan_are_its_tasks(tmp_path: Path) -> None:
    path = tmp_path / "plan.md"
    path.write_text(EXPORT, "utf-8")

    plan = read_plan_file(path)

    assert plan.title == "A meetup & more"
    room, invite = plan.tasks
    assert (room.title, room.starts, room.deadline) == ("Book the room", "2027-01-05", "2027-01-12")
    assert (room.expected_outputs, room.acceptance_criteria) == (("booking.pdf",), ("It holds 50",))
    assert (invite.title, invite.dependencies, invite.deadline) == ("Invite *everybody*", ("task-1",), "2027-01-20")


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_what_comes_of_a_task_is_read_as_the_export_writes_it(tmp_path: Path, locale: str) -> None:
    result = texts_in(locale).say("Result: {result}", result="booking.pdf")
    path = tmp_path / "plan.md"
    path.write_text(f"- [ ] **Book the room**: Lin Xiao\n  - {result}\n  - Ring first\n", "utf-8")

    [task] = read_plan_file(path).tasks
    assert task.expected_outputs == ("booking.pdf",)


def test_every_fault_is_named_with_its_line(tmp_path: Path) -> None:
    faults = read(
        tmp_path / "plan.yaml", "tasks:\n  - task_id: a\n  - task_id: b c\n    title: Do\n    deadline: soon\n"
    )

    assert [each.rpartition("plan.yaml:")[2].partition(":")[0] for each in faults] == ["2", "3", "5"]
    assert "give a title or a description" in faults[0]


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        pytest.param("plan.yaml", "tasks: []", "there is no task", id="no task"),
        pytest.param("plan.json", "[]", "found a list", id="a list"),
        pytest.param("plan.md", "# A plan\n\n- nothing to tick\n", "no task can be read", id="no checklist"),
        pytest.param("plan.yaml", "tasks: &a [*a]", "alias", id="an alias"),
    ],
)
def test_what_is_no_plan_is_refused(tmp_path: Path, name: str, text: str, fault: str) -> None:
    assert fault in read(tmp_path / name, text)[0]


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="cannot be read: No such file"):
        read_plan_file(tmp_path / "nowhere.yaml")


def checked_by(folder: Path, named: str) -> Path:
    """Write a plan of one task that an agent does and somebody approves."""
    path = folder / "plan.json"
    task = {"task_id": "T1", "title": "Collect", "assigned_to": "worker_agent", "checked_by": named}
    path.write_text(json.dumps({"people": ["Mei"], "tasks": [task]}), "utf-8")
    return path


@pytest.mark.parametrize("named", ["you", "Mei"])
def test_a_task_names_who_approves_it(tmp_path: Path, named: str) -> None:
    [task] = tasks_of(read_plan_file(checked_by(tmp_path, named)), [AGENT])

    assert task.checked_by == YOU


def test_who_is_to_approve_it_is_one_of_those_who_are_here(tmp_path: Path) -> None:
    with pytest.raises(InvalidPlan, match="Zoe"):
        tasks_of(read_plan_file(checked_by(tmp_path, "Zoe")), [AGENT])
