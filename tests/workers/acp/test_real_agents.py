"""Agents that people use, against the local Anthropic: each asks, is answered in another process, and writes a file."""

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from engine.workers.doctor import look_at
from engine.workers.port import AnsweredPermission
from engine.workers.registry import WorkersAccess
from tests.anthropic_server import KEY, LocalAnthropic, Received, Says, Step, Uses

from .conftest import ROOT, Bench
from .test_modes import documented

AGENTS = ROOT / ".agents" / "node_modules" / ".bin"
MODEL = "claude-sonnet-4-6"
PLAN = "# Plan\n\nWe meet on Friday.\n"


@dataclass(frozen=True, slots=True)
class Agent:
    package: str
    command: tuple[str, ...]
    tool: str
    """Its own, which writes a file."""
    call: Callable[[Path], dict[str, Any]]
    settings: Callable[[str], Mapping[str, str]]
    """Given the server's address."""

    @property
    def installed(self) -> str:
        return shutil.which(self.command[0], path=f"{AGENTS}{os.pathsep}{os.environ['PATH']}") or ""


def _opencode(url: str) -> Mapping[str, str]:
    provider = {"anthropic": {"options": {"baseURL": f"{url}/v1", "apiKey": KEY}}}
    settings = {"provider": provider, "model": f"anthropic/{MODEL}", "permission": {"*": "ask"}, "autoupdate": False}
    return {"OPENCODE_CONFIG_CONTENT": json.dumps(settings), "OPENCODE_DISABLE_MODELS_FETCH": "1"}


def _claude(url: str) -> Mapping[str, str]:
    return {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_MODEL": MODEL,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }


REAL = {
    "Claude Code": Agent(
        "@agentclientprotocol/claude-agent-acp@0.101.0",
        ("claude-agent-acp",),
        "Write",
        lambda path: {"file_path": str(path), "content": PLAN},
        _claude,
    ),
    "OpenCode": Agent(
        "opencode-ai@1.18.33",
        ("opencode", "acp"),
        "write",
        lambda path: {"filePath": str(path), "content": PLAN},
        _opencode,
    ),
}


INSTALLED = {
    "claude-agent-acp": REAL["Claude Code"].package,
    "opencode": REAL["OpenCode"].package,
    "codex-acp": "@agentclientprotocol/codex-acp@2.6.0",
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("program", INSTALLED)
def test_what_the_docs_give_to_copy_works_up_to_where_a_model_would_be_asked(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In its sandbox, where there is one; in a mode that asks."""
    monkeypatch.setenv("PATH", f"{AGENTS}{os.pathsep}{os.environ['PATH']}")
    if not shutil.which(program):
        pytest.skip(f"{program} is not there: npm install --prefix .agents {INSTALLED[program]}")
    for names in documented().auth_profiles.values():
        for name in names:
            monkeypatch.setenv(name, KEY)
    role = next(each for each in documented().roles if each.cli_command[:1] == (program,))
    registry = documented().model_copy(update={"roles": (role,)})
    [found] = look_at(registry, WorkersAccess(tmp_path / "sessions"))
    assert (found.fault, bool(found.version)) == ("", True)


@pytest.fixture(params=["Claude Code", pytest.param("OpenCode", marks=pytest.mark.exhaustive)])
def agent(request: pytest.FixtureRequest) -> Agent:
    agent: Agent = REAL[request.param]
    if not agent.installed:
        pytest.skip(f"{agent.command[0]} is not there: npm install --prefix .agents {agent.package}")
    return agent


async def test_a_real_agent_asks_is_answered_hours_later_and_writes_the_file(agent: Agent, bench: Bench) -> None:
    def answers(request: Received) -> Step:
        last = request.body["messages"][-1]["content"][-1]
        if agent.tool not in [each["name"] for each in request.body.get("tools", [])]:
            return Says("The plan")  # it wants a title
        if last["type"] == "tool_result":
            return Says("I have written the plan.")
        return Uses([(agent.tool, agent.call(bench.directory / "plan.md"))])

    async with LocalAnthropic() as server:
        server.always(answers)
        bench = replace(
            bench,
            environment={**bench.environment, **agent.settings(server.url)},
            command=(agent.installed, *agent.command[1:]),
        )
        asked = await bench.attempt("", mode="")
        assert asked.permission is not None, asked
        assert asked.permission.kind == "edit"
        assert "+We meet on Friday." in asked.permission.detail
        assert asked.agent_session
        assert not (bench.directory / "plan.md").exists()
        assert bench.left() == []
        answer = AnsweredPermission(digest=asked.permission.digest, is_allowed=True)
        done = await bench.attempt("", mode="", permissions=(answer,), agent_session=asked.agent_session, attempt=2)
    assert (done.failure, done.permission) == (None, None), done
    assert done.agent_session == asked.agent_session
    assert done.summary == "I have written the plan."
    assert (bench.directory / "plan.md").read_text() == PLAN
    assert done.input_tokens > 0
    assert done.output_tokens > 0
    assert done.usd > 0
    assert bench.left() == []
