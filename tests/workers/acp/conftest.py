"""Attempts of the tests' agent."""

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.runtime.clock import JumpingClock
from engine.workers.acp import AcpContext, run_acp
from engine.workers.port import Limits, WantedOutput, WorkOrder, WorkOutcome
from engine.workers.process import Launch
from engine.workers.registry import RoleEntry, RoleMetadata

ROOT = Path(__file__).parents[3]
AGENT = (sys.executable, "-S", "-m", "tests.workers.acp.agent")
LIBRARY_AGENT = (sys.executable, "-m", "tests.workers.acp.library_agent")
NOW = 1_800_000_000_000
LIMITS = Limits(total=30.0, silence=10.0, permission_wait=5.0, output_bytes=8_000_000, artifact_bytes=100_000)
MODE = RoleMetadata(session_mode="default")
ROLE = RoleEntry(role_id="agent", display_name="Agent", type="worker", cli_command=("python",), metadata=MODE)
ORDER = WorkOrder(
    session="s-1",
    ticket="T-1",
    attempt=1,
    role_id="agent",
    purpose="work",
    text="Write the plan; it costs $5.",
    envelope={},
    outputs=(WantedOutput(label="The plan", path="plan.md"),),
    limits=LIMITS,
)


@dataclass(slots=True)
class Bench:
    """A directory of the work, and whoever works in it."""

    directory: Path
    environment: Mapping[str, str]
    command: tuple[str, ...] = ()
    """Of another agent than the tests' own."""
    clock: JumpingClock = field(default_factory=lambda: JumpingClock(NOW))

    async def attempt(self, how: str, *, limits: Limits = LIMITS, mode: str = "default", **changes: Any) -> WorkOutcome:
        """One attempt of an agent that behaves like that."""
        role = ROLE.model_copy(update={"metadata": RoleMetadata(session_mode=mode)})
        context = AcpContext(self.launch(how, limits), self.clock, self.register)
        return await run_acp(role, replace(ORDER, limits=limits, **changes), context)

    def launch(self, how: str, limits: Limits = LIMITS) -> Launch:
        return Launch(
            command=self.command or (*AGENT, how),
            directory=self.directory,
            environment=self.environment,
            total=limits.total,
            silence=limits.silence,
            output_bytes=limits.output_bytes,
            clock=self.clock,
            grace=0.5,
        )

    async def begun(self, how: str, **changes: Any) -> "asyncio.Task[WorkOutcome]":
        """An attempt whose agent has begun, and does nothing more."""
        pipe = self.directory / "begun"
        os.mkfifo(pipe)
        attempt = asyncio.create_task(self.attempt(how, **changes))
        await asyncio.to_thread(pipe.read_text)
        return attempt

    async def register(self) -> WorkOutcome:
        there = (self.directory / "plan.md").is_file()
        return WorkOutcome() if there else WorkOutcome(failure="evidence_missing")

    def told(self) -> str:
        return (self.directory / "told.md").read_text("utf-8")

    def answers(self) -> list[str]:
        """The kinds of the options that were chosen, in their order."""
        return (self.directory / "answers").read_text().splitlines()

    def left(self) -> list[int]:
        """Who still runs: of those whom the agent started, and of those who are in its directory."""
        pids = self.directory / "pids"
        started = {int(pid) for pid in pids.read_text().split()} if pids.exists() else set()
        return [pid for pid in _running() if pid in started or _directory(pid).is_relative_to(self.directory)]


def _running() -> list[int]:
    pids = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit()]
    return [pid for pid in pids if _state(pid) not in "ZX"]


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"


def _directory(pid: int) -> Path:
    try:
        return Path(os.readlink(f"/proc/{pid}/cwd"))
    except OSError:
        return Path("/")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    return Bench(tmp_path, environment)
