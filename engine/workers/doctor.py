"""Says which roles can work on this machine, in which version, and whether there is a sandbox.

Each is tried as it would work: in its sandbox, with its environment, up to the point where a model would be asked.
"""

import asyncio
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from engine.facts.shortening import visible
from engine.runtime.clock import WallClock
from engine.workers.acp import AgentTrouble, try_agent
from engine.workers.port import Limits
from engine.workers.process import Launch, ProcessTrouble, started
from engine.workers.registry import HOME, TEMPORARY, Registry, RoleEntry, WorkersAccess, environment_of, missing_keys
from engine.workers.sandbox import Sandbox, available
from engine.workers.workers import sandbox_of

PATIENCE: Final = 20
"""Seconds that a version may take: agents are slow to start."""
GREETING: Final = Limits(total=60, silence=30, permission_wait=0, output_bytes=4_000_000, artifact_bytes=0)
"""What an agent may take to open a session."""
MOST_PRINTED: Final = 100_000
"""Bytes that it may print meanwhile."""
LONGEST: Final = 200
"""Characters of a version that are told."""


@dataclass(frozen=True, slots=True)
class RoleFound:
    """A role, and whether it can work here."""

    role_id: str
    protocol: str
    version: str = ""
    """As it says; empty where nobody can be asked."""
    fault: str = ""
    """Why it cannot work; empty where it can."""
    is_sandboxed: bool = False


def has_sandbox() -> bool:
    """Whether a command can be kept in its own directory. It may run a program, and waits for that."""
    return available() is not None


def isolation_faults(registry: Registry) -> Iterator[str]:
    """Yield a sentence for each role that would have to be isolated and cannot be. It may run a program."""
    strict = [each for each in registry.roles if each.cli_command and _must_be_isolated(each)]
    if not strict or has_sandbox():
        return
    for each in strict:
        yield f"{each.role_id} has to be isolated, and bubblewrap is not there or does not work on this machine"


def look_at(registry: Registry, access: WorkersAccess) -> Iterator[RoleFound]:
    """Yield what there is of each role; each is tried, one after the other."""
    sandbox = available() if any(each.cli_command for each in registry.roles) else None
    for role in registry.roles:
        wanted = role.metadata
        if refusal := registry.refusal(role):
            yield RoleFound(role.role_id, wanted.protocol, fault=refusal)
            continue
        if not role.cli_command:
            yield RoleFound(role.role_id, wanted.protocol)
            continue
        if _must_be_isolated(role) and sandbox is None:
            yield RoleFound(role.role_id, wanted.protocol, fault="it has to be isolated, and there is no sandbox")
            continue
        if shutil.which(role.cli_command[0]) is None:
            yield RoleFound(role.role_id, wanted.protocol, fault=f"there is no program {role.cli_command[0]}")
            continue
        is_boxed = sandbox is not None and (wanted.sandbox != "off" or wanted.network == "isolated")
        its_own = sandbox_of(sandbox, role, access) if sandbox is not None and is_boxed else None
        version, fault = _tried(role, registry, its_own)
        yield RoleFound(role.role_id, wanted.protocol, version, fault or missing_keys(role, registry), is_boxed)


def _must_be_isolated(role: RoleEntry) -> bool:
    return role.metadata.network == "isolated" or role.metadata.sandbox == "required"


def _tried(role: RoleEntry, registry: Registry, sandbox: Sandbox | None) -> tuple[str, str]:
    """Return its version, as its command prints it or as it greets, and why it cannot work."""
    # Whoever asks may be in an event loop, which is not to be entered twice.
    with ThreadPoolExecutor(1) as thread, TemporaryDirectory(prefix="towow-") as folder:
        return thread.submit(asyncio.run, _said(role, registry, Path(folder), sandbox)).result()


async def _said(role: RoleEntry, registry: Registry, directory: Path, sandbox: Sandbox | None) -> tuple[str, str]:
    for each in (HOME, TEMPORARY):
        (directory / each).mkdir()
    environment = environment_of(role, registry, directory)
    launch = Launch(
        role.metadata.version_command, directory, environment, PATIENCE, PATIENCE, MOST_PRINTED, sandbox=sandbox
    )
    version, fault = await _version(launch) if launch.command else ("", "")
    if fault or role.metadata.protocol != "acp" or missing_keys(role, registry):
        return version, fault
    greeting = replace(
        launch,
        command=role.cli_command,
        total=GREETING.total,
        silence=GREETING.silence,
        output_bytes=GREETING.output_bytes,
    )
    try:
        return version or await try_agent(role, greeting, GREETING, WallClock()), ""
    except AgentTrouble as trouble:
        return version, trouble.detail.removesuffix(".")


async def _version(launch: Launch) -> tuple[str, str]:
    """Return the first line that a version command prints, and why there is none."""
    program = launch.command[0]
    try:
        async with started(launch) as process:
            await process.write(b"", close=True)
            lines = [line async for line in process.lines()]
            code = await process.ended()
    except ProcessTrouble as trouble:
        return "", f"asked for its version by {program}: {trouble}"
    if code != 0:
        return "", f"{program} ended with {code} when it was asked for its version"
    texts = (visible(each.decode("utf-8", "replace")).strip() for each in lines)
    return next(filter(None, texts), "")[:LONGEST], ""
