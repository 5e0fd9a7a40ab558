"""The demo's worker, in a process of its own: it writes what is expected, and says only what is there."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.demo.delivery.part import scripted_role, workers_in
from engine.workers.registry import RegistryFile


def dispatch(**payload: Any) -> dict[str, Any]:
    told = {"title": "Fire drill", "steps": ["Ring the bell", "Count heads"], "acceptance_criteria": ["Nobody is left"]}
    return {
        "session_id": "deliver-1",
        "timestamp": "2027-01-15T08:00:00Z",
        "source": "scheduler",
        "target": "scripted_worker",
        "payload_type": "dispatch",
        "version": "1.0",
        "payload": {**told, "expected_outputs": [{"label": "Checklist", "path": "checklist.md"}], **payload},
    }


def works(folder: Path, envelope: dict[str, Any] | str) -> list[dict[str, Any]]:
    """What it answers in this folder."""
    said = envelope if isinstance(envelope, str) else json.dumps(envelope)
    command = scripted_role()["cli_command"]
    assert command[0] == sys.executable
    done = subprocess.run(
        command,
        input=said,
        capture_output=True,
        text=True,
        cwd=folder,
        env={},
        timeout=60,
        check=True,
    )
    return [json.loads(each) for each in done.stdout.splitlines()]


def test_it_writes_the_file_and_names_it_with_its_digest(tmp_path: Path) -> None:
    artifact, report = works(tmp_path, dispatch())

    content = (tmp_path / "checklist.md").read_bytes()
    assert artifact["payload_type"] == "artifact_ref"
    assert artifact["payload"]["digest"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
    assert artifact["payload"]["size_bytes"] == len(content)
    assert (report["payload"]["status"], report["payload"]["outputs"]) == ("completed", ["Checklist"])
    assert {each["session_id"] for each in (artifact, report)} == {"deliver-1"}
    text = content.decode()
    assert "# Fire drill" in text
    assert "- [ ] Ring the bell\n- [ ] Count heads" in text
    assert "- [ ] Nobody is left" in text


def test_it_writes_what_is_to_be_done_where_there_are_no_steps(tmp_path: Path) -> None:
    works(tmp_path, dispatch(title="消防演习清单", description="拉响警铃。清点人数！", steps=[]))
    text = (tmp_path / "checklist.md").read_text("utf-8")
    assert "- [ ] 拉响警铃。清点人数！\n" in text


@pytest.mark.parametrize(
    ("name", "begins"),
    [pytest.param("list.csv", "step,done\n", id="a table"), pytest.param("list.json", "{\n", id="data")],
)
def test_a_file_has_the_form_that_its_name_asks_for(tmp_path: Path, name: str, begins: str) -> None:
    works(tmp_path, dispatch(expected_outputs=[{"label": "List", "path": name}]))
    assert (tmp_path / name).read_text("utf-8").startswith(begins)


def test_it_writes_nowhere_but_where_it_works(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    works(folder, dispatch(expected_outputs=[{"label": "List", "path": "../list.md"}]))
    assert [each.name for each in tmp_path.iterdir()] == ["work"]


def test_it_has_nothing_against_a_proposal(tmp_path: Path) -> None:
    [report] = works(tmp_path, dispatch() | {"payload_type": "instruction_proposal"})
    assert report["payload"]["status"] == "proposal"


def test_an_envelope_may_stand_on_several_lines(tmp_path: Path) -> None:
    assert works(tmp_path, json.dumps(dispatch(), indent=2))[-1]["payload"]["status"] == "completed"


def test_its_entry_is_one_that_the_registry_takes(tmp_path: Path) -> None:
    access = workers_in(tmp_path / "demo")
    [role] = RegistryFile(access.roles).current().roles
    assert (role.role_id, role.metadata.protocol) == ("scripted_worker", "envelope")
