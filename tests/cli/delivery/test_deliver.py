"""``towow deliver``: what it prints, how it ends, and that nothing of it stays."""

import json
import os
import re
import signal
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from ..conftest import LONGEST, ROOT, Towow, ended, process, typed_into

PLAN = """\
title: Move the office
tasks:
  - {task_id: list, title: List what is moved, expected_outputs: [inventory.md]}
  - {task_id: book, title: Book the van, dependencies: [list]}
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN, "utf-8")
    return path


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        pytest.param([], "Say what is to be carried out", id="nothing"),
        pytest.param(["  "], "Say what is to be carried out", id="blanks"),
        pytest.param(["Do it", "--plan", "plan.yaml"], "Say what is to be carried out", id="both"),
        pytest.param(["--plan", "nowhere.yaml"], "cannot be read", id="no file"),
        pytest.param(["Do it", "--roles", "nowhere.json"], "cannot be read", id="no registry"),
    ],
)
def test_what_cannot_begin_is_said(towow: Towow, plan: Path, arguments: list[str], complaint: str) -> None:
    done = towow("deliver", *arguments)

    assert (done.code, done.out) == (2, "")
    assert complaint in done.err


def test_a_cycle_is_refused(towow: Towow, plan: Path) -> None:
    plan.write_text(PLAN.replace("title: List", "dependencies: [book], title: List"), "utf-8")

    done = towow("deliver", "--plan", plan, "--json")

    assert (done.code, done.out) == (2, "")
    assert "wait for each other" in done.err


def test_where_nobody_is_asked_what_waits_for_a_person_stays_undone(towow: Towow, plan: Path) -> None:
    done = towow("deliver", "--plan", plan, "--json")

    *events, result = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 1
    assert [each["seq"] for each in events] == [*range(1, len(events) + 1)]
    assert (events[0]["event_type"], events[-1]["event_type"]) == ("towow.delivery.opened", "towow.delivery.ended")
    payload = result["payload"]
    assert (result["event_type"], payload["status"], payload["reason"]) == ("result", "incomplete", "stopped")
    assert [each["dependencies"] for each in payload["tickets"]] == [[], ["list"]]


@pytest.mark.exhaustive
def test_nothing_is_typed_any_more(plan: Path, tmp_path: Path) -> None:
    done = ended(process("deliver", "--plan", plan, cwd=tmp_path))

    assert done.code == 1, done.err
    assert "T-1 List what is moved is yours." in done.out
    assert "inventory.md>" in done.out


@pytest.mark.parametrize("line", ["stop", pytest.param("STOP ", marks=pytest.mark.exhaustive)])
def test_stop_ends_it(plan: Path, tmp_path: Path, line: str) -> None:
    running = typed_into("deliver", "--plan", plan, cwd=tmp_path)
    out, err = running.communicate(f"{line}\n", LONGEST)

    assert (running.returncode, err) == (1, "")
    assert "0 of 2 tickets are done" in out


@pytest.mark.exhaustive
def test_it_can_be_interrupted_while_it_waits_for_somebody(plan: Path, tmp_path: Path) -> None:
    running = typed_into("deliver", "--plan", plan, cwd=tmp_path)
    assert running.stdout is not None
    while "inventory.md>" not in running.stdout.readline():
        pass
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=LONGEST)

    assert (running.returncode, err) == (130, "")


def test_a_delivery_that_was_interrupted_goes_on(plan: Path, tmp_path: Path) -> None:
    database = tmp_path / "towow.db"
    running = typed_into("deliver", "--plan", plan, "--db", database, cwd=tmp_path)
    assert running.stdout is not None
    while "inventory.md>" not in running.stdout.readline():
        pass
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=LONGEST)

    shown = "What is moved: ten chairs, four desks, two shelves.\na\nhttps://van.example/bookings/1\na\n"
    out, err = typed_into("deliver", "--db", database, cwd=tmp_path).communicate(shown, LONGEST)
    again = ended(process("deliver", "--db", database, cwd=tmp_path))

    assert err == ""
    assert "All 2 tickets are done." in out, out
    assert (again.code, again.out) == (2, "")
    assert "No delivery goes on" in again.err


def test_events_of_other_deliveries_are_not_told(towow: Towow, plan: Path, tmp_path: Path) -> None:
    first, second = (towow("deliver", "--plan", plan, "--json", "--db", tmp_path / "towow.db") for _ in range(2))

    lines = ([json.loads(line) for line in each.out.splitlines()] for each in (first, second))
    sessions = [{line["payload"]["session_id"] for line in each} for each in lines]
    assert [len(each) for each in sessions] == [1, 1]
    assert sessions[0].isdisjoint(sessions[1])


HANGS = "import sys, time; pipe = open(sys.argv[1], 'w'); print('here', file=pipe, flush=True); time.sleep(600)"
"""A worker that says that it is there, and holds what it says that with until it ends."""
SAYS_SO = "import sys; sys.stdin.read()"
"""A worker that leaves nothing."""


@pytest.fixture
def roles(tmp_path: Path) -> Path:
    def role(role_id: str, *command: str) -> dict[str, object]:
        metadata = {"protocol": "envelope", "sandbox": "off"} if command else {"protocol": "model"}
        told = {"role_id": role_id, "display_name": role_id.title(), "type": "worker"}
        return told | {"cli_command": command, "metadata": metadata}

    path = tmp_path / "roles.json"
    scripted = role("script", sys.executable, str(ROOT / "bot" / "demo" / "delivery" / "scripted_worker.py"))
    hanging = role("hanging", sys.executable, "-c", HANGS, str(tmp_path / "pipe"))
    liar = role("liar", sys.executable, "-c", SAYS_SO)
    path.write_text(json.dumps({"roles": [scripted, role("writer"), hanging, liar]}), "utf-8")
    return path


def test_a_plan_is_carried_out_by_a_script_and_whoever_types(tmp_path: Path, roles: Path) -> None:
    plan, shown = tmp_path / "plan.yaml", tmp_path / "van.txt"
    plan.write_text(
        "title: Move\n"
        "tasks:\n"
        "  - {task_id: list, title: List what is moved, expected_outputs: [inventory.md], assigned_to: script}\n"
        "  - {task_id: word, title: Write a farewell, expected_outputs: [farewell.md], assigned_to: script}\n"
        "  - {task_id: book, title: Book the van, expected_outputs: [booking], dependencies: [list, word]}\n",
        "utf-8",
    )
    shown.write_text("The van comes at nine.", "utf-8")
    running = typed_into("deliver", "--plan", plan, "--roles", roles, "--into", tmp_path / "made", cwd=tmp_path)
    out, err = running.communicate(f"a\na\n@{shown}\na\n", LONGEST)

    assert (running.returncode, err) == (0, ""), out
    assert "All 3 tickets are done." in out
    [session] = (tmp_path / "made").glob("deliver-*")
    made = re.findall(r"^    .*: (artifacts/\S+) \((\d+) bytes, sha256:([0-9a-f]{64})\)$", out, re.M)
    assert len(made) == 3
    for uri, size, digest in made:
        content = (session / uri).read_bytes()
        assert (len(content), sha256(content).hexdigest()) == (int(size), digest)


def test_rules_write_nothing_where_a_model_would_and_say_so(towow: Towow, tmp_path: Path, roles: Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text("tasks: [{task_id: a, title: Write a farewell, assigned_to: writer}]\n", "utf-8")

    done = ended(process("deliver", "--plan", plan, "--roles", roles, cwd=tmp_path))

    assert done.code == 1
    assert "Simple rules write no texts: this takes a model, or a person." in done.out


def test_who_leaves_nothing_has_done_nothing(towow: Towow, tmp_path: Path, roles: Path) -> None:
    plan, scheduler = tmp_path / "plan.yaml", tmp_path / "scheduler_config.json"
    plan.write_text("tasks: [{task_id: a, title: Build it, assigned_to: liar}]\n", "utf-8")
    scheduler.write_text('{"retries": 0, "escalations": 0}', "utf-8")

    done = ended(
        process(
            "deliver", "--plan", plan, "--roles", roles, "--json", cwd=tmp_path, TOWOW_SCHEDULER=str(scheduler)
        )
    )  # fmt: skip

    result = json.loads(done.out.splitlines()[-1])["payload"]
    assert (done.code, result["status"]) == (1, "incomplete"), done.err
    [ticket] = result["tickets"]
    assert (ticket["status"], ticket["artifacts"]) == ("error", [])


def test_an_interrupt_leaves_no_worker_behind(tmp_path: Path, roles: Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text("tasks: [{task_id: a, title: Build it, assigned_to: hanging}]\n", "utf-8")
    os.mkfifo(tmp_path / "pipe")
    running = typed_into("deliver", "--plan", plan, "--roles", roles, "--into", tmp_path / "made", cwd=tmp_path)
    with (tmp_path / "pipe").open(encoding="utf-8") as pipe:
        assert pipe.readline() == "here\n"
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=LONGEST)

        assert (running.returncode, err) == (130, "")
        assert pipe.read() == "", "it ends where nobody holds it any more"
