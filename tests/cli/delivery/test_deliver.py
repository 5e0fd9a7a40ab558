"""``towow deliver``: what it prints, how it ends, and that nothing of it stays."""

import json
import signal
from pathlib import Path

import pytest

from ..conftest import LONGEST, Towow, ended, process, typed_into

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


def test_nothing_is_typed_any_more(plan: Path, tmp_path: Path) -> None:
    done = ended(process("deliver", "--plan", plan, cwd=tmp_path))

    assert done.code == 1, done.err
    assert "T-1 List what is moved is yours." in done.out
    assert "inventory.md>" in done.out


@pytest.mark.parametrize("line", ["stop", "STOP "])
def test_stop_ends_it(plan: Path, tmp_path: Path, line: str) -> None:
    running = typed_into("deliver", "--plan", plan, cwd=tmp_path)
    out, err = running.communicate(f"{line}\n", LONGEST)

    assert (running.returncode, err) == (1, "")
    assert "0 of 2 tickets are done" in out


def test_it_can_be_interrupted_while_it_waits_for_somebody(plan: Path, tmp_path: Path) -> None:
    running = typed_into("deliver", "--plan", plan, cwd=tmp_path)
    assert running.stdout is not None
    while "inventory.md>" not in running.stdout.readline():
        pass
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=LONGEST)

    assert (running.returncode, err) == (130, "")
