"""The files of prompts/workers/, which a person can edit."""

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.errors import Misconfigured
from engine.workers.acp_lines import load_texts, told
from engine.workers.port import AnsweredPermission, WorkOrder

from .conftest import ORDER, ROOT

SHIPPED = ROOT / "prompts" / "workers"
ANSWERED = (AnsweredPermission(digest="sha256:1", is_allowed=True),)


def test_every_file_is_used() -> None:
    assert {path.stem for path in SHIPPED.glob("*.md")} == {*load_texts(SHIPPED)}


@pytest.mark.parametrize(
    ("order", "is_resumed", "begins"),
    [
        pytest.param(ORDER, False, "Write the plan; it costs $5.\n\nIn the end", id="its first attempt"),
        pytest.param(replace(ORDER, attempt=2), False, "Somebody has worked on this before", id="a second one"),
        pytest.param(replace(ORDER, agent_session="s"), False, "Somebody has worked", id="its session is gone"),
        pytest.param(replace(ORDER, attempt=2), True, "Write the plan", id="it goes on"),
        pytest.param(replace(ORDER, permissions=ANSWERED), True, "You were stopped because you asked", id="answered"),
        pytest.param(replace(ORDER, purpose="discuss", attempt=2), False, "Write the plan", id="a proposal"),
    ],
)
def test_an_agent_is_told_what_happened_before(order: WorkOrder, is_resumed: bool, begins: str) -> None:
    text = told(order, is_resumed=is_resumed)
    assert text.startswith(begins)
    assert "Write the plan; it costs $5." in text


def test_work_names_the_files_and_a_proposal_asks_for_none() -> None:
    assert "- `plan.md`: The plan\n" in told(ORDER, is_resumed=False)
    assert "plan.md" not in told(replace(ORDER, purpose="discuss"), is_resumed=False)
    assert "(none)" in told(replace(ORDER, outputs=()), is_resumed=False)


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        pytest.param("work", None, "needs a header", id="not there"),
        pytest.param("work", "$task $outputs", "needs a header", id="no header"),
        pytest.param("work", "---\ngiven: [task, outputs]\n---\n$task", "exactly: outputs, task", id="not used"),
        pytest.param("work", "---\ngiven: [task]\n---\n$task $outputs", "exactly: outputs, task", id="not given"),
        pytest.param("discuss", "---\ngiven: [task]\n---\n$task $cost", "exactly: task", id="not known"),
        pytest.param("discuss", "---\ngiven: [task]\n---\n$task $5", "exactly: task", id="a dollar sign"),
        pytest.param("again", "---\n- given\n---\n$task", "exactly: task", id="no fields"),
    ],
)
def test_a_file_that_would_mislead_agents_is_a_fault(tmp_path: Path, name: str, text: str | None, fault: str) -> None:
    folder = tmp_path / "workers"
    shutil.copytree(SHIPPED, folder)
    (folder / f"{name}.md").unlink()
    if text is not None:
        (folder / f"{name}.md").write_text(text, "utf-8")
    with pytest.raises(Misconfigured, match=fault):
        load_texts(folder)
