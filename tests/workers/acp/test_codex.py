"""Codex, as the docs give it to copy, does a ticket in its sandbox against a local server that speaks OpenAI's API."""

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.workers.port import AnsweredPermission, WorkOrder
from engine.workers.registry import WorkersAccess

from ...equipment import SANDBOX
from ..test_workers import carried_out, order
from .conftest import LIMITS
from .responses_server import KEY, Answering, Item, LocalResponses, says
from .test_modes import documented
from .test_real_agents import AGENTS, INSTALLED

PATCH = "*** Begin Patch\n*** Add File: plan.md\n+# Plan\n+\n+We meet on Friday.\n*** End Patch"
DONE = "I have written the plan."
COMMAND = "printf '# Plan\\n\\nWe meet on Friday.\\n' > plan.md"


def command(**more: str) -> Item:
    said = json.dumps({"cmd": COMMAND, **more})
    return {"type": "function_call", "call_id": "call_1", "name": "exec_command", "arguments": said}


BESIDES = {"sandbox_permissions": "require_escalated", "justification": "May I write the plan?"}
"""With which it wants to leave the sandbox of its own, in which nothing can be written."""
CALLS: Mapping[str, Item] = {
    "apply_patch": {"type": "custom_tool_call", "call_id": "call_1", "name": "apply_patch", "input": PATCH},
    "exec_command": command(**BESIDES),
}
"""Its own tools, by which it changes a file."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    SANDBOX.needed()
    monkeypatch.setenv("PATH", f"{AGENTS}{os.pathsep}{os.environ['PATH']}")
    if not shutil.which("codex-acp"):
        pytest.skip(f"codex-acp is not there: npm install --prefix .agents {INSTALLED['codex-acp']}")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return tmp_path


def registry(folder: Path, server: LocalResponses) -> Path:
    """The role as the docs give it to copy, in a sandbox in any case, with this server in place of OpenAI's."""
    role = next(each for each in documented().roles if each.cli_command[:1] == ("codex-acp",))
    told: dict[str, Any] = role.model_dump(mode="json", exclude_defaults=True)
    provider = {"name": "Local", "base_url": server.url, "wire_api": "responses", "env_key": "OPENAI_API_KEY"}
    config = json.loads(role.metadata.settings["CODEX_CONFIG"])
    config |= {"model_provider": "local", "model_providers": {"local": provider}}
    told["metadata"] |= {
        "sandbox": "required",
        "settings": {**role.metadata.settings, "CODEX_CONFIG": json.dumps(config)},
    }
    roles = folder / "roles.json"
    roles.write_text(
        json.dumps({"roles": [told], "auth_profiles": documented().model_dump()["auth_profiles"]}), "utf-8"
    )
    return roles


def ticket(**more: Any) -> WorkOrder:
    return order(role_id="worker_codex", text="Write the plan.", limits=LIMITS, **more)


def calling(call: Item) -> Answering:
    """Let it call a tool of its own, and then say that it is done."""

    def answering(body: Mapping[str, Any]) -> Item:
        if call["name"] not in [each.get("name") for each in body.get("tools", [])]:
            return says("The plan")  # it wants a title
        return says(DONE) if body["input"][-1]["type"].endswith("_output") else call

    return answering


@pytest.mark.exhaustive
@pytest.mark.parametrize("tool", CALLS)
@pytest.mark.parametrize("is_allowed", [True, False], ids=["allowed", "refused"])
async def test_it_asks_is_answered_in_another_process_and_what_it_wrote_is_registered(
    folder: Path, tool: str, *, is_allowed: bool
) -> None:
    async with LocalResponses(calling(CALLS[tool])) as server:
        access = WorkersAccess(folder / "sessions", registry(folder, server))
        asked = await carried_out(access, ticket())
        assert asked.permission is not None, asked
        assert asked.agent_session
        assert [*(folder / "sessions").rglob("plan.md")] == []
        answer = AnsweredPermission(digest=asked.permission.digest, is_allowed=is_allowed)
        done = await carried_out(access, ticket(attempt=2, permissions=(answer,), agent_session=asked.agent_session))

    assert server.faults == []
    assert {each["model"] for each in server.requests} == {"gpt-5.5"}
    assert done.agent_session == asked.agent_session
    if is_allowed:
        assert (done.failure, done.permission, done.summary) == (None, None, DONE), done
        assert [each.label for each in done.registered] == ["The plan"]
        assert done.input_tokens > 0
        assert done.output_tokens > 0
    else:
        assert done.failure is not None
        assert [*(folder / "sessions").rglob("plan.md")] == []


@pytest.mark.exhaustive
async def test_a_command_that_it_runs_without_asking_writes_nothing(folder: Path) -> None:
    async with LocalResponses(calling(command())) as server:
        outcome = await carried_out(WorkersAccess(folder / "sessions", registry(folder, server)), ticket())
    assert (outcome.failure, outcome.permission) == ("evidence_missing", None), outcome
    assert [*(folder / "sessions").rglob("plan.md")] == []
    told = next(
        each["output"] for body in server.requests for each in body["input"] if each["type"].endswith("_output")
    )
    assert told.strip().endswith("Read-only file system") or "bwrap" in told, told


@pytest.mark.exhaustive
async def test_a_key_that_is_not_taken_is_told_and_nothing_is_done(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-last-year-0000000")
    async with LocalResponses(lambda _: says(DONE)) as server:
        refused = await carried_out(WorkersAccess(folder / "sessions", registry(folder, server)), ticket())
    assert server.requests == []
    assert refused.failure is not None
    assert "does not take the key of auth_profile openai" in refused.detail
    assert "last-year" not in refused.detail
